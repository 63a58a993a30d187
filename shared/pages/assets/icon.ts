/** The till in the browser's tab. */
export const iconMarkup =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5c58"/><path d="M9 12h14M9 17h14M9 22h8" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n';
