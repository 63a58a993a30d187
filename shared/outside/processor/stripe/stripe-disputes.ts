import type Stripe from 'stripe';
import { ProcessorError } from '../../../domain/processor.ts';
import type { Disputes, FoundDispute } from '../payment-processor.ts';
import { listAll, parse, refusalIn } from './ask.ts';
import type { StripeClient } from './client.ts';
import { disputeState, StripeDispute } from './dispute.ts';

export interface StripeDisputesOptions {
  client: StripeClient;
  merchantId: string;
  isLive: boolean;
  /** Where the merchant gives evidence: the page of a payment. Default: Stripe's dashboard. */
  paymentPage?: (intentId: string) => string;
}

const expandIntent = { expand: ['payment_intent'] } satisfies Stripe.DisputeRetrieveParams;

/** Disputes of Stripe's payment intents that carry our ids. */
export const stripeDisputes = (options: StripeDisputesOptions): Disputes => ({
  findDispute: (reference) => findDispute(options, reference),
  disputesOf: async ({ transaction }) => {
    const parameters = { payment_intent: transaction, limit: 100, expand: ['data.payment_intent'] };
    const listed = await listAll(options.client, 'disputes', {
      schema: StripeDispute,
      parameters: parameters satisfies Stripe.DisputeListParams,
    });
    return listed.flatMap((dispute) => ourDispute(options, dispute) ?? []);
  },
});

async function findDispute(options: StripeDisputesOptions, reference: string): Promise<FoundDispute | undefined> {
  try {
    const path = `disputes/${encodeURIComponent(reference)}`;
    return ourDispute(options, parse(StripeDispute, await options.client.get(path, expandIntent)));
  } catch (error) {
    if (refusalIn(error).code === 'resource_missing') return undefined;
    throw error;
  }
}

/** Undefined where the dispute is about something else that the account sells. */
export function ourDispute(options: StripeDisputesOptions, dispute: StripeDispute): FoundDispute | undefined {
  const { merchantId, isLive, paymentPage = dashboardPage(isLive) } = options;
  if (dispute.livemode !== isLive) throw new ProcessorError('contradiction', `${dispute.id} is of the other mode.`);
  if (typeof dispute.payment_intent === 'string')
    throw new ProcessorError('unavailable', `Stripe did not expand the intent of ${dispute.id}.`);
  const { id = '', metadata = {} } = dispute.payment_intent ?? {};
  const paymentId = metadata['payment_id'];
  if (paymentId === undefined || metadata['merchant_id'] !== merchantId) return undefined;
  return { ...disputeState(dispute, paymentPage(id)), paymentId };
}

const dashboardPage =
  (isLive: boolean) =>
  (intentId: string): string =>
    `https://dashboard.stripe.com/${isLive ? '' : 'test/'}payments/${intentId}`;
