import * as z from 'zod';
import { sum } from '../money/money.ts';
import type { Payment } from '../payments/payment.ts';
import { isOwnKind, netOf, type PayoutLine, type PayoutLineKind, payoutLineKinds } from './payout-line.ts';

export const payoutStatuses = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

/** How many lines of a kind a payout has, with their amounts and fees. */
const PayoutSum = z.object({ count: z.int(), amount: z.int(), fee: z.int() });
export type PayoutSum = z.infer<typeof PayoutSum>;

/** What the processor says about a payout. */
export const PayoutState = z.object({
  /** The processor's own id. */
  id: z.string(),
  status: z.enum(payoutStatuses),
  /** Whether the processor chose what is in it. Only then does it say which sales that are. */
  isAutomatic: z.boolean(),
  /** Whether the list of what is in it is complete. */
  isListed: z.boolean(),
  /** In minor units; negative if the processor takes money from the bank account. */
  amount: z.int(),
  currency: z.string(),
  /** Whether amounts are in our minor unit. If our unit of the currency is not certain, they are in the processor's. */
  hasKnownUnit: z.boolean(),
  /** Where the money goes: `bank_account` or `card`. */
  destination: z.string(),
  /** The day on which the money is expected at the bank, or has arrived. */
  arrivesOn: z.string(),
  /** Why it failed, in the processor's words, shortened; null if it did not. */
  failure: z.string().nullable(),
  createdAt: z.string(),
});
export type PayoutState = z.infer<typeof PayoutState>;

/** A payout from the account at the processor to the merchant's bank account, with the sums of its lines. */
export const Payout = PayoutState.extend({
  processor: z.string(),
  /** How far its lines are read: in how many parts, and up to which entry. */
  read: z.object({ parts: z.int(), after: z.string().nullable(), isComplete: z.boolean() }),
  sums: z.partialRecord(z.enum(payoutLineKinds), PayoutSum),
  updatedAt: z.string(),
  version: z.int(),
});
export type Payout = z.infer<typeof Payout>;

/** A payout in a list. */
export const PayoutRow = Payout.omit({ version: true });
export type PayoutRow = z.infer<typeof PayoutRow>;

/**
 * Whether a payout is matched to sales: `manual` cannot be, `waiting` until the processor has listed what is in it,
 * `reading` until its lines are read, then `matched`, or `differs` if its lines are not the payout.
 */
export type PayoutMatching = 'manual' | 'waiting' | 'reading' | 'matched' | 'differs';

export function matchingOf(
  payout: Pick<Payout, 'isAutomatic' | 'isListed' | 'amount' | 'read' | 'sums'>,
): PayoutMatching {
  if (!payout.isAutomatic) return 'manual';
  if (payout.read.isComplete) return differenceOf(payout) === 0 ? 'matched' : 'differs';
  return payout.isListed ? 'reading' : 'waiting';
}

/** Whether a processor pays out the money of a payment. The sandbox pays nothing out. */
export const isPaidOut = ({ status, processor, gross }: Pick<Payment, 'status' | 'processor' | 'gross'>): boolean =>
  status === 'succeeded' && processor !== 'sandbox' && gross > 0;

/** What the lines do not explain of a payout. */
export const differenceOf = ({ amount, sums }: Pick<Payout, 'amount' | 'sums'>): number =>
  amount - sum(Object.values(sums).map(netOf));

/** The sum of a kind's lines. */
export const kindSumOf = ({ sums }: Pick<Payout, 'sums'>, kind: PayoutLineKind): PayoutSum =>
  sums[kind] ?? { count: 0, amount: 0, fee: 0 };

/** What a payout consists of: its lines by kind, the fees of our own sales, and what no line explains. */
export type PayoutPart = PayoutLineKind | 'fees' | 'unexplained';

/**
 * The parts of a payout, which together are its amount. The fees of our own sales, refunds and disputes stand apart. The
 * other kinds are without their fees. Until all lines are read, nothing is explained.
 */
export function partsOf(payout: Pick<Payout, 'amount' | 'read' | 'sums'>): { part: PayoutPart; total: number }[] {
  if (!payout.read.isComplete) return [{ part: 'unexplained', total: payout.amount }];
  const kinds = payoutLineKinds.filter((kind) => kindSumOf(payout, kind).count > 0);
  const own = kinds.filter(isOwnKind);
  const fees = sum(own.map((kind) => kindSumOf(payout, kind).fee));
  const difference = differenceOf(payout);
  return [
    ...own.map((kind) => ({ part: kind, total: kindSumOf(payout, kind).amount })),
    ...(own.length > 0 ? [{ part: 'fees' as const, total: 0 - fees }] : []),
    ...kinds.filter((kind) => !isOwnKind(kind)).map((kind) => ({ part: kind, total: netOf(kindSumOf(payout, kind)) })),
    ...(difference === 0 ? [] : [{ part: 'unexplained' as const, total: difference }]),
  ];
}

/** A payout after the processor's report; undefined if the report is no news. */
export function notedPayout(
  known: Payout | undefined,
  state: PayoutState,
  { processor, now }: { processor: string; now: string },
): Payout | undefined {
  const read = { parts: 0, after: null, isComplete: false };
  const before: Payout = known ?? { ...state, processor, read, sums: {}, updatedAt: now, version: 0 };
  const after: Payout = { ...before, ...state };
  if (known && JSON.stringify(known) === JSON.stringify(after)) return undefined;
  return { ...after, updatedAt: now };
}

/** A payout with one more part of its lines. `after` is the last entry of the part, and null after the last part. */
export function withPart(payout: Payout, lines: readonly PayoutLine[], after: string | null): Payout {
  const sums = { ...payout.sums };
  for (const line of lines) {
    const { count, amount, fee } = sums[line.kind] ?? { count: 0, amount: 0, fee: 0 };
    sums[line.kind] = { count: count + 1, amount: amount + line.amount, fee: fee + line.fee };
  }
  return { ...payout, sums, read: { parts: payout.read.parts + 1, after, isComplete: after === null } };
}

/** The payout with the money of a payment. */
export const PayoutOfPayment = z.object({ payoutId: z.string() });
export type PayoutOfPayment = z.infer<typeof PayoutOfPayment>;

/** Whether the key may read payouts and what is in them, as the last call found. */
export const PayoutAccess = z.object({
  /** The rights that are missing, as the processor's page for keys names them; empty if none is. */
  lacks: z.array(z.string()),
  /** Whether the payouts of the year before the first call are read. */
  isCaughtUp: z.boolean(),
  at: z.string(),
});
export type PayoutAccess = z.infer<typeof PayoutAccess>;
