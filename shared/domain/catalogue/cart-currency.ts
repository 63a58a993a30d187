import type { CartLine } from '../checkout/cart.ts';
import { refuse } from '../errors.ts';
import { priceIn } from './localized-price.ts';

interface Market {
  /** The currency that the request names; null: none. */
  currency: string | null;
  /** Where the request places the buyer. */
  country: string | undefined;
  /** The currency of that country. */
  countryCurrency: string | undefined;
}

/**
 * The cart with the prices of one currency: the one that the request names, else that of a price for the buyer's country, else the
 * country's own, else the products' own. A candidate counts only if every product has a price in it. Nothing is converted.
 */
export function pricedForMarket(cart: readonly CartLine[], market: Market): CartLine[] {
  const { currency, country } = market;
  if (currency !== null) return pricedIn(cart, currency, country) ?? refuseCurrency(cart, market, currency);
  const found = candidates(cart, market).find((candidate) => pricedIn(cart, candidate, country) !== undefined);
  return (found !== undefined && pricedIn(cart, found, country)) || [...cart];
}

/** The currencies to try, the best first. An amount that the request locks belongs to the products' own currency. */
function candidates(cart: readonly CartLine[], { country, countryCurrency }: Market): string[] {
  const own = cart.map(({ product }) => product.price.currency);
  const isLocked = cart.some(({ product, amount }) => amount !== null && product.price.kind !== 'fixed');
  if (country === undefined || isLocked) return own;
  const ofCountry = cart.flatMap(({ product }) =>
    product.pricingMode === 'by_country'
      ? (product.localizedPrices ?? []).filter((rule) => rule.countryCode === country).map((rule) => rule.currency)
      : [],
  );
  return [...ofCountry, ...(countryCurrency === undefined ? [] : [countryCurrency]), ...own];
}

function pricedIn(cart: readonly CartLine[], currency: string, country: string | undefined): CartLine[] | undefined {
  const priced = cart.flatMap((line): CartLine[] => {
    const price = priceIn(line.product, currency, country);
    return price ? [{ ...line, product: { ...line.product, price } }] : [];
  });
  return priced.length === cart.length ? priced : undefined;
}

function refuseCurrency(cart: readonly CartLine[], { country }: Market, currency: string): never {
  const without = cart.find(({ product }) => priceIn(product, currency, country) === undefined);
  const message = `“${without?.product.name}” has no price in ${currency}; amounts are not converted.`;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'billing_currency', message);
}
