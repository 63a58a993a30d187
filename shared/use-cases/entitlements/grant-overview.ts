import { type NoAccess, noAccessOf } from '../../domain/entitlements/access-right.ts';
import { type Grant, grantsOwedBy } from '../../domain/entitlements/grant.ts';
import type { GrantView } from '../../domain/entitlements/grant-view.ts';
import { keyStatusOf } from '../../domain/entitlements/license-key.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { GrantViewDeps } from './list-grants.ts';

/** A grant as a merchant sees it: what it gives, its sale, and why it gives nothing now if it does not. */
export interface GrantOverview extends GrantView {
  /** The payment; undefined if its row does not exist. */
  payment: Payment | undefined;
  /** Why the buyer has no access; undefined while the buyer has access. */
  noAccess: NoAccess | undefined;
}

/** Adds to grants what a merchant sees of them. Payments that the caller already has are not read again. */
export async function overviewGrants(
  deps: GrantViewDeps,
  grants: readonly Grant[],
  known: readonly Payment[] = [],
): Promise<GrantOverview[]> {
  const payments = new Map(known.map((payment) => [payment.id, payment]));
  const missing = [...new Set(grants.map(({ paymentId }) => paymentId))].filter((id) => !payments.has(id));
  const [entitlements, found] = await Promise.all([
    deps.entitlements.findMany([...new Set(grants.map(({ entitlementId }) => entitlementId))]),
    Promise.all(missing.map((id) => deps.payments.find(id))),
  ]);
  for (const payment of found) if (payment) payments.set(payment.id, payment);
  return Promise.all(
    grants.map(async (grant) => {
      const payment = payments.get(grant.paymentId);
      const noAccess = payment ? noAccessOf(grant, payment) : 'unpaid';
      const key = grant.licenseKeyId === null ? undefined : await deps.licenseKeys.find(grant.licenseKeyId);
      const now = deps.now().toISOString();
      const status = key && keyStatusOf(key, { hasAccess: noAccess === undefined, now });
      const state = key && status && { key, status };
      return { grant, entitlement: entitlements.get(grant.entitlementId), key: state, payment, noAccess };
    }),
  );
}

/** A page of the grants of an entitlement. */
export async function overviewOfEntitlement(
  deps: GrantViewDeps & { grants: Pick<GrantStore, 'list'> },
  entitlementId: string,
  page: ItemPageRequest,
): Promise<ItemPage<GrantOverview>> {
  const { items, ...rest } = await deps.grants.list({ of: { entitlementId } }, page);
  return { ...rest, items: await overviewGrants(deps, items) };
}

export interface PaymentGrantsDeps extends GrantViewDeps {
  grants: Pick<GrantStore, 'findMany'>;
}

/** The grants of a payment so far, in the order of its lines. For a payment that gives nothing, it reads nothing. */
export async function overviewOfPayment(deps: PaymentGrantsDeps, payment: Payment): Promise<GrantOverview[]> {
  const ids = grantsOwedBy(payment).map(({ id }) => id);
  const found = await deps.grants.findMany(ids);
  const grants = ids.flatMap((id) => found.get(id) ?? []);
  return overviewGrants(deps, grants, [payment]);
}

export interface CustomerGrantsDeps extends GrantViewDeps {
  grants: Pick<GrantStore, 'list'>;
}

/** The most grants of a customer that are read. */
const mostOfCustomer = 100;

/** The grants that a customer can use now, across all payments, newest first. */
export async function openToCustomer(deps: CustomerGrantsDeps, customerId: string): Promise<GrantOverview[]> {
  const page = { size: mostOfCustomer, skip: 0, after: undefined };
  const { items } = await deps.grants.list({ of: { customerId } }, page);
  return (await overviewGrants(deps, items)).filter(({ noAccess }) => noAccess === undefined);
}
