import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { option, textField } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import type { ListedWithdrawal } from '../../use-cases/withdrawal/list-withdrawals.ts';
import { time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { card, type DataColumn, dataTable, dateBox, emptyState, formKeys, pager } from '../parts.ts';
import { saleColumns } from '../sales/sale-columns.ts';
import { textsOf } from '../texts.ts';
import { dueText, outcomeBadge, proofBadge, type WithdrawalTexts } from './withdrawal-words.ts';

const section = '/dashboard/withdrawals';
const commands = dashboardCommands.withdrawals;

/** The empty form for a declaration that arrived by post or on the telephone. */
export const newEntry = { name: '', payment_id: '', day: '' };

interface WithdrawalListView {
  withdrawals: readonly ListedWithdrawal[];
  /** The orders of the withdrawals. */
  sales: readonly Payment[];
  /** What the list is limited to: a state, and the address of the buyers. */
  filters: { state?: 'open' | 'decided'; email?: string };
  entry: typeof newEntry;
  /** Why the entered declaration was refused. */
  fault: string | undefined;
  now: Date;
  newest: string | undefined;
  older: string | undefined;
}

export function withdrawalListPage(frame: Frame, view: WithdrawalListView) {
  const t = textsOf(dashboardTexts('withdrawals'), frame);
  const title = t('nav./dashboard/withdrawals');
  const { withdrawals, newest, older, filters, fault } = view;
  const list =
    withdrawals.length > 0
      ? card({}, html`${dataTable(title, columnsOf(view, t), withdrawals)}${pager(newest, older, t)}`)
      : noneFound(view, t);
  const file = `${section}?${new URLSearchParams({ ...filters, format: 'csv' })}`;
  const main = html`${filterForm(filters, t)}
${list}
${(withdrawals.length > 0 || older) && html`<p class="hint"><a href="${file}" download>${t('download')}</a></p>`}
${may(frame, commands.enter) && enterForm(frame, view, t)}`;
  return dashboardAnswer(frame, { title, section, main }, { statusCode: fault ? 422 : 200 });
}

/** Says that there is none. If the search has stopped at its limit, it leads on instead. */
function noneFound(view: WithdrawalListView, t: WithdrawalTexts): Html {
  const { older } = view;
  if (older === undefined) return emptyState(t('none'), t(whyNone(view)));
  const goOn = html`<a class="button" href="${older}">${t('older.button')}</a>`;
  return emptyState(t('older'), t('older.text'), goOn);
}

function whyNone({ filters }: WithdrawalListView) {
  if (filters.email !== undefined) return 'none.email';
  return filters.state === undefined ? 'none.text' : 'none.state';
}

const filterForm = ({ state, email = '' }: WithdrawalListView['filters'], t: WithdrawalTexts): Html =>
  html`<form class="filters" method="get" role="search" aria-label="${t('nav./dashboard/withdrawals')}">
<div class="field"><label for="state">${t('state')}</label><select id="state" name="state">${option('', t('state.all'), state === undefined)}${option('open', t('state.open'), state === 'open')}${option('decided', t('state.decided'), state === 'decided')}</select></div>
${textField({ id: 'email', name: 'email', label: t('email'), value: email, type: 'email', maxLength: 254, hint: t('email.hint') })}
<p class="actions"><button class="second">${t('show')}</button></p>
</form>`;

const columnsOf = (
  { now, sales }: Pick<WithdrawalListView, 'now' | 'sales'>,
  t: WithdrawalTexts,
): readonly DataColumn<ListedWithdrawal>[] => [
  {
    label: t('declared'),
    cell: ({ declaration: { id, receivedAt } }) =>
      html`<a class="leads" href="${section}/${id}">${time(receivedAt, t.locale)}</a>`,
  },
  { label: t('buyer'), cell: ({ declaration: { name } }) => html`<span dir="auto">${name}</span>` },
  {
    label: t('order'),
    cell: ({ current: { paymentId } }) =>
      paymentId === null
        ? t('unmatched')
        : html`<a href="/dashboard/payments/${paymentId}"><code>${paymentId}</code></a>`,
  },
  ...saleColumns<ListedWithdrawal>(({ current }) => sales.find(({ id }) => id === current.paymentId), t).slice(0, 1),
  {
    label: t('due'),
    cell: ({ current, status }) => dueText(current, { now, status }, t),
  },
  { label: t('proof'), cell: ({ current }) => proofBadge(current, t) },
  { label: t('state'), cell: ({ current, status }) => outcomeBadge(current, status, t) },
];

const enterForm = (frame: Frame, { entry, fault, now }: WithdrawalListView, t: WithdrawalTexts): Html =>
  card(
    { name: 'enter' },
    html`<details${fault && html` open`}><summary id="enter-title">${t('enter')}</summary>
${fault && html`<p class="note fault-note" role="alert" tabindex="-1" autofocus>${fault}</p>`}
<p class="hint">${t('enter.text')}</p>
<form method="post" action="${section}">${formKeys(frame)}
${textField({ id: 'name', name: 'name', label: t('name'), value: entry.name, isRequired: true, maxLength: 250 })}
${textField({ id: 'payment_id', name: 'payment_id', label: t('orderId'), value: entry.payment_id, isRequired: true, maxLength: 40, hint: t('orderId.hint') })}
${dateBox({ id: 'day', name: 'day', label: t('day'), value: entry.day || now.toISOString().slice(0, 10), hint: t('day.hint') })}
<p class="submit"><button class="second" name="action" value="enter">${t('enter.button')}</button></p></form></details>`,
  );
