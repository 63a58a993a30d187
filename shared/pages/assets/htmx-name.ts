/** The name of htmx's file, which every page says; its text is apart, because only one function serves it. */
export const htmxName = 'htmx-a0abb04f2f45.js';
