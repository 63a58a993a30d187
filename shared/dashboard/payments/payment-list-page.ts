import { saleStateOf } from '../../domain/payments/dispute-standing.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import { option } from '../../pages/fields.ts';
import { countryName, formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { FoundPayments, UsedFilters } from '../../use-cases/reports/search-payments.ts';
import { dayText, time } from '../dates.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { badge, card, type DataColumn, dataTable, emptyState, type Mood, money, pager } from '../parts.ts';
import { soldColumns } from '../sales/sale-columns.ts';
import { type Texts, textsOf } from '../texts.ts';
import { activeFilters, mostInFile, type PaymentFilters } from './payment-filters.ts';

const section = '/dashboard/payments';

interface PaymentListView extends Pick<FoundPayments, 'totals' | 'looked'> {
  payments: readonly PaymentRow[];
  /** The names of the products in the list and in the filter. */
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
${view.payments.length > 0 ? html`${card({}, html`${lookedText(view, t)}${dataTable(t('nav./dashboard/payments'), paymentColumns(t, view.names), view.payments, sumRows(view, t))}${steps(view, t)}`)}${exportLink(view, t)}` : noPayments(view, t)}`,
    },
    { statusCode: view.fault ? 422 : 200 },
  );
}

type ListTexts = Texts<TextKey<'paymentList'>>;

/** How many payments were found, and how far the search looked. Empty if the page needed no search. */
function lookedText({ looked }: PaymentListView, t: ListTexts): Html {
  if (!looked?.oldest) return html``;
  const [count, found] = [formatCount(looked.count, t.locale), formatCount(looked.found, t.locale)];
  const oldest = dayText(looked.oldest, t.locale);
  return html`<p class="hint" role="status">${t(looked.isWhole ? 'looked.all' : 'looked', { count, found, oldest })}</p>`;
}

/** The links to other rows. After the last found row of a step, the link goes on with the search. */
function steps({ newest, older, looked, payments }: PaymentListView, t: ListTexts): Html {
  const isSpent = looked !== undefined && !looked.isWhole && payments.length === looked.found;
  if (!isSpent || older === undefined) return pager(newest, older, t);
  return html`${pager(newest, undefined, t)}<p class="pager"><a class="button second" href="${older}">${t('searchOlder')}</a></p>`;
}

/** The sums of the payments that the filters found, or of those on the page, by currency. */
const sumRows = ({ totals, looked }: PaymentListView, t: ListTexts): Html | undefined =>
  totals.length === 0
    ? undefined
    : html`${totals.map(
        ({
          currency,
          paid,
          refunded,
        }) => html`<tr><th scope="row" colspan="5">${t(looked ? 'sum.found' : 'sum.page', { currency })}</th><td class="number"><div>${money(paid, currency, t.locale)}${refunded > 0 && html`<span class="hint">${t('partlyRefunded', { amount: money(refunded, currency, t.locale) })}</span>`}</div></td></tr>
`,
      )}`;

const isFiltered = (filters: PaymentFilters): boolean => Object.values(filters).some((value) => value !== '');

function noPayments(view: PaymentListView, t: ListTexts): Html {
  const { filters, newest, older } = view;
  if (older !== undefined)
    return emptyState(
      t('nothingYet'),
      html`${t('nothingYet.text')}${lookedText(view, t)}`,
      html`<a class="button" href="${older}">${t('searchOlder')}</a>`,
    );
  if (isFiltered(filters) || newest !== undefined)
    return emptyState(t('noMatch'), t('noMatch.text'), html`<a class="button" href="${section}">${t('showAll')}</a>`);
  return emptyState(t('none'), t('none.text'), html`<a class="button" href="/dashboard/products">${t('copyLink')}</a>`);
}

/** The link to the file. The file contains all matching payments, not only those of this page. */
function exportLink({ filters }: PaymentListView, t: ListTexts): Html {
  const query = new URLSearchParams({ ...activeFilters(filters), format: 'csv' });
  return html`<p class="hint"><a href="${`${section}?${query}`}" download>${t(isFiltered(filters) ? 'exportThese' : 'exportAll')}</a> ${t('exportHint', { most: formatCount(mostInFile, t.locale) })}</p>`;
}

function filterForm({ filters, used, names, fault }: PaymentListView, t: ListTexts): Html {
  const input = (id: keyof PaymentFilters, label: string, type: string) =>
    html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${id}" type="${type}" value="${filters[id]}"></div>`;
  const select = (
    id: keyof PaymentFilters,
    { label, any, values, nameOf }: { label: string; any: string; values: readonly string[]; nameOf: NameOf },
  ) =>
    (values.length > 1 || filters[id] !== '') &&
    html`<div class="field"><label for="${id}">${label}</label><select id="${id}" name="${id}">${option('', any, filters[id] === '')}${values.map((value) => option(value, nameOf(value), value === filters[id]))}</select></div>`;
  const choices = offered(filters, used);
  const { q: _, ...more } = filters;
  const hasMore = Object.values(more).some((value) => value !== '');
  return html`<form class="filters" method="get" role="search" aria-label="${t('nav./dashboard/payments')}">
<div class="field wide"><label for="q">${t('search')}</label><div class="seek"><input id="q" name="q" type="search" value="${filters.q}" maxlength="254" autocapitalize="off" spellcheck="false" aria-describedby="q-hint"><button class="second">${t('show')}</button></div><p class="hint" id="q-hint">${t('searchHint')}</p></div>
<details class="unfolds"${hasMore && html` open`}><summary>${t('filters')}</summary><div class="fields">${input('from', t('from'), 'date')}${input('to', t('to'), 'date')}
${select('product', { label: t('product'), any: t('anyProduct'), values: choices.products, nameOf: (id) => names.get(id) ?? id })}
${select('country', { label: t('country'), any: t('anyCountry'), values: choices.countries, nameOf: (code) => countryName(code, t.locale) })}
${select('status', { label: t('status'), any: t('anyStatus'), values: choices.statuses, nameOf: (state) => statusText(state, t) ?? state })}
${select('currency', { label: t('currency'), any: t('anyCurrency'), values: choices.currencies, nameOf: (code) => code })}
${choices.hasAttention && html`<div class="field"><label for="attention">${t('decisions')}</label><select id="attention" name="attention">${option('', t('allPayments'), filters.attention === '')}${option('waiting', t('waiting'), filters.attention !== '')}</select></div>`}</div></details>
</form>
${fault && html`<p class="note fault-note" role="alert">${fault}</p>`}`;
}

type NameOf = (value: string) => string;

/** The word for a status of a payment, a refund or a dispute; undefined for a currency. */
function statusText(status: string, t: ListTexts): string | undefined {
  const key = `status.${status}`;
  return isListKey(key) ? t(key) : undefined;
}

const isListKey = (key: string): key is TextKey<'paymentList'> => Object.hasOwn(dashboardTexts('paymentList').en, key);

/** A status as a word in the page's language, in a colour that matches it. */
export const statusBadge = (status: string, { locale }: { locale: Locale }, mood?: Mood): Html =>
  badge(status, mood, statusText(status, textsOf(dashboardTexts('paymentList'), { locale })));

/** The values for the filters: those of the newest payments, and the chosen value, so that it can be removed again. */
function offered({ status, currency, product, country, attention }: PaymentFilters, used: UsedFilters) {
  const including = (values: readonly string[], chosen: string): string[] =>
    [...new Set([...values, chosen])].filter((value) => value !== '');
  return {
    statuses: including(used.statuses, status),
    currencies: including(used.currencies, currency),
    countries: including(used.countries, country),
    products: including(used.productIds, product),
    hasAttention: used.hasAttention || attention !== '',
  };
}

type Names = ReadonlyMap<string, string>;

/**
 * The columns of a list of payments, for the list itself, the overview and a customer's page. The whole row is a link.
 * @param names the names of products, if the list shows what was bought
 */
export const paymentColumns = (t: ListTexts, names?: Names): readonly DataColumn<PaymentRow>[] => [
  {
    label: t('date'),
    cell: ({ id, createdAt }) => html`<a class="leads" href="${section}/${id}">${time(createdAt, t.locale)}</a>`,
  },
  ...soldColumns<PaymentRow>(names, t),
  {
    label: t('status'),
    cell: ({ attention, ...payment }) =>
      html`${statusBadge(saleStateOf(payment), t)}${attention && html` ${badge(attention, 'wait', t(`attention.${attention}`))}`}`,
  },
  { label: t('card'), cell: ({ card }) => (card ? `••••\u00A0${card.lastFour}` : '–') },
  { label: t('amount'), isNumber: true, cell: (payment) => amountCell(payment, t) },
];

/** The amount and the refunded part of it. The refunded part is left out if the status already shows it. */
function amountCell(payment: PaymentRow, t: ListTexts): Html {
  const { gross, refunded, currency, discountIds = [], disputeStanding } = payment;
  const lost = disputeStanding?.lost ?? 0;
  const hints = [
    discountIds.length > 0 && t('withCode'),
    refunded > 0 && refunded < gross && t('partlyRefunded', { amount: money(refunded, currency, t.locale) }),
    lost > 0 && lost < gross && t('partlyLost', { amount: money(lost, currency, t.locale) }),
  ];
  return html`${money(gross, currency, t.locale)}${hints.map((hint) => hint && html`<span class="hint">${hint}</span>`)}`;
}
