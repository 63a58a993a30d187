import * as z from 'zod';
import { EmailAddress, returnAddressText } from '../addresses.ts';
import { MoneyAmount } from '../values.ts';

const digits = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number);

/** How many characters of a wrong code the page shows again. */
const longestCodeText = 40;

/**
 * The parameters of a product's payment link. Anyone can write such a link, so they are checked like any other input.
 */
export const OfferLink = z.object({
  quantity: digits.pipe(z.int().min(1).max(1_000)).default(1),
  /**
   * The amount of one unit that the link proposes, in minor units of the product's currency. It is used only if the
   * buyer chooses the amount.
   */
  amount: digits.pipe(MoneyAmount).optional(),
  /** The country whose price the page shows, and that the checkout begins with. The buyer can change it. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a code of ISO 3166-1, such as DE')
    .optional(),
  email: EmailAddress.optional(),
  return_url: returnAddressText.optional(),
  /** A discount code, as typed. With a wrong code, the checkout still opens, and its page reports the code. */
  discount: z
    .string()
    .transform((code) => code.trim().slice(0, longestCodeText))
    .optional(),
});
export type OfferLink = z.infer<typeof OfferLink>;
