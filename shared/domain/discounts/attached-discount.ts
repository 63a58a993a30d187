import * as z from 'zod';
import { type Discount, type RedemptionFault, refuseCode, timeFault } from './discount.ts';
import { DiscountTerms } from './discount-terms.ts';
import { type CountRow, mayHaveRoom } from './use-shard.ts';

/** A code as its session keeps it: its money terms do not change any more. */
export const AttachedDiscount = DiscountTerms.extend({
  name: z.string().nullable(),
  usageLimit: z.int().nullable(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  /** Who brought it. What the integrator sets, the buyer cannot remove. */
  by: z.enum(['integrator', 'buyer']),
  /** Whether it was refused here for some customer; absent: no. */
  wasRefused: z.boolean().optional(),
});
export type AttachedDiscount = z.infer<typeof AttachedDiscount>;

export const mostCodes = 20;

/** The discounts of codes, in the order of the codes. */
export type LoadCodes = (codes: readonly string[]) => Promise<FoundDiscount[]>;

/** A discount as it was found for a code, with its counters; undefined: there is none. */
export type FoundDiscount = { discount: Discount; counters: readonly CountRow[] } | undefined;

/** Why a code cannot be attached at an instant. Whether it has room is only known for sure when it is paid. */
export function attachmentFault(found: FoundDiscount, now: string): RedemptionFault | undefined {
  if (found?.discount.deletedAt !== null) return 'INVALID_DISCOUNT_CODE';
  const { usageLimit } = found.discount;
  const isUsedUp = !mayHaveRoom(found.counters, usageLimit, new Date(now));
  return timeFault(found.discount, now) ?? (isUsedUp ? 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED' : undefined);
}

/** Freezes the terms of a code for a session. */
export const attached = ({ discount }: NonNullable<FoundDiscount>, by: AttachedDiscount['by']): AttachedDiscount =>
  AttachedDiscount.parse({ ...discount, by });

/** Freezes the terms of codes, or refuses the first that is not valid. `first` is the place of the first one in the request. */
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
