/** The name of htmx's file by its content, from which the name of the checkout's script follows. */
export const htmxName = 'htmx-a0abb04f2f45.js';
