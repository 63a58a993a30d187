import { type AllPrices, priceInMarket } from './localized-price.ts';
import { limitFault } from './pay-what-you-want.ts';
import { type Price, unitAmountOf, withLeastMinimum } from './price.ts';
import type { Wish, WishRequest } from './wish.ts';

/**
 * The buyer's choice for a product. Undefined if nothing is chosen, or the product now has another currency. Refuses
 * an amount that no price of the product allows, because no buyer could pay it.
 */
export function wishFor(
  { price, localizedPrices = [] }: AllPrices,
  { amount, currency = price.currency }: WishRequest,
  path: string,
): Wish | undefined {
  if (price.kind === 'fixed' || currency !== price.currency) return undefined;
  const ofPlaces = localizedPrices.filter((rule) => rule.currency === currency);
  const isPayable = ofPlaces.some((rule) => takes(priceInMarket(price, rule), amount));
  if (!isPayable) unitAmountOf(withLeastMinimum(price), amount, path);
  return { amount, currency };
}

/** Whether a price lets the buyer choose this amount. */
export const takes = (price: Price, amount: number): boolean =>
  price.kind === 'pay_what_you_want' && !limitFault(amount, withLeastMinimum(price));
