import { html } from '../html.ts';

/** The dashboard's icon for the browser's tab: a receipt. */
export const iconMarkup =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5c58"/><path d="M9 12h14M9 17h14M9 22h8" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n';

/** The same icon inside the HTML of buyers' pages, which saves a request. */
export const inlineIcon = html`<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230b5c58'/%3E%3Cpath d='M9 12h14M9 17h14M9 22h8' stroke='%23fff' stroke-width='2.5' stroke-linecap='round'/%3E%3C/svg%3E">`;
