import {
  type CustomerProfile,
  type CustomerRecord,
  type KnownPurchases,
  profileOf,
} from '../../domain/customers/customer-record.ts';
import { notFound } from '../../domain/errors.ts';
import type { CustomerStore } from '../../store/customers/customer-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';

export interface LoadCustomerDeps {
  customers: Pick<CustomerStore, 'find' | 'firstPurchase'>;
  payments: Pick<PaymentLists, 'list'>;
}

/** A customer, with the merchant's row if it exists. */
interface LoadedCustomer {
  profile: CustomerProfile;
  record: CustomerRecord | undefined;
}

/** Finds a customer by the merchant's row and by payments. Customers who have paid need no row. */
export async function findCustomer(deps: LoadCustomerDeps, id: string): Promise<LoadedCustomer | undefined> {
  const [record, purchases] = await Promise.all([deps.customers.find(id), findPurchases(deps, id)]);
  const profile = profileOf(id, record, purchases);
  return profile && { profile, record };
}

export async function getCustomer(deps: LoadCustomerDeps, id: string): Promise<LoadedCustomer> {
  const found = await findCustomer(deps, id);
  if (found) return found;
  throw notFound('customer', id);
}

/** Finds when a customer first paid, and the details from the latest payment. */
export async function findPurchases(
  deps: Pick<LoadCustomerDeps, 'payments'> & { customers: Pick<CustomerStore, 'firstPurchase'> },
  id: string,
): Promise<KnownPurchases | undefined> {
  const newest = { size: 1, skip: 0, after: undefined };
  const [first, { items }] = await Promise.all([
    deps.customers.firstPurchase(id),
    deps.payments.list({ customerId: id }, newest),
  ]);
  const [latest] = items;
  return first && latest && { firstAt: first.at, latest: latest.customer };
}
