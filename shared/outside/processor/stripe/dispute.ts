import * as z from 'zod';
import { isPaidCurrency } from '../../../domain/money/currency.ts';
import { maxAmount, sum } from '../../../domain/money/money.ts';
import type { DisputeState } from '../../../domain/payments/dispute.ts';
import { ProcessorError } from '../../../domain/processor.ts';
import { limits } from './amounts.ts';

/** The fields of Stripe's disputes that we read. A test compares them with the package's type. */
export const StripeDispute = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
  livemode: z.boolean(),
  status: z.string(),
  reason: z.string().nullish(),
  is_charge_refundable: z.boolean(),
  evidence_details: z.object({ due_by: z.int().nullish() }).nullish(),
  balance_transactions: z.array(z.object({ amount: z.int(), currency: z.string() })).nullish(),
  payment_intent: z
    .union([z.object({ id: z.string(), metadata: z.record(z.string(), z.string()) }), z.string()])
    .nullish(),
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

/** The status values that we know. A test compares them with the type of the `stripe` package. */
export const disputeWords: readonly string[] = Object.keys(words);

const instant = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/**
 * The state of a dispute. Its amount comes from its balance transactions, not from its status. A bank may demand money
 * in another currency than that of the payment. If our unit of that currency is not certain, the amount is unknown.
 */
export function disputeState(dispute: StripeDispute, url: string): DisputeState {
  const { id: reference, status, reason, created, is_charge_refundable: isRefundable } = dispute;
  const currency = dispute.currency.toUpperCase();
  const dueBy = dispute.evidence_details?.due_by ?? null;
  const unit = isPaidCurrency(currency) ? limits(currency)?.unit : undefined;
  const amount = dispute.amount * (unit ?? Infinity);
  return {
    reference,
    amount: amount <= maxAmount ? amount : null,
    currency,
    ...(words[status] ?? { status: null, stage: 'dispute' }),
    withdrawn: withdrawnOf(dispute) * (unit ?? 1),
    isRefundable,
    reason: reason ?? null,
    dueBy: dueBy === null ? null : instant(dueBy),
    url,
    createdAt: instant(created),
  };
}

/**
 * The amount that was withdrawn and not returned, without fees, in Stripe's unit. If the account settles in another
 * currency, its amounts are not in the dispute's currency. Then a withdrawal counts as the whole dispute, and a
 * reinstatement returns all of it.
 */
function withdrawnOf({ id, amount, currency, balance_transactions }: StripeDispute): number {
  const moved = balance_transactions ?? [];
  const taken = 0 - sum(moved.map((transaction) => transaction.amount));
  const isConverted = moved.some((transaction) => transaction.currency !== currency);
  const [out, back] = [moved.filter((one) => one.amount < 0).length, moved.filter((one) => one.amount > 0).length];
  const theirs = isConverted ? (out > back ? amount : 0) : taken;
  if (theirs < 0) throw new ProcessorError('contradiction', `${id} gave back more than it took.`);
  return theirs;
}
