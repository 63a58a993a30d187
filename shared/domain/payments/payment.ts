import * as z from 'zod';
import { Metadata } from '../catalogue/product.ts';
import { BillingAddress, Customer, TaxIdCheck } from '../checkout/buyer.ts';
import { Consent, SupplyConsent } from '../checkout/consent.ts';
import { LocationEvidence } from '../checkout/location-evidence.ts';
import { PricedItem } from '../checkout/priced-item.ts';
import { registrationSchemes, roundingRules, taxCategories } from '../checkout/tax.ts';
import { discountTypes } from '../discounts/discount-terms.ts';
import { LineEntitlement } from '../entitlements/line-entitlement.ts';
import { Amount } from '../money/money.ts';
import { ProcessorReason } from '../processor.ts';
import { supplyKinds } from '../withdrawal/supply.ts';
import { CorrectionState, FreeingRefund } from './tax-correction.ts';

/**
 * What was sold, with its price and tax, and how much is still refundable: `gross = refundable + pending + refunded +
 * disputed`.
 */
export const PaymentLine = z.object({
  productId: z.string(),
  name: z.string(),
  description: z.string(),
  /** The public address of the product's image at that time, for the processor's page; absent if it had none. */
  image: z.string().optional(),
  taxCategory: z.enum(taxCategories),
  /**
   * Whether the law of withdrawal treats the line as digital content or as a service. If absent, the tax category
   * decides.
   */
  supply: z.enum(supplyKinds).optional(),
  ...PricedItem.shape,
  /** What the line gives to its buyer; absent if nothing. */
  entitlements: z.array(LineEntitlement).optional(),
  /**
   * Whether the buyer keeps the access although the line is refunded. The latest refund of the line decides. Absent
   * means no.
   */
  isAccessKept: z.boolean().optional(),
  /**
   * Whether the buyer has withdrawn from the line, as a person or the stack has decided. Then the line gives nothing.
   * Absent means no.
   */
  isWithdrawn: z.literal(true).optional(),
  refundable: Amount,
  pending: Amount,
  refunded: Amount,
  /** The amount that a bank has taken back. */
  disputed: Amount,
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

/** The stages of a dispute. `pre_dispute`: the bank only asks, and has taken no money. */
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

/** A code that has lowered a payment, with its terms at that time. */
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
  /** How much the code took off the entered amounts. */
  taken: Amount,
  /** How often it had been used, including this payment. */
  timesUsed: z.int(),
  /** Whether the payment has reserved its use of the code while it was open; absent means no. */
  isHeld: z.boolean().optional(),
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
  /**
   * The scheme of each registration, in the order of `registrations`. Absent without registrations, and in sales of
   * 0.2.0.
   */
  schemes: z.array(z.enum(registrationSchemes)).optional(),
  warnings: z.array(z.string()),
  /** Why the sale is exempt by the merchant's own rules, in the words that documents print. Absent if it is not. */
  exemptions: z.array(z.string()).optional(),
  /**
   * Which lines were taxed together; absent means those with the same rates and the same inclusive or exclusive
   * price.
   */
  rounding: z.enum(roundingRules).optional(),
});
export type Calculation = z.infer<typeof Calculation>;

export const Card = z.object({ lastFour: z.string(), network: z.string(), country: z.string().nullable() });
export type Card = z.infer<typeof Card>;

/**
 * More data of a card, in few bytes. Documents do not print them. Null for a field that the processor does not report.
 */
export const CardDetails = z.object({
  /** The month of expiry: `12/2034`. */
  expiry: z.string().nullable(),
  /** The kind of card: `credit`, `debit` or `prepaid`. */
  funding: z.string().nullable(),
  /** How the buyer's bank checked the buyer: flow, result and version of 3-D Secure; null if it did not. */
  check: z.array(z.string().nullable()).nullable(),
});
export type CardDetails = z.infer<typeof CardDetails>;

/** A warning by the card's network: the card holder says that the payment is a fraud. A dispute often follows. */
export const FraudWarning = z.object({
  /** The processor's own id. */
  reference: z.string(),
  /** The network's word for the kind of fraud, such as `made_with_stolen_card`. */
  kind: z.string(),
  /** Whether a refund can still avoid the dispute. */
  isActionable: z.boolean(),
  createdAt: z.string(),
});
export type FraudWarning = z.infer<typeof FraudWarning>;

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
  disputed: Amount,
  lines: z.array(PaymentLine),
  /** The codes that were redeemed, in order; absent if none. */
  discounts: z.array(PaymentDiscount).optional(),
  refunds: z.array(RefundSummary),
  disputes: z.array(DisputeSummary),
  customer: Customer,
  billing: BillingAddress,
  taxId: TaxIdCheck.nullable(),
  businessName: z.string().nullable(),
  /** The buyer's language; null if a program paid. */
  language: z.string().nullable(),
  /** The buyer's consents, with their words and time. Absent if no consent was requested, or if a program paid. */
  consents: z.array(Consent).optional(),
  /**
   * The buyer's requests to begin the supply in the withdrawal period; absent if there are none. They are not stored
   * among the consents, because 0.2.0 cannot read a payment with an unknown kind of consent.
   */
  supplyConsents: z.array(SupplyConsent).optional(),
  /**
   * The label that the Pay button showed: `<id>:<language>:<country>`. The id `order` means the words of the law there.
   * Absent if a program paid, and in sales of 0.2.0.
   */
  payLabel: z.string().optional(),
  /** A digest of the press on Pay that started the payment. Absent without a script, if a program paid, and in sales of 0.2.0. */
  press: z.string().optional(),
  /** The versions of the merchant's texts that applied, by kind: `{ terms: <hash> }`. Absent if there were none. */
  policies: z.record(z.string(), z.string()).optional(),
  calculation: Calculation,
  /**
   * The sale of a small seller to another member state: the year, the net in euro cents, and whether the year's count
   * contains it. Absent for other sales.
   */
  homeSale: z.object({ year: z.string(), amount: Amount, isCounted: z.boolean() }).optional(),
  evidence: LocationEvidence,
  processor: z.string(),
  card: Card.nullable(),
  /** More data of the card; absent if the processor reports none. */
  cardDetails: CardDetails.optional(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  /** Why the processor refused the request, for the merchant. Absent if it did not refuse. */
  refusal: ProcessorReason.optional(),
  metadata: Metadata,
  /** The secret that opens the payment's documents. */
  documentSecret: z.string(),
  /** The processor's id of the charge. Null until the processor has answered; absent if no request is sent to it. */
  reference: z.string().nullable().optional(),
  /**
   * Where and until when the buyer can pay at the processor. Shown only to the buyer and to keys that write, because
   * it allows payment. Absent unless the payment is open there.
   */
  payAt: z.object({ url: z.string(), until: z.string() }).optional(),
  /**
   * The form of the request that begins the charge at the processor. It is stored because a repeated request must be
   * the same. `lines` has one line for each of ours. Absent, as in 0.2.0, means one line for all.
   */
  asksBy: z.literal('lines').optional(),
  /** The text after the merchant's name on the buyer's card statement; absent if there is none. */
  statementSuffix: z.string().optional(),
  /** Why the processor refused that text, for the merchant. The payment began without it. Absent if it is used. */
  statementRefusal: ProcessorReason.optional(),
  /** Whether the buyer may pay by card only; absent means by all methods of the processor. */
  takesCardsOnly: z.literal(true).optional(),
  /** The payment method that the buyer chose at the processor; absent before the payment. */
  method: z.string().optional(),
  /** The processor's id of the received money, needed for refunds; absent before. */
  transaction: z.string().optional(),
  /** The processor's fee, in its settlement currency; absent until it is known, and if there is none. */
  fee: z.object({ amount: Amount, currency: z.string() }).optional(),
  /**
   * For a payment that was given up here but paid after that: when we learned of it, and whether the money was returned
   * in full.
   */
  late: z.object({ at: z.string(), isReturned: z.boolean() }).optional(),
  /** The newest early fraud warning; absent if there is none. */
  fraudWarning: FraudWarning.optional(),
  /** When to ask the processor for more about a successful payment; absent when everything is known. */
  reviewAt: z.string().optional(),
  /** When the register is asked again about the tax id, because it has given no verdict. */
  recheckAt: z.string().optional(),
  /** The correction because of a tax id that was confirmed after the sale. */
  correction: CorrectionState.optional(),
  /** The refund that has returned the whole tax, and why no tax is due. Absent if there is none. */
  taxFreed: FreeingRefund.optional(),
  /** How often the link of the order page was replaced; absent means never. Each replacement ends the earlier links. */
  orderLink: z.int().optional(),
  /**
   * Whether the merchant corrected the order's e-mail address. Then the order belongs to that address, and does not
   * change with its customer's address.
   */
  hasOwnAddress: z.literal(true).optional(),
  /** When the buyer's personal data was erased; absent if it was not. */
  erasedAt: z.string().optional(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The number of the payment's events. Each event carries its number. */
  events: z.int(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type Payment = z.infer<typeof Payment>;

/** `full` or `partial`, by the succeeded refunds; null if there are none. */
export function refundStatus(payment: Pick<Payment, 'refunded' | 'gross'>): 'full' | 'partial' | null {
  if (payment.refunded === 0) return null;
  return payment.refunded === payment.gross ? 'full' : 'partial';
}
