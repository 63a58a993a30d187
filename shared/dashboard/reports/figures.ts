import type { Overview } from '../../domain/reports/overview.ts';
import type { OverviewPeriod } from '../../domain/reports/period.ts';
import type { DayPeriod } from '../../domain/reports/returns/period.ts';
import { keptOf, type SalesTotals } from '../../domain/reports/sales.ts';
import { formatRate } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import type { TextKey } from '../../texts/texts.ts';
import { dayFormat } from '../dates.ts';
import { money } from '../parts.ts';
import type { Texts } from '../texts.ts';

interface Figure {
  label: string;
  of: (totals: SalesTotals) => number;
  note: string;
}

/** The sales figures of the period, each with that of the previous period. */
export function figures({ totals, before }: Overview, period: OverviewPeriod, t: Texts<TextKey<'reports'>>): Html {
  const inMoney = (amount: number) => money(amount, totals.currency, t.locale);
  return html`<dl class="figures">${[...soldFigures(totals, t), ...deductions({ totals, before }, t)].map(
    ({
      label,
      of,
      note,
    }) => html`<div class="figure"><dt>${label}</dt><dd class="big">${inMoney(of(totals))}</dd><dd class="hint">${note}</dd>${before && html`<dd class="hint">${t('before', { amount: inMoney(of(before)) })}${changeOf(of(totals), of(before), t.locale)}</dd>`}</div>
`,
  )}</dl>
<p class="hint figures-note">${before ? t('beforeDays', { days: daysText(period.before, t.locale) }) : t('beforeUnknown')} ${t('utc')}.</p>`;
}

const soldFigures = ({ gross, tax, refunded, count }: SalesTotals, t: Texts<TextKey<'reports'>>): Figure[] => [
  { label: t('paid'), of: (totals) => totals.gross, note: t.count('payments', count) },
  {
    label: t('taxIncluded'),
    of: (totals) => totals.tax,
    note: gross > 0 ? t('ofPaid', { share: share(tax, gross, t.locale) }) : '',
  },
  { label: t('net'), of: (totals) => totals.gross - totals.tax, note: t('beforeRefunds') },
  { label: t('refunded'), of: (totals) => totals.refunded, note: refunded > 0 ? t('inTheseDays') : '' },
];

/**
 * The losses by disputes, the processor's fees, and the amount that is left. Empty if there are no losses and fees, as
 * with most test cards.
 */
function deductions({ totals, before }: Pick<Overview, 'totals' | 'before'>, t: Texts<TextKey<'reports'>>): Figure[] {
  const lost = totals.lost + (before?.lost ?? 0) > 0 ? [lostFigure(t)] : [];
  const fees = totals.feesUnknown === totals.count ? [] : [feeFigure(totals, t)];
  const deducted = [...lost, ...fees];
  return deducted.length === 0 ? [] : [...deducted, { label: t('left'), of: keptOf, note: t('afterFees') }];
}

const lostFigure = (t: Texts<TextKey<'reports'>>): Figure => ({
  label: t('lost'),
  of: (totals) => totals.lost,
  note: t('disputedInTheseDays'),
});

const feeFigure = ({ gross, fees, feesUnknown }: SalesTotals, t: Texts<TextKey<'reports'>>): Figure => ({
  label: t('fees'),
  of: (totals) => totals.fees,
  note: feesUnknown > 0 ? t.count('feesUnknown', feesUnknown) : t('ofPaid', { share: share(fees, gross, t.locale) }),
});

/** A share in percent, with one decimal. */
export const share = (part: number, whole: number, locale: Locale): string =>
  formatRate(String(Math.round((part / whole) * 1_000) / 1_000), locale);

/** The change since the previous period, in percent. Empty if there is nothing to compare with. */
function changeOf(now: number, before: number, locale: Locale): string {
  if (before <= 0) return '';
  const percent = Math.round(((now - before) / before) * 100);
  return ` (${percent < 0 ? '−' : '+'}${formatRate(String(Math.abs(percent) / 100), locale)})`;
}

function daysText({ from, to }: DayPeriod, locale: Locale): string {
  const days = dayFormat('day', locale);
  return from === to ? days.format(new Date(from)) : days.formatRange(new Date(from), new Date(to));
}
