import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import type { CustomerRecord } from '../../domain/customers/customer-record.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { ItemPage } from '../../domain/list-page.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import { type OwnedOrder, ownerIdOf, ownerOf } from '../../domain/portal/order-owner.ts';
import type { PortalSession } from '../../domain/portal/portal-access.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

export interface PortalCustomersDeps {
  customers: Pick<CustomerStore, 'findMany' | 'idsByEmail'>;
  lists: Pick<PaymentLists, 'list'>;
  merchantId: string;
}

/** The buyer of a portal session: an address, and the customer if the merchant requested the link. */
export type Whose = Pick<PortalSession, 'email' | 'customerId'>;

/** The customers that may have orders of an address, and the merchant's rows about them. */
export interface PortalCustomers {
  ids: readonly string[];
  records: ReadonlyMap<string, CustomerRecord>;
}

/**
 * Finds the customers of an address: the one who first paid with it, those to whom the merchant has given it, and those
 * with an order that was corrected to it.
 */
export async function portalCustomers(
  { customers, merchantId }: Pick<PortalCustomersDeps, 'customers' | 'merchantId'>,
  { email, customerId }: Whose,
): Promise<PortalCustomers> {
  const given = await customers.idsByEmail(email);
  const ids = [...new Set([customerIdOf(merchantId, email), ...(customerId ? [customerId] : []), ...given])];
  return { ids, records: await customers.findMany(ids) };
}

/** Whether an order belongs to an address. */
const belongs = (
  order: OwnedOrder,
  { email, records, merchantId }: { email: string; records: PortalCustomers['records']; merchantId: string },
): boolean => ownerOf(order, (id) => records.get(id), merchantId) === email;

/** The merchant's row about a customer who got this address from the merchant. Such a customer needs no order. */
const recordGiven = ({ records }: PortalCustomers, email: string): CustomerRecord | undefined =>
  [...records.values()].find((record) => record.email !== null && normalizeEmail(record.email) === email);

/**
 * One page of the paid orders of an address, newest first. The orders of each customer are read from the same position,
 * so the merged pages have no gap.
 */
export async function listPortalOrders(
  deps: PortalCustomersDeps,
  whose: Whose,
  place: OrdersPlace,
): Promise<ItemPage<PaymentRow>> {
  const found = await portalCustomers(deps, whose);
  return listOrdersOf(deps, { ...found, email: whose.email }, { ...place, matches: isPaid });
}

interface OrdersPlace {
  size: number;
  after: string | undefined;
}

const isPaid = ({ status }: { status: string }): boolean => status === 'succeeded';

type OrdersFilter = Parameters<PaymentLists['list']>[0];

/**
 * One page of the orders that belong to an address, newest first. A page can be short, because it leaves out orders
 * that belong to other addresses.
 */
export async function listOrdersOf(
  { lists, merchantId }: Pick<PortalCustomersDeps, 'lists' | 'merchantId'>,
  { ids, records, email }: PortalCustomers & { email: string },
  { size, after, ...filter }: OrdersPlace & Omit<OrdersFilter, 'customerId'>,
): Promise<ItemPage<PaymentRow>> {
  const pages = await Promise.all(
    ids.map((customerId) => lists.list({ ...filter, customerId }, { size: size + 1, skip: 0, after })),
  );
  const rows = pages.flatMap(({ items, sortKeys = [] }) =>
    items.map((row, index) => ({ row, sortKey: sortKeys[index] ?? '' })),
  );
  const spentAt = pages
    .flatMap(({ isSpent, last = '' }) => (isSpent ? [last] : []))
    .sort()
    .at(-1);
  const sorted = rows
    .filter(({ sortKey }) => spentAt === undefined || sortKey >= spentAt)
    .sort((a, b) => (a.sortKey < b.sortKey ? 1 : -1));
  const looked = sorted.slice(0, size);
  const theirs = looked.filter(({ row }) => belongs(row, { email, records, merchantId }));
  return {
    items: theirs.map(({ row }) => row),
    sortKeys: theirs.map(({ sortKey }) => sortKey),
    hasMore: sorted.length > size || pages.some(({ hasMore }) => hasMore),
    last: sorted.length < size ? spentAt : looked.at(-1)?.sortKey,
  };
}

/** The ids of the customers to whom the paid orders of an address belong. An erasure of the address includes them. */
export async function ownersOfOrders(deps: PortalCustomersDeps, whose: Whose): Promise<string[]> {
  const owners = new Set<string>();
  let after: string | undefined;
  for (;;) {
    const { items, hasMore, last } = await listPortalOrders(deps, whose, { size: 50, after });
    for (const order of items) owners.add(ownerIdOf(order, deps.merchantId));
    if (!hasMore || last === undefined) return [...owners];
    after = last;
  }
}

/**
 * The language that the buyer has chosen, for an address that the shop knows. It knows an address with an order, and
 * one that the merchant has given to a customer. Undefined for any other address.
 */
export async function findKnownAddress(
  deps: PortalCustomersDeps,
  whose: Whose,
): Promise<{ language: string | undefined } | undefined> {
  const found = await portalCustomers(deps, whose);
  const given = recordGiven(found, whose.email);
  if (given) return { language: given.language };
  const place = { size: 20, after: undefined, matches: isPaid };
  const { items } = await listOrdersOf(deps, { ...found, email: whose.email }, place);
  return items.length > 0 ? { language: undefined } : undefined;
}

export interface PortalOrderDeps extends PortalCustomersDeps {
  payments: Pick<PaymentStore, 'find'>;
}

/** The paid order of an address. Undefined if it belongs to another address, or does not exist. */
export async function findPortalOrder(
  { payments, ...deps }: PortalOrderDeps,
  { email }: Whose,
  paymentId: string,
): Promise<Payment | undefined> {
  const payment = await payments.find(paymentId);
  if (payment?.status !== 'succeeded') return undefined;
  const records = await deps.customers.findMany([ownerIdOf(payment, deps.merchantId)]);
  return belongs(payment, { email, records, merchantId: deps.merchantId }) ? payment : undefined;
}
