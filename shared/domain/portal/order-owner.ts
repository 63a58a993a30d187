import { type Customer, normalizeEmail } from '../checkout/buyer.ts';
import type { CustomerRecord } from '../customers/customer-record.ts';
import { customerIdOf } from '../ids.ts';

/**
 * The normalized address to which an order belongs; undefined if its buyer is erased. An order follows its customer to
 * an address that the merchant entered for them. An order whose own address was corrected belongs to that one, and a
 * stranger whose address was mistyped no longer sees it.
 */
export function ownerOf(
  { id, email }: Customer,
  record: CustomerRecord | undefined,
  merchantId: string,
): string | undefined {
  if (email === '' || record?.erasure?.endedAt === null) return undefined;
  const normalized = normalizeEmail(email);
  const isFirstAddress = customerIdOf(merchantId, normalized) === id;
  return isFirstAddress && record?.email ? normalizeEmail(record.email) : normalized;
}
