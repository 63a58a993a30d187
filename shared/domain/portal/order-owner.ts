import { type Customer, normalizeEmail } from '../checkout/buyer.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { customerIdOf } from '../ids.ts';
import type { Payment } from '../payments/payment.ts';

/** The fields of an order that say to which address it belongs. */
export type OwnedOrder = Pick<Payment, 'customer' | 'hasOwnAddress'>;

/**
 * The customer whose erasure includes an order. If the order's own address was corrected, that is the customer of the
 * corrected address. The customer of the mistyped address is a stranger.
 */
export const ownerIdOf = ({ customer, hasOwnAddress }: OwnedOrder, merchantId: string): string =>
  hasOwnAddress ? ownerIdOfAddress(customer, merchantId) : customer.id;

const ownerIdOfAddress = ({ email }: Pick<Customer, 'email'>, merchantId: string): string =>
  customerIdOf(merchantId, normalizeEmail(email));

/**
 * The normalized address to which an order belongs; undefined if its buyer is erased. If the merchant changes the
 * customer's address, the order belongs to the new one. If the order's own address was corrected, it belongs to that
 * one, and the owner of the mistyped address cannot see it.
 */
export function ownerOf(
  { customer, hasOwnAddress }: OwnedOrder,
  recordOf: (customerId: string) => CustomerRecord | undefined,
  merchantId: string,
): string | undefined {
  if (customer.email === '') return undefined;
  const record = recordOf(ownerIdOf({ customer, hasOwnAddress }, merchantId));
  if (record?.erasure?.endedAt === null) return undefined;
  return normalizeEmail(addressIn(record, { customer, hasOwnAddress }));
}

const addressIn = (record: CustomerRecord | undefined, { customer, hasOwnAddress }: OwnedOrder): string =>
  (!hasOwnAddress && record?.email) || customer.email;

/**
 * The address that gets the mails about an order now, as it was typed. It is empty if the buyer is erased.
 * @param record the row of the customer to whom the order belongs
 */
export const currentAddressOf = (order: OwnedOrder, record: CustomerRecord | undefined): string =>
  order.customer.email === '' ? '' : addressIn(record, order);
