import { mostNamed, namedProducts, type PaymentRow } from '../../domain/payments/payment-row.ts';
import { option } from '../../pages/fields.ts';
import { type Html, html } from '../../pages/html.ts';
import type { UsedFilters } from '../../use-cases/reports/search-payments.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { badge, type DataColumn, dataTable, emptyState, money, pager, time } from '../parts.ts';
import { activeFilters, mostInFile, type PaymentFilters } from './payment-filters.ts';
import { paymentWords as words } from './payment-words.ts';

const section = '/dashboard/payments';

interface PaymentListView {
  payments: readonly PaymentRow[];
  /** Of the products in them. */
  names: ReadonlyMap<string, string>;
  filters: PaymentFilters;
  /** The filters that are worth a choice. */
  used: UsedFilters;
  /** Why the filters make no sense, or have no file. */
  fault: string | undefined;
  newest: string | undefined;
  older: string | undefined;
}

export const paymentListPage = (frame: Frame, view: PaymentListView) =>
  dashboardAnswer(
    frame,
    {
      title: words.title,
      section,
      main: html`${filterForm(view)}
${view.payments.length > 0 ? html`<section class="card">${dataTable(words.title, paymentColumns(view.names), view.payments)}${pager(view.newest, view.older)}</section>${exportLink(view)}` : noPayments(view)}`,
    },
    { statusCode: view.fault ? 422 : 200 },
  );

const isFiltered = (filters: PaymentFilters): boolean => Object.values(filters).some((value) => value !== '');

function noPayments({ filters, newest, older }: PaymentListView): Html {
  if (older !== undefined)
    return emptyState(
      words.nothingYet,
      words.nothingYetText,
      html`<a class="button" href="${older}">${words.searchOlder}</a>`,
    );
  if (isFiltered(filters) || newest !== undefined)
    return emptyState(words.noMatch, words.noMatchText, html`<a class="button" href="${section}">${words.showAll}</a>`);
  return emptyState(
    words.none,
    words.noneText,
    html`<a class="button" href="/dashboard/products">${words.copyLink}</a>`,
  );
}

/** The file has what the filters find, also where that has several pages. */
function exportLink({ filters }: PaymentListView): Html {
  const query = new URLSearchParams({ ...activeFilters(filters), format: 'csv' });
  return html`<p class="hint"><a href="${`${section}?${query}`}" download>${isFiltered(filters) ? words.exportThese : words.exportAll}</a> ${words.exportHint(mostInFile.toLocaleString('en'))}</p>`;
}

function filterForm({ filters, used, fault }: PaymentListView): Html {
  const input = (id: keyof PaymentFilters, label: string, type: string) =>
    html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" type="${type}" value="${filters[id]}"></div>`;
  const select = (id: keyof PaymentFilters, label: string, any: string, values: readonly string[]) =>
    html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${id}">${option('', any, filters[id] === '')}${values.map((value) => option(value, labelOf(value), value === filters[id]))}</select></div>`;
  const choices = offered(filters, used);
  return html`<form class="filters" method="get" role="search" aria-label="${words.title}">
<div class="field wide"><label for="q">${words.search}</label><input id="q" name="q" type="search" value="${filters.q}" maxlength="254" autocapitalize="off" spellcheck="false" aria-describedby="q-hint"><p class="hint" id="q-hint">${words.searchHint}</p></div>
${input('from', words.from, 'date')}${input('to', words.to, 'date')}
${(choices.statuses.length > 1 || filters.status !== '') && select('status', words.status, words.anyStatus, choices.statuses)}
${(choices.currencies.length > 1 || filters.currency !== '') && select('currency', words.currency, words.anyCurrency, choices.currencies)}
${choices.hasAttention && select('attention', words.decisions, words.allPayments, ['waiting'])}
<p class="actions"><button class="second">${words.show}</button></p>
</form>
${fault && html`<p class="note fault-note" role="alert">${fault}</p>`}`;
}

const labelOf = (value: string): string => (value === 'waiting' ? words.waiting : value.replaceAll('_', ' '));

/** What the newest payments have, and what is chosen now: that could not be taken back otherwise. */
function offered({ status, currency, attention }: PaymentFilters, used: UsedFilters) {
  const including = (values: readonly string[], chosen: string): string[] =>
    [...new Set([...values, chosen])].filter((value) => value !== '');
  return {
    statuses: including(used.statuses, status),
    currencies: including(used.currencies, currency),
    hasAttention: used.hasAttention || attention !== '',
  };
}

const attentionWords = { tax_id_proven: 'tax id proven', tax_id_denied: 'tax id denied' } as const;

type Names = ReadonlyMap<string, string>;

/**
 * A payment in a list, here, on the overview and on the page of a customer. The whole row leads to it.
 * @param names of products, where the list shows what was bought
 */
export const paymentColumns = (names?: Names): readonly DataColumn<PaymentRow>[] => [
  {
    label: words.paid,
    cell: ({ id, createdAt }) => html`<a class="leads" href="${section}/${id}">${time(createdAt)}</a>`,
  },
  ...(names ? [{ label: words.products, cell: ({ productIds }: PaymentRow) => productsCell(productIds, names) }] : []),
  {
    label: words.customer,
    cell: ({ customer }) => html`<span dir="auto">${customer.name}</span><span class="hint">${customer.email}</span>`,
  },
  {
    label: words.status,
    cell: ({ status, attention }) =>
      html`${badge(status)}${attention && html` ${badge(attentionWords[attention], 'wait')}`}`,
  },
  { label: words.card, cell: ({ card }) => (card ? `•••• ${card.lastFour}` : '–') },
  { label: words.amount, isNumber: true, cell: (payment) => amountCell(payment) },
];

/** The first products by name, and how many more there are. */
function productsCell(productIds: readonly string[], names: Names): Html {
  const [named, more] = [namedProducts(productIds), productIds.length - mostNamed];
  return html`${named.map((id, index) => html`${index > 0 && ', '}<span dir="auto">${names.get(id) ?? id}</span>`)}${more > 0 && html`<span class="hint">${words.more(more)}</span>`}`;
}

const amountCell = ({ gross, refunded, currency }: PaymentRow): Html =>
  html`${money(gross, currency)}${refunded > 0 && html`<span class="hint">${refunded === gross ? words.refunded : words.partlyRefunded(money(refunded, currency))}</span>`}`;
