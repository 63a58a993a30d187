import type Stripe from 'stripe';
import * as z from 'zod';
import type {
  AccountRecords,
  FoundWarning,
  Period,
  Receipt,
  RecordedCharge,
  RecordedRefund,
} from '../payment-processor.ts';
import { missingEvents } from './account/missing-events.ts';
import { missingReadRights } from './account/rights.ts';
import { fromStripe } from './amounts.ts';
import { listAll, parse, refusalIn } from './ask.ts';
import { type StripeClient, StripeRefusal, stripeClient } from './client.ts';
import { StripeDispute } from './dispute.ts';
import { StripeRefund } from './refund.ts';
import { type DisputesConnection, ourDispute } from './stripe-disputes.ts';

/** The fields of a session and its intent that the comparison with our rows needs. */
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

/** The entry of a charge in the account's balance. */
const ListedEntry = z.object({
  id: z.string(),
  source: z.union([
    z.object({ metadata: z.record(z.string(), z.string()).nullish(), payment_intent: z.unknown() }),
    z.string(),
    z.null(),
  ]),
});
type ListedEntry = z.infer<typeof ListedEntry>;

/** The types of balance entries for money from buyers: by card, and by other methods. */
const moneyTypes = ['charge', 'payment'];

/** An early fraud warning with its charge, which contains the metadata of its intent. */
export const StripeWarning = z.object({
  id: z.string(),
  actionable: z.boolean(),
  created: z.int(),
  fraud_type: z.string(),
  charge: z.union([z.object({ metadata: z.record(z.string(), z.string()).nullish() }), z.string()]),
});

type StripeWarning = z.infer<typeof StripeWarning>;

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
    receipts: async (period) => {
      const listed = await entriesOf(client, period).catch(noneIfDenied);
      return listed.flatMap((entry) => receiptOf(connection, entry) ?? []);
    },
    chargeOf: async ({ transaction }) => {
      const parameters = { payment_intent: transaction, ...expandIntents } satisfies Stripe.Checkout.SessionListParams;
      const listed = await listAll(client, 'checkout/sessions', { schema: ListedSession, parameters });
      return listed.flatMap((session) => chargeOf(connection, session) ?? []).at(0);
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
    warningWith: (reference) => warningWith(client, connection, reference),
    warnings: async (period) => {
      const parameters = { created: createdIn(period), limit: 100, expand: ['data.charge'] };
      const asked = parameters satisfies Stripe.Radar.EarlyFraudWarningListParams;
      const list = listAll(client, 'radar/early_fraud_warnings', { schema: StripeWarning, parameters: asked });
      return (await list.catch(noneIfDenied)).flatMap((warning) => warningOf(connection, warning) ?? []);
    },
    lacks: async (notifyUrl) => ({
      rights: (await missingReadRights(client)).map(({ resource, access }) => `${resource}: ${access}`),
      events: await missingEvents(client, notifyUrl),
    }),
  };
}

/** The balance entries of a period that are money from buyers. */
async function entriesOf(client: StripeClient, period: Period): Promise<ListedEntry[]> {
  const parameters = { created: createdIn(period), limit: 100, expand: ['data.source'] };
  const listed: ListedEntry[] = [];
  for (const type of moneyTypes) {
    const typed = { ...parameters, type } satisfies Stripe.BalanceTransactionListParams;
    listed.push(...(await listAll(client, 'balance_transactions', { schema: ListedEntry, parameters: typed })));
  }
  return listed;
}

/** Returns nothing if the key may not read the balance. Late money is then not found, but everything else is. */
function noneIfDenied(error: unknown): never[] {
  if (error instanceof StripeRefusal && error.status === 403) return [];
  throw error;
}

type Owner = Pick<DisputesConnection, 'merchantId'>;

async function warningWith(
  client: StripeClient,
  owner: Owner,
  reference: string,
): Promise<FoundWarning | 'denied' | undefined> {
  const expand = { expand: ['charge'] } satisfies Stripe.Radar.EarlyFraudWarningRetrieveParams;
  try {
    const path = `radar/early_fraud_warnings/${encodeURIComponent(reference)}`;
    return warningOf(owner, parse(StripeWarning, await client.get(path, expand)));
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 403) return 'denied';
    if (refusalIn(error).code === 'resource_missing') return undefined;
    throw error;
  }
}

/** A warning about one of our payments. Undefined if it is about another sale of the account. */
function warningOf({ merchantId }: Owner, warning: StripeWarning): FoundWarning | undefined {
  const { id: reference, actionable: isActionable, created, fraud_type: kind, charge } = warning;
  const metadata = typeof charge === 'object' ? charge.metadata : undefined;
  const paymentId = metadata?.['payment_id'];
  if (paymentId === undefined || metadata?.['merchant_id'] !== merchantId) return undefined;
  return { paymentId, reference, kind, isActionable, createdAt: new Date(created * 1_000).toISOString() };
}

function chargeOf({ merchantId }: Owner, session: ListedSession): RecordedCharge | undefined {
  const { id: reference, client_reference_id: paymentId, amount_total: total, currency, metadata } = session;
  const isOurs = metadata?.['merchant_id'] === merchantId;
  if (!isOurs || typeof paymentId !== 'string' || typeof total !== 'number' || typeof currency !== 'string')
    return undefined;
  const intent = session.payment_intent;
  const isPaid = typeof intent === 'object' && intent?.status === 'succeeded';
  return { paymentId, reference, isPaid, ...fromStripe(total, currency) };
}

/**
 * The receipt for one of our payments. Undefined if the money is for another sale of the account. A charge contains the
 * metadata of its intent.
 */
function receiptOf({ merchantId }: Owner, { source }: ListedEntry): Receipt | undefined {
  if (source === null || typeof source === 'string') return undefined;
  const { metadata, payment_intent: transaction } = source;
  const paymentId = metadata?.['payment_id'];
  if (paymentId === undefined || metadata?.['merchant_id'] !== merchantId || typeof transaction !== 'string')
    return undefined;
  return { paymentId, transaction };
}

const ends = { succeeded: 'succeeded', failed: 'failed', canceled: 'failed' } as const;

/** A refund of one of our payments. Undefined if it is for another sale of the account. */
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
