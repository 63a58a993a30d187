import * as z from 'zod';
import { DomainError } from '../errors.ts';

/** The access levels of a key. Each level includes the ones before it. */
export const accessLevels = ['read', 'write', 'admin'] as const;
export type Access = (typeof accessLevels)[number];

/** The right to refund, which no access level implies. `perDay` limits it for each UTC day, in minor units. */
export const RefundRight = z.object({
  perDay: z.object({ amount: z.int().positive(), currency: z.string() }).nullable(),
});
export type RefundRight = z.infer<typeof RefundRight>;

/** What a key may do. */
export interface Rights {
  access: Access;
  /** The right to refund; null if the key cannot refund. */
  refunds: RefundRight | null;
}

/**
 * A key or member that gives rights to another one, with its own rights. `expiresAt` is when these end; null means
 * never.
 */
export interface Grantor extends Rights {
  expiresAt: string | null;
}

/** What a route or a command needs: a level, or the right to refund. */
export type NeededAccess = Access | 'refunds';

/**
 * The refund right that a key gets by default. A key that writes also refunds without a limit, as integrators expect.
 * A read key does not refund.
 */
export const usualRefunds = (access: Access): RefundRight | null => (access === 'read' ? null : { perDay: null });

/** Whether a key's rights cover the needed access. */
export const isPermitted = (held: Rights, needed: NeededAccess): boolean =>
  needed === 'refunds' ? held.refunds !== null : accessLevels.indexOf(held.access) >= accessLevels.indexOf(needed);

/** Refuses a command that the key's rights do not cover, and names the access it needs. */
export function assertPermitted(held: Rights, needed: NeededAccess): void {
  if (isPermitted(held, needed)) return;
  throw new DomainError('FORBIDDEN', refusalOf(held, needed));
}

function refusalOf({ access }: Rights, needed: NeededAccess): string {
  if (needed === 'refunds') return 'This API key is not allowed to refund. Use a key that is.';
  const how = needed === 'admin' ? ': “npm run keys -- create --access admin” makes the first such key.' : '.';
  return `This API key has ${access} access, but this call needs ${needed} access${how}`;
}

/** Refuses to grant more than the key has. The right to refund can be granted only by a key without a limit. */
export function assertMayGrant(held: Rights, granted: Rights): void {
  assertPermitted(held, granted.access);
  if (granted.refunds === null || held.refunds?.perDay === null) return;
  throw new DomainError('FORBIDDEN', 'Only a key that refunds without a daily limit can create keys that refund.');
}
