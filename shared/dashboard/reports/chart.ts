import { niceStep } from '../../domain/reports/overview.ts';
import { type Html, html } from '../../pages/html.ts';

interface Bar {
  /** The label below the bar; empty if there is no room. */
  label: string;
  /** Whether the label is the value at which the bar begins. Then it stands below the bar's left edge. */
  isEdge?: boolean;
  /** The bar's text for screen readers and tooltips. */
  title: string;
  /** The segments of the bar from bottom to top, the most important one first. */
  parts: readonly [number, number?];
}

interface Chart {
  id: string;
  title: string;
  /** The description of the chart for screen readers. */
  description: string;
  bars: readonly Bar[];
  /** Formats a value for the scale at the side. */
  format: (value: number) => string;
}

const height = 240;
const top = 12;
const floor = height - 28;
const room = floor - top;

/**
 * A bar chart as SVG. So the page needs no script, and the data stays on the page. The positions are in percent of the
 * width. On a phone, the bars become narrower and the texts keep their size.
 */
export function barChart({ id, title, description, bars, format }: Chart): Html {
  const highest = Math.max(1, ...bars.map(({ parts: [main, rest = 0] }) => main + rest));
  const step = niceStep(highest, 4);
  const end = Math.ceil(highest / step) * step;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  const y = (value: number) => rounded(floor - (value / end) * room);
  return html`<div class="plot"><div class="axis" aria-hidden="true">${ticks.toReversed().map((tick) => html`<span>${format(tick)}</span>`)}</div>
<svg class="chart" width="100%" height="${height}" role="img" aria-labelledby="${id}-chart-title ${id}-chart-text">
<title id="${id}-chart-title">${title}</title><desc id="${id}-chart-text">${description}</desc>
${ticks.map(
  (tick) => html`<line class="grid" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>
`,
)}${bars.map((bar, index) => barAt(bar, index, bars.length, y))}</svg></div>`;
}

/** The share of a bar's space that the bar fills. With few bars, the gaps are wider. */
const shareOfSlot = (count: number): number => (count > 10 ? 0.72 : 0.45);

function barAt(bar: Bar, index: number, count: number, y: (value: number) => number): Html {
  const slot = 100 / count;
  const wide = slot * shareOfSlot(count);
  const column = { x: rounded(slot * index + (slot - wide) / 2), wide };
  const [main, rest = 0] = bar.parts;
  return html`<g><title>${bar.title}</title>
${block('bar', column, y(main), floor)}${block('bar tax', column, y(main + rest), y(main))}
${bar.label !== '' && html`<text x="${bar.isEdge ? column.x : rounded(slot * (index + 0.5))}%" y="${height - 8}" text-anchor="${bar.isEdge ? 'start' : 'middle'}">${bar.label}</text>`}</g>
`;
}

const block = (name: string, { x, wide }: { x: number; wide: number }, from: number, to: number): Html =>
  from < to
    ? html`<rect class="${name}" x="${x}%" y="${from}" width="${rounded(wide)}%" height="${rounded(to - from)}"/>`
    : html``;

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** An entry of the legend: a colour of the chart, and its meaning. */
export const legendEntry = (name: string, label: string): Html =>
  html`<span><svg class="chart" viewBox="0 0 12 12" aria-hidden="true"><rect class="${name}" width="12" height="12" rx="3"/></svg>${label}</span>`;

/** Whether a bar has a label. About six bars have one, counted from the last. */
export const isLabelled = (index: number, count: number): boolean =>
  (count - 1 - index) % Math.max(1, Math.ceil(count / 6)) === 0;
