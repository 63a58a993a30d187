import type Stripe from 'stripe';
import * as z from 'zod';
import {
  type NetworkReference,
  networkReferenceTypes,
  type RefundState,
  type RefundWait,
} from '../../../domain/payments/refund.ts';
import { ProcessorError } from '../../../domain/processor.ts';
import type { RefundAttempt } from '../payment-processor.ts';
import { toStripe } from './amounts.ts';
import type { StripeRefusal } from './client.ts';

/** The number at the card's network. Stripe fills it in days later. */
const StripeTrace = z.object({ reference: z.string().nullish(), reference_type: z.string().nullish() });

export const StripeRefund = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  failure_reason: z.string().nullish(),
  pending_reason: z.string().nullish(),
  destination_details: z.object({ card: StripeTrace.nullish() }).nullish(),
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
  if (status === 'succeeded') return { status, reference, ...networkOf(refund) };
  if (status === 'failed' || status === 'canceled')
    return { status: 'failed', reference, failureReason: refund.failure_reason ?? status };
  const why = status === 'requires_action' ? 'buyer' : (waits[reason ?? ''] ?? null);
  return { status: 'pending', reference, why };
}

function networkOf({ destination_details: details }: StripeRefund): { network?: NetworkReference } {
  const { reference: value, reference_type: kind } = details?.card ?? {};
  if (!value) return {};
  return { network: { value, type: networkReferenceTypes.find((type) => type === kind) ?? 'other' } };
}

/** What a pending refund waits for, by Stripe's reason. */
const waits: Readonly<Record<string, RefundWait>> = {
  charge_pending: 'charge',
  insufficient_funds: 'balance',
  processing: 'bank',
};

/**
 * Stripe's codes for a refund that is refused because the merchant's balance is too low. A later request can succeed.
 */
const waitsForBalance = new Set(['balance_insufficient', 'insufficient_funds']);

/** The state of a refund that Stripe refused. It waits for money and a new key, or it has failed. */
export function refusedRefund({ code, type, refusal }: StripeRefusal): RefundState {
  if (waitsForBalance.has(code ?? '')) return { status: 'pending', reference: null, why: 'balance', refusal };
  return { status: 'failed', reference: null, failureReason: code ?? type, refusal };
}

/** The fields of the account's balance that we read. */
export const StripeBalance = z.object({ available: z.array(z.object({ amount: z.int(), currency: z.string() })) });
