import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Discount, eligibilities } from './discount.ts';
import { assertAbove, recount, shardsPerCode, type UseCounter, usesOf } from './use-counter.ts';

/** A reserved use of a code: a payment has taken the use, but is not paid yet. */
export const Hold = z.object({
  /** When the payment last reserved this use, in milliseconds. */
  at: z.int(),
  /** A hash of the buyer's network; null if unknown. */
  network: z.string().nullable(),
  /**
   * How often the payment has reserved this use. Ending a reservation fails if this number has changed since it was
   * read.
   */
  turn: z.int(),
});
export type Hold = z.infer<typeof Hold>;

/**
 * A shard: one of several rows that together count the uses of a code with a limit. The shards share the limit, and
 * each names the payments that have reserved its uses. A payment changes only one row, so buyers do not block each
 * other.
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
  /** The reserved uses of unpaid payments, by payment id. */
  held: z.record(z.string(), Hold),
  /** The version of limits and rules. A reservation that was prepared with an older version is refused. */
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
const lapsesAfterMs = 15 * 60_000;

/**
 * The age in milliseconds after which a reservation without a stored payment is abandoned. The request that made it has
 * crashed.
 */
export const abandonedAfterMs = 2 * 60_000;

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
    ...{ discountId, shard, used: shard === 0 ? used : 0, quota: null, ...rules, held: {}, rules: 0, version: 0 },
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

/** The payment that takes a use, and a hash of the buyer's network. */
export interface UseTaker {
  paymentId: string;
  network: string | null;
}

/** The shard in which a payment has reserved its use. */
export const shardOfHold = (shards: readonly UseShard[], paymentId: string): UseShard | undefined =>
  shards.find(({ held }) => held[paymentId] !== undefined);

/**
 * Chooses the shard in which a payment reserves a use. If the payment already has a use, it is the shard of that use.
 * Otherwise it is the shard of the buyer's network, or the shard with the most room if that one is full. Undefined if
 * no shard has room.
 */
export function shardToTake(shards: readonly UseShard[], { paymentId, network }: UseTaker): UseShard | undefined {
  const first = shards[firstByte(network ?? paymentId) % shardsPerCode];
  const roomiest = shards.toSorted((a, b) => roomIn(b) - roomIn(a))[0];
  return shardOfHold(shards, paymentId) ?? [first, roomiest].find((shard) => shard && roomIn(shard) > 0);
}

const firstByte = (text: string): number => createHash('sha256').update(text).digest()[0] as number;

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
/** The most open reservations in one shard. Each update writes the shard's whole row, so the row must stay small. */
const mostOpenAtAll = 500;

/**
 * The most unpaid reservations of a code by one network. Without this limit, one network could take all uses without
 * paying.
 */
const mostOpenPerNetwork = (limit: number): number =>
  Math.min(Math.max(leastOpenPerNetwork, Math.ceil(limit / 4)), mostOpenAtAll);

/** Whether a network has more unpaid reservations of a code than it may. */
export function isCrowded(shards: readonly UseShard[], network: string | null): boolean {
  const limit = shards[0]?.usageLimit ?? null;
  if (network === null || limit === null) return false;
  const open = shards.flatMap(({ held }) => Object.values(held)).filter((hold) => hold.network === network);
  return open.length > mostOpenPerNetwork(limit);
}

/** A reserved use, with the shard that contains it. */
export interface PlacedHold {
  discountId: string;
  shard: number;
  paymentId: string;
  hold: Hold;
}

export const holdsOf = ({ discountId, shard, held }: UseShard): PlacedHold[] =>
  Object.entries(held).map(([paymentId, hold]) => ({ discountId, shard, paymentId, hold }));

/** The reservations that are so old that other buyers may get their uses, oldest first. */
export const lapsedHolds = (shards: readonly UseShard[], now: Date): PlacedHold[] =>
  shards
    .flatMap(holdsOf)
    .filter(({ hold }) => now.getTime() - hold.at >= lapsesAfterMs)
    .sort((a, b) => a.hold.at - b.hold.at);

/** Whether a use is free, or can become free by ending a reservation that is too old. */
export const mayHaveRoom = (rows: readonly CountRow[], limit: number | null, now: Date): boolean =>
  limit === null || usesOf(rows) < limit || lapsedHolds(rows.filter(isShard), now).length > 0;

/** A shard that has a paid use, which can be given back. */
export const shardWithSettledUse = (shards: readonly UseShard[]): UseShard | undefined =>
  shards.find(({ used, held }) => used > Object.keys(held).length);
