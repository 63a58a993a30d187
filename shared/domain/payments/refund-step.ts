import { refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import type { Payment } from './payment.ts';
import type { RefundRequest } from './refund-portions.ts';

/** An amount to refund, and the smallest step in which the processor moves money, in minor units. */
interface SteppedRefund {
  amount: number;
  step: number;
}

/**
 * Refuses an amount that the processor cannot pay, such as 12.345 KWD. Otherwise the refund would be booked and then
 * fail.
 */
export function assertRefundStep(
  { currency, refundable }: Payment,
  { type, items }: RefundRequest,
  { amount, step }: SteppedRefund,
): void {
  if (amount % step === 0) return;
  const below = amount - (amount % step);
  const possible = [below, below + step].filter((one) => one > 0 && one <= refundable);
  const path = type === 'tax' ? 'type' : items ? 'items' : 'amount';
  const values = { currency, step, amount };
  const rule =
    possible.length > 0
      ? brokenRule(sentences.refund_step_near, { ...values, near: possible.join(' or ') })
      : brokenRule(sentences.refund_step, values);
  throw refuse('INVALID_REQUEST_PARAMETERS', path, rule);
}

/** Half of the refundable amount, rounded down to a step; 0 if it cannot be halved. */
export const halfRefund = ({ refundable }: Pick<Payment, 'refundable'>, step: number): number =>
  Math.floor(refundable / 2 / step) * step;
