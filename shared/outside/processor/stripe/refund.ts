import type Stripe from 'stripe';
import * as z from 'zod';
import type { RefundState } from '../../../domain/payments/refund.ts';
import { ProcessorError } from '../../../domain/processor.ts';
import type { RefundAttempt } from '../payment-processor.ts';
import { toStripe } from './amounts.ts';
import type { StripeRefusal } from './client.ts';

export const StripeRefund = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: z.string().nullish(),
  pending_reason: z.string().nullish(),
});
export type StripeRefund = z.infer<typeof StripeRefund>;

/** The parameters of a refund. They are the same for every repetition. */
export function refundParameters(
  { refundId, paymentId, transaction, amount, currency }: RefundAttempt,
  merchantId: string,
) {
  return {
    payment_intent: transaction,
    amount: toStripe(amount, currency),
    metadata: { refund_id: refundId, payment_id: paymentId, merchant_id: merchantId },
  } satisfies Stripe.RefundCreateParams;
}

/**
 * The state of a refund. Throws if its amount differs from the request. With an unknown status, the refund stays
 * pending.
 */
export function refundState(refund: StripeRefund, order: RefundAttempt): RefundState {
  const { id: reference, status, pending_reason: reason } = refund;
  if (refund.amount !== toStripe(order.amount, order.currency) || refund.currency !== order.currency.toLowerCase())
    throw new ProcessorError('contradiction', `${reference} is of another amount than ${order.refundId}.`);
  if (status === 'succeeded') return { status, reference };
  if (status === 'failed' || status === 'canceled')
    return { status: 'failed', reference, failureReason: refund.failure_reason ?? status };
  if (status === 'requires_action') return { status: 'pending', reference, why: 'buyer-action' };
  return { status: 'pending', reference, why: reason === 'insufficient_funds' ? 'balance' : null };
}

/** Stripe refuses a refund while the merchant's balance is too low. A later repetition may succeed. */
const waitsForBalance = new Set(['balance_insufficient', 'insufficient_funds']);

/** The state of a refund that Stripe refused: it waits for money, or it has failed. */
export function refusedRefund({ code, type }: StripeRefusal): RefundState {
  if (waitsForBalance.has(code ?? '')) return { status: 'pending', reference: null, why: 'balance' };
  return { status: 'failed', reference: null, failureReason: code ?? type };
}
