import { niceStep } from '../../domain/reports/overview.ts';
import { type Html, html } from '../../pages/html.ts';

interface Bar {
  /** Below the bar; empty where there is no room. */
  label: string;
  /** The bar's text for screen readers and tooltips. */
  title: string;
  /** From the bottom upwards, the main part first. */
  parts: readonly [number, number?];
}

interface Chart {
  id: string;
  title: string;
  /** What the picture shows, for who does not see it. */
  description: string;
  bars: readonly Bar[];
  /** How a height is written at the side. */
  format: (value: number) => string;
}

const [width, height] = [720, 240];
const area = { left: 64, right: 16, top: 12, bottom: 28 };
const floor = height - area.bottom;
const room = floor - area.top;

/** A bar chart as an SVG, so the page needs no script and no data leaves it. */
export function barChart({ id, title, description, bars, format }: Chart): Html {
  const highest = Math.max(1, ...bars.map(({ parts: [main, rest = 0] }) => main + rest));
  const step = niceStep(highest, 4);
  const top = Math.ceil(highest / step) * step;
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => index * step);
  const y = (value: number) => rounded(floor - (value / top) * room);
  return html`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-chart-title ${id}-chart-text">
<title id="${id}-chart-title">${title}</title><desc id="${id}-chart-text">${description}</desc>
${ticks.map(
  (
    tick,
  ) => html`<line class="grid" x1="${area.left}" x2="${width - area.right}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${area.left - 8}" y="${rounded(y(tick) + 4)}" text-anchor="end">${format(tick)}</text>
`,
)}${bars.map((bar, index) => barAt(bar, index, bars.length, y))}</svg>`;
}

function barAt(bar: Bar, index: number, count: number, y: (value: number) => number): Html {
  const slot = (width - area.left - area.right) / count;
  const wide = Math.min(48, slot * 0.72);
  const x = rounded(area.left + slot * index + (slot - wide) / 2);
  const column = { x, wide };
  const [main, rest = 0] = bar.parts;
  return html`<g><title>${bar.title}</title>
${block('bar', column, y(main), floor)}${block('bar tax', column, y(main + rest), y(main))}
${bar.label !== '' && html`<text x="${rounded(x + wide / 2)}" y="${height - 8}" text-anchor="middle">${bar.label}</text>`}</g>
`;
}

const block = (name: string, { x, wide }: { x: number; wide: number }, from: number, to: number): Html =>
  from < to
    ? html`<rect class="${name}" x="${x}" y="${from}" width="${rounded(wide)}" height="${rounded(to - from)}"/>`
    : html``;

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** A colour of the chart, and its meaning. */
export const legendEntry = (name: string, label: string): Html =>
  html`<span><svg class="chart" viewBox="0 0 12 12" aria-hidden="true"><rect class="${name}" width="12" height="12" rx="3"/></svg>${label}</span>`;
