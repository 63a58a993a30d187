import type Stripe from 'stripe';
import * as z from 'zod';
import { isPaidCurrency } from '../../../domain/money/currency.ts';
import type { PayoutState } from '../../../domain/payouts/payout.ts';
import { RightMissing } from '../../../domain/processor.ts';
import type { PayoutEntries, PayoutEntry, PayoutEntryKind, Payouts } from '../payment-processor.ts';
import type { ProcessorConnection } from '../processor-description.ts';
import { limits } from './amounts.ts';
import { listAll, listedPageOf, parse, refusalIn } from './ask.ts';
import { StripeRefusal, stripeClient } from './client.ts';

/** The fields of Stripe's payouts that we read. A test compares them with the package's type. */
export const StripePayout = z.object({
  id: z.string(),
  amount: z.int(),
  arrival_date: z.int(),
  automatic: z.boolean(),
  created: z.int(),
  currency: z.string(),
  failure_code: z.string().nullish(),
  failure_message: z.string().nullish(),
  reconciliation_status: z.string(),
  status: z.string(),
  type: z.string(),
});
type StripePayout = z.infer<typeof StripePayout>;

/** The object behind an entry: a charge, a refund, a dispute, a payout … */
const Source = z.object({
  id: z.string(),
  object: z.string(),
  amount: z.int().nullish(),
  currency: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});
type Source = z.infer<typeof Source>;

/** The fields of an entry of the account's balance that we read. */
export const StripeEntry = z.object({
  id: z.string(),
  amount: z.int(),
  net: z.int(),
  created: z.int(),
  currency: z.string(),
  description: z.string().nullish(),
  exchange_rate: z.number().nullish(),
  type: z.string(),
  /** Read apart, because some of Stripe's objects lack an id. */
  source: z.unknown(),
});
type StripeEntry = z.infer<typeof StripeEntry>;

const EntryPage = listedPageOf(StripeEntry);

/** The most entries that one answer of Stripe has. */
const mostEntries = 100;

/** Reads an account's payouts. They are the account's, so other shops in the account have a part in them. */
export function stripePayouts({ account }: Pick<ProcessorConnection, 'account'>): Payouts {
  const client = stripeClient(account);
  return {
    payouts: async ({ from, to }) => {
      const created = { gte: second(from), lte: second(to) };
      const parameters = { created, limit: 100 } satisfies Stripe.PayoutListParams;
      const listed = await listAll(client, 'payouts', { schema: StripePayout, parameters }).catch(
        orLacks(payoutsRight),
      );
      return listed.map(stateOf);
    },
    payout: async (id) => {
      try {
        return stateOf(parse(StripePayout, await client.get(`payouts/${encodeURIComponent(id)}`)));
      } catch (error) {
        if (error instanceof StripeRefusal && error.status === 403) return orLacks(payoutsRight)(error);
        if (refusalIn(error).code === 'resource_missing') return undefined;
        throw error;
      }
    },
    entries: async (payout, after) => {
      const parameters = { payout: payout.id, limit: mostEntries, expand: ['data.source'] };
      const from = after === null ? {} : { starting_after: after };
      const asked = { ...parameters, ...from } satisfies Stripe.BalanceTransactionListParams;
      const answer = await client.get('balance_transactions', asked).catch(orLacks(entriesRight));
      return entriesOf(payout, parse(EntryPage, answer));
    },
  };
}

/** The names of the rights on Stripe's page for keys. */
const payoutsRight = 'Payouts: read';
const entriesRight = 'Balance transactions: read';

/** Throws that the right is missing, if that is why Stripe refused. */
const orLacks =
  (right: string) =>
  (error: unknown): never => {
    throw error instanceof StripeRefusal && error.status === 403 ? new RightMissing(right, error) : error;
  };

const second = (at: string): number => Math.floor(Date.parse(at) / 1_000);
const instant = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Keeps the row of a payout small. */
const mostLetters = 200;

/** Stripe's words for a payout's status. */
const statuses = new Set<string>(['pending', 'in_transit', 'paid', 'failed', 'canceled']);
const isStatus = (word: string): word is PayoutState['status'] => statuses.has(word);

/** A payout in an unknown status is on its way. */
function stateOf(payout: StripePayout): PayoutState {
  const { id, amount, arrival_date, automatic, created, status, failure_code: code, failure_message: words } = payout;
  const currency = payout.currency.toUpperCase();
  const unit = unitOf(currency);
  return {
    id,
    status: isStatus(status) ? status : 'in_transit',
    isAutomatic: automatic,
    isListed: payout.reconciliation_status === 'completed',
    amount: amount * (unit ?? 1),
    currency,
    hasKnownUnit: unit !== undefined,
    destination: payout.type,
    arrivesOn: instant(arrival_date).slice(0, 10),
    failure: (words ?? code)?.slice(0, mostLetters) ?? null,
    createdAt: instant(created),
  };
}

/** How many of our minor units are one of Stripe's; undefined if that is not certain. */
const unitOf = (currency: string): number | undefined =>
  isPaidCurrency(currency) ? limits(currency)?.unit : undefined;

/** A part of what is in a payout. The payout's own entry takes the money out, and is no part of what is in it. */
function entriesOf(payout: PayoutState, { data, has_more }: z.infer<typeof EntryPage>): PayoutEntries {
  const entries = data.flatMap((entry) => entryOf(payout, entry) ?? []);
  return { entries, after: has_more ? (data.at(-1)?.id ?? null) : null };
}

const kinds: Readonly<Record<string, PayoutEntryKind>> = {
  charge: 'sale',
  payment: 'sale',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_returned',
  payment_failure_refund: 'refund_returned',
  stripe_fee: 'processor_fee',
  stripe_fx_fee: 'processor_fee',
  tax_fee: 'processor_fee',
  payout_failure: 'payout_returned',
  payout_cancel: 'payout_returned',
  reserve_transaction: 'reserve',
  reserved_funds: 'reserve',
  reserve_hold: 'reserve',
  reserve_release: 'reserve',
  payment_network_reserve_hold: 'reserve',
  payment_network_reserve_release: 'reserve',
  payout_minimum_balance_hold: 'reserve',
  payout_minimum_balance_release: 'reserve',
};

/** An adjustment is about a dispute if a dispute is its source. */
const kindOf = (type: string, source: Source | undefined): PayoutEntryKind =>
  source?.object === 'dispute' ? 'dispute' : (kinds[type] ?? 'other');

function entryOf(payout: PayoutState, entry: StripeEntry): PayoutEntry | undefined {
  const source = Source.safeParse(entry.source).data;
  const reference = source?.id ?? (typeof entry.source === 'string' ? entry.source : null);
  if (entry.type === 'payout' && reference === payout.id) return undefined;
  const { id, type, amount, net, created } = entry;
  const unit = unitOf(payout.currency) ?? 1;
  const kind = kindOf(type, source);
  return {
    id,
    kind,
    type,
    amount: amount * unit,
    fee: (amount - net) * unit,
    ...ownerIn(source),
    reference,
    ...wordsOf(entry, { kind, source }),
    createdAt: instant(created),
  };
}

/** Our ids in the metadata of a charge or a refund. A charge contains the metadata of its intent. */
function ownerIn(source: Source | undefined): Pick<PayoutEntry, 'paymentId' | 'refundId' | 'merchantId'> {
  const { payment_id: paymentId, refund_id: refundId, merchant_id: merchantId } = source?.metadata ?? {};
  return { paymentId: paymentId ?? null, refundId: refundId ?? null, merchantId: merchantId ?? null };
}

const salesKinds: readonly PayoutEntryKind[] = ['sale', 'refund', 'refund_returned', 'dispute'];

/** The amount of a sale in its own currency, or Stripe's words for another entry. Words for sales may name buyers. */
function wordsOf(
  entry: StripeEntry,
  { kind, source }: { kind: PayoutEntryKind; source: Source | undefined },
): Pick<PayoutEntry, 'original' | 'note'> {
  if (salesKinds.includes(kind)) return { original: originalOf(entry, source), note: null };
  return { original: null, note: entry.description?.slice(0, mostLetters) ?? null };
}

/** The amount in the sale's currency, with the sign of the entry, if the account settles in another one. */
function originalOf(
  { amount, currency, exchange_rate }: StripeEntry,
  source: Source | undefined,
): PayoutEntry['original'] {
  const theirs = source?.currency?.toUpperCase();
  const unit = theirs === undefined ? undefined : unitOf(theirs);
  if (theirs === undefined || theirs === currency.toUpperCase() || unit === undefined || !source?.amount) return null;
  const rate = exchange_rate ? String(exchange_rate) : null;
  return { amount: Math.sign(amount) * source.amount * unit, currency: theirs, rate };
}
