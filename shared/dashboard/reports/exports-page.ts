import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { card } from '../parts.ts';
import { textsOf, withMarkup } from '../texts.ts';

const section = '/dashboard/exports';

interface Period {
  label: TextKey<'reports'>;
  from: string;
  to: string;
}

interface ExportsView {
  /** The current day, such as `2026-03-15`. */
  today: string;
  from: string;
  to: string;
  fault: string | undefined;
}

/** The files that other pages make, with the address of each. */
const others = [
  ['/dashboard/payments', 'exports.other.payments'],
  ['/dashboard/withdrawals?format=csv', 'exports.other.withdrawals'],
  ['/dashboard/payouts', 'exports.other.payouts'],
  ['/dashboard/returns', 'exports.other.returns'],
] as const;

export const exportsPage = (frame: Frame, { today, from, to, fault }: ExportsView) => {
  const t = textsOf(dashboardTexts('reports'), frame);
  const dates = (
    file: string,
  ) => html`<form method="get" action="${section}/${file}"><div class="pair">${dateField(`${file}-from`, 'from', t('from'), from)}${dateField(`${file}-to`, 'to', t('to'), to)}</div>
<p class="submit"><button class="main">${t('exports.download')}</button></p></form>
<p class="hint">${periodsOf(today).map((period, index) => html`${index > 0 && ' · '}<a href="${`${section}/${file}?from=${period.from}&to=${period.to}`}" download>${t(period.label)}</a>`)}</p>`;
  const main = html`${fault && html`<p class="note fault-note" role="alert">${fault}</p>`}
<div class="columns two">
${card(
  { name: 'taxes', title: t('exports.taxes') },
  html`<p class="lead">${t('exports.taxes.text')}</p>
${dates('taxes.csv')}`,
)}
${card(
  { name: 'payments', title: t('exports.payments') },
  html`<p class="lead">${t('exports.payments.text')}</p>
${dates('payments.csv')}`,
)}
${card(
  { name: 'audit', title: t('exports.audit') },
  html`<p class="lead">${t('exports.audit.text')}</p>
${dates('audit-log.csv')}`,
)}
${card({ name: 'other', title: t('exports.other') }, html`<ul class="steps">${others.map(([to, key]) => html`<li><a href="${to}">${t(key)}</a></li>`)}</ul>`)}
</div>
<p class="hint">${withMarkup(t('exports.hint'), { link: html`<a href="/dashboard/returns">${t('exports.returns')}</a>` })}</p>`;
  return dashboardAnswer(
    frame,
    { title: t('nav./dashboard/exports'), section, main },
    { statusCode: fault ? 422 : 200 },
  );
};

const dateField = (id: string, name: string, label: string, value: string): Html =>
  html`<div class="field"><label for="${id}">${label}</label><input type="date" id="${id}" name="${name}" value="${value}" required></div>`;

/** The common periods before and around a given day. */
function periodsOf(today: string): Period[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const quarter = Math.floor((month - 1) / 3) * 3 + 1;
  return [
    { label: 'exports.thisMonth', ...months(year, month, 1) },
    { label: 'exports.lastMonth', ...months(year, month - 1, 1) },
    { label: 'exports.thisQuarter', ...months(year, quarter, 3) },
    { label: 'exports.lastQuarter', ...months(year, quarter - 3, 3) },
    { label: 'exports.thisYear', ...months(year, 1, 12) },
  ];
}

/** The first and last day of a range of months. Month 0 is the previous December. */
const months = (year: number, first: number, count: number): Omit<Period, 'label'> => ({
  from: new Date(Date.UTC(year, first - 1, 1)).toISOString().slice(0, 10),
  to: new Date(Date.UTC(year, first - 1 + count, 0)).toISOString().slice(0, 10),
});

/** The month of a day. */
export const monthOf = (today: string): Omit<Period, 'label'> => {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return months(year, month, 1);
};
