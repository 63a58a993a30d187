import { assertPermitted } from '../../domain/access/access.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import {
  allowanceDayOf,
  type RefundAllowance,
  type Refunder,
  spendAllowance,
} from '../../domain/payments/refund-allowance.ts';
import type { RefundAllowanceStore } from '../../store/payments/refund-allowance-store.ts';

export interface AllowanceDeps {
  allowances: Pick<RefundAllowanceStore, 'get'>;
}

/**
 * How much of its daily limit a key has used, including this refund. Refuses a key that cannot refund, and a refund
 * above the limit. Reads and writes nothing for a key without a limit, or a refund that moves no money.
 */
export async function usedAllowance(
  { allowances }: AllowanceDeps,
  by: Refunder,
  refund: Refund,
): Promise<RefundAllowance | null> {
  assertPermitted(by, 'refunds');
  const ceiling = by.refunds?.perDay;
  if (!ceiling || refund.amount === 0) return null;
  return spendAllowance(await allowances.get(by.hash, allowanceDayOf(refund.createdAt)), ceiling, refund);
}
