import * as z from 'zod';
import type { payoutStatuses } from '../../domain/payouts/payout.ts';
import { always } from '../answers/always.ts';
import { common } from '../answers/fields.ts';
import { pageOf, upTo } from '../answers/values.ts';
import { payoutConstants } from '../constants.ts';

const payoutId = z
  .string()
  .regex(/^po_[A-Za-z0-9]{1,40}$/)
  .describe('The processor’s id of the payout.');

const arrivesOn = z.iso
  .date()
  .describe('The day on which the money is expected at your bank, or on which it has arrived.');

/** The states of a payout in the words of the API. */
export const payoutWords = ['not_initiated', 'in_progress', 'on_hold', 'failed', 'success'] as const;

/** An amount of a payout. A payout can be larger than any sale, and negative. */
const anyAmount = z.int();

const Payout = z.strictObject({
  payout_id: payoutId,
  business_id: common.business_id,
  amount: anyAmount.describe('The amount in minor units; negative if the processor debits your bank account.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .describe('The currency that the account is paid out in, ISO 4217.'),
  status: z
    .enum(payoutWords)
    .describe(
      '`not_initiated`, `in_progress` on the way to your bank, `success`, or `failed`, also if it was cancelled.',
    ),
  created_at: common.created_at,
  updated_at: common.updated_at,
  payment_method: upTo(40).describe('Where the money goes: `bank_account` or `card`.'),
  refunds: anyAmount.describe('The refunds in it, in minor units; 0 until `matching` is `matched`.'),
  chargebacks: anyAmount.describe('What banks have taken back, in minor units; 0 until `matching` is `matched`.'),
  remarks: upTo(1_000).nullable().describe('Why it failed, in the processor’s words; null if it did not.'),
  ...always(payoutConstants, {
    fee: 'the processor takes its fees from the sales, and the breakup has them',
    tax: 'no tax is withheld',
  }),
  processor: upTo(40).describe('Who pays out.'),
  arrives_on: arrivesOn,
  matching: z
    .enum(['manual', 'waiting', 'reading', 'matched', 'differs'])
    .describe(
      'Whether the sales in it are known: `manual` payouts cannot be matched; `waiting` until the processor lists what is in it; `reading`; `matched` to the cent; `differs`, and the breakup has the difference as `unattributed`.',
    ),
});

const PayoutBreakupItem = z.strictObject({
  event_type: z
    .enum([
      'payment',
      'refund',
      'refund_reversal',
      'dispute',
      'payment_fees',
      'other_payment',
      'processor_fees',
      'payout_returned',
      'reserve',
      'other',
      'unattributed',
    ])
    .describe(
      'What the amount is for. `payment_fees` are those of your sales, refunds and disputes. `other_payment` are sales of the account outside this stack, without their fees. `unattributed` is what the entries do not explain: all of a payout that is not matched.',
    ),
  total: anyAmount.describe('The sum in the payout’s currency, in minor units. All together are the payout.'),
});

/** Where the money of a payment is. */
export const PayoutOfSale = z.strictObject({
  payout_id: payoutId,
  status: Payout.shape.status,
  arrives_on: arrivesOn,
});

/** The answers of the routes for payouts, by their names in the contract. */
export const payoutAnswers = {
  Payout,
  PayoutPage: pageOf(Payout),
  PayoutBreakupItem,
  PayoutBreakup: z.array(PayoutBreakupItem).max(20),
};
export type PayoutAnswer<Name extends keyof typeof payoutAnswers> = z.input<(typeof payoutAnswers)[Name]>;

/** Compiles only if every status of the domain has a word. */
export type StatusWords = Readonly<Record<(typeof payoutStatuses)[number], (typeof payoutWords)[number]>>;
