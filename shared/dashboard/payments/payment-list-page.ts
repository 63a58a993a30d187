import { saleStateOf } from '../../domain/payments/dispute-standing.ts';
import { mostNamed, namedProducts, type PaymentRow } from '../../domain/payments/payment-row.ts';
import { option } from '../../pages/fields.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { UsedFilters } from '../../use-cases/reports/search-payments.ts';
import { time } from '../dates.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { badge, card, type DataColumn, dataTable, emptyState, type Mood, money, pager } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { activeFilters, mostInFile, type PaymentFilters } from './payment-filters.ts';

const section = '/dashboard/payments';

interface PaymentListView {
  payments: readonly PaymentRow[];
  /** The names of the products in the list. */
  names: ReadonlyMap<string, string>;
  filters: PaymentFilters;
  /** The filters for which the newest payments have more than one value. */
  used: UsedFilters;
  /** Why the filters are invalid, or why no file can be made with them. */
  fault: string | undefined;
  newest: string | undefined;
  older: string | undefined;
}

export function paymentListPage(frame: Frame, view: PaymentListView) {
  const t = textsOf(dashboardTexts('paymentList'), frame);
  return dashboardAnswer(
    frame,
    {
      title: t('nav./dashboard/payments'),
      section,
      main: html`${filterForm(view, t)}
${view.payments.length > 0 ? html`${card({}, html`${dataTable(t('nav./dashboard/payments'), paymentColumns(t, view.names), view.payments)}${pager(view.newest, view.older, t)}`)}${exportLink(view, t)}` : noPayments(view, t)}`,
    },
    { statusCode: view.fault ? 422 : 200 },
  );
}

const isFiltered = (filters: PaymentFilters): boolean => Object.values(filters).some((value) => value !== '');

function noPayments({ filters, newest, older }: PaymentListView, t: Texts<TextKey<'paymentList'>>): Html {
  if (older !== undefined)
    return emptyState(
      t('nothingYet'),
      t('nothingYet.text'),
      html`<a class="button" href="${older}">${t('searchOlder')}</a>`,
    );
  if (isFiltered(filters) || newest !== undefined)
    return emptyState(t('noMatch'), t('noMatch.text'), html`<a class="button" href="${section}">${t('showAll')}</a>`);
  return emptyState(t('none'), t('none.text'), html`<a class="button" href="/dashboard/products">${t('copyLink')}</a>`);
}

/** The link to the file. The file contains all matching payments, not only those of this page. */
function exportLink({ filters }: PaymentListView, t: Texts<TextKey<'paymentList'>>): Html {
  const query = new URLSearchParams({ ...activeFilters(filters), format: 'csv' });
  return html`<p class="hint"><a href="${`${section}?${query}`}" download>${t(isFiltered(filters) ? 'exportThese' : 'exportAll')}</a> ${t('exportHint', { most: formatCount(mostInFile, t.locale) })}</p>`;
}

function filterForm({ filters, used, fault }: PaymentListView, t: Texts<TextKey<'paymentList'>>): Html {
  const input = (id: keyof PaymentFilters, label: string, type: string) =>
    html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" type="${type}" value="${filters[id]}"></div>`;
  const select = (id: keyof PaymentFilters, label: string, any: string, values: readonly string[]) =>
    html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${id}">${option('', any, filters[id] === '')}${values.map((value) => option(value, labelOf(value, t), value === filters[id]))}</select></div>`;
  const choices = offered(filters, used);
  return html`<form class="filters" method="get" role="search" aria-label="${t('nav./dashboard/payments')}">
<div class="field wide"><label for="q">${t('search')}</label><input id="q" name="q" type="search" value="${filters.q}" maxlength="254" autocapitalize="off" spellcheck="false" aria-describedby="q-hint"><p class="hint" id="q-hint">${t('searchHint')}</p></div>
${input('from', t('from'), 'date')}${input('to', t('to'), 'date')}
${(choices.statuses.length > 1 || filters.status !== '') && select('status', t('status'), t('anyStatus'), choices.statuses)}
${(choices.currencies.length > 1 || filters.currency !== '') && select('currency', t('currency'), t('anyCurrency'), choices.currencies)}
${choices.hasAttention && select('attention', t('decisions'), t('allPayments'), ['waiting'])}
<p class="actions"><button class="second">${t('show')}</button></p>
</form>
${fault && html`<p class="note fault-note" role="alert">${fault}</p>`}`;
}

const labelOf = (value: string, t: Texts<TextKey<'paymentList'>>): string =>
  value === 'waiting' ? t('waiting') : (statusText(value, t) ?? value);

/** The word for a status of a payment, a refund or a dispute; undefined for a currency. */
function statusText(status: string, t: Texts<TextKey<'paymentList'>>): string | undefined {
  const key = `status.${status}`;
  return isListKey(key) ? t(key) : undefined;
}

const isListKey = (key: string): key is TextKey<'paymentList'> => Object.hasOwn(dashboardTexts('paymentList').en, key);

/** A status as a word in the page's language, in a colour that matches it. */
export const statusBadge = (status: string, { locale }: { locale: Locale }, mood?: Mood): Html =>
  badge(status, mood, statusText(status, textsOf(dashboardTexts('paymentList'), { locale })));

/** The values for the filters: those of the newest payments, and the chosen value, so that it can be removed again. */
function offered({ status, currency, attention }: PaymentFilters, used: UsedFilters) {
  const including = (values: readonly string[], chosen: string): string[] =>
    [...new Set([...values, chosen])].filter((value) => value !== '');
  return {
    statuses: including(used.statuses, status),
    currencies: including(used.currencies, currency),
    hasAttention: used.hasAttention || attention !== '',
  };
}

type Names = ReadonlyMap<string, string>;

/**
 * The columns of a list of payments, for the list itself, the overview and a customer's page. The whole row is a link.
 * @param names the names of products, if the list shows what was bought
 */
export const paymentColumns = (t: Texts<TextKey<'paymentList'>>, names?: Names): readonly DataColumn<PaymentRow>[] => [
  {
    label: t('date'),
    cell: ({ id, createdAt }) => html`<a class="leads" href="${section}/${id}">${time(createdAt, t.locale)}</a>`,
  },
  ...(names
    ? [{ label: t('products'), cell: ({ productIds }: PaymentRow) => productsCell(productIds, names, t) }]
    : []),
  {
    label: t('customer'),
    cell: ({ customer }) => html`<span dir="auto">${customer.name}</span><span class="hint">${customer.email}</span>`,
  },
  {
    label: t('status'),
    cell: ({ attention, ...payment }) =>
      html`${statusBadge(saleStateOf(payment), t)}${attention && html` ${badge(attention, 'wait', t(`attention.${attention}`))}`}`,
  },
  { label: t('card'), cell: ({ card }) => (card ? `••••\u00A0${card.lastFour}` : '–') },
  { label: t('amount'), isNumber: true, cell: (payment) => amountCell(payment, t) },
];

/** The names of the first products, and the number of the others. */
function productsCell(productIds: readonly string[], names: Names, t: Texts<TextKey<'paymentList'>>): Html {
  const [named, more] = [namedProducts(productIds), productIds.length - mostNamed];
  return html`${named.map((id, index) => html`${index > 0 && ', '}<span dir="auto">${names.get(id) ?? id}</span>`)}${more > 0 && html`<span class="hint">${t.count('more', more)}</span>`}`;
}

/** The amount and the refunded part of it. The refunded part is left out if the status already shows it. */
function amountCell(payment: PaymentRow, t: Texts<TextKey<'paymentList'>>): Html {
  const { gross, refunded, currency, discountIds = [], disputeStanding } = payment;
  const lost = disputeStanding?.lost ?? 0;
  const hints = [
    discountIds.length > 0 && t('withCode'),
    refunded > 0 && refunded < gross && t('partlyRefunded', { amount: money(refunded, currency, t.locale) }),
    lost > 0 && lost < gross && t('partlyLost', { amount: money(lost, currency, t.locale) }),
  ];
  return html`${money(gross, currency, t.locale)}${hints.map((hint) => hint && html`<span class="hint">${hint}</span>`)}`;
}
