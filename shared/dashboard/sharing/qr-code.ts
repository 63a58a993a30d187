import encodeQr from 'qr';
import { type Html, html } from '../../pages/html.ts';

/** The width of the light border around a code, in modules. Readers need it (ISO/IEC 18004, 9.1). */
const quietModules = 4;

/**
 * A text as a QR code: an SVG without styles and scripts. It has a white background, so it can be scanned in dark mode
 * too.
 */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQr(text, 'raw', { border: quietModules, ecc: 'medium' });
  const size = String(rows.length);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="192" height="192" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${rows.map(darkRuns).join('')}"/></svg>`;
}

/** The dark modules of a row. Each run of neighbouring modules is one rectangle. */
const darkRuns = (row: readonly boolean[], y: number): string =>
  [
    ...row
      .map((isDark) => (isDark ? '1' : '0'))
      .join('')
      .matchAll(/1+/g),
  ]
    .map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1H${index}z`)
    .join('');
