import * as z from 'zod';
import { Amount } from '../money/money.ts';

/** The terms of a code in one currency. */
export const DiscountCurrency = z.object({
  currency: z.string(),
  isDefault: z.boolean(),
  /** The most that the code takes off; for a flat code, exactly what it takes off. */
  maximum: Amount.nullable(),
  /** The least sum of list prices on the lines of the code. */
  minimumSubtotal: Amount,
});
export type DiscountCurrency = z.infer<typeof DiscountCurrency>;

export const discountTypes = ['percentage', 'flat'] as const;

/** The money terms of a code. A session keeps them as they were when the code was attached. */
export const DiscountTerms = z.object({
  id: z.string(),
  code: z.string(),
  type: z.enum(discountTypes),
  /** Basis points for a percentage; for a flat code, the amount off in its default currency. */
  amount: Amount,
  /** Empty if the code is valid in every currency. */
  currencies: z.array(DiscountCurrency),
  /** Product ids; empty if the code is for every product. */
  restrictedTo: z.array(z.string()),
  /** Whether the code may reduce a price that the buyer chooses below its minimum. */
  belowMinimum: z.boolean(),
  /** Absent if the code may be used together with others. Version 0.2.0 stored no such field. */
  combinable: z.literal(false).optional(),
});
export type DiscountTerms = z.infer<typeof DiscountTerms>;
