import { isDecided, isLost } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';
import type { Grant } from './grant.ts';

/** The reasons why a grant gives nothing to its buyer now. */
export type NoAccess = 'pending' | 'failed' | 'revoked' | 'unpaid' | 'refunded' | 'disputed' | 'lost';

type Sale = Pick<Payment, 'status' | 'late' | 'lines' | 'disputes'>;
type Granted = Pick<Grant, 'status' | 'line' | 'access'>;

/**
 * Why a grant gives nothing now; undefined if the buyer may use it. Downloads, activations and validations call this
 * with the payment as it is stored now. So access ends at once, before a worker has revoked the grant.
 */
export function noAccessOf(grant: Granted, payment: Sale): NoAccess | undefined {
  if (grant.status !== 'delivered') return grant.status;
  if (payment.status !== 'succeeded' || payment.late?.isReturned) return 'unpaid';
  const { endsByRefund, pausesByDispute, endsByLoss } = grant.access;
  if (endsByRefund && (isLineRefunded(payment, grant.line) || isLineWithdrawn(payment, grant.line))) return 'refunded';
  if (endsByLoss && payment.disputes.some(isLost)) return 'lost';
  return pausesByDispute && payment.disputes.some(isChargeback) ? 'disputed' : undefined;
}

/**
 * Whether a line that cost something is fully refunded, or such a refund is under way. False if the merchant lets the
 * buyer keep the access.
 */
export function isLineRefunded({ lines }: Pick<Payment, 'lines'>, index: number): boolean {
  const line = lines[index];
  return line !== undefined && !line.isAccessKept && line.gross > 0 && line.pending + line.refunded === line.gross;
}

/**
 * Whether the buyer has withdrawn from a line. Then its access ends for ever, even if only a part of the money is
 * refunded.
 */
export const isLineWithdrawn = ({ lines }: Pick<Payment, 'lines'>, index: number): boolean =>
  lines[index]?.isWithdrawn === true;

/**
 * Whether a dispute is an open chargeback: the bank has taken the money and has not decided yet. With an inquiry, it
 * has not taken any.
 */
export const isChargeback = (dispute: Payment['disputes'][number]): boolean =>
  !isDecided(dispute) && dispute.stage !== 'pre_dispute';
