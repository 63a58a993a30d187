import type Stripe from 'stripe';
import { ProcessorError } from '../../../domain/processor.ts';
import type { Disputes, FoundDispute } from '../payment-processor.ts';
import type { ProcessorConnection } from '../processor-description.ts';
import { listAll, parse, refusalIn } from './ask.ts';
import { type StripeClient, stripeClient } from './client.ts';
import { disputeState, StripeDispute } from './dispute.ts';

/**
 * The settings of the account that reading disputes needs. The merchant submits evidence on Stripe's page of the
 * payment.
 */
export type DisputesConnection = Pick<ProcessorConnection, 'account' | 'merchantId' | 'isLive' | 'paymentPage'>;
type Ownership = Omit<DisputesConnection, 'account'>;

const expandIntent = { expand: ['payment_intent'] } satisfies Stripe.DisputeRetrieveParams;

/** Reads the disputes of Stripe's payment intents whose metadata contain our ids. */
export function stripeDisputes(connection: DisputesConnection): Disputes {
  const client = stripeClient(connection.account);
  return {
    findDispute: (reference) => findDispute(client, connection, reference),
    disputesOf: async ({ transaction }) => {
      const parameters = { payment_intent: transaction, limit: 100, expand: ['data.payment_intent'] };
      const listed = await listAll(client, 'disputes', {
        schema: StripeDispute,
        parameters: parameters satisfies Stripe.DisputeListParams,
      });
      return listed.flatMap((dispute) => ourDispute(connection, dispute) ?? []);
    },
  };
}

async function findDispute(
  client: StripeClient,
  owner: Ownership,
  reference: string,
): Promise<FoundDispute | undefined> {
  try {
    const path = `disputes/${encodeURIComponent(reference)}`;
    return ourDispute(owner, parse(StripeDispute, await client.get(path, expandIntent)));
  } catch (error) {
    if (refusalIn(error).code === 'resource_missing') return undefined;
    throw error;
  }
}

/** A dispute with our payment. Undefined if it is about another sale of the account. */
export function ourDispute(
  { merchantId, isLive, paymentPage = dashboardPage(isLive) }: Ownership,
  dispute: StripeDispute,
): FoundDispute | undefined {
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
