import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import { type CustomerProfile, profileOf } from '../../domain/customers/customer-record.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import { findCustomer, findPurchases, type LoadCustomerDeps } from './load-customer.ts';

export interface ListCustomersDeps extends LoadCustomerDeps {
  customers: LoadCustomerDeps['customers'] & Pick<CustomerStore, 'findMany' | 'list'>;
  merchantId: string;
}

interface CustomersFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  email?: string | undefined;
  /** A part of the name; upper and lower case do not matter. */
  name?: string | undefined;
}

/** A customer with a sort key: the time of the first payment or of the row, followed by an id. */
interface Listed {
  sortKey: string;
  profile: CustomerProfile;
}

/** How many payments one request may look through. */
const mostPayments = 5_000;
const portionSize = 200;

/** The last payment that was searched. It is set if the search stopped at its limit. */
interface Progress {
  spentAt: string | undefined;
}

/**
 * One page of customers, newest first: those with a row by the merchant, and those known only from payments. The second
 * kind is found by a search through the payments. Such a customer is sorted by the time of the first payment.
 */
export async function listCustomers(
  deps: ListCustomersDeps,
  filter: CustomersFilter,
  request: ItemPageRequest,
): Promise<ItemPage<CustomerProfile>> {
  const { size, skip, isNumbered = false } = request;
  const progress: Progress = { spentAt: undefined };
  const found: Listed[] = [];
  const source = filter.email ? byEmail(deps, filter.email, request) : merged(deps, filter, request, progress);
  for await (const listed of source) {
    if (!matches(filter, listed.profile)) continue;
    found.push(listed);
    if (found.length > skip + size) break;
  }
  const shown = found.slice(skip, skip + size);
  const sortKeys = shown.map(({ sortKey }) => sortKey);
  const isSpent = progress.spentAt !== undefined && shown.length < size;
  return {
    items: shown.map(({ profile }) => profile),
    hasMore: found.length > skip + size || isSpent,
    last: isSpent ? progress.spentAt : sortKeys.at(-1),
    sortKeys,
    isNumbered,
    isSpent,
  };
}

function matches({ createdFrom, createdTo, email, name }: CustomersFilter, profile: CustomerProfile): boolean {
  return (
    (createdFrom === undefined || profile.createdAt >= createdFrom) &&
    (createdTo === undefined || profile.createdAt <= createdTo) &&
    (email === undefined || normalizeEmail(profile.email) === normalizeEmail(email)) &&
    (name === undefined || profile.name.toLowerCase().includes(name.toLowerCase()))
  );
}

const keyOf = ({ createdAt, id }: Pick<CustomerProfile, 'createdAt' | 'id'>): string => `${createdAt}#${id}`;

/** The customer who first paid with an address, and those to whom the merchant has given it. */
async function* byEmail(deps: ListCustomersDeps, email: string, { after }: ItemPageRequest): AsyncGenerator<Listed> {
  const normalized = normalizeEmail(email);
  const ids = new Set([customerIdOf(deps.merchantId, normalized)]);
  for await (const { id } of rowsOf(deps, {}, { after: undefined, matches: (row) => isOf(row.email, normalized) }))
    ids.add(id);
  const customers = await Promise.all([...ids].map((id) => findCustomer(deps, id)));
  const listed = customers.flatMap((customer) =>
    customer ? [{ sortKey: keyOf(customer.profile), profile: customer.profile }] : [],
  );
  yield* listed.filter(({ sortKey }) => after === undefined || sortKey < after).sort(newestFirst);
}

const isOf = (email: string | null, normalized: string): boolean =>
  email !== null && normalizeEmail(email) === normalized;
const newestFirst = (a: Listed, b: Listed): number => (a.sortKey < b.sortKey ? 1 : -1);

/** Merges two lists that are both newest first. */
async function* merged(
  deps: ListCustomersDeps,
  filter: CustomersFilter,
  { after }: ItemPageRequest,
  progress: Progress,
): AsyncGenerator<Listed> {
  const [set, bought] = [setByMerchant(deps, filter, after), knownByPayments(deps, filter, after, progress)];
  let [nextSet, nextBought] = await Promise.all([set.next(), bought.next()]);
  while (!nextSet.done || !nextBought.done) {
    if (isFirst(nextSet, nextBought)) {
      if (isBehind(nextSet, progress)) return;
      yield nextSet.value as Listed;
      nextSet = await set.next();
    } else {
      yield nextBought.value as Listed;
      nextBought = await bought.next();
    }
  }
}

type Next = IteratorResult<Listed, void>;

/** Whether the next entry is a row by the merchant, and not a customer from the payments. */
const isFirst = (set: Next, bought: Next): boolean =>
  !set.done && (Boolean(bought.done) || set.value.sortKey > (bought.value as Listed).sortKey);

/** Whether an entry is older than the last payment that was searched. Then it belongs on a later page. */
const isBehind = ({ value }: Next, { spentAt }: Progress): boolean =>
  spentAt !== undefined && (value as Listed).sortKey < spentAt;

interface RowSearch {
  after: string | undefined;
  matches?: (row: { email: string | null }) => boolean;
}

/** All rows by the merchant, in order. */
async function* rowsOf(deps: ListCustomersDeps, { createdFrom, createdTo }: CustomersFilter, search: RowSearch) {
  let { after } = search;
  for (;;) {
    const page = await deps.customers.list(
      { createdFrom, createdTo, matches: search.matches },
      { size: portionSize, skip: 0, after },
    );
    yield* page.items;
    if (!page.hasMore || page.last === undefined) return;
    after = page.last;
  }
}

async function* setByMerchant(
  deps: ListCustomersDeps,
  filter: CustomersFilter,
  after: string | undefined,
): AsyncGenerator<Listed> {
  for await (const row of rowsOf(deps, filter, { after })) {
    const customer = await findCustomer(deps, row.id);
    if (customer) yield { sortKey: keyOf(row), profile: customer.profile };
  }
}

/** Searches the payments, and yields the first payment of each customer without a row. */
async function* knownByPayments(
  deps: ListCustomersDeps,
  { createdFrom, createdTo }: CustomersFilter,
  after: string | undefined,
  progress: Progress,
): AsyncGenerator<Listed> {
  const firsts = new Map<string, Promise<string | undefined>>();
  let next = after;
  for (let looked = portionSize; ; looked += portionSize) {
    const page = await deps.payments.list({ createdFrom, createdTo }, { size: portionSize, skip: 0, after: next });
    yield* newcomers(deps, page.items, firsts);
    if (!page.hasMore || page.last === undefined) return;
    next = page.last;
    if (looked < mostPayments) continue;
    progress.spentAt = next;
    return;
  }
}

/** The customers without a row whose first payment is in this list. */
async function* newcomers(
  deps: ListCustomersDeps,
  rows: readonly PaymentRow[],
  firsts: Map<string, Promise<string | undefined>>,
): AsyncGenerator<Listed> {
  const ids = [...new Set(rows.map(({ customer }) => customer.id))];
  const firstOf = (id: string) => deps.customers.firstPurchase(id).then((first) => first?.paymentId);
  for (const id of ids) firsts.set(id, firsts.get(id) ?? firstOf(id));
  const records = await deps.customers.findMany(ids);
  for (const { id: paymentId, createdAt, customer } of rows) {
    if (records.has(customer.id) || (await firsts.get(customer.id)) !== paymentId) continue;
    const profile = profileOf(customer.id, undefined, await findPurchases(deps, customer.id));
    if (profile) yield { sortKey: `${createdAt}#${paymentId}`, profile };
  }
}
