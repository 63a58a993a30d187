import * as z from 'zod';
import { DomainError } from '../errors.ts';
import { type Discount, eligibilities } from './discount.ts';
import { assertAbove, recount, shardOf, shardsPerCode, type UseCounter, usesOf } from './use-counter.ts';

/** A use of a code that an open payment has reserved. Both are written together, and end together. */
export const Hold = z.object({
  discountId: z.string(),
  paymentId: z.string(),
  /** The shard that counts the use. */
  shard: z.int(),
  /** A hash of the buyer's network; null if unknown. */
  network: z.string().nullable(),
  /** The part of the network's count that counts the payment. */
  part: z.int(),
  /** When the payment began. */
  at: z.string(),
});
export type Hold = z.infer<typeof Hold>;

/**
 * A shard: one of several rows that together count the uses of a code with a limit. The shards share the limit. A
 * payment changes only one of them, so buyers do not block each other.
 */
export const UseShard = z.object({
  discountId: z.string(),
  shard: z.int(),
  /** The number of uses, paid or reserved. */
  used: z.int(),
  /**
   * The shard's share of the limit; null if the code no longer has a limit. Without a limit, uses are counted but not
   * reserved.
   */
  quota: z.int().nullable(),
  usageLimit: z.int().nullable(),
  perCustomerLimit: z.int().nullable(),
  eligibility: z.enum(eligibilities),
  isDeleted: z.boolean(),
  /** The version of limits and rules. A payment that has read an older version is refused. */
  rules: z.int(),
  /** The number of changes of `used`. */
  version: z.int(),
});
export type UseShard = z.infer<typeof UseShard>;

/**
 * A row that counts the uses of a code: a shard, or a plain counter. Version 0.2.0 and codes without a limit use plain
 * counters.
 */
export type CountRow = UseCounter | UseShard;

export const isShard = (row: CountRow): row is UseShard => 'quota' in row;

/** The age in milliseconds after which another buyer may get a reserved use, if the reserving payment can be closed. */
export const lapsesAfterMs = 15 * 60_000;

const roomIn = ({ used, quota }: UseShard): number => (quota ?? Number.POSITIVE_INFINITY) - used;

/** Divides the unused rest of a limit among the shards. The indivisible remainder goes to the first shards. */
function dealt(shards: readonly UseShard[], limit: number | null): UseShard[] {
  const left = (limit ?? 0) - usesOf(shards);
  const share = Math.floor(left / shards.length);
  return shards.map((shard, index) => ({
    ...shard,
    quota: limit === null ? null : shard.used + share + (index < left % shards.length ? 1 : 0),
  }));
}

/** Replaces the plain counters of a code with a limit by shards. All earlier uses go into the first shard. */
export function splitUses(counters: readonly UseCounter[]): UseShard[] {
  const [first] = counters;
  if (!first) return [];
  const { discountId, usageLimit, perCustomerLimit, eligibility, isDeleted } = first;
  const rules = { usageLimit, perCustomerLimit, eligibility, isDeleted };
  const used = usesOf(counters);
  const shards = Array.from({ length: shardsPerCode }, (_, shard) => ({
    ...{ discountId, shard, used: shard === 0 ? used : 0, quota: null, ...rules, rules: 0, version: 0 },
  }));
  return dealt(shards, usageLimit === null ? null : Math.max(usageLimit, used));
}

/** The shards after a change of the code, with the limit divided again. Refuses a limit below the number of uses. */
function dealAgain(shards: readonly UseShard[], discount: Discount): UseShard[] {
  assertAbove(discount, usesOf(shards));
  const { usageLimit, perCustomerLimit, eligibility, deletedAt } = discount;
  const rules = { usageLimit, perCustomerLimit, eligibility, isDeleted: deletedAt !== null };
  return dealt(shards, usageLimit).map((shard) => ({ ...shard, ...rules }));
}

/** The rows that count a code after it was changed. */
export function recounted(rows: readonly CountRow[], discount: Discount): CountRow[] {
  const shards = rows.filter(isShard);
  return shards.length > 0 ? dealAgain(shards, discount) : recount(rows as readonly UseCounter[], discount);
}

/**
 * Chooses the shard in which a payment takes a use: its own, or the one with the most room if that is full. Undefined if
 * no shard has room.
 */
export function shardToTake(shards: readonly UseShard[], paymentId: string): UseShard | undefined {
  const own = shards[shardOf(paymentId)];
  const roomiest = shards.toSorted((a, b) => roomIn(b) - roomIn(a))[0];
  return [own, roomiest].find((shard) => shard && roomIn(shard) > 0);
}

/**
 * Whether all uses were taken at one moment. It is true if every shard was full at the first read, and no use was given
 * back until the second read.
 */
export const wasFull = (before: readonly UseShard[], after: readonly UseShard[]): boolean =>
  before.every(
    (shard, index) =>
      roomIn(shard) <= 0 && after[index]?.version === shard.version && after[index]?.rules === shard.rules,
  );

const leastOpenPerNetwork = 10;
const mostOpenAtAll = 500;
const mostInOnePart = 50;

/**
 * The most open payments of one network with a code of this limit. Without this, one network could take all uses
 * without paying. A large number is divided among parts, so that many buyers behind one address do not block each other.
 */
export function networkBound(limit: number): { parts: number; mostEach: number } {
  const most = Math.min(Math.max(leastOpenPerNetwork, Math.ceil(limit / 4)), mostOpenAtAll);
  const parts = most > mostInOnePart ? shardsPerCode : 1;
  return { parts, mostEach: Math.ceil(most / parts) };
}

/** The reservation of a use that an open payment takes from a shard. */
export const newHold = (
  { discountId, shard, usageLimit }: UseShard,
  payment: { id: string; createdAt: string },
  network: string | null,
): Hold => ({
  ...{ discountId, shard, paymentId: payment.id, network, at: payment.createdAt },
  part: shardOf(payment.id) % networkBound(usageLimit ?? 0).parts,
});

/** The refusal of a network that has that many open payments. */
export const crowded = (): DomainError =>
  new DomainError(
    'TOO_MANY_REQUESTS',
    'Too many payments with this code are open from this network. Finish one of them, or try again when one of them has ended.',
    { retryAfterSeconds: 60 },
  );

/** Whether a reservation is so old that another buyer may get its use. */
export const isLapsed = ({ at }: Pick<Hold, 'at'>, now: Date): boolean =>
  now.getTime() - Date.parse(at) >= lapsesAfterMs;

/** Whether a use is free, or can become free, because the oldest reservation of the code has lapsed. */
export const mayHaveRoom = (
  rows: readonly CountRow[],
  limit: number | null,
  oldest: { hold: Pick<Hold, 'at'> | undefined; now: Date },
): boolean =>
  limit === null || usesOf(rows) < limit || (oldest.hold !== undefined && isLapsed(oldest.hold, oldest.now));

/** The shard with the most uses, from which a use that was counted without a reservation is given back. */
export const shardWithMostUses = (shards: readonly UseShard[]): UseShard | undefined =>
  shards.filter(({ used }) => used > 0).toSorted((a, b) => b.used - a.used)[0];
