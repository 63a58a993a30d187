import { createHash } from 'node:crypto';
import { inkOn } from '../ink.ts';
import { checkoutScript, checkoutStyles } from './built.ts';
import { htmxName } from './htmx-name.ts';
import { iconMarkup } from './icon.ts';

/** A file that pages load. Its name changes with its content, so browsers may cache it for ever. */
export interface Asset {
  name: string;
  type: string;
  body: string;
}

/** Names a file by its content. */
export const asset = (stem: string, extension: string, type: string, body: string): Asset => ({
  name: `${stem}-${createHash('sha256').update(body).digest('hex').slice(0, 12)}.${extension}`,
  type,
  body,
});

const styleType = 'text/css; charset=utf-8';
const scriptType = 'text/javascript; charset=utf-8';

/** The hash of the inline style of buyers' pages. The content policy allows the style by it. */
export const checkoutStylesHash = `'sha256-${createHash('sha256').update(checkoutStyles.text).digest('base64')}'`;

/**
 * The only script of buyers' pages, which begins with htmx. Its name is made from htmx's name, so that pages need not
 * read htmx itself.
 */
export const script = {
  name: asset('checkout', 'js', scriptType, `${htmxName}\n${checkoutScript}`).name,
  type: scriptType,
  bodyWith: (htmx: string): string => `${htmx}\n${checkoutScript}`,
};

export const icon = asset('icon', 'svg', 'image/svg+xml', iconMarkup);

/**
 * The name of the stylesheet with a seller's colour: `brand-0b5c58.css`. It is a separate file, because the inline
 * style is the same for all sellers.
 */
export const brandStylesheetName = (color: string): string => `brand-${color.replace(/^#/, '').toLowerCase()}.css`;

/** The file with that name; undefined if there is none. */
export function findAsset(name: string): Asset | undefined {
  const color = /^brand-([0-9a-f]{6})\.css$/.exec(name)?.[1];
  if (color) return { name, type: styleType, body: brandStyles(color) };
  return name === icon.name ? icon : undefined;
}

const brandStyles = (hex: string): string => `:root{--brand:#${hex};--on-brand:${inkOn(`#${hex}`)}}\n`;
