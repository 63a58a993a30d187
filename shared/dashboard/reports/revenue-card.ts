import type { Overview, SpanFigures } from '../../domain/reports/overview.ts';
import { spanKind } from '../../domain/reports/overview.ts';
import type { OverviewPeriod } from '../../domain/reports/period.ts';
import { formatShortMoney } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import type { TextKey } from '../../texts/texts.ts';
import { dayFormat } from '../dates.ts';
import { card, dataTable, money } from '../parts.ts';
import type { Texts } from '../texts.ts';
import { barChart, isLabelled, legendEntry } from './chart.ts';

type SpanKind = ReturnType<typeof spanKind>;

/** The text for the days of a bar: `3 Mar`, `3 – 9 Mar`, `Mar`. */
function labelOf(kind: SpanKind, { from, to }: SpanFigures, locale: Locale): string {
  const [first, last] = [new Date(from), new Date(to)];
  if (kind === 'month') return dayFormat('month', locale).format(first);
  const days = dayFormat('dayOfYear', locale);
  return from === to ? days.format(first) : days.formatRange(first, last);
}

/** The label below a bar. There is only space for the first day. */
const shortLabelOf = (kind: SpanKind, span: SpanFigures, locale: Locale): string =>
  labelOf(kind, { ...span, to: span.from }, locale);

export function revenueCard(
  { spans, totals: { currency } }: Overview,
  period: OverviewPeriod,
  file: Html,
  t: Texts<TextKey<'reports'>>,
): Html {
  const kind = spanKind(period);
  const title = t(`revenuePer.${kind}`);
  const inMoney = (amount: number) => money(amount, currency, t.locale);
  const bars = spans.map((span, index) => ({
    label: isLabelled(index, spans.length) ? shortLabelOf(kind, span, t.locale) : '',
    title: t('revenueBar', {
      span: labelOf(kind, span, t.locale),
      total: inMoney(span.net + span.tax),
      tax: inMoney(span.tax),
    }),
    parts: [span.net, span.tax] as const,
  }));
  const busy = spans.filter(({ net, tax }) => net + tax > 0);
  return card(
    { name: 'revenue', title },
    html`${barChart({
      id: 'revenue',
      title: t('revenueChart', { title }),
      description: t.count('revenueText', spans.length, { busy: String(busy.length) }),
      bars,
      format: (value) => shortMoney(value, currency, t.locale),
    })}
<p class="legend">${legendEntry('bar', t('net'))}${legendEntry('bar tax', t('tax'))}<span>${t('beforeRefunds')}</span><span>${t('utc')}</span></p>
<details><summary>${t('asTable')}</summary>${spanTable(kind, busy, { t, inMoney })}</details>${file}`,
  );
}

const spanTable = (
  kind: SpanKind,
  spans: readonly SpanFigures[],
  { t, inMoney }: { t: Texts<TextKey<'reports'>>; inMoney: (amount: number) => string },
): Html =>
  dataTable(
    t(`revenuePer.${kind}`),
    [
      { label: t(`span.${kind}`), cell: (span) => labelOf(kind, span, t.locale) },
      { label: t('net'), isNumber: true, cell: ({ net }) => inMoney(net) },
      { label: t('tax'), isNumber: true, cell: ({ tax }) => inMoney(tax) },
      { label: t('total'), isNumber: true, cell: ({ net, tax }) => inMoney(net + tax) },
    ],
    spans.toReversed(),
  );

/** Writes an amount with few characters, for a chart. */
export const shortMoney = formatShortMoney;
