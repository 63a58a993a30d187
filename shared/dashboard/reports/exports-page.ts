import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';

const section = '/dashboard/exports';

interface Period {
  label: string;
  from: string;
  to: string;
}

interface ExportsView {
  /** `2026-03-15` */
  today: string;
  from: string;
  to: string;
  fault: string | undefined;
}

export const exportsPage = (frame: Frame, { today, from, to, fault }: ExportsView) => {
  const dates = (
    file: string,
  ) => html`<form method="get" action="${section}/${file}"><div class="pair">${dateField(`${file}-from`, 'from', 'From', from)}${dateField(`${file}-to`, 'to', 'To', to)}</div>
<p class="submit"><button class="main">Download the CSV</button></p></form>
<p class="hint">${periodsOf(today).map((period, index) => html`${index > 0 && ' · '}<a href="${`${section}/${file}?from=${period.from}&to=${period.to}`}" download>${period.label}</a>`)}</p>`;
  const main = html`${fault && html`<p class="note fault-note" role="alert">${fault}</p>`}
<div class="columns two">
<section class="card" aria-labelledby="taxes-title"><h2 id="taxes-title">Taxes</h2>
<p class="lead">Sales and refunds by month, country, tax and rate, as a tax return needs them, with one row for each currency. A sale counts on its tax date where the buyer is, a refund on the day it was paid. A sale with two taxes has two rows.</p>
${dates('taxes.csv')}</section>
<section class="card" aria-labelledby="payments-title"><h2 id="payments-title">Payments</h2>
<p class="lead">One row for each payment, including failed ones, with net, tax, total, refunded amount, buyer and place. Days are in UTC.</p>
${dates('payments.csv')}</section>
<section class="card" aria-labelledby="audit-title"><h2 id="audit-title">Audit log</h2>
<p class="lead">Who refunded, and who changed products, brands, tax, webhooks and keys: one row for each command, at most 10,000. Days are in UTC.</p>
${dates('audit-log.csv')}</section>
</div>
<p class="hint">Amounts are decimal numbers with a point. An apostrophe precedes text that a spreadsheet would read as a formula. A file of taxes or payments has at most 3,000 payments: larger ones, and returns by country, are made on the page <a href="/dashboard/returns">Returns</a>.</p>`;
  return dashboardAnswer(frame, { title: 'Exports', section, main }, { statusCode: fault ? 422 : 200 });
};

const dateField = (id: string, name: string, label: string, value: string): Html =>
  html`<div class="field"><label for="${id}">${label}</label><input type="date" id="${id}" name="${name}" value="${value}" required></div>`;

/** Common periods, relative to a day. */
function periodsOf(today: string): Period[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const quarter = Math.floor((month - 1) / 3) * 3 + 1;
  return [
    { label: 'This month', ...months(year, month, 1) },
    { label: 'Last month', ...months(year, month - 1, 1) },
    { label: 'This quarter', ...months(year, quarter, 3) },
    { label: 'Last quarter', ...months(year, quarter - 3, 3) },
    { label: 'This year', ...months(year, 1, 12) },
  ];
}

/** The first and last day of some months. Month 0 is the December before. */
const months = (year: number, first: number, count: number): Omit<Period, 'label'> => ({
  from: new Date(Date.UTC(year, first - 1, 1)).toISOString().slice(0, 10),
  to: new Date(Date.UTC(year, first - 1 + count, 0)).toISOString().slice(0, 10),
});

/** The month of a day. */
export const monthOf = (today: string): Omit<Period, 'label'> => {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return months(year, month, 1);
};
