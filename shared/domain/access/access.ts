import * as z from 'zod';
import { DomainError } from '../errors.ts';

/** How far a key reaches; each level holds the ones before it. */
export const accessLevels = ['read', 'write', 'admin'] as const;
export type Access = (typeof accessLevels)[number];

/** The right to refund, which does not follow from a level; `perDay` is a ceiling for each UTC day, in minor units. */
export const RefundRight = z.object({
  perDay: z.object({ amount: z.int().positive(), currency: z.string() }).nullable(),
});
export type RefundRight = z.infer<typeof RefundRight>;

/** What a key may do. */
export interface Rights {
  access: Access;
  /** Null: it may not refund. */
  refunds: RefundRight | null;
}

/** What a route or a command needs: a level, or the right to refund. */
export type NeededAccess = Access | 'refunds';

/** A key that writes refunds without a ceiling unless its maker says otherwise, as integrators expect; one that reads does not. */
export const usualRefunds = (access: Access): RefundRight | null => (access === 'read' ? null : { perDay: null });

/** Whether what a key may do covers what is needed. */
export const isPermitted = (held: Rights, needed: NeededAccess): boolean =>
  needed === 'refunds' ? held.refunds !== null : accessLevels.indexOf(held.access) >= accessLevels.indexOf(needed);

/** Refuses what a key does not reach, and says what it would take. */
export function assertPermitted(held: Rights, needed: NeededAccess): void {
  if (isPermitted(held, needed)) return;
  throw new DomainError('FORBIDDEN', refusalOf(held, needed));
}

function refusalOf({ access }: Rights, needed: NeededAccess): string {
  if (needed === 'refunds') return 'This API key is not allowed to refund. Use a key that is.';
  const how = needed === 'admin' ? ': “npm run keys -- create --access admin” makes the first such key.' : '.';
  return `This API key has ${access} access, but this call needs ${needed} access${how}`;
}

/** A key gives away no more than it has: the right to refund only if its own has no ceiling. */
export function assertMayGrant(held: Rights, granted: Rights): void {
  assertPermitted(held, granted.access);
  if (granted.refunds === null || held.refunds?.perDay === null) return;
  throw new DomainError('FORBIDDEN', 'Only a key that refunds without a daily limit can create keys that refund.');
}
