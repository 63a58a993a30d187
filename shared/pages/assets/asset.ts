import { createHash } from 'node:crypto';
import { checkoutScript } from './checkout-script.ts';
import { checkoutStyles } from './checkout-styles.ts';
import { iconMarkup } from './icon.ts';

/** A file of the pages; its name follows from its content, so that it may be kept for ever. */
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

export const stylesheet = asset('checkout', 'css', 'text/css; charset=utf-8', checkoutStyles);
export const script = asset('checkout', 'js', 'text/javascript; charset=utf-8', checkoutScript);
export const icon = asset('icon', 'svg', 'image/svg+xml', iconMarkup);

/** A seller's colour as a file, because the pages have no inline styles: `brand-0b5c58.css`. */
export const brandStylesheetName = (color: string): string => `brand-${color.replace(/^#/, '').toLowerCase()}.css`;

/** The file of that name, if there is one. */
export function findAsset(name: string): Asset | undefined {
  const color = /^brand-([0-9a-f]{6})\.css$/.exec(name)?.[1];
  if (color) return { name, type: stylesheet.type, body: brandStyles(color) };
  return [stylesheet, script, icon].find((candidate) => candidate.name === name);
}

const brandStyles = (hex: string): string => `:root{--brand:#${hex};--on-brand:${isDark(hex) ? '#fff' : '#000'}}\n`;

/** Whether white is easier to read on it than black: relative luminance, WCAG 2.2. */
function isDark(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) =>
    linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179;
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
