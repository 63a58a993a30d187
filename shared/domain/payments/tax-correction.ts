import * as z from 'zod';
import { TaxIdCheck } from '../checkout/buyer.ts';
import { ChargedTax } from '../checkout/priced-item.ts';
import { Amount } from '../money/money.ts';

/** One line of a corrected invoice: what its credit note takes back, and what the new invoice says instead. */
export const CorrectedLine = z.object({
  productId: z.string(),
  taxInclusive: z.boolean(),
  /** What was left of the line at the sale's rates; the components in the order of the payment's line. */
  reversed: z.object({ net: Amount, tax: Amount, gross: Amount, components: z.array(Amount) }),
  invoiced: z.object({ net: Amount, tax: Amount, gross: Amount, components: z.array(ChargedTax) }),
});
export type CorrectedLine = z.infer<typeof CorrectedLine>;

/** Why an invoice is corrected, and its new figures. It is kept with the refund that books it, whose amount is often 0. */
export const TaxCorrection = z.object({
  taxId: TaxIdCheck,
  businessName: z.string().nullable(),
  /** Those under which the new invoice is issued. */
  registrations: z.array(z.string()),
  lines: z.array(CorrectedLine),
});
export type TaxCorrection = z.infer<typeof TaxCorrection>;

/** What a tax id that was proven after the sale changes, and whether the merchant has agreed. A payment is corrected once. */
export const CorrectionState = z.object({
  status: z.enum(['proposed', 'made', 'dismissed']),
  /** `register`: it answered late; `buyer`: the id came after the sale. */
  cause: z.enum(['register', 'buyer']),
  at: z.string(),
  taxId: TaxIdCheck,
  businessName: z.string().nullable(),
  /** Whether the register's name is the buyer's, or the register tells none. Without it, nothing is corrected automatically. */
  isNamed: z.boolean(),
  /** What goes back to the buyer, and the tax that falls away, when it was proposed. */
  amount: Amount,
  tax: Amount,
  /** The refund that books it. */
  refundId: z.string().optional(),
});
export type CorrectionState = z.infer<typeof CorrectionState>;
