import { normalizeEmail } from '../../domain/checkout/buyer.ts';
import type { CustomerProfile } from '../../domain/customers/customer-record.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { ErasureRequest } from '../../domain/portal/erasure-request.ts';
import type { PortalStore } from '../../store/portal/portal-store.ts';
import { type ChangeCustomerDeps, updateCustomer } from '../customers/change-customer.ts';
import { findCustomer } from '../customers/load-customer.ts';
import { listPortalOrders, type PortalOrderDeps, portalCustomers, type Whose } from './portal-customers.ts';
import { listPortalKeys, type PortalKey, type PortalKeysDeps } from './portal-keys.ts';

export interface PortalDataDeps extends PortalKeysDeps {
  customers: PortalOrderDeps['customers'] & ChangeCustomerDeps['customers'];
  portals: Pick<PortalStore, 'saveErasureRequest'>;
}

const profileDeps = ({ customers, lists, now }: PortalDataDeps): ChangeCustomerDeps => ({
  customers,
  payments: lists,
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

/** Changes the name of the customers who have the address. Documents stay as they were issued. */
export async function renamePortalCustomer(deps: PortalDataDeps, whose: Whose, name: string): Promise<void> {
  for (const { id } of await portalProfiles(deps, whose))
    await updateCustomer(profileDeps(deps), id, { name }, () => []);
}

/** Everything that is stored about an address and its orders. */
export interface PortalData {
  profiles: readonly CustomerProfile[];
  orders: readonly Payment[];
  keys: readonly PortalKey[];
  /** Whether there are more orders than one file holds. */
  isPartial: boolean;
}

const mostOrders = 500;
const portionSize = 50;

/** The data of an address, with the latest 500 orders. */
export async function loadPortalData(deps: PortalDataDeps, whose: Whose): Promise<PortalData> {
  const [profiles, keys] = await Promise.all([portalProfiles(deps, whose), listPortalKeys(deps, whose)]);
  const orders: Payment[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await listPortalOrders(deps, whose, { size: portionSize, after });
    const found = await Promise.all(page.items.map(({ id }) => deps.payments.find(id)));
    orders.push(...found.filter((order) => order !== undefined));
    const isOver = !page.hasMore || page.last === undefined;
    if (isOver || orders.length >= mostOrders) return { profiles, orders, keys, isPartial: !isOver };
    after = page.last;
  }
}

/** Tells the merchant that the buyer asks for erasure. Nothing is erased before the merchant decides. */
export async function requestPortalErasure(deps: PortalDataDeps, whose: Whose): Promise<ErasureRequest> {
  const requestedAt = deps.now().toISOString();
  const profiles = await portalProfiles(deps, whose);
  for (const { id: customerId, erasure } of profiles)
    await deps.portals.saveErasureRequest({ customerId, requestedAt }, erasure?.requestedAt);
  return { customerId: profiles[0]?.id ?? '', requestedAt };
}
