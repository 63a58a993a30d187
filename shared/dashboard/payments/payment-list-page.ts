import { paidCurrencies } from '../../domain/money/currency.ts';
import { mostNamed, namedProducts, type PaymentRow } from '../../domain/payments/payment.ts';
import { option } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { badge, type DataColumn, dataTable, emptyState, money, pager, time } from '../parts.ts';
import type { PaymentFilters } from './payment-filters.ts';

const section = '/dashboard/payments';

interface PaymentListView {
  payments: readonly PaymentRow[];
  /** Of the products in them. */
  names: ReadonlyMap<string, string>;
  filters: PaymentFilters;
  /** Why the filters make no sense. */
  fault: string | undefined;
  newest: string | undefined;
  older: string | undefined;
}

export const paymentListPage = (frame: Frame, view: PaymentListView) =>
  dashboardAnswer(frame, {
    title: 'Payments',
    section,
    main: html`${filterForm(view)}
${view.payments.length > 0 ? html`<section class="card">${dataTable('Payments', paymentColumns(view.names), view.payments)}${pager(view.newest, view.older)}</section>` : noPayments(view)}`,
  });

function noPayments({ filters, newest, older }: PaymentListView): Html {
  if (older !== undefined)
    return emptyState(
      'Nothing found yet',
      'There are more payments than one page can search. Continue with older ones, or narrow the dates.',
      html`<a class="button" href="${older}">Search older payments</a>`,
    );
  const isFiltered = Object.values(filters).some((value) => value !== '') || newest !== undefined;
  if (isFiltered)
    return emptyState(
      'No payment matches',
      'Widen the dates, or leave a filter empty.',
      html`<a class="button" href="${section}">Show all payments</a>`,
    );
  return emptyState(
    'No payments yet',
    'Payments and failed attempts appear here.',
    html`<a class="button" href="/dashboard/products">Copy a product’s link</a>`,
  );
}

function filterForm({ filters, fault }: PaymentListView): Html {
  const input = (id: keyof PaymentFilters, label: string, type: string) =>
    html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" type="${type}" value="${filters[id]}"></div>`;
  const select = (id: keyof PaymentFilters, label: string, any: string, values: readonly string[]) =>
    html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${id}">${option('', any, filters[id] === '')}${values.map((value) => option(value, value.replaceAll('_', ' '), value === filters[id]))}</select></div>`;
  return html`<form class="filters" method="get" role="search" aria-label="Payments">
${input('from', 'From', 'date')}${input('to', 'To', 'date')}
${select('status', 'Status', 'Any status', ['succeeded', 'processing', 'requires_customer_action', 'failed', 'cancelled'])}
${select('currency', 'Currency', 'Any currency', paidCurrencies)}
${select('attention', 'Decisions', 'All payments', ['waiting'])}
${input('customer', 'Customer’s e-mail', 'email')}
<p class="actions"><button class="second">Show</button></p>
</form>
${fault && html`<p class="note fault-note" role="alert">${fault}</p>`}`;
}

const attentionWords = { tax_id_proven: 'tax id proven', tax_id_denied: 'tax id denied' } as const;

type Names = ReadonlyMap<string, string>;

/**
 * A payment in a list, here, on the overview and on the page of a customer. The whole row leads to it.
 * @param names of products, where the list shows what was bought
 */
export const paymentColumns = (names?: Names): readonly DataColumn<PaymentRow>[] => [
  { label: 'Paid', cell: ({ id, createdAt }) => html`<a class="leads" href="${section}/${id}">${time(createdAt)}</a>` },
  ...(names ? [{ label: 'Products', cell: ({ productIds }: PaymentRow) => productsCell(productIds, names) }] : []),
  {
    label: 'Customer',
    cell: ({ customer }) => html`<span dir="auto">${customer.name}</span><span class="hint">${customer.email}</span>`,
  },
  {
    label: 'Status',
    cell: ({ status, attention }) =>
      html`${badge(status)}${attention && html` ${badge(attentionWords[attention], 'wait')}`}`,
  },
  { label: 'Card', cell: ({ card }) => (card ? `•••• ${card.lastFour}` : '–') },
  { label: 'Amount', isNumber: true, cell: (payment) => amountCell(payment) },
];

/** The first products by name, and how many more there are. */
function productsCell(productIds: readonly string[], names: Names): Html {
  const [named, more] = [namedProducts(productIds), productIds.length - mostNamed];
  return html`${named.map((id, index) => html`${index > 0 && ', '}<span dir="auto">${names.get(id) ?? id}</span>`)}${more > 0 && html`<span class="hint">and ${more} more</span>`}`;
}

const amountCell = ({ gross, refunded, currency }: PaymentRow): Html =>
  html`${money(gross, currency)}${refunded > 0 && html`<span class="hint">${refunded === gross ? 'refunded' : `${money(refunded, currency)} refunded`}</span>`}`;
