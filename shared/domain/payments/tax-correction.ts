import * as z from 'zod';
import { TaxIdCheck } from '../checkout/buyer.ts';
import { ChargedTax } from '../checkout/priced-item.ts';
import { Amount } from '../money/money.ts';

/** One line of a corrected invoice: what its credit note cancels, and what the new invoice contains instead. */
export const CorrectedLine = z.object({
  productId: z.string(),
  taxInclusive: z.boolean(),
  /**
   * The part of the line that was not refunded, at the sale's rates. The components are in the order of the payment's
   * line.
   */
  reversed: z.object({ net: Amount, tax: Amount, gross: Amount, components: z.array(Amount) }),
  invoiced: z.object({ net: Amount, tax: Amount, gross: Amount, components: z.array(ChargedTax) }),
});
export type CorrectedLine = z.infer<typeof CorrectedLine>;

/**
 * Why an invoice is corrected, and its new figures. It is stored in the refund that books it. The amount of that refund
 * is often 0.
 */
export const TaxCorrection = z.object({
  taxId: TaxIdCheck,
  businessName: z.string().nullable(),
  /** The registrations under which the new invoice is issued. */
  registrations: z.array(z.string()),
  lines: z.array(CorrectedLine),
});
export type TaxCorrection = z.infer<typeof TaxCorrection>;

/**
 * The state of a correction because a tax id was confirmed after the sale, and whether the merchant has agreed. A
 * payment is corrected only once.
 */
export const CorrectionState = z.object({
  status: z.enum(['proposed', 'made', 'dismissed']),
  /**
   * What caused the correction. `register`: the register answered late. `buyer`: the buyer gave the id after the sale.
   */
  cause: z.enum(['register', 'buyer']),
  at: z.string(),
  taxId: TaxIdCheck,
  businessName: z.string().nullable(),
  /**
   * Whether the register's name matches the buyer's, or the register gives no name. If false, nothing is corrected
   * automatically.
   */
  isNamed: z.boolean(),
  /** The amount for the buyer and the tax that is removed, at the time of the proposal. */
  amount: Amount,
  tax: Amount,
  /** The refund that books it. */
  refundId: z.string().optional(),
});
export type CorrectionState = z.infer<typeof CorrectionState>;

/** The refund by which a payment's invoice was corrected; undefined if it was not, or its money has not arrived. */
export function correctingRefundIdOf(payment: {
  correction?: CorrectionState | undefined;
  refunds: readonly { id: string; status: string }[];
}): string | undefined {
  const { correction, refunds } = payment;
  const booked = correction?.status === 'made' ? correction.refundId : undefined;
  return refunds.some(({ id, status }) => id === booked && status === 'succeeded') ? booked : undefined;
}

/**
 * The reasons why no tax is due on a sale whose whole tax is refunded. The reason decides where tax returns list the
 * sale.
 */
export const freedReasons = ['reverse_charge', 'exempt', 'place_corrected'] as const;
export type FreedReason = (typeof freedReasons)[number];

/** The net amounts whose tax a refund returns. They then count as sold without tax, for the reason. */
export const FreedTax = z.object({
  reason: z.enum(freedReasons),
  lines: z.array(z.object({ productId: z.string(), net: Amount })),
});
export type FreedTax = z.infer<typeof FreedTax>;

/** The refund that has returned the tax of a payment, and why. */
export const FreeingRefund = z.object({
  refundId: z.string(),
  reason: z.enum(freedReasons),
  /** The lines that still had tax when it was returned. */
  productIds: z.array(z.string()),
});
export type FreeingRefund = z.infer<typeof FreeingRefund>;
