import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Discount, eligibilities } from './discount.ts';
import { assertAbove, recount, shardsPerCode, type UseCounter, usesOf } from './use-counter.ts';

/** A use that a payment has taken and not paid yet. */
export const Hold = z.object({
  /** When it was taken last, in milliseconds. */
  at: z.int(),
  /** A hash of the buyer's network; null: unknown. */
  network: z.string().nullable(),
  /** Counts how often the payment took it. A hold ends only in the turn that was read. */
  turn: z.int(),
});
export type Hold = z.infer<typeof Hold>;

/**
 * A part of the count of a code with a limit. The parts divide the limit, and each names the payments that hold one of its uses.
 * A hold changes one row in one update, so buyers do not wait for each other.
 */
export const UseShard = z.object({
  discountId: z.string(),
  shard: z.int(),
  /** Paid uses, and those that are held. */
  used: z.int(),
  /** Its part of the limit; null: the code has no limit any more, and payments count in it without a hold. */
  quota: z.int().nullable(),
  usageLimit: z.int().nullable(),
  perCustomerLimit: z.int().nullable(),
  eligibility: z.enum(eligibilities),
  isDeleted: z.boolean(),
  /** The unpaid holds, by payment. */
  held: z.record(z.string(), Hold),
  /** Counts the changes of limits and rules. A hold by older rules does not happen. */
  rules: z.int(),
  /** Counts the changes of `used`. */
  version: z.int(),
});
export type UseShard = z.infer<typeof UseShard>;

/** The rows in which a code counts: in version 0.2.0, and without a limit, plain counters. */
export type CountRow = UseCounter | UseShard;

export const isShard = (row: CountRow): row is UseShard => 'quota' in row;

/** When a hold may be passed on to another buyer, if its payment can be closed. */
const lapsesAfterMs = 15 * 60_000;

/** After which time a hold without its payment has been left behind by a request that died. */
export const abandonedAfterMs = 2 * 60_000;

const roomIn = ({ used, quota }: UseShard): number => (quota ?? Number.POSITIVE_INFINITY) - used;

/** Divides what is left of a limit among the parts; the first ones get one more. */
function dealt(shards: readonly UseShard[], limit: number | null): UseShard[] {
  const left = (limit ?? 0) - usesOf(shards);
  const share = Math.floor(left / shards.length);
  return shards.map((shard, index) => ({
    ...shard,
    quota: limit === null ? null : shard.used + share + (index < left % shards.length ? 1 : 0),
  }));
}

/** The parts that continue the plain counters of a code with a limit. What was counted lies in the first one. */
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

/** The parts under the rules of a changed code, dealt again. Refuses a limit below what is used. */
function dealAgain(shards: readonly UseShard[], discount: Discount): UseShard[] {
  assertAbove(discount, usesOf(shards));
  const { usageLimit, perCustomerLimit, eligibility, deletedAt } = discount;
  const rules = { usageLimit, perCustomerLimit, eligibility, isDeleted: deletedAt !== null };
  return dealt(shards, usageLimit).map((shard) => ({ ...shard, ...rules }));
}

/** The count of a changed code, in the rows in which it counts. */
export function recounted(rows: readonly CountRow[], discount: Discount): CountRow[] {
  const shards = rows.filter(isShard);
  return shards.length > 0 ? dealAgain(shards, discount) : recount(rows as readonly UseCounter[], discount);
}

/** Who takes a use. */
export interface UseTaker {
  paymentId: string;
  network: string | null;
}

/** The part that holds a payment's use. */
export const shardOfHold = (shards: readonly UseShard[], paymentId: string): UseShard | undefined =>
  shards.find(({ held }) => held[paymentId] !== undefined);

/**
 * The part in which a payment takes a use: its own if it holds one, else that of its network, where all holds of a network meet,
 * and when that is empty the one with the most room. Undefined: no part has room.
 */
export function shardToTake(shards: readonly UseShard[], { paymentId, network }: UseTaker): UseShard | undefined {
  const first = shards[firstByte(network ?? paymentId) % shardsPerCode];
  const roomiest = shards.toSorted((a, b) => roomIn(b) - roomIn(a))[0];
  return shardOfHold(shards, paymentId) ?? [first, roomiest].find((shard) => shard && roomIn(shard) > 0);
}

const firstByte = (text: string): number => createHash('sha256').update(text).digest()[0] as number;

/**
 * Whether no use was left at one moment: every part was full when it was read first, and nothing was given back until it was read again.
 */
export const wasFull = (before: readonly UseShard[], after: readonly UseShard[]): boolean =>
  before.every(
    (shard, index) =>
      roomIn(shard) <= 0 && after[index]?.version === shard.version && after[index]?.rules === shard.rules,
  );

const leastOpenPerNetwork = 10;
/** Each update of a part writes all of its row, so one network does not make it large. */
const mostOpenAtAll = 500;

/** How many unpaid holds one network may have of a code, so that it cannot take all of them for nothing. */
const mostOpenPerNetwork = (limit: number): number =>
  Math.min(Math.max(leastOpenPerNetwork, Math.ceil(limit / 4)), mostOpenAtAll);

/** Whether a network has more unpaid holds of a code than it may. */
export function isCrowded(shards: readonly UseShard[], network: string | null): boolean {
  const limit = shards[0]?.usageLimit ?? null;
  if (network === null || limit === null) return false;
  const open = shards.flatMap(({ held }) => Object.values(held)).filter((hold) => hold.network === network);
  return open.length > mostOpenPerNetwork(limit);
}

/** A hold, and where it is. */
export interface PlacedHold {
  discountId: string;
  shard: number;
  paymentId: string;
  hold: Hold;
}

export const holdsOf = ({ discountId, shard, held }: UseShard): PlacedHold[] =>
  Object.entries(held).map(([paymentId, hold]) => ({ discountId, shard, paymentId, hold }));

/** The holds that may be passed on, the oldest first. */
export const lapsedHolds = (shards: readonly UseShard[], now: Date): PlacedHold[] =>
  shards
    .flatMap(holdsOf)
    .filter(({ hold }) => now.getTime() - hold.at >= lapsesAfterMs)
    .sort((a, b) => a.hold.at - b.hold.at);

/** Whether a use may be had, now or by passing on a hold that has lapsed. */
export const mayHaveRoom = (rows: readonly CountRow[], limit: number | null, now: Date): boolean =>
  limit === null || usesOf(rows) < limit || lapsedHolds(rows.filter(isShard), now).length > 0;

/** A part that has uses without a hold, of which one is given back. */
export const shardWithSettledUse = (shards: readonly UseShard[]): UseShard | undefined =>
  shards.find(({ used, held }) => used > Object.keys(held).length);
