import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import type { CustomerProfile } from '../../domain/customers/customer-record.ts';
import { type Grant, grantsOwedBy } from '../../domain/entitlements/grant.ts';
import { notFound } from '../../domain/errors.ts';
import { customerIdOf } from '../../domain/ids.ts';
import type { MailNote } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { answerBy } from '../../domain/portal/erasure-request.ts';
import { portalDataPath } from '../../domain/portal/portal-path.ts';
import type { Withdrawal, WithdrawalCase } from '../../domain/withdrawal/withdrawal-case.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { GrantStore } from '../../store/entitlements/grant-store.ts';
import type { PortalStore } from '../../store/portal/portal-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';
import { type ChangeCustomerDeps, updateCustomer } from '../customers/change-customer.ts';
import { findCustomer } from '../customers/load-customer.ts';
import {
  listPortalOrders,
  ownersOfOrders,
  type PortalOrderDeps,
  portalCustomers,
  type Whose,
} from './portal-customers.ts';
import { listPortalKeys, type PortalKey, type PortalKeysDeps } from './portal-keys.ts';

export interface PortalDataDeps extends PortalKeysDeps {
  customers: PortalOrderDeps['customers'] & ChangeCustomerDeps['customers'];
  portals: Pick<PortalStore, 'saveErasureRequest'>;
  grants: Pick<GrantStore, 'findMany'>;
  withdrawals: Pick<WithdrawalStore, 'ofPayment' | 'declarations' | 'typedBy'>;
  documents: Pick<DocumentStore, 'find'>;
}

const profileDeps = ({ customers, lists, merchantId, now }: PortalDataDeps): ChangeCustomerDeps => ({
  customers,
  payments: lists,
  merchantId,
  now,
});

/** The customers who have the address now. */
export async function portalProfiles(deps: PortalDataDeps, whose: Whose): Promise<CustomerProfile[]> {
  const { ids } = await portalCustomers(deps, whose);
  const found = await Promise.all(ids.map((id) => findCustomer(profileDeps(deps), id)));
  return found.flatMap((customer) => {
    const profile = customer?.profile;
    return profile && profile.email !== '' && normalizeEmail(profile.email) === whose.email ? [profile] : [];
  });
}

/** Changes the name and the mail language of the customers who have the address. Issued documents do not change. */
export async function changePortalCustomer(
  deps: PortalDataDeps,
  whose: Whose,
  change: { name: string; language: string | undefined },
): Promise<void> {
  for (const { id } of await portalProfiles(deps, whose)) await updateCustomer(profileDeps(deps), id, change, () => []);
}

/** The language of mails that the buyer has chosen; undefined if none was chosen. */
export async function portalLanguage(deps: PortalDataDeps, whose: Whose): Promise<string | undefined> {
  const { records } = await portalCustomers(deps, whose);
  return [...records.values()].find(
    ({ email, language }) => language !== undefined && email !== null && normalizeEmail(email) === whose.email,
  )?.language;
}

/** An order with all that was stored about it and its buyer. */
export interface PortalOrderData {
  order: Payment;
  grants: readonly Grant[];
  declarations: readonly Withdrawal[];
  /** The notes about the mails of this order. */
  mails: readonly MailNote[];
}

/** Everything that is stored about an address and its orders. */
export interface PortalData {
  profiles: readonly CustomerProfile[];
  /** The language of mails that the buyer has chosen. */
  language: string | undefined;
  orders: readonly PortalOrderData[];
  keys: readonly PortalKey[];
  /** The declarations that were typed with the address, and belong to none of the orders. */
  typed: readonly Withdrawal[];
  /** Whether there are more orders than the file can contain. */
  isPartial: boolean;
}

const mostOrders = 500;
const portionSize = 50;

/** The data of an address, with the latest 500 orders. */
export async function loadPortalData(deps: PortalDataDeps, whose: Whose): Promise<PortalData> {
  const [profiles, language, keys, all] = await Promise.all([
    portalProfiles(deps, whose),
    portalLanguage(deps, whose),
    listPortalKeys(deps, whose),
    loadTyped(deps, whose),
  ]);
  const orders: PortalOrderData[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await listPortalOrders(deps, whose, { size: portionSize, after });
    const found = await Promise.all(page.items.map(({ id }) => loadOrderData(deps, id)));
    orders.push(...found.filter((order) => order !== undefined));
    const isOver = !page.hasMore || page.last === undefined;
    if (isOver || orders.length >= mostOrders) {
      const known = new Set(orders.map(({ order }) => order.id));
      const typed = all.filter(({ current }) => !known.has(current.paymentId ?? ''));
      return { profiles, language, orders, keys, typed, isPartial: !isOver };
    }
    after = page.last;
  }
}

/**
 * The declarations that were typed with the address. They are data of this buyer, although a stranger can type the
 * address too, because the acknowledgement went to it.
 */
async function loadTyped(deps: PortalDataDeps, { email }: Whose): Promise<Withdrawal[]> {
  const cases = await deps.withdrawals.typedBy(customerIdOf(deps.merchantId, email));
  return declared(deps, cases);
}

async function declared(
  { withdrawals }: Pick<PortalDataDeps, 'withdrawals'>,
  cases: readonly WithdrawalCase[],
): Promise<Withdrawal[]> {
  const found = await withdrawals.declarations(cases.map(({ id }) => id));
  return cases.flatMap((current) => {
    const declaration = found.get(current.id);
    return declaration ? [{ declaration, current }] : [];
  });
}

async function loadOrderData(deps: PortalDataDeps, paymentId: string): Promise<PortalOrderData | undefined> {
  const order = await deps.payments.find(paymentId);
  if (!order) return undefined;
  const ids = grantsOwedBy(order).map(({ id }) => id);
  const [grants, cases, { mail }] = await Promise.all([
    ids.length === 0 ? new Map<string, Grant>() : deps.grants.findMany(ids),
    deps.withdrawals.ofPayment(paymentId),
    deps.documents.find(paymentId),
  ]);
  return { order, grants: [...grants.values()], declarations: await declared(deps, cases), mails: mail.notes };
}

/**
 * Stores that the buyer requests an erasure. It is about the customers who have the address, and those to whom its
 * orders belong. Nothing is erased before the merchant decides.
 * @returns the day by which the merchant must answer
 */
export async function requestPortalErasure(deps: PortalDataDeps, whose: Whose): Promise<string> {
  const requestedAt = deps.now().toISOString();
  const [profiles, owners] = await Promise.all([portalProfiles(deps, whose), ownersOfOrders(deps, whose)]);
  const ids = [...new Set([...profiles.map(({ id }) => id), ...owners])];
  if (ids.length === 0) throw notFound('data', portalDataPath);
  const records = await deps.customers.findMany(ids);
  for (const customerId of ids)
    await deps.portals.saveErasureRequest({ customerId, requestedAt }, records.get(customerId)?.erasure?.requestedAt);
  return answerBy({ requestedAt });
}
