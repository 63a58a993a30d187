import * as z from 'zod';
import { Amount } from '../money/money.ts';

/** What a code may do in one currency. */
export const DiscountCurrency = z.object({
  currency: z.string(),
  isDefault: z.boolean(),
  /** The most that the code takes off; for a flat code, what it takes off. */
  maximum: Amount.nullable(),
  /** The least that the lines of the code must list. */
  minimumSubtotal: Amount,
});
export type DiscountCurrency = z.infer<typeof DiscountCurrency>;

export const discountTypes = ['percentage', 'flat'] as const;

/** The money terms of a code. A session keeps them as they are when the code is attached to it. */
export const DiscountTerms = z.object({
  id: z.string(),
  code: z.string(),
  type: z.enum(discountTypes),
  /** Basis points of a percentage; what a flat code takes off in its default currency. */
  amount: Amount,
  /** Empty if the code is valid in every currency. */
  currencies: z.array(DiscountCurrency),
  /** Product ids; empty if the code is for every product. */
  restrictedTo: z.array(z.string()),
  /** Whether the code may take a chosen price below its minimum. */
  belowMinimum: z.boolean(),
});
export type DiscountTerms = z.infer<typeof DiscountTerms>;
