import { type Html, html } from '../html.ts';
import { inkOn } from '../ink.ts';
import type { PageBrand } from '../page-context.ts';

/** The dashboard's icon for the browser's tab: a receipt. */
export const iconMarkup =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5c58"/><path d="M9 12h14M9 17h14M9 22h8" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>\n';

/** The same icon as an `.ico` file of 32 pixels, in base64, for browsers that ask for `/favicon.ico`. */
export const favicon =
  'AAABAAEAICAAAAEAIADRAAAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAQDAAAAgVRnxwAAABVQTFRFC1xYC1xYC1xYC1xYC1xYSIWC////4O/CFQAAAAd0Uk5TAECAv////651KHgAAABkSURBVHjaY2BgEDJxgQJnRQYGBgYmFySgwMDAYIIs4IymAKREBFXAkUEFVcAJ1QiQIS5ogEiBUCiACbimQUEILgEMLfQ0FEnAFW4ALgEMLaiGYgQhRiBjRANGRGFEJWZkoyUHAJegiTO4Xc2wAAAAAElFTkSuQmCC';

/** The first letter of a name, as a capital. */
export const initialOf = (name: string): string => [...name.trim()][0]?.toUpperCase() ?? '';

/**
 * The icon of a brand's pages for the browser's tab: its logo, or else the initial of its name on its colour. The
 * initial is inside the HTML, which saves a request.
 */
export function brandIcon({ name, color, logo }: Pick<PageBrand, 'name' | 'color' | 'logo'>): Html {
  if (logo) return html`<link rel="icon" href="${logo}">`;
  const fill = color ?? '#0b5c58';
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${fill}"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="600" text-anchor="middle" fill="${inkOn(fill)}">${initialOf(name)}</text></svg>`;
  return html`<link rel="icon" type="image/svg+xml" href="data:image/svg+xml,${encodeURIComponent(svg.text)}">`;
}
