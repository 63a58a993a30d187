import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import { BillingAddress, Customer, TaxIdCheck } from '../checkout/buyer.ts';
import { Consent } from '../checkout/consent.ts';
import { LocationEvidence } from '../checkout/location-evidence.ts';
import { PricedItem } from '../checkout/priced-item.ts';
import { roundingRules, taxCategories } from '../checkout/tax.ts';
import { discountTypes } from '../discounts/discount-terms.ts';
import { Amount } from '../money/money.ts';
import { CorrectionState } from './tax-correction.ts';

/**
 * What was sold, at which price and tax, and how much is still refundable: `gross = refundable + pending +
 * refunded + disputed`.
 */
export const PaymentLine = z.object({
  productId: z.string(),
  name: z.string(),
  description: z.string(),
  taxCategory: z.enum(taxCategories),
  ...PricedItem.shape,
  refundable: Amount,
  pending: Amount,
  refunded: Amount,
  /** What a bank has taken back; 0 in rows of version 0.1. */
  disputed: Amount.default(0),
  /** The tax inside pending, refunded and disputed amounts, and its components in the order of the line's components. */
  returnedTax: Amount,
  returnedComponents: z.array(Amount),
});
export type PaymentLine = z.infer<typeof PaymentLine>;

export const RefundSummary = z.object({
  id: z.string(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  amount: Amount,
  isPartial: z.boolean(),
  reason: z.string().nullable(),
  createdAt: z.string(),
});
export type RefundSummary = z.infer<typeof RefundSummary>;

export const disputeStatuses = ['opened', 'challenged', 'accepted', 'expired', 'won', 'lost', 'cancelled'] as const;

/** `pre_dispute`: the bank inquires and has taken nothing. */
export const disputeStages = ['pre_dispute', 'dispute', 'pre_arbitration'] as const;

export const DisputeSummary = z.object({
  id: z.string(),
  status: z.enum(disputeStatuses),
  stage: z.enum(disputeStages),
  amount: Amount,
  isRefundable: z.boolean(),
  createdAt: z.string(),
});
export type DisputeSummary = z.infer<typeof DisputeSummary>;

/** A code that has lowered a payment, on the terms that held then. */
export const PaymentDiscount = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string().nullable(),
  type: z.enum(discountTypes),
  amount: Amount,
  restrictedTo: z.array(z.string()),
  usageLimit: z.int().nullable(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  /** What it took off the entered amounts. */
  taken: Amount,
  /** How often it had been used, this payment included. */
  timesUsed: z.int(),
  /** The part of the code's count in which the payment holds its use; absent: it was counted without a hold. */
  heldIn: z.int().optional(),
});
export type PaymentDiscount = z.infer<typeof PaymentDiscount>;

/** How the figures were calculated; stored with them. */
export const Calculation = z.object({
  taxDate: z.string(),
  tableVersion: z.string(),
  country: z.string(),
  region: z.string().nullable(),
  postalCode: z.string().nullable(),
  /** The rate rows, overrides and registrations that applied. */
  rows: z.array(z.string()),
  registrations: z.array(z.string()),
  warnings: z.array(z.string()),
  /** Why the merchant's own rules exempt the sale, as documents print it. Payments of version 0.1 do not have it. */
  exemptions: z.array(z.string()).optional(),
  /** Which lines were taxed together; absent: those of one rate set and behaviour. */
  rounding: z.enum(roundingRules).optional(),
});
export type Calculation = z.infer<typeof Calculation>;

export const Card = z.object({ lastFour: z.string(), network: z.string(), country: z.string().nullable() });
export type Card = z.infer<typeof Card>;

/** What the processor knows of a card besides what documents print, in few bytes. Null: the processor does not say. */
export const CardDetails = z.object({
  /** `12/2034` */
  expiry: z.string().nullable(),
  /** `credit`, `debit`, `prepaid` */
  funding: z.string().nullable(),
  /** How the buyer's bank checked the buyer: flow, result and version of 3-D Secure; null where it did not. */
  check: z.array(z.string().nullable()).nullable(),
});
export type CardDetails = z.infer<typeof CardDetails>;

/** A charge in any status. Its amounts never change. Only the four counters move, and their sum is the amount. */
export const Payment = z.object({
  id: z.string(),
  sessionId: z.string(),
  brandId: z.string(),
  status: z.enum(['processing', 'succeeded', 'failed', 'cancelled']),
  currency: z.string(),
  net: Amount,
  tax: Amount,
  gross: Amount,
  refundable: Amount,
  pending: Amount,
  refunded: Amount,
  disputed: Amount.default(0),
  lines: z.array(PaymentLine),
  /** The codes that were redeemed, in their order; absent: none. */
  discounts: z.array(PaymentDiscount).optional(),
  refunds: z.array(RefundSummary),
  disputes: z.array(DisputeSummary).default([]),
  customer: Customer,
  billing: BillingAddress,
  taxId: TaxIdCheck.nullable(),
  businessName: z.string().nullable(),
  /** The buyer's language; null if a program paid. */
  language: z.string().nullable().default(null),
  /** What the buyer agreed to, with the words and the time; absent: nothing was asked, or a program paid. */
  consents: z.array(Consent).optional(),
  calculation: Calculation,
  evidence: LocationEvidence,
  processor: z.string(),
  card: Card.nullable(),
  /** Absent where the processor says nothing of it, and in version 0.1. */
  cardDetails: CardDetails.optional(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  metadata: Metadata,
  /** The secret that opens the payment's documents; null for payments of version 0.1. */
  documentSecret: z.string().nullable().default(null),
  /** The processor's own id of the charge; null until it has answered, absent where it was not asked or by version 0.1. */
  reference: z.string().nullable().optional(),
  /** Where the buyer pays at the processor, and until when: a right to pay, told to the buyer and to keys that write. Absent where it is not open. */
  payAt: z.object({ url: z.string(), until: z.string() }).optional(),
  /** The method that the buyer chose at the processor; absent in version 0.1: a card. */
  method: z.string().optional(),
  /** The processor's id of the money that it took, by which it pays back; absent until then, and in version 0.1. */
  transaction: z.string().optional(),
  /** What the processor keeps, in the currency that it settles in; absent until it is known, and where it keeps nothing. */
  fee: z.object({ amount: Amount, currency: z.string() }).optional(),
  /** Of a payment that we had given up, and that was paid after all: when we heard of it, and whether it was returned in full. */
  late: z.object({ at: z.string(), isReturned: z.boolean() }).optional(),
  /** From when the processor has more to say of a payment that succeeded; absent when all is heard. */
  reviewAt: z.string().optional(),
  /** When the register is asked again about the tax id, of which it has given no verdict. */
  recheckAt: z.string().optional(),
  /** What a tax id changes that was proven after the sale. */
  correction: CorrectionState.optional(),
  /** When the buyer's personal data was erased; absent: it is there. */
  erasedAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The number of the payment's events. Each event carries its number. */
  events: z.int(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type Payment = z.infer<typeof Payment>;

/** `full` or `partial`, counting succeeded refunds; null if there is none. */
export function refundStatus(payment: Pick<Payment, 'refunded' | 'gross'>): 'full' | 'partial' | null {
  if (payment.refunded === 0) return null;
  return payment.refunded === payment.gross ? 'full' : 'partial';
}
