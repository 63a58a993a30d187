import type Stripe from 'stripe';
import type { RefundState } from '../../../domain/payments/refund.ts';
import type { RefundAttempt, Refunds } from '../payment-processor.ts';
import type { ProcessorConnection } from '../processor-description.ts';
import { isMovable } from './amounts.ts';
import { findListed, parse, refusalIn } from './ask.ts';
import { type StripeClient, stripeClient } from './client.ts';
import { refundParameters, refundState, refusedRefund, StripeRefund } from './refund.ts';

interface RefundsOptions {
  client: StripeClient;
  merchantId: string;
  now: () => Date;
}

/** Stripe keeps idempotency keys for at least 24 hours. */
const repeatableMs = 23 * 3_600_000;

/** Pays refunds of Stripe's payment intents. */
export function stripeRefunds({
  account,
  merchantId,
  now,
}: Pick<ProcessorConnection, 'account' | 'merchantId' | 'now'>): Refunds {
  const client = stripeClient(account);
  return {
    refund: (order) => refund({ client, merchantId, now }, order),
    findRefund: (order) => findRefund(client, order),
    repeatableMs,
  };
}

/** Stripe cannot move this amount, so no request was ever sent under this id. */
const notMovable: RefundState = { status: 'failed', reference: null, failureReason: 'amount_not_payable' };

/**
 * Asks under the refund's id. If Stripe may have forgotten the key, the list of refunds is searched before anything is
 * posted.
 */
async function refund({ client, merchantId, now }: RefundsOptions, order: RefundAttempt): Promise<RefundState> {
  if (!isMovable(order)) return notMovable;
  const isRecognized = now().getTime() - Date.parse(order.createdAt) < repeatableMs;
  const known = isRecognized ? undefined : await findRefund(client, order);
  if (known) return known;
  try {
    return refundState(
      parse(StripeRefund, await client.post('refunds', refundParameters(order, merchantId), order.refundId)),
      order,
    );
  } catch (error) {
    const refusal = refusalIn(error);
    return (await findRefund(client, order)) ?? refusedRefund(refusal);
  }
}

/**
 * Finds the refund by Stripe's id, or by our id in the metadata of the payment's refunds. Stripe's search is not used,
 * because it lags.
 */
async function findRefund(client: StripeClient, order: RefundAttempt): Promise<RefundState | undefined> {
  const parameters = { payment_intent: order.transaction, limit: 100 } satisfies Stripe.RefundListParams;
  const isOurs = ({ id, metadata }: StripeRefund) => id === order.known || metadata?.['refund_id'] === order.refundId;
  const known = await findListed(client, 'refunds', { schema: StripeRefund, parameters, isSought: isOurs });
  return known && refundState(known, order);
}
