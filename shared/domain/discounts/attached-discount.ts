import * as z from 'zod';
import { type Discount, type RedemptionFault, refuseCode, timeFault } from './discount.ts';
import { DiscountTerms } from './discount-terms.ts';
import { type CountRow, type Hold, mayHaveRoom } from './use-shard.ts';

/** A code as its session stores it. Its money terms no longer change. */
export const AttachedDiscount = DiscountTerms.extend({
  name: z.string().nullable(),
  usageLimit: z.int().nullable(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  /** Who added the code. The buyer cannot remove the integrator's codes. */
  by: z.enum(['integrator', 'buyer']),
  /** Whether the code was refused in this session for some customer; absent means no. */
  wasRefused: z.boolean().optional(),
});
export type AttachedDiscount = z.infer<typeof AttachedDiscount>;

export const mostCodes = 20;

/** Loads the discounts of codes, in the order of the codes. */
export type LoadCodes = (codes: readonly string[]) => Promise<FoundDiscount[]>;

/**
 * The discount of a code, with its counters and, if it is used up, its oldest reserved use; undefined if there is no
 * discount.
 */
export type FoundDiscount =
  | { discount: Discount; counters: readonly CountRow[]; oldestHold: Pick<Hold, 'at'> | undefined }
  | undefined;

/** Why a code cannot be attached to a session at an instant. The limit of uses is checked again at payment. */
export function attachmentFault(found: FoundDiscount, now: string): RedemptionFault | undefined {
  if (found?.discount.deletedAt !== null) return 'INVALID_DISCOUNT_CODE';
  const { usageLimit } = found.discount;
  const isUsedUp = !mayHaveRoom(found.counters, usageLimit, { hold: found.oldestHold, now: new Date(now) });
  return timeFault(found.discount, now) ?? (isUsedUp ? 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED' : undefined);
}

/** Copies the current terms of a code into a session. */
export const attached = ({ discount }: NonNullable<FoundDiscount>, by: AttachedDiscount['by']): AttachedDiscount =>
  AttachedDiscount.parse({ ...discount, by });

/**
 * Copies the current terms of codes, or refuses the first code that is not valid. `first` is the index of the first
 * code in the request.
 */
export const attachAll = (
  codes: readonly string[],
  found: readonly FoundDiscount[],
  { by, now }: { by: AttachedDiscount['by']; now: string },
  first = 0,
): AttachedDiscount[] =>
  codes.map((code, index) => {
    const fault = attachmentFault(found[index], now);
    if (fault) throw refuseCode(fault, code, `discount_codes[${first + index}]`);
    return attached(found[index] as NonNullable<FoundDiscount>, by);
  });
