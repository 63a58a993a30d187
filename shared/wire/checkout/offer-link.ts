import * as z from 'zod';
import { EmailAddress, MoneyAmount, returnAddressText } from '../values.ts';

const digits = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number);

/** What the link of a product may carry. All of it can be written by anybody, so it is checked like any other input. */
export const OfferLink = z.object({
  quantity: digits.pipe(z.int().min(1).max(1_000)).default(1),
  /** The amount of one unit in minor units, which settles a price that the buyer would choose. */
  amount: digits.pipe(MoneyAmount).optional(),
  email: EmailAddress.optional(),
  return_url: returnAddressText.optional(),
});
export type OfferLink = z.infer<typeof OfferLink>;
