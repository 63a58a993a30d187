import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LocalizedTerms, pricingModes } from './localized-price.ts';
import { Price } from './price.ts';
import type { Product } from './product.ts';

/** What a product costs in every place and currency at one time. Checkouts keep it, so nothing changes it. */
export const Offer = z.object({
  productId: z.string(),
  price: Price,
  pricingMode: z.enum(pricingModes),
  localizedPrices: z.array(LocalizedTerms),
});
export type Offer = z.infer<typeof Offer>;

/** The offer of a product; undefined if its own price is the only one. */
export function currentOffer({ id, price, pricingMode, localizedPrices = [] }: Product): Offer | undefined {
  if (pricingMode === undefined || localizedPrices.length === 0) return undefined;
  return Offer.parse({ productId: id, price, pricingMode, localizedPrices });
}

/** 132 bits of a SHA-256, so no two offers of a product share a version. */
const versionLetters = 22;

/** Identifies an offer among those of its product by what it says. */
export const offerVersionOf = (offer: Offer): string =>
  createHash('sha256').update(JSON.stringify(offer)).digest('base64url').slice(0, versionLetters);
