import * as z from 'zod';
import { BillingAddress } from '../checkout/buyer.ts';
import { Amount, maxAmount } from '../money/money.ts';
import { Card, PaymentComponent } from '../payments/payment.ts';

/** Invoices and credit notes; each kind has its own numbers. */
export const documentKinds = ['INV', 'CRN'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** Minor units; what a credit note corrects is negative. */
export const SignedAmount = z.int().min(-maxAmount).max(maxAmount);

export const DocumentComponent = PaymentComponent.extend({ amount: SignedAmount });
export type DocumentComponent = z.infer<typeof DocumentComponent>;

const figures = { net: SignedAmount, tax: SignedAmount, gross: SignedAmount };

export const DocumentLine = z.object({
  productId: z.string(),
  name: z.string(),
  /** Null on a credit note, which corrects an amount and not a number of things. */
  quantity: z.int().nullable(),
  /** The displayed price of one, with or without the tax as `taxInclusive` says. */
  unitAmount: Amount.nullable(),
  taxInclusive: z.boolean(),
  ...figures,
  components: z.array(DocumentComponent),
});
export type DocumentLine = z.infer<typeof DocumentLine>;

/** All lines of one rate set: what is taxed, and each tax on it. */
export const RateGroup = z.object({ taxInclusive: z.boolean(), ...figures, components: z.array(DocumentComponent) });
export type RateGroup = z.infer<typeof RateGroup>;

/** A number under which the seller is registered for tax. */
export const SellerTaxId = z.object({
  country: z.string(),
  region: z.string().nullable(),
  /** Null for the seller's own number at home. */
  scheme: z.enum(['standard', 'simplified', 'oss']).nullable(),
  id: z.string(),
});
export type SellerTaxId = z.infer<typeof SellerTaxId>;

/** Who sold, as of the day of issue. */
export const Seller = z.object({
  name: z.string(),
  address: z.array(z.string()),
  country: z.string(),
  email: z.string().nullable(),
  taxIds: z.array(SellerTaxId),
});
export type Seller = z.infer<typeof Seller>;

/** Who bought, as the payment knows them. */
export const Buyer = z.object({
  name: z.string(),
  businessName: z.string().nullable(),
  email: z.string(),
  address: BillingAddress,
  taxId: z.object({ id: z.string(), formatName: z.string() }).nullable(),
  /** In which they are written to, if it is known. */
  language: z.string().nullable().default(null),
});
export type Buyer = z.infer<typeof Buyer>;

/** An invoice or a credit note: issued once under its number, never changed. Its amounts are those of the payment or refund. */
export const Document = z.object({
  /** Follows from the payment's or the refund's id: known before there is a number. */
  id: z.string(),
  kind: z.enum(documentKinds),
  /** `INV-2026-000042` */
  number: z.string(),
  /** `INV-2026`: the kind and the year of the seller's calendar. */
  series: z.string(),
  serial: z.int().min(1),
  paymentId: z.string(),
  /** Null for an invoice. */
  refundId: z.string().nullable(),
  issuedAt: z.string(),
  /** The date of issue, and that of the payment or refund, in the seller's calendar. */
  issuedOn: z.iso.date(),
  paidOn: z.iso.date(),
  currency: z.string(),
  lines: z.array(DocumentLine),
  groups: z.array(RateGroup),
  ...figures,
  /** The name that the buyer knows the seller by. */
  brandName: z.string(),
  seller: Seller,
  buyer: Buyer,
  /** The place of supply. */
  place: z.object({ country: z.string(), region: z.string().nullable() }),
  taxDate: z.string(),
  /** Why the seller may leave a tax out, in the words of its own rules. */
  exemptions: z.array(z.string()),
  card: Card.pick({ lastFour: true, network: true }).nullable(),
  /** The invoice that a credit note corrects. */
  invoice: z.object({ number: z.string(), issuedOn: z.iso.date() }).nullable(),
  reason: z.string().nullable(),
  /** For the tax in the currency of its state (VAT Directive, art. 230); nothing fills them yet. */
  fxRate: z.string().nullable(),
  fxDate: z.string().nullable(),
});
export type Document = z.infer<typeof Document>;

/** What a document gets when its number is taken. */
export type Stamp = Pick<Document, 'kind' | 'number' | 'series' | 'serial' | 'issuedAt' | 'issuedOn'>;

/** The payment or refund that a document belongs to. */
export const subjectOf = ({ paymentId, refundId }: Pick<Document, 'paymentId' | 'refundId'>): string =>
  refundId ?? paymentId;
