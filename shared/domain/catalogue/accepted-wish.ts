import { type AllPrices, priceInMarket } from './localized-price.ts';
import { limitFault, type Price, unitAmountOf, withLeastMinimum } from './price.ts';
import type { Wish, WishRequest } from './wish.ts';

/**
 * The wish for a product; undefined where nothing is chosen, or the product has another currency by now. Refuses an amount that no
 * price of the product takes, because no buyer could pay it.
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

/** Whether a buyer may choose the amount at a price. */
export const takes = (price: Price, amount: number): boolean =>
  price.kind === 'pay_what_you_want' && !limitFault(amount, withLeastMinimum(price));
