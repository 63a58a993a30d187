import * as z from 'zod';
import { EmailAddress, returnAddressText } from '../addresses.ts';
import { MoneyAmount } from '../values.ts';

const digits = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number);

/** How many characters of a wrong code are shown again. */
const longestCodeText = 40;

/**
 * The parameters of a product's payment link. Anybody can write such a link, so they are checked like any other
 * input.
 */
export const OfferLink = z.object({
  quantity: digits.pipe(z.int().min(1).max(1_000)).default(1),
  /**
   * The amount of one unit in minor units of the product's currency, if the buyer chooses it. It is only a proposal.
   */
  amount: digits.pipe(MoneyAmount).optional(),
  email: EmailAddress.optional(),
  return_url: returnAddressText.optional(),
  /** A discount code, as typed. The checkout page reports a wrong one, and the checkout still opens. */
  discount: z
    .string()
    .transform((code) => code.trim().slice(0, longestCodeText))
    .optional(),
});
export type OfferLink = z.infer<typeof OfferLink>;
