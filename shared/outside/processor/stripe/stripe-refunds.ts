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

/** Stripe keeps keys for 24 hours at least. */
const repeatableMs = 23 * 3_600_000;

/** Refunds of Stripe's payment intents. */
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

/** Stripe moves no such amount, so it has been asked for nothing under this id. */
const notMovable: RefundState = { status: 'failed', reference: null, failureReason: 'amount_not_payable' };

/** Asks under the refund's id. When the key may be forgotten, the list of refunds is looked through before anything is posted. */
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

/** By its id, or ours in the metadata of the payment's refunds, never by the search, which is late. */
async function findRefund(client: StripeClient, order: RefundAttempt): Promise<RefundState | undefined> {
  const parameters = { payment_intent: order.transaction, limit: 100 } satisfies Stripe.RefundListParams;
  const isOurs = ({ id, metadata }: StripeRefund) => id === order.known || metadata?.['refund_id'] === order.refundId;
  const known = await findListed(client, 'refunds', { schema: StripeRefund, parameters, isSought: isOurs });
  return known && refundState(known, order);
}
