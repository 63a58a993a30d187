import * as z from 'zod';
import { BillingAddress } from './buyer.ts';
import type { Merchant } from './merchant.ts';
import { Amount, maxAmount, sum } from './money.ts';
import { Card, type Payment, PaymentComponent } from './payment.ts';

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

interface Registered {
  country: string;
  region?: string | undefined;
  scheme: 'standard' | 'simplified' | 'oss';
  taxId?: string | undefined;
}

/** The seller with its own tax id and those of the registrations under which the tax of a sale was collected. */
export function sellerOf(merchant: Merchant, registrations: readonly Registered[]): Seller {
  const { name, address, country, region = null, supportEmail = null, taxId } = merchant;
  const own = taxId ? [{ country, region, scheme: null, id: taxId }] : [];
  const others = registrations.flatMap(({ taxId: id, region: at = null, ...one }) =>
    id && id !== taxId ? [{ country: one.country, region: at, scheme: one.scheme, id }] : [],
  );
  return { name, address, country, email: supportEmail, taxIds: [...own, ...others] };
}

function buyerOf({ customer, billing, taxId, businessName }: Payment): Buyer {
  const printed = taxId && taxId.status !== 'invalid' ? { id: taxId.id, formatName: taxId.formatName } : null;
  return { name: customer.name, businessName, email: customer.email, address: billing, taxId: printed };
}

/** What the seller's side adds to a sale. */
export interface IssueContext {
  brandName: string;
  seller: Seller;
  /** The date of an instant in the seller's calendar. */
  dateOf: (instant: string) => string;
  exemptions: readonly string[];
}

/** What the documents of one payment have in common. */
export function frameOf(payment: Payment, { brandName, seller, exemptions }: IssueContext) {
  const { id: paymentId, currency, card, calculation } = payment;
  const { country, region, taxDate } = calculation;
  return {
    paymentId,
    currency,
    brandName,
    seller,
    buyer: buyerOf(payment),
    place: { country, region },
    taxDate,
    exemptions: [...exemptions],
    card: card && { lastFour: card.lastFour, network: card.network },
    fxRate: null,
    fxDate: null,
  };
}

/** Puts lines of one rate set and behaviour together; the amounts are sums of the lines', nothing is computed from a rate. */
export function groupByRates(lines: readonly DocumentLine[]): RateGroup[] {
  const groups = new Map<string, DocumentLine[]>();
  for (const line of lines) {
    const key = JSON.stringify([line.taxInclusive, line.components.map(({ amount: _, ...rate }) => rate)]);
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups.values()].map(addUp);
}

function addUp(lines: readonly DocumentLine[]): RateGroup {
  const [first] = lines as [DocumentLine];
  const components = first.components.map((component, index) => ({
    ...component,
    amount: sum(lines.map((line) => line.components[index]?.amount ?? 0)),
  }));
  return { taxInclusive: first.taxInclusive, ...totalsOf(lines), components };
}

type Figures = Pick<DocumentLine, 'net' | 'tax' | 'gross'>;

const totalsOf = (parts: readonly Figures[]): Figures => ({
  net: sum(parts.map(({ net }) => net)),
  tax: sum(parts.map(({ tax }) => tax)),
  gross: sum(parts.map(({ gross }) => gross)),
});

/**
 * Lets a document out of the house only when it adds up: net + tax = gross everywhere, components are the tax, lines and groups the totals.
 * @throws Error when the stored figures do not: nothing is issued
 */
export function assertBalanced(document: Document): Document {
  const { lines, groups } = document;
  const isWhole = [document, ...lines, ...groups].every(({ net, tax, gross }) => net + tax === gross);
  const isSplit = [...lines, ...groups].every(({ tax, components }) => sum(components.map((c) => c.amount)) === tax);
  const addsUp = [lines, groups].every((parts) => isSame(totalsOf(parts), document));
  if (isWhole && isSplit && addsUp) return document;
  throw new Error(`The figures of ${subjectOf(document)} do not add up: no document is issued.`);
}

const isSame = (a: Figures, b: Figures): boolean => a.net === b.net && a.tax === b.tax && a.gross === b.gross;
