import { DomainError } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { Payment } from './payment.ts';
import { paymentRow } from './payment-row.ts';

/**
 * How many of the 400 kB of a row a payment and its partial refunds may use. Only the refund of everything that is left
 * may use more.
 */
const bytesForParts = 340_000;
const bytesForTheRest = 380_000;

/**
 * Refuses a partial refund that would leave no room to refund the rest. A payment stores a summary of each refund,
 * so about 1,500 fit, or fewer with long reasons.
 */
export function assertRefundRoom(after: Payment): void {
  const record = { data: after, row: paymentRow(after) };
  const bytes = new TextEncoder().encode(JSON.stringify(record)).length;
  const returnsTheRest = after.refundable === 0;
  if (bytes <= (returnsTheRest ? bytesForTheRest : bytesForParts)) return;
  const rule = returnsTheRest ? sentences.refund_room_reason : sentences.refund_room;
  throw new DomainError('PARTIAL_REFUND_NOT_ALLOWED', brokenRule(rule, { refunds: after.refunds.length - 1 }));
}
