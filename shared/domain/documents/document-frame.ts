import type { Brand } from '../catalogue/brand.ts';
import type { Merchant } from '../merchant.ts';
import type { Payment } from '../payments/payment.ts';
import type { Buyer, Document, DocumentBrand, ReliefWording, Seller } from './document.ts';
import type { LocalRates } from './local-tax.ts';

interface Registered {
  country: string;
  region?: string | undefined;
  scheme: 'standard' | 'simplified' | 'oss';
  taxId?: string | undefined;
}

/**
 * The seller with its own tax id and the tax ids of the registrations that collected the tax. An Australian tax invoice
 * shows only the Australian number, because readers would take any other number for an ABN.
 */
export function sellerOf(merchant: Merchant, registrations: readonly Registered[], soldTo?: string): Seller {
  const { name, address, city, postalCode, country, region = null, supportEmail = null, taxId } = merchant;
  const own = taxId ? [{ country, region, scheme: null, id: taxId }] : [];
  const others = registrations.flatMap(({ taxId: id, region: at = null, ...one }) =>
    id && id !== taxId ? [{ country: one.country, region: at, scheme: one.scheme, id }] : [],
  );
  const taxIds = [...own, ...others];
  const australian = soldTo === 'AU' ? taxIds.filter((one) => one.country === 'AU') : [];
  const place = { ...(city !== undefined && { city }), ...(postalCode !== undefined && { postalCode }) };
  return { name, address, ...place, country, email: supportEmail, taxIds: australian.length > 0 ? australian : taxIds };
}

function buyerOf({ customer, billing, taxId, businessName, language }: Payment): Buyer {
  const printed = taxId && taxId.status !== 'invalid' ? { id: taxId.id, formatName: taxId.formatName } : null;
  return { name: customer.name, businessName, email: customer.email, address: billing, taxId: printed, language };
}

/** The look and contact data of a brand; undefined if it has none, or only the same data as the merchant. */
export function brandOf(brand: Brand | undefined, merchant: Merchant): DocumentBrand | undefined {
  if (!brand) return undefined;
  const { color, logo, url, supportEmail } = brand;
  const email = supportEmail === merchant.supportEmail ? null : supportEmail;
  const known = Object.entries({ color, logo, email, url }).filter(([, value]) => value !== null);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/** The seller's data for a document. */
export interface IssueContext {
  brandName: string;
  brand?: DocumentBrand | undefined;
  seller: Seller;
  /** The date of an instant in the seller's calendar. */
  dateOf: (instant: string) => string;
  exemptions: readonly string[];
  /** The words of the invoice if the business buyer owes the tax. */
  relief: ReliefWording;
  /** The second currency in which an invoice shows the tax, with its rates; undefined if there is none. */
  localRates: LocalRates | undefined;
  /** Up to which total the seller may leave out the buyer's name and address; undefined if never. */
  simplifiedUpTo?: { currency: string; amount: number } | undefined;
}

/**
 * The buyer as named in an earlier document, if the payment's own data was erased since then. The law requires that
 * documents keep it.
 */
export const keptBuyer = (
  { erasedAt }: Payment,
  { buyer }: Pick<Document, 'buyer'>,
): Partial<Pick<Document, 'buyer'>> => (erasedAt === undefined ? {} : { buyer });

/** The fields that all documents of one payment share. */
export function documentFrame(payment: Payment, { brandName, brand, seller, exemptions, relief }: IssueContext) {
  const { id: paymentId, currency, card, method = 'card', calculation } = payment;
  const { country, region, taxDate } = calculation;
  return {
    paymentId,
    currency,
    brandName,
    ...(brand ? { brand } : {}),
    seller,
    buyer: buyerOf(payment),
    place: { country, region },
    taxDate,
    exemptions: [...exemptions],
    relief,
    card: card && { lastFour: card.lastFour, network: card.network },
    ...(method !== 'card' && { method }),
  };
}
