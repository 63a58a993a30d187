import type Stripe from 'stripe';
import * as z from 'zod';
import type { AccountRecords, Period, RecordedCharge, RecordedRefund } from '../payment-processor.ts';
import { fromStripe } from './amounts.ts';
import { listAll, parse, refusalIn } from './ask.ts';
import { stripeClient } from './client.ts';
import { StripeDispute } from './dispute.ts';
import { StripeRefund } from './refund.ts';
import { type DisputesConnection, ourDispute } from './stripe-disputes.ts';

/** The fields of a session's intent that the comparison of books needs. */
const ListedSession = z.object({
  id: z.string(),
  client_reference_id: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  payment_intent: z.union([z.object({ status: z.string() }), z.string()]).nullish(),
});
type ListedSession = z.infer<typeof ListedSession>;

/** A refund with its intent, which names our payment. */
const ListedRefund = StripeRefund.extend({
  created: z.int(),
  payment_intent: z.union([z.object({ metadata: z.record(z.string(), z.string()) }), z.string()]).nullish(),
});
type ListedRefund = z.infer<typeof ListedRefund>;

const second = (instant: string): number => Math.floor(Date.parse(instant) / 1_000);
const createdIn = ({ from, to }: Period) => ({ gte: second(from), lte: second(to) });
const expandIntent = { expand: ['payment_intent'] } satisfies Stripe.RefundRetrieveParams;
const expandIntents = { limit: 100, expand: ['data.payment_intent'] };

/** Reads an account's lists, limited to this merchant’s payments. */
export function stripeRecords(connection: DisputesConnection): AccountRecords {
  const client = stripeClient(connection.account);
  return {
    charges: async (period) => {
      const parameters = { created: createdIn(period), ...expandIntents } satisfies Stripe.Checkout.SessionListParams;
      const listed = await listAll(client, 'checkout/sessions', { schema: ListedSession, parameters });
      return listed.flatMap((session) => chargeOf(connection, session) ?? []);
    },
    refunds: async (period) => {
      const parameters = { created: createdIn(period), ...expandIntents } satisfies Stripe.RefundListParams;
      const listed = await listAll(client, 'refunds', { schema: ListedRefund, parameters });
      return listed.flatMap((refund) => refundOf(connection, refund) ?? []);
    },
    disputes: async (period) => {
      const parameters = { created: createdIn(period), ...expandIntents } satisfies Stripe.DisputeListParams;
      const listed = await listAll(client, 'disputes', { schema: StripeDispute, parameters });
      return listed.flatMap((dispute) => ourDispute(connection, dispute) ?? []);
    },
    refundWith: async (reference) => {
      try {
        const path = `refunds/${encodeURIComponent(reference)}`;
        return refundOf(connection, parse(ListedRefund, await client.get(path, expandIntent)));
      } catch (error) {
        if (refusalIn(error).code === 'resource_missing') return undefined;
        throw error;
      }
    },
  };
}

type Owner = Pick<DisputesConnection, 'merchantId'>;

function chargeOf({ merchantId }: Owner, session: ListedSession): RecordedCharge | undefined {
  const { id: reference, client_reference_id: paymentId, amount_total: total, currency, metadata } = session;
  const isOurs = metadata?.['merchant_id'] === merchantId;
  if (!isOurs || typeof paymentId !== 'string' || typeof total !== 'number' || typeof currency !== 'string')
    return undefined;
  const intent = session.payment_intent;
  const isPaid = typeof intent === 'object' && intent?.status === 'succeeded';
  return { paymentId, reference, isPaid, ...fromStripe(total, currency) };
}

const ends = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' } as const;

/** Undefined if the refund is for another sale of the account. */
function refundOf({ merchantId }: Owner, refund: ListedRefund): RecordedRefund | undefined {
  const { id: reference, metadata, status, amount, currency, created, payment_intent: intent } = refund;
  const owner = typeof intent === 'object' ? intent?.metadata : undefined;
  const paymentId = owner?.['payment_id'];
  if (paymentId === undefined || owner?.['merchant_id'] !== merchantId) return undefined;
  return {
    reference,
    refundId: metadata?.['refund_id'] ?? null,
    paymentId,
    status: ends[status as keyof typeof ends] ?? 'pending',
    ...fromStripe(amount, currency),
    createdAt: new Date(created * 1_000).toISOString(),
  };
}
