import { hasCode } from '../../domain/errors.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { type SaleState, saleStateOf } from '../../domain/payments/dispute-standing.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import {
  type PaymentBrief,
  type PaymentRow,
  paymentRow,
  type RowTotals,
  totalsByCurrency,
} from '../../domain/payments/payment-row.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { DiscountStore } from '../../store/discounts/discount-store.ts';
import type { ListedPayment, PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { type FindInvoicedDeps, findInvoiced } from '../documents/find-invoiced.ts';
import { readAll, withoutNotes } from './export-payments.ts';

export interface SearchPaymentsDeps {
  payments: Pick<PaymentLists, 'list' | 'listBriefly' | 'complete'> & Pick<PaymentStore, 'find' | 'get' | 'getRefund'>;
  sessions: Pick<SessionStore, 'find'>;
  documents: FindInvoicedDeps['documents'];
  products: Pick<ProductStore, 'names'>;
  discounts: Pick<DiscountStore, 'findByCodes'>;
}

/** A typed text that is no id: a name, a product, an amount, the last digits of a card, or a code. */
export interface SearchText {
  typed: string;
  /** Reads the text as an amount in a currency. */
  amountIn: (currency: string) => number | undefined;
  lastFour: string | undefined;
  /** The text as a code of a discount; undefined if it cannot be one. */
  code: string | undefined;
}

export interface PaymentSearch {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  customerId?: string | undefined;
  /** The id of a payment, a refund or a checkout session. With it, all other filters are ignored. */
  id?: string | undefined;
  /** The number of an invoice. With it, all other filters are ignored. */
  invoiceNumber?: string | undefined;
  /** The country of the buyer's address. */
  country?: string | undefined;
  text?: SearchText | undefined;
  /** A filter on the short fields of a row. */
  matches?: ((row: PaymentBrief) => boolean) | undefined;
}

/** A page of the found payments. */
export interface FoundPayments extends ItemPage<PaymentRow> {
  totals: readonly RowTotals[];
  /** How many payments this step looked through, and the time of the oldest; absent if the page needed no search. */
  looked?: { count: number; found: number; oldest: string | undefined; isWhole: boolean };
}

/** How many rows of the list one step looks through: as many as two queries read, each of 1,000 rows. */
const mostLooked = 1_997;

/** A page of the payments that match a search. A step of the search reads a limited part of the list. */
export async function searchPayments(
  deps: SearchPaymentsDeps,
  search: PaymentSearch,
  page: ItemPageRequest,
): Promise<FoundPayments> {
  const named = await paymentsNamed(deps, search);
  if (named) return withTotals({ items: named.map(paymentRow), hasMore: false, last: undefined });
  if (!isFilter(search)) return withTotals(await deps.payments.list(rangeOf(search), page));
  const { found, oldest, count, ...step } = await look(deps, search, page.after);
  const shown = found.slice(0, page.size);
  const isFull = found.length > page.size;
  const items = (await deps.payments.complete(shown.map(({ row }) => row))).filter((row) => row !== undefined);
  return {
    items,
    hasMore: isFull || step.hasMore,
    last: isFull ? shown.at(-1)?.sortKey : step.last,
    totals: totalsByCurrency(found.map(({ row }) => row)),
    looked: { count, found: found.length, oldest, isWhole: !step.hasMore },
  };
}

const withTotals = ({ items, ...page }: ItemPage<PaymentRow>): FoundPayments => ({
  ...page,
  items,
  totals: totalsByCurrency(items),
});

const isFilter = ({ matches, text, country }: PaymentSearch): boolean =>
  matches !== undefined || text !== undefined || country !== undefined;

const rangeOf = ({ createdFrom, createdTo, customerId }: PaymentSearch) => ({ createdFrom, createdTo, customerId });

interface FoundRow {
  row: ListedPayment;
  sortKey: string;
}

/** A step that reads whole payments, because rows of 0.2.0 have no country, counts as this many steps. */
const costOfWhole = 10;

/** Looks through the next payments of the list, newest first, and returns all that match. */
async function look(deps: SearchPaymentsDeps, search: PaymentSearch, after: string | undefined) {
  const request = { size: mostLooked, skip: 0, after };
  const { items, sortKeys = [], hasMore, last } = await deps.payments.listBriefly(rangeOf(search), request);
  const rows = items.map((row, index) => ({ row, sortKey: sortKeys[index] ?? '' }));
  const possible = rows.filter(({ row }) => search.matches?.(row) ?? true);
  const found = await matching(deps, search, await withFields(deps, search, possible));
  const cost = search.country !== undefined && possible.some(({ row }) => row.country === undefined) ? costOfWhole : 1;
  return { found, hasMore, last, cost, count: items.length, oldest: items.at(-1)?.createdAt };
}

/**
 * The rows with the fields that the search compares. A text is compared with names, which shortened rows do not have.
 * Rows of earlier versions have no country.
 */
async function withFields(
  { payments }: SearchPaymentsDeps,
  { text, country }: PaymentSearch,
  found: readonly FoundRow[],
): Promise<FoundRow[]> {
  const lacksCountry = (row: ListedPayment) => country !== undefined && row.country === undefined;
  const asked = found.map(({ row }) => (lacksCountry(row) ? { ...row, more: true as const } : row));
  const needed = asked.map((row) => (text || lacksCountry(row) ? row : undefined));
  if (needed.every((row) => row === undefined)) return [...found];
  const whole = await payments.complete(needed.filter((row) => row !== undefined));
  let next = 0;
  return found.flatMap(({ row, sortKey }, index) => {
    if (needed[index] === undefined) return [{ row, sortKey }];
    const complete = whole[next++];
    return complete ? [{ row: complete, sortKey }] : [];
  });
}

/** The rows that the country and the text match. */
async function matching(
  deps: SearchPaymentsDeps,
  { country, text }: PaymentSearch,
  rows: readonly FoundRow[],
): Promise<FoundRow[]> {
  const placed = rows.filter(({ row }) => country === undefined || row.country === country);
  if (!text) return placed;
  const [names, discounts] = await Promise.all([
    deps.products.names([...new Set(placed.flatMap(({ row }) => row.productIds))].slice(0, mostLooked)),
    text.code === undefined ? [] : deps.discounts.findByCodes([text.code]),
  ]);
  const known = { names, discountId: discounts[0]?.id };
  return placed.filter(({ row }) => isNamed(row, text, known));
}

interface Known {
  names: ReadonlyMap<string, string>;
  /** The discount that has the typed code. */
  discountId: string | undefined;
}

/** Whether a text is in the name of the buyer or of a product, or is the amount, the card or the code of a payment. */
function isNamed(row: ListedPayment, { typed, amountIn, lastFour }: SearchText, { names, discountId }: Known): boolean {
  const words = folded(typed);
  const spoken = [
    row.customer?.name ?? '',
    row.customer?.email ?? '',
    ...row.productIds.map((id) => names.get(id) ?? ''),
  ];
  return (
    row.gross === amountIn(row.currency) ||
    (lastFour !== undefined && row.card?.lastFour === lastFour) ||
    (discountId !== undefined && (row.discountIds?.includes(discountId) ?? false)) ||
    spoken.some((name) => folded(name).includes(words))
  );
}

/** A text without accents and capitals, so that `jose` finds José. */
const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The newest payments that contain a product, and the sums of those that one step of the search finds. */
export interface ProductBuyers {
  newest: readonly PaymentRow[];
  totals: readonly RowTotals[];
  /** How many payments were looked through, and whether these are all. */
  looked: number;
  isWhole: boolean;
}

const mostBuyers = 5;

/** Who bought a product last, among the newest payments. */
export async function buyersOf(
  { payments }: { payments: Pick<PaymentLists, 'listBriefly' | 'complete'> },
  productId: string,
): Promise<ProductBuyers> {
  const { items, hasMore } = await payments.listBriefly({}, { size: mostLooked, skip: 0, after: undefined });
  const bought = items.filter(({ status, productIds }) => status === 'succeeded' && productIds.includes(productId));
  const newest = (await payments.complete(bought.slice(0, mostBuyers))).filter((row) => row !== undefined);
  return { newest, totals: totalsByCurrency(bought), looked: items.length, isWhole: !hasMore };
}

interface ExportLimits {
  most: number;
  /** How many steps of the search are allowed. */
  mostSteps: number;
}

/** All payments that match a search, up to a limit; `isPartial` if there are more. */
export async function collectPayments(
  deps: SearchPaymentsDeps,
  search: PaymentSearch,
  { most, mostSteps }: ExportLimits,
): Promise<{ payments: Payment[]; isPartial: boolean }> {
  const named = await paymentsNamed(deps, search);
  if (named) return { payments: named, isPartial: false };
  const ids: string[] = [];
  let place: { after: string | undefined; hasMore: boolean } = { after: undefined, hasMore: true };
  let steps = 0;
  while (place.hasMore && ids.length < most && steps < mostSteps) {
    const { found, last, hasMore, cost } = await look(deps, search, place.after);
    steps += cost;
    ids.push(...found.map(({ row }) => row.id));
    place = { after: last, hasMore };
  }
  const payments = await readAll(ids.slice(0, most), async (id) => withoutNotes(await deps.payments.get(id)));
  return { payments, isPartial: place.hasMore || ids.length > most };
}

/** The payment that an id or a number names, or none; undefined if the search has neither. */
async function paymentsNamed(
  deps: SearchPaymentsDeps,
  { id, invoiceNumber }: PaymentSearch,
): Promise<Payment[] | undefined> {
  if (id === undefined && invoiceNumber === undefined) return undefined;
  const paymentId = id === undefined ? await findInvoiced(deps, invoiceNumber ?? '') : await paymentIdOf(deps, id);
  const payment = paymentId ? await deps.payments.find(paymentId) : undefined;
  return payment ? [payment] : [];
}

async function paymentIdOf({ payments, sessions }: SearchPaymentsDeps, id: string): Promise<string | null | undefined> {
  if (id.startsWith('pay_')) return id;
  if (id.startsWith('cks_')) return (await sessions.find(id))?.paymentId;
  try {
    return (await payments.getRefund(id)).paymentId;
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/** The values that occur in the newest payments. The page offers them as filters. */
export interface UsedFilters {
  statuses: readonly SaleState[];
  currencies: readonly string[];
  countries: readonly string[];
  productIds: readonly string[];
  hasAttention: boolean;
}

const newest = { size: 200, skip: 0, after: undefined };

/** The most products that the page offers as filters. */
const mostProducts = 60;

export async function usedFilters({ payments }: Pick<SearchPaymentsDeps, 'payments'>): Promise<UsedFilters> {
  const { items } = await payments.listBriefly({}, newest);
  return {
    statuses: [...new Set(items.map(saleStateOf))],
    currencies: [...new Set(items.map(({ currency }) => currency))].sort(),
    countries: [...new Set(items.map(({ country }) => country).filter((one) => one !== undefined))],
    productIds: [...new Set(items.flatMap(({ productIds }) => productIds))].slice(0, mostProducts),
    hasAttention: items.some(({ attention }) => attention !== undefined),
  };
}
