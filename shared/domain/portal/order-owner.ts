import { type Customer, normalizeEmail } from '../checkout/buyer.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { customerIdOf } from '../ids.ts';
import type { Payment } from '../payments/payment.ts';

/** The part of an order that says to whom it belongs. */
export type OwnedOrder = Pick<Payment, 'customer' | 'hasOwnAddress'>;

/**
 * The customer whose erasure reaches an order. An order whose own address was corrected is out of the reach of the
 * customer of the mistyped address, who is a stranger: it belongs to the customer of the corrected one.
 */
export const ownerIdOf = ({ customer, hasOwnAddress }: OwnedOrder, merchantId: string): string =>
  hasOwnAddress ? ownerIdOfAddress(customer, merchantId) : customer.id;

const ownerIdOfAddress = ({ email }: Pick<Customer, 'email'>, merchantId: string): string =>
  customerIdOf(merchantId, normalizeEmail(email));

/**
 * The normalized address to which an order belongs; undefined if its buyer is erased. An order follows its customer to
 * an address that the merchant entered for them. An order whose own address was corrected belongs to that one, and a
 * stranger whose address was mistyped no longer sees it.
 */
export function ownerOf(
  { customer, hasOwnAddress }: OwnedOrder,
  recordOf: (customerId: string) => CustomerRecord | undefined,
  merchantId: string,
): string | undefined {
  if (customer.email === '') return undefined;
  const record = recordOf(ownerIdOf({ customer, hasOwnAddress }, merchantId));
  if (record?.erasure?.endedAt === null) return undefined;
  return normalizeEmail((!hasOwnAddress && record?.email) || customer.email);
}
