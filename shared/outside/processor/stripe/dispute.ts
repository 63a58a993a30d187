import * as z from 'zod';
import { sum } from '../../../domain/money/money.ts';
import type { DisputeState } from '../../../domain/payments/dispute.ts';
import { ProcessorError } from '../../../domain/processor.ts';
import { fromStripe } from './amounts.ts';

/** What we read of Stripe's disputes, compared with the package's type like every answer. */
export const StripeDispute = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
  livemode: z.boolean(),
  status: z.string(),
  reason: z.string(),
  is_charge_refundable: z.boolean(),
  evidence_details: z.object({ due_by: z.int().nullable() }),
  balance_transactions: z.array(z.object({ amount: z.int(), currency: z.string() })),
  payment_intent: z
    .union([z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) }), z.string()])
    .nullable(),
});
export type StripeDispute = z.infer<typeof StripeDispute>;

type Word = Pick<DisputeState, 'status' | 'stage'>;

const words: Readonly<Record<string, Word>> = {
  needs_response: { status: 'opened', stage: 'dispute' },
  under_review: { status: 'challenged', stage: 'dispute' },
  appeal_needs_response: { status: 'challenged', stage: 'dispute' },
  appeal_under_review: { status: 'challenged', stage: 'dispute' },
  won: { status: 'won', stage: 'dispute' },
  lost: { status: 'lost', stage: 'dispute' },
  prevented: { status: 'cancelled', stage: 'dispute' },
  warning_needs_response: { status: 'opened', stage: 'pre_dispute' },
  warning_under_review: { status: 'challenged', stage: 'pre_dispute' },
  warning_closed: { status: 'cancelled', stage: 'pre_dispute' },
};

/** The words that are known; a test compares them with the type of the `stripe` package. */
export const disputeWords: readonly string[] = Object.keys(words);

const instant = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** What a dispute says. Its money is what its balance transactions have moved. Its status moves none. */
export function disputeState(dispute: StripeDispute, url: string): DisputeState {
  const { id: reference, status, reason, created, is_charge_refundable: isRefundable } = dispute;
  const { due_by: dueBy } = dispute.evidence_details;
  return {
    reference,
    ...fromStripe(dispute.amount, dispute.currency),
    ...(words[status] ?? { status: null, stage: 'dispute' }),
    withdrawn: withdrawnOf(dispute),
    isRefundable,
    reason,
    dueBy: dueBy === null ? null : instant(dueBy),
    url,
    createdAt: instant(created),
  };
}

/**
 * What was taken and not given back, without fees. Where the account settles in another currency, the amounts there do not tell what
 * the buyer's currency lost: then a withdrawal takes all of the dispute, and a reinstatement gives all of it back.
 */
function withdrawnOf({ id, amount, currency, balance_transactions: moved }: StripeDispute): number {
  const taken = 0 - sum(moved.map((transaction) => transaction.amount));
  const isConverted = moved.some((transaction) => transaction.currency !== currency);
  const [out, back] = [moved.filter((one) => one.amount < 0).length, moved.filter((one) => one.amount > 0).length];
  const theirs = isConverted ? (out > back ? amount : 0) : taken;
  if (theirs < 0) throw new ProcessorError('contradiction', `${id} gave back more than it took.`);
  return fromStripe(theirs, currency).amount;
}
