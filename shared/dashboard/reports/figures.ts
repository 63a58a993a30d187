import type { Overview } from '../../domain/reports/overview.ts';
import type { OverviewPeriod } from '../../domain/reports/period.ts';
import type { DayPeriod } from '../../domain/reports/returns/period.ts';
import type { SalesTotals } from '../../domain/reports/sales.ts';
import { type Html, html } from '../../pages/html.ts';
import { money } from '../parts.ts';
import { overviewWords as words } from './overview-words.ts';

interface Figure {
  label: string;
  of: (totals: SalesTotals) => number;
  note: string;
}

/** What was sold in the period, each figure with the one of the period before. */
export function figures({ totals, before }: Overview, period: OverviewPeriod): Html {
  const { currency } = totals;
  return html`<dl class="figures">${[...soldFigures(totals), ...feeFigures(totals)].map(
    ({
      label,
      of,
      note,
    }) => html`<div class="figure"><dt>${label}</dt><dd class="big">${signed(of(totals), currency)}</dd><dd class="hint">${note}</dd>${before && html`<dd class="hint">${words.before(signed(of(before), currency), changeOf(of(totals), of(before)))}</dd>`}</div>
`,
  )}</dl>
<p class="hint figures-note">${before ? words.beforeDays(daysText(period.before)) : words.beforeUnknown} ${words.utc}.</p>`;
}

const soldFigures = ({ gross, tax, refunded, count }: SalesTotals): Figure[] => [
  { label: words.paid, of: (totals) => totals.gross, note: words.payments(count) },
  { label: words.taxIncluded, of: (totals) => totals.tax, note: gross > 0 ? words.ofPaid(share(tax, gross)) : '' },
  { label: words.net, of: (totals) => totals.gross - totals.tax, note: words.beforeRefunds },
  { label: words.refunded, of: (totals) => totals.refunded, note: refunded > 0 ? words.inTheseDays : '' },
];

/** Nothing where no fee is known, as with test cards. */
function feeFigures({ gross, fees, feesUnknown, count }: SalesTotals): Figure[] {
  if (feesUnknown === count) return [];
  const note = feesUnknown > 0 ? words.feesUnknown(feesUnknown) : words.ofPaid(share(fees, gross));
  const left = (totals: SalesTotals) => totals.gross - totals.refunded - totals.fees;
  return [
    { label: words.fees, of: (totals) => totals.fees, note },
    { label: words.left, of: left, note: words.afterFees },
  ];
}

const signed = (amount: number, currency: string): string =>
  `${amount < 0 ? '−' : ''}${money(Math.abs(amount), currency)}`;

/** A part of a whole in percent, with one place. */
export const share = (part: number, whole: number): string =>
  `${(Math.round((part / whole) * 1_000) / 10).toLocaleString('en')}\u00a0%`;

/** Empty where there was nothing to compare with. */
function changeOf(now: number, before: number): string {
  if (before <= 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent).toLocaleString('en')}\u00a0%`;
}

const dayWithYear = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

const daysText = ({ from, to }: DayPeriod): string =>
  from === to ? dayWithYear.format(new Date(from)) : dayWithYear.formatRange(new Date(from), new Date(to));
