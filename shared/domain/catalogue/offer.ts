import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LocalizedTerms, pricingModes } from './localized-price.ts';
import { Price } from './price.ts';
import type { Product } from './product.ts';

/** The prices of a product in every place and currency at one time. Checkouts refer to it, so it never changes. */
export const Offer = z.object({
  productId: z.string(),
  price: Price,
  pricingMode: z.enum(pricingModes),
  localizedPrices: z.array(LocalizedTerms),
});
export type Offer = z.infer<typeof Offer>;

/** The current offer of a product; undefined if the product has only its own price. */
export function currentOffer({ id, price, pricingMode, localizedPrices = [] }: Product): Offer | undefined {
  if (pricingMode === undefined || localizedPrices.length === 0) return undefined;
  return Offer.parse({ productId: id, price, pricingMode, localizedPrices });
}

/** The length of a version: 132 bits of a SHA-256, so two offers of a product never share one. */
const versionLetters = 22;

/** Identifies an offer of a product by a hash of its content. */
export const offerVersionOf = (offer: Offer): string =>
  createHash('sha256').update(JSON.stringify(offer)).digest('base64url').slice(0, versionLetters);
