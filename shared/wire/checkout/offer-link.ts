import * as z from 'zod';
import { EmailAddress, returnAddressText } from '../addresses.ts';
import { MoneyAmount } from '../values.ts';

const digits = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number);

/** So much of a wrong code is shown again. */
const longestCodeText = 40;

/** What the link of a product may carry. All of it can be written by anybody, so it is checked like any other input. */
export const OfferLink = z.object({
  quantity: digits.pipe(z.int().min(1).max(1_000)).default(1),
  /** The amount of one unit in minor units of the product's currency, where the buyer chooses: a proposal, which locks nothing. */
  amount: digits.pipe(MoneyAmount).optional(),
  email: EmailAddress.optional(),
  return_url: returnAddressText.optional(),
  /** A discount code, as it is typed. A wrong one is told on the checkout page, and refuses nothing. */
  discount: z
    .string()
    .transform((code) => code.trim().slice(0, longestCodeText))
    .optional(),
});
export type OfferLink = z.infer<typeof OfferLink>;
