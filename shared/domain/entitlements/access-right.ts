import { isDecided, isLost } from '../payments/dispute-standing.ts';
import type { Payment } from '../payments/payment.ts';
import type { Grant } from './grant.ts';

/** Why a delivered grant gives nothing now. */
export type NoAccess = 'pending' | 'failed' | 'revoked' | 'unpaid' | 'refunded' | 'disputed' | 'lost';

type Sale = Pick<Payment, 'status' | 'late' | 'lines' | 'disputes'>;
type Granted = Pick<Grant, 'status' | 'line' | 'access'>;

/**
 * Why a grant gives nothing now; undefined if the buyer may use it. Downloads, activations and validations ask this
 * with the payment as it is stored now, so access ends before a worker has revoked the grant.
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
 * Whether the whole of a line that cost something is refunded, or a refund of it is under way. False if the merchant
 * lets the buyer keep the access.
 */
export function isLineRefunded({ lines }: Pick<Payment, 'lines'>, index: number): boolean {
  const line = lines[index];
  return line !== undefined && !line.isAccessKept && line.gross > 0 && line.pending + line.refunded === line.gross;
}

/** Whether the buyer has withdrawn from a line. Its access ends for good, also if only a part of the money goes back. */
export const isLineWithdrawn = ({ lines }: Pick<Payment, 'lines'>, index: number): boolean =>
  lines[index]?.isWithdrawn === true;

/** Whether the bank has taken the money and has not decided yet. An inquiry has taken none. */
export const isChargeback = (dispute: Payment['disputes'][number]): boolean =>
  !isDecided(dispute) && dispute.stage !== 'pre_dispute';
