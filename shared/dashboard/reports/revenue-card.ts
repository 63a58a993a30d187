import type { Overview, SpanFigures } from '../../domain/reports/overview.ts';
import { spanKind } from '../../domain/reports/overview.ts';
import type { OverviewPeriod } from '../../domain/reports/period.ts';
import { type Html, html } from '../../pages/html.ts';
import { dataTable, money } from '../parts.ts';
import { barChart, isLabelled, legendEntry } from './chart.ts';
import { overviewWords as words } from './overview-words.ts';

const dayLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const monthLabel = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });

type SpanKind = ReturnType<typeof spanKind>;

/** `3 Mar`, `3 – 9 Mar`, `Mar` */
function labelOf(kind: SpanKind, { from, to }: SpanFigures): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (kind === 'month') return monthLabel.format(first);
  return from === to ? dayLabel.format(first) : dayLabel.formatRange(first, last);
}

/** Below a bar there is room for the beginning only. */
const shortLabelOf = (kind: SpanKind, span: SpanFigures): string => labelOf(kind, { ...span, to: span.from });

export function revenueCard({ spans, totals: { currency } }: Overview, period: OverviewPeriod): Html {
  const kind = spanKind(period);
  const title = words.revenuePer[kind];
  const bars = spans.map((span, index) => ({
    label: isLabelled(index, spans.length) ? shortLabelOf(kind, span) : '',
    title: words.revenueBar(labelOf(kind, span), money(span.net + span.tax, currency), money(span.tax, currency)),
    parts: [span.net, span.tax] as const,
  }));
  const busy = spans.filter(({ net, tax }) => net + tax > 0);
  return html`<section class="card" aria-labelledby="revenue-title"><h2 id="revenue-title">${title}</h2>
${barChart({
  id: 'revenue',
  title: words.revenueChart(title),
  description: words.revenueText(spans.length, busy.length),
  bars,
  format: (value) => shortMoney(value, currency),
})}
<p class="legend">${legendEntry('bar', words.net)}${legendEntry('bar tax', words.tax)}<span>${words.utc}</span></p>
<details><summary>${words.asTable}</summary>${spanTable(kind, busy, currency)}</details></section>`;
}

const spanTable = (kind: SpanKind, spans: readonly SpanFigures[], currency: string): Html =>
  dataTable(
    words.revenuePer[kind],
    [
      { label: words.spanWord[kind], cell: (span) => labelOf(kind, span) },
      { label: words.net, isNumber: true, cell: ({ net }) => money(net, currency) },
      { label: words.tax, isNumber: true, cell: ({ tax }) => money(tax, currency) },
      { label: words.total, isNumber: true, cell: ({ net, tax }) => money(net + tax, currency) },
    ],
    spans.toReversed(),
  );

/** An amount in as few characters as a chart has room for. */
export const shortMoney = (amount: number, currency: string): string => money(amount, currency).replace(/[.](0+)$/, '');
