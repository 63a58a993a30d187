import * as z from 'zod';
import type { Rights } from '../access/access.ts';
import { DomainError } from '../errors.ts';
import { Amount } from '../money/money.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../rules/rules.ts';

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
    throw exceeded(brokenRule(sentences.refund_limit_currency, { currency: ceiling.currency }));
  const left = ceiling.amount - before.spent;
  if (refund.amount <= left) return { ...before, spent: before.spent + refund.amount };
  throw exceeded(brokenRule(sentences.refund_limit, { most: ceiling.amount, currency: ceiling.currency, left }));
}

const exceeded = (rule: BrokenRule): DomainError => new DomainError('REFUND_LIMIT_EXCEEDED', rule);
