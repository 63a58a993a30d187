import { DomainError } from '../errors.ts';
import { type Payment, paymentRow } from './payment.ts';

/** What a payment and its refunds may take of the 400 kB that its record holds; what returns the rest may take more. */
const bytesForParts = 340_000;
const bytesForTheRest = 380_000;

/**
 * A payment carries a summary of each of its refunds, so there is an end to their number: some 1,500, less if their reasons are long.
 * Refuses the part that would leave no room to return the rest at once.
 */
export function assertRefundRoom(after: Payment): void {
  const record = { data: after, row: paymentRow(after) };
  const bytes = new TextEncoder().encode(JSON.stringify(record)).length;
  const returnsTheRest = after.refundable === 0;
  if (bytes <= (returnsTheRest ? bytesForTheRest : bytesForParts)) return;
  const most = `This payment has ${after.refunds.length - 1} refunds and its record has no room for another`;
  const advice = returnsTheRest
    ? ' with such a long reason. Shorten the reason'
    : '. Refund the whole rest at once: leave out the amount';
  throw new DomainError('PARTIAL_REFUND_NOT_ALLOWED', `${most}${advice}.`);
}
