import * as z from 'zod';
import { BillingAddress } from '../checkout/buyer.ts';
import { ChargedTax } from '../checkout/priced-item.ts';
import { Amount, maxAmount } from '../money/money.ts';
import { Card } from '../payments/payment.ts';
import { cancellationIdOf, correctedInvoiceIdOf } from './document-id.ts';
import { LocalTax } from './local-tax.ts';

/**
 * The kinds of documents: invoices, credit notes, cancellations of credit notes, and credit notes for sales that a lost
 * dispute has undone (`RSC`). The last kind returns no money. Each kind has its own numbers.
 */
export const documentKinds = ['INV', 'CRN', 'CAN', 'RSC'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Whether a document credits an invoice, with or without returning money. */
export const isCredit = ({ kind }: { kind: DocumentKind }): boolean => kind === 'CRN' || kind === 'RSC';

/** An amount in minor units. The amounts of a credit note are negative. */
const SignedAmount = z.int().min(-maxAmount).max(maxAmount);

export const DocumentComponent = ChargedTax.extend({ amount: SignedAmount });
export type DocumentComponent = z.infer<typeof DocumentComponent>;

const figures = { net: SignedAmount, tax: SignedAmount, gross: SignedAmount };

export const DocumentLine = z.object({
  productId: z.string(),
  name: z.string(),
  /** The quantity; null on a credit note, which corrects an amount, not a quantity. */
  quantity: z.int().nullable(),
  /** The displayed price of one unit. `taxInclusive` says whether it includes the tax. */
  unitAmount: Amount.nullable(),
  /**
   * The price of one unit without tax, in major units, with up to four decimals. Absent in credit notes.
   */
  netUnitPrice: z.string().optional(),
  taxInclusive: z.boolean(),
  /**
   * How much codes took off the displayed amount of the line; absent if nothing. The net unit price is after the
   * discount.
   */
  discount: Amount.optional(),
  ...figures,
  components: z.array(DocumentComponent),
});
export type DocumentLine = z.infer<typeof DocumentLine>;

/** All lines with one set of rates: the taxed amount, and each tax on it. */
export const RateGroup = z.object({ taxInclusive: z.boolean(), ...figures, components: z.array(DocumentComponent) });
export type RateGroup = z.infer<typeof RateGroup>;

/** A number under which the seller is registered for tax. */
export const SellerTaxId = z.object({
  country: z.string(),
  region: z.string().nullable(),
  /** The scheme of the registration; null for the seller's own number in its country. */
  scheme: z.enum(['standard', 'simplified', 'oss']).nullable(),
  id: z.string(),
});
export type SellerTaxId = z.infer<typeof SellerTaxId>;

/** The seller on the day of issue. */
export const Seller = z.object({
  name: z.string(),
  address: z.array(z.string()),
  /** The city and the postal code in the address; absent if the merchant's file does not name them. */
  city: z.string().optional(),
  postalCode: z.string().optional(),
  country: z.string(),
  email: z.string().nullable(),
  taxIds: z.array(SellerTaxId),
});
export type Seller = z.infer<typeof Seller>;

/** The buyer at the time of the payment. */
export const Buyer = z.object({
  name: z.string(),
  businessName: z.string().nullable(),
  email: z.string(),
  address: BillingAddress,
  taxId: z.object({ id: z.string(), formatName: z.string() }).nullable(),
  /** The language of mails to the buyer; null if unknown. */
  language: z.string().nullable(),
});
export type Buyer = z.infer<typeof Buyer>;

/**
 * What a document says if a business buyer owes the tax. It has a text in the document's language, and the phrase that
 * the law of the place requires.
 */
const ReliefWording = z.object({
  kind: z.enum(['reverse_charge', 'payable_under_reverse_charge', 'gst_registered', 'none']),
  phrase: z.string().optional(),
});
export type ReliefWording = z.infer<typeof ReliefWording>;

/** The details of the brand that are printed beside its name. */
export const DocumentBrand = z.object({
  /** `#rrggbb` */
  color: z.string().optional(),
  /** The public address of an image. */
  logo: z.string().optional(),
  email: z.string().optional(),
  url: z.string().optional(),
});
export type DocumentBrand = z.infer<typeof DocumentBrand>;

/** An invoice or a credit note. It is issued once and never changes. Its amounts are those of the payment or refund. */
export const Document = z.object({
  /** The id, derived from the payment's or refund's id before there is a number. */
  id: z.string(),
  kind: z.enum(documentKinds),
  /** `INV-2026-000042` */
  number: z.string(),
  /** `INV-2026`: the kind and the year of the seller's calendar. */
  series: z.string(),
  serial: z.int().min(1),
  paymentId: z.string(),
  /** The refund; null for the invoice of a payment. */
  refundId: z.string().nullable(),
  /** The adjustment of a dispute; absent in documents of a payment or refund. */
  adjustmentId: z.string().optional(),
  issuedAt: z.string(),
  /** The dates of issue and of the payment or refund, in the seller's calendar. */
  issuedOn: z.iso.date(),
  paidOn: z.iso.date(),
  /** The date of supply, if it is the same as the date of payment. Absent in credit notes. */
  suppliedOn: z.iso.date().optional(),
  currency: z.string(),
  lines: z.array(DocumentLine),
  groups: z.array(RateGroup),
  ...figures,
  /** Whether it is a simplified invoice, which need not name the buyer (VAT Directive, art. 220a). */
  isSimplified: z.literal(true).optional(),
  /** The name under which the buyer knows the seller. */
  brandName: z.string(),
  /** The look and contact data of the brand on the day of issue; absent if it has none. */
  brand: DocumentBrand.optional(),
  seller: Seller,
  buyer: Buyer,
  /** The place of supply. */
  place: z.object({ country: z.string(), region: z.string().nullable() }),
  taxDate: z.string(),
  /** Why the seller may leave out a tax, in the words of its tax rules. */
  exemptions: z.array(z.string()),
  /** The words for a business that owes the tax itself. */
  relief: ReliefWording,
  card: Card.pick({ lastFour: true, network: true }).nullable(),
  /** The payment method, if it is not a card; absent also in documents of 0.2.0. */
  method: z.string().optional(),
  /** The invoice that a credit note corrects. */
  invoice: z.object({ number: z.string(), issuedOn: z.iso.date() }).nullable(),
  /** The credit note that cancels the earlier invoice, on a corrected invoice. `invoice` is the earlier one. */
  creditNote: z.object({ number: z.string(), issuedOn: z.iso.date() }).optional(),
  /** Whether a credit note cancels a whole invoice, because a new one replaces it. */
  isReplaced: z.boolean().optional(),
  /** The credit note that a cancellation cancels, because the refunded money came back. */
  cancels: z.object({ number: z.string(), issuedOn: z.iso.date() }).optional(),
  /** Whether one refund has returned the whole payment, on its credit note. */
  isFull: z.literal(true).optional(),
  /** Whether a credit note is cancelled because the merchant chose another ground, and no money came back. */
  isChoice: z.literal(true).optional(),
  /** The reason of the refund, as the buyer reads it. */
  reason: z.string().nullable(),
  /** The tax in the currency of its country (VAT Directive, art. 230); absent if that is the currency of the sale. */
  localTax: LocalTax.optional(),
});
export type Document = z.infer<typeof Document>;

/** The fields that a document gets together with its number. */
export type Stamp = Pick<Document, 'kind' | 'number' | 'series' | 'serial' | 'issuedAt' | 'issuedOn'>;

/** Whether a document is the first invoice of a sale. Its mail informs the buyer about the purchase. */
export const isPurchase = ({ kind, refundId }: Pick<Document, 'kind' | 'refundId'>): boolean =>
  kind === 'INV' && refundId === null;

/** Whether a document is about an order without a price. It is a confirmation then, because there is nothing to pay. */
export const isFreeOrder = ({ kind, gross }: Pick<Document, 'kind' | 'gross'>): boolean =>
  kind === 'INV' && gross === 0;

/** Whether a document is about money that the merchant has returned to the buyer. */
export const returnsMoney = ({ kind, isReplaced }: Pick<Document, 'kind' | 'isReplaced'>): boolean =>
  kind === 'CRN' && !isReplaced;

type Subject = Pick<Document, 'kind' | 'paymentId' | 'refundId' | 'adjustmentId'>;

/**
 * The id of the payment, refund or adjustment that made a document necessary. Cancellations and corrected invoices of
 * refunds have separate ids.
 */
export const subjectOf = ({ kind, paymentId, refundId, adjustmentId }: Subject): string => {
  if (adjustmentId !== undefined) return adjustmentId;
  if (refundId === null) return paymentId;
  if (kind === 'INV') return correctedInvoiceIdOf(refundId);
  return kind === 'CAN' ? cancellationIdOf(refundId) : refundId;
};
