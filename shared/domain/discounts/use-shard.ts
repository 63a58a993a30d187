import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Discount, eligibilities } from './discount.ts';
import { assertAbove, recount, shardsPerCode, type UseCounter, usesOf } from './use-counter.ts';

/** A use of a code that a payment has taken but not paid yet. */
export const Hold = z.object({
  /** When it was last taken, in milliseconds. */
  at: z.int(),
  /** A hash of the buyer's network; null if unknown. */
  network: z.string().nullable(),
  /** How often the payment has taken this use. Ending a hold fails if this number has changed since it was read. */
  turn: z.int(),
});
export type Hold = z.infer<typeof Hold>;

/**
 * A part of the count of a code with a limit. The parts share the limit, and each names the payments that hold one of
 * its uses. A payment changes only one row in one update, so buyers do not block each other.
 */
export const UseShard = z.object({
  discountId: z.string(),
  shard: z.int(),
  /** The number of uses, paid or held. */
  used: z.int(),
  /** Its share of the limit; null if the code no longer has a limit. Then payments are counted here without a hold. */
  quota: z.int().nullable(),
  usageLimit: z.int().nullable(),
  perCustomerLimit: z.int().nullable(),
  eligibility: z.enum(eligibilities),
  isDeleted: z.boolean(),
  /** The unpaid holds, by payment. */
  held: z.record(z.string(), Hold),
  /** The version of limits and rules. A hold that uses an older version is refused. */
  rules: z.int(),
  /** The number of changes of `used`. */
  version: z.int(),
});
export type UseShard = z.infer<typeof UseShard>;

/** A row that counts the uses of a code. Version 0.2.0 and codes without a limit use plain counters. */
export type CountRow = UseCounter | UseShard;

export const isShard = (row: CountRow): row is UseShard => 'quota' in row;

/** After how many milliseconds another buyer may get a held use, if the holding payment can be closed. */
const lapsesAfterMs = 15 * 60_000;

/** After how many milliseconds a hold without a payment must come from a request that crashed. */
export const abandonedAfterMs = 2 * 60_000;

const roomIn = ({ used, quota }: UseShard): number => (quota ?? Number.POSITIVE_INFINITY) - used;

/** Divides the unused rest of a limit among the parts. What cannot be divided goes to the first parts. */
function dealt(shards: readonly UseShard[], limit: number | null): UseShard[] {
  const left = (limit ?? 0) - usesOf(shards);
  const share = Math.floor(left / shards.length);
  return shards.map((shard, index) => ({
    ...shard,
    quota: limit === null ? null : shard.used + share + (index < left % shards.length ? 1 : 0),
  }));
}

/** Replaces the plain counters of a code with a limit by parts. All earlier uses go into the first part. */
export function splitUses(counters: readonly UseCounter[]): UseShard[] {
  const [first] = counters;
  if (!first) return [];
  const { discountId, usageLimit, perCustomerLimit, eligibility, isDeleted } = first;
  const rules = { usageLimit, perCustomerLimit, eligibility, isDeleted };
  const used = usesOf(counters);
  const shards = Array.from({ length: shardsPerCode }, (_, shard) => ({
    ...{ discountId, shard, used: shard === 0 ? used : 0, quota: null, ...rules, held: {}, rules: 0, version: 0 },
  }));
  return dealt(shards, usageLimit === null ? null : Math.max(usageLimit, used));
}

/** The parts after a change of the code, with the limit divided again. Refuses a limit below the number of uses. */
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

/** The payment that takes a use, with its network. */
export interface UseTaker {
  paymentId: string;
  network: string | null;
}

/** The part that holds a payment's use. */
export const shardOfHold = (shards: readonly UseShard[], paymentId: string): UseShard | undefined =>
  shards.find(({ held }) => held[paymentId] !== undefined);

/**
 * The part in which a payment takes a use. If the payment already holds a use, it is that part. Otherwise it is the
 * part of the buyer's network, or the part with the most room if that one is full. Undefined if no part has room.
 */
export function shardToTake(shards: readonly UseShard[], { paymentId, network }: UseTaker): UseShard | undefined {
  const first = shards[firstByte(network ?? paymentId) % shardsPerCode];
  const roomiest = shards.toSorted((a, b) => roomIn(b) - roomIn(a))[0];
  return shardOfHold(shards, paymentId) ?? [first, roomiest].find((shard) => shard && roomIn(shard) > 0);
}

const firstByte = (text: string): number => createHash('sha256').update(text).digest()[0] as number;

/**
 * Whether no use was left at one moment: every part was full at the first read, and nothing was given back until the
 * second read.
 */
export const wasFull = (before: readonly UseShard[], after: readonly UseShard[]): boolean =>
  before.every(
    (shard, index) =>
      roomIn(shard) <= 0 && after[index]?.version === shard.version && after[index]?.rules === shard.rules,
  );

const leastOpenPerNetwork = 10;
/** The most open holds in one part. Each update writes the whole row of a part, so the row must stay small. */
const mostOpenAtAll = 500;

/**
 * How many unpaid holds of a code one network may have. The limit prevents that one network takes all uses without
 * paying.
 */
const mostOpenPerNetwork = (limit: number): number =>
  Math.min(Math.max(leastOpenPerNetwork, Math.ceil(limit / 4)), mostOpenAtAll);

/** Whether a network has more unpaid holds of a code than it may. */
export function isCrowded(shards: readonly UseShard[], network: string | null): boolean {
  const limit = shards[0]?.usageLimit ?? null;
  if (network === null || limit === null) return false;
  const open = shards.flatMap(({ held }) => Object.values(held)).filter((hold) => hold.network === network);
  return open.length > mostOpenPerNetwork(limit);
}

/** A hold, with the part that contains it. */
export interface PlacedHold {
  discountId: string;
  shard: number;
  paymentId: string;
  hold: Hold;
}

export const holdsOf = ({ discountId, shard, held }: UseShard): PlacedHold[] =>
  Object.entries(held).map(([paymentId, hold]) => ({ discountId, shard, paymentId, hold }));

/** The holds that may be given to other buyers, oldest first. */
export const lapsedHolds = (shards: readonly UseShard[], now: Date): PlacedHold[] =>
  shards
    .flatMap(holdsOf)
    .filter(({ hold }) => now.getTime() - hold.at >= lapsesAfterMs)
    .sort((a, b) => a.hold.at - b.hold.at);

/** Whether a use may be available, now or by taking over a hold that has lasted too long. */
export const mayHaveRoom = (rows: readonly CountRow[], limit: number | null, now: Date): boolean =>
  limit === null || usesOf(rows) < limit || lapsedHolds(rows.filter(isShard), now).length > 0;

/** A part that has a paid use, which can be given back. */
export const shardWithSettledUse = (shards: readonly UseShard[]): UseShard | undefined =>
  shards.find(({ used, held }) => used > Object.keys(held).length);
