import * as z from 'zod';
import type { PoolCode } from './pool-code.ts';

/** How far a pool has run down. `empty`: a sale waits for a code. */
export const poolLevels = ['enough', 'low', 'empty'] as const;
export type PoolLevel = (typeof poolLevels)[number];

/** How a pool of codes stands. Each sale, and each portion of an import, changes it in its own transaction. */
export const Pool = z.object({
  entitlementId: z.string(),
  /** How many codes nobody has. */
  free: z.int(),
  /** How many codes were given to grants. */
  given: z.int(),
  /** How many grants wait for a code. */
  waiting: z.int(),
  /** How many codes were free right after the latest import. */
  full: z.int(),
  /** Counts the changes of the queue of waiting grants. */
  turn: z.int(),
  /** The place in the queue before which nobody waits. */
  queueFrom: z.string(),
  /** The last notice about the pool that the merchant got since the latest import. */
  told: z.enum(poolLevels),
  /** The product whose sale caused that notice; null before. */
  productId: z.string().nullable(),
  /** The name of the entitlement at that time. */
  name: z.string().nullable(),
});
export type Pool = z.infer<typeof Pool>;

/** A pool without codes and sales. Its row is written with the first of either. */
export const newPool = (entitlementId: string): Pool => ({
  entitlementId,
  free: 0,
  given: 0,
  waiting: 0,
  full: 0,
  turn: 0,
  queueFrom: '0',
  told: 'enough',
  productId: null,
  name: null,
});

/** A grant in the queue of its pool. */
export const WaitingGrant = z.object({ grantId: z.string(), paymentId: z.string() });
export type WaitingGrant = z.infer<typeof WaitingGrant>;

/** The place of a grant in the queue: the grant that was made first is served first. */
export const queuePlaceOf = ({ id, createdAt }: { id: string; createdAt: string }): string => `${createdAt}#${id}`;

/** How a grant changes its pool: takes a code, takes one after it has waited, begins to wait, or waits no longer. */
export type PoolChange =
  | { does: 'take' | 'serve'; pool: Pool; code: PoolCode; tells?: PoolLevel | undefined }
  | { does: 'join'; pool: Pool; tells?: PoolLevel | undefined }
  | { does: 'leave' };

const changes = {
  take: { free: -1, given: 1, waiting: 0 },
  serve: { free: -1, given: 1, waiting: -1 },
  join: { free: 0, given: 0, waiting: 1 },
} as const;

/** The pool after a change that is decided now. */
export const poolAfter = (pool: Pool, does: keyof typeof changes): Pool => ({
  ...pool,
  free: pool.free + changes[does].free,
  given: pool.given + changes[does].given,
  waiting: pool.waiting + changes[does].waiting,
});

/** The merchant gets a notice when ten codes or a tenth of them are left, but not before half of a small import is given. */
const fewCodes = 10;
const fewPart = 10;

export const fewOf = ({ full }: Pick<Pool, 'full'>): number =>
  Math.min(Math.max(fewCodes, Math.ceil(full / fewPart)), Math.floor(full / 2));

export const levelOf = (pool: Pick<Pool, 'free' | 'waiting' | 'full'>): PoolLevel => {
  if (pool.free === 0 && pool.waiting > 0) return 'empty';
  return pool.free <= fewOf(pool) ? 'low' : 'enough';
};

/** The notice that the merchant gets after a change; undefined if the merchant has it already. */
export function toldBy(pool: Pool, does: keyof typeof changes): PoolLevel | undefined {
  const level = levelOf(poolAfter(pool, does));
  return poolLevels.indexOf(level) > poolLevels.indexOf(pool.told) ? level : undefined;
}

/** A notice to the merchant about a pool: how many codes it has, and the product whose sale caused the notice. */
export interface PoolNotice {
  pool: Pick<Pool, 'entitlementId' | 'free' | 'waiting'>;
  level: PoolLevel;
  entitlementName: string;
  productId: string;
}
