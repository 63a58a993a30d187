import { type AllPrices, priceInMarket } from './localized-price.ts';
import { limitFault } from './pay-what-you-want.ts';
import { type Price, unitAmountOf, withLeastMinimum } from './price.ts';
import type { Wish, WishRequest } from './wish.ts';

/**
 * The buyer's choice for a product. Undefined if nothing is chosen, or the product has no price in its currency now.
 * Refuses an amount that no price of the product allows, because no buyer could pay it.
 */
export function wishFor(
  { price, localizedPrices = [] }: AllPrices,
  { amount, currency = price.currency }: WishRequest,
  path: string,
): Wish | undefined {
  const ofPlaces = localizedPrices
    .filter((rule) => rule.currency === currency)
    .map((rule) => priceInMarket(price, rule));
  const [first] = currency === price.currency ? [price] : ofPlaces;
  if (price.kind === 'fixed' || !first) return undefined;
  if (!ofPlaces.some((one) => takes(one, amount))) unitAmountOf(withLeastMinimum(first), amount, path);
  return { amount, currency };
}

/** Whether a price lets the buyer choose this amount. */
export const takes = (price: Price, amount: number): boolean =>
  price.kind === 'pay_what_you_want' && !limitFault(amount, withLeastMinimum(price));
