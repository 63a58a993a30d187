import type Stripe from 'stripe';
import type { RefundState } from '../../../domain/payments/refund.ts';
import type { RefundAttempt, Refunds } from '../payment-processor.ts';
import type { ProcessorConnection } from '../processor-description.ts';
import { fromStripe, isMovable } from './amounts.ts';
import { findListed, parse, refusalIn } from './ask.ts';
import { type StripeClient, StripeRefusal, stripeClient } from './client.ts';
import { refundParameters, refundState, refusedRefund, StripeBalance, StripeRefund } from './refund.ts';

interface RefundsOptions {
  client: StripeClient;
  merchantId: string;
  now: () => Date;
}

/** How long a request is safe to repeat. Stripe keeps idempotency keys for at least 24 hours. */
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
    available: ({ currency }) => available(client, currency),
    repeatableMs,
  };
}

/** The state of a refund whose amount Stripe cannot move. No request was ever sent for it. */
const notMovable: RefundState = { status: 'failed', reference: null, failureReason: 'amount_not_payable' };

/**
 * Requests a refund with its key. If Stripe may have forgotten the key, or if the refund was requested with another one
 * before, its list of refunds is searched first.
 */
async function refund({ client, merchantId, now }: RefundsOptions, order: RefundAttempt): Promise<RefundState> {
  if (!isMovable(order)) return notMovable;
  const isRecognized = now().getTime() - Date.parse(order.keyedAt) < repeatableMs;
  const known = isRecognized && !order.isRenewed ? undefined : await findRefund(client, order);
  if (known) return known;
  try {
    return refundState(
      parse(StripeRefund, await client.post('refunds', refundParameters(order, merchantId), order.key)),
      order,
    );
  } catch (error) {
    const refusal = refusalIn(error);
    return (await findRefund(client, order)) ?? refusedRefund(refusal);
  }
}

/**
 * Finds the refund by Stripe's id, or by our id in the metadata of the payment's refunds. It does not use Stripe's
 * search, which can be behind.
 */
async function findRefund(client: StripeClient, order: RefundAttempt): Promise<RefundState | undefined> {
  const parameters = { payment_intent: order.transaction, limit: 100 } satisfies Stripe.RefundListParams;
  const isOurs = ({ id, metadata }: StripeRefund) => id === order.known || metadata?.['refund_id'] === order.refundId;
  const known = await findListed(client, 'refunds', { schema: StripeRefund, parameters, isSought: isOurs });
  return known && refundState(known, order);
}

/**
 * The money in a currency from which Stripe pays refunds. Undefined if the key may not read it. An account without this
 * currency pays from another one, which cannot be compared.
 */
async function available(client: StripeClient, currency: string): Promise<number | undefined> {
  try {
    const { available: sums } = parse(StripeBalance, await client.get('balance'));
    const own = sums.find((sum) => sum.currency === currency.toLowerCase());
    return own && fromStripe(own.amount, own.currency).amount;
  } catch (error) {
    if (error instanceof StripeRefusal && error.kind === 'unauthorized') return undefined;
    throw error;
  }
}
