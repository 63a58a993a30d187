import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { PaymentRow } from '../../domain/payments/payment-row.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import { listOrdersOf, type PortalCustomersDeps, portalCustomers } from '../portal/portal-customers.ts';

export type OrdersOfAddressDeps = PortalCustomersDeps;

type Filter = Parameters<PaymentLists['list']>[0];

/**
 * The most pages that one request reads. A page can be short, because it leaves out orders that belong to other
 * addresses.
 */
const mostReads = 10;

/**
 * The payments that belong to an address, such as those paid with it. A payment also belongs to it if the merchant gave
 * its customer this address.
 */
export async function paymentsOfAddress(
  deps: OrdersOfAddressDeps,
  { email, filter }: { email: string; filter: Filter },
  { size, skip, after, isNumbered = false }: ItemPageRequest,
): Promise<ItemPage<PaymentRow>> {
  const normalized = normalizeEmail(email);
  const whose = { ...(await portalCustomers(deps, { email: normalized, customerId: null })), email: normalized };
  const rows: { item: PaymentRow; sortKey: string }[] = [];
  let place: { last: string | undefined; hasMore: boolean } = { last: after, hasMore: true };
  const wanted = skip + size;
  for (let reads = 0; place.hasMore && rows.length <= wanted && reads < mostReads; reads += 1) {
    const page = await listOrdersOf(deps, whose, { ...filter, size: wanted + 1, after: place.last });
    rows.push(...page.items.map((item, index) => ({ item, sortKey: page.sortKeys?.[index] ?? '' })));
    place = { last: page.last, hasMore: page.hasMore && page.last !== undefined };
  }
  const shown = rows.slice(skip, wanted);
  const isSpent = place.hasMore && shown.length < size;
  return {
    items: shown.map(({ item }) => item),
    sortKeys: shown.map(({ sortKey }) => sortKey),
    hasMore: rows.length > wanted || place.hasMore,
    last: isSpent ? place.last : shown.at(-1)?.sortKey,
    isNumbered,
    isSpent,
  };
}
