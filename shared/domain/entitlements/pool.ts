import * as z from 'zod';
import type { PoolCode } from './pool-code.ts';

/** How many codes a pool has left. `empty` means that a sale waits for a code. */
export const poolLevels = ['enough', 'low', 'empty'] as const;
export type PoolLevel = (typeof poolLevels)[number];

/** The state of a pool of codes. Each sale, and each portion of an import, changes it in one transaction. */
export const Pool = z.object({
  entitlementId: z.string(),
  /** The number of codes that are not given to a grant. */
  free: z.int(),
  /** How many codes were given to grants. */
  given: z.int(),
  /** The number of grants that wait for a code. */
  waiting: z.int(),
  /** The number of free codes right after the latest import. */
  full: z.int(),
  /** The number of changes of the queue of waiting grants. */
  turn: z.int(),
  /** A place in the queue of waiting grants. No grant waits before it. */
  queueFrom: z.string(),
  /** The last notice to the merchant since the latest import. */
  told: z.enum(poolLevels),
  /** The product whose sale caused that notice; null if there was no notice. */
  productId: z.string().nullable(),
  /** The name of the entitlement when the notice was sent. */
  name: z.string().nullable(),
});
export type Pool = z.infer<typeof Pool>;

/** A pool without codes and sales. Its row is written with the first code or the first sale. */
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

/**
 * How a grant changes its pool. `take`: it takes a code. `serve`: it takes a code after it has waited. `join`: it
 * begins to wait. `leave`: it stops waiting.
 */
export type PoolChange =
  | { does: 'take' | 'serve'; pool: Pool; code: PoolCode; tells?: PoolLevel | undefined }
  | { does: 'join'; pool: Pool; tells?: PoolLevel | undefined }
  | { does: 'leave' };

const changes = {
  take: { free: -1, given: 1, waiting: 0 },
  serve: { free: -1, given: 1, waiting: -1 },
  join: { free: 0, given: 0, waiting: 1 },
} as const;

/** The pool after a grant has taken a code or begun to wait. */
export const poolAfter = (pool: Pool, does: keyof typeof changes): Pool => ({
  ...pool,
  free: pool.free + changes[does].free,
  given: pool.given + changes[does].given,
  waiting: pool.waiting + changes[does].waiting,
});

/**
 * The merchant gets a notice when ten codes or a tenth of the import are left. For a small import, the notice comes
 * when half of it is left.
 */
const fewCodes = 10;
const fewPart = 10;

export const fewOf = ({ full }: Pick<Pool, 'full'>): number =>
  Math.min(Math.max(fewCodes, Math.ceil(full / fewPart)), Math.floor(full / 2));

export const levelOf = (pool: Pick<Pool, 'free' | 'waiting' | 'full'>): PoolLevel => {
  if (pool.free === 0 && pool.waiting > 0) return 'empty';
  return pool.free <= fewOf(pool) ? 'low' : 'enough';
};

/** The notice that a change causes; undefined if the merchant already got this notice. */
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
