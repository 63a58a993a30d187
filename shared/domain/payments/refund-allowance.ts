import * as z from 'zod';
import type { Rights } from '../access/access.ts';
import { DomainError } from '../errors.ts';
import { Amount } from '../money/money.ts';

/** How much of its daily refund limit a key has used on one UTC day. */
export const RefundAllowance = z.object({
  /** The hash of the key. */
  hash: z.string(),
  day: z.string(),
  spent: Amount,
  version: z.int(),
});
export type RefundAllowance = z.infer<typeof RefundAllowance>;

/** The key that refunds. */
export interface Refunder extends Rights {
  hash: string;
}

/** The UTC day on which a refund counts. */
export const allowanceDayOf = (now: string): string => now.slice(0, 10);

/**
 * Counts a refund against the key's daily limit, or refuses it. A refund that fails later still counts, because the
 * limit is for requests. A new day begins at midnight UTC.
 */
export function spendAllowance(
  before: RefundAllowance,
  ceiling: { amount: number; currency: string },
  refund: { amount: number; currency: string },
): RefundAllowance {
  if (refund.currency !== ceiling.currency)
    throw new DomainError('REFUND_LIMIT_EXCEEDED', `This API key refunds payments in ${ceiling.currency} only.`);
  const left = ceiling.amount - before.spent;
  if (refund.amount <= left) return { ...before, spent: before.spent + refund.amount };
  const message = `This API key refunds up to ${ceiling.amount} ${ceiling.currency} a day, in minor units; ${left} are left until midnight UTC.`;
  throw new DomainError('REFUND_LIMIT_EXCEEDED', message);
}
