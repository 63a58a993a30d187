import { isChargeback, isLineRefunded, isLineWithdrawn } from '../entitlements/access-right.ts';
import { isLost } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';

/** Why a buyer has no access to a line now. */
export type AccessEnd = 'refunding' | 'refunded' | 'withdrawn' | 'disputed' | 'lost';

/**
 * Why a line gives nothing now; undefined while the buyer has a right to it. A refund of the whole line ends the right
 * as soon as the refund is pending. A refund of a part does not. A free line keeps the right, unless the buyer has
 * withdrawn from it.
 */
export function accessEndOf(payment: Pick<Payment, 'lines' | 'disputes'>, index: number): AccessEnd | undefined {
  if (isLineRefunded(payment, index)) return payment.lines[index]?.pending ? 'refunding' : 'refunded';
  if (isLineWithdrawn(payment, index)) return 'withdrawn';
  if (payment.disputes.some(isLost)) return 'lost';
  return payment.disputes.some(isChargeback) ? 'disputed' : undefined;
}
