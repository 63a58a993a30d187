/** The name of htmx's file, made from its content. The name of the checkout's script is in turn made from it. */
export const htmxName = 'htmx-a0abb04f2f45.js';
