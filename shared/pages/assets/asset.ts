import { createHash } from 'node:crypto';
import { inkOn } from '../ink.ts';
import { checkoutScript, checkoutStyles } from './built.ts';
import { htmxName } from './htmx-name.ts';
import { iconMarkup } from './icon.ts';

/** A file of the pages. Its name follows from its content, so browsers can cache it without limit. */
export interface Asset {
  name: string;
  type: string;
  body: string;
}

/** A file under a name that changes with its content. */
export const asset = (stem: string, extension: string, type: string, body: string): Asset => ({
  name: `${stem}-${createHash('sha256').update(body).digest('hex').slice(0, 12)}.${extension}`,
  type,
  body,
});

const styleType = 'text/css; charset=utf-8';
const scriptType = 'text/javascript; charset=utf-8';

/** The hash that a content policy names to allow the style inside every checkout page. */
export const checkoutStylesHash = `'sha256-${createHash('sha256').update(checkoutStyles.text).digest('base64')}'`;

/**
 * The one script of the checkout pages, htmx first. Its name follows from htmx's, so pages need not read htmx's
 * text.
 */
export const script = {
  name: asset('checkout', 'js', scriptType, `${htmxName}\n${checkoutScript}`).name,
  type: scriptType,
  bodyWith: (htmx: string): string => `${htmx}\n${checkoutScript}`,
};

export const icon = asset('icon', 'svg', 'image/svg+xml', iconMarkup);

/** A seller's colour as a file, because the one inline style is the same on every page: `brand-0b5c58.css`. */
export const brandStylesheetName = (color: string): string => `brand-${color.replace(/^#/, '').toLowerCase()}.css`;

/** The file of that name, if there is one. */
export function findAsset(name: string): Asset | undefined {
  const color = /^brand-([0-9a-f]{6})\.css$/.exec(name)?.[1];
  if (color) return { name, type: styleType, body: brandStyles(color) };
  return name === icon.name ? icon : undefined;
}

const brandStyles = (hex: string): string => `:root{--brand:#${hex};--on-brand:${inkOn(`#${hex}`)}}\n`;
