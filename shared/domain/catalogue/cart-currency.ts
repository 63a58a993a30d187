import type { CheckoutSession, SessionMarket } from '../checkout/checkout-session.ts';
import type { DiscountTerms } from '../discounts/discount-terms.ts';
import { refuse } from '../errors.ts';
import { type AllPrices, priceIn } from './localized-price.ts';
import { withLeastMinimum } from './price.ts';
import type { Product } from './product.ts';

/** A line of a cart, with all prices of its product. */
interface PricedLine {
  product: AllPrices & Pick<Product, 'name'>;
  /** The amount that the request fixes; null if none. */
  amount: number | null;
}

interface Market {
  /** The currency that the request names; null if none. */
  currency: string | null;
  /** The country in which the request says that the buyer is. */
  country: string | undefined;
  /** The currency of that country. */
  countryCurrency: string | undefined;
  /** The codes that the integrator has attached, which the buyer cannot remove. */
  codes: readonly Pick<DiscountTerms, 'currencies'>[];
}

/**
 * The cart with the prices of one currency. This is the currency that the request names, else that of a price for the
 * buyer's country, else the country's own, else the products' own. A currency is possible only if every product has a
 * price in it. A country does not choose a currency in which an attached code has no terms, because the order could
 * not be paid. Nothing is converted.
 */
export function pricedForMarket<Line extends PricedLine>(cart: readonly Line[], market: Market): Line[] {
  const { currency, country } = market;
  if (currency !== null) return pricedIn(cart, currency, country) ?? refuseCurrency(cart, market, currency);
  const found = candidates(cart, market).find((candidate) => pricedIn(cart, candidate, country) !== undefined);
  return (found !== undefined && pricedIn(cart, found, country)) || [...cart];
}

/** The currencies to try, best first. If the request fixes an amount, only the products' own currency is possible. */
function candidates(cart: readonly PricedLine[], { country, countryCurrency, codes }: Market): string[] {
  const own = cart.map(({ product }) => product.price.currency);
  if (country === undefined || hasLockedAmount(cart)) return own;
  const ofCountry = cart.flatMap(({ product }) =>
    product.pricingMode === 'by_country'
      ? (product.localizedPrices ?? []).filter((rule) => rule.countryCode === country).map((rule) => rule.currency)
      : [],
  );
  const brought = [...ofCountry, ...(countryCurrency === undefined ? [] : [countryCurrency])];
  return [...brought.filter((currency) => codes.every((code) => isValidIn(currency, code))), ...own];
}

const isValidIn = (currency: string, { currencies }: Pick<DiscountTerms, 'currencies'>): boolean =>
  currencies.length === 0 || currencies.some((terms) => terms.currency === currency);

function pricedIn<Line extends PricedLine>(
  cart: readonly Line[],
  currency: string,
  country: string | undefined,
): Line[] | undefined {
  const priced = cart.flatMap((line): Line[] => {
    const price = priceIn(line.product, currency, country);
    return price ? [{ ...line, product: { ...line.product, price } }] : [];
  });
  return priced.length === cart.length ? priced : undefined;
}

function refuseCurrency(cart: readonly PricedLine[], { country }: Market, currency: string): never {
  const without = cart.find(({ product }) => priceIn(product, currency, country) === undefined);
  const message = `“${without?.product.name}” has no price in ${currency}; amounts are not converted.`;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'billing_currency', message);
}

const hasLockedAmount = (cart: readonly PricedLine[]): boolean =>
  cart.some(({ product, amount }) => amount !== null && product.price.kind !== 'fixed');

/**
 * The market of a cart. Undefined if every buyer has the products' own prices, or if an amount is fixed in their
 * currency.
 */
export function marketOf(
  cart: readonly PricedLine[],
  { currency, country }: Pick<Market, 'currency' | 'country'>,
): SessionMarket | undefined {
  const isLocalized = cart.some(({ product }) => (product.localizedPrices ?? []).length > 0);
  if (!isLocalized || hasLockedAmount(cart)) return undefined;
  const named = cart.flatMap(({ product: { price, localizedPrices = [] } }) => [
    price.currency,
    ...localizedPrices.map((rule) => rule.currency),
  ]);
  const currencies = [...new Set(named)].filter((one) => pricedIn(cart, one, country) !== undefined);
  return { currencies, ...(country !== undefined && { country }), ...(currency !== null && { isChosen: true }) };
}

interface ChangedMarket extends Omit<Market, 'currency' | 'codes'> {
  /** The currency that the buyer has just chosen; null if none. */
  chosen: string | null;
}

/**
 * The session with the prices of another market. The buyer's chosen currency stays while every line has a price in it.
 * If neither currency nor country decides a price, the lines keep their prices.
 */
export function changedMarket(
  session: CheckoutSession,
  offers: readonly AllPrices[],
  { chosen, ...place }: ChangedMarket,
): CheckoutSession {
  const cart = session.lines.map(({ name }, index) => ({
    product: { ...(offers[index] as AllPrices), name },
    amount: null,
  }));
  const kept = chosen ?? (session.market?.isChosen ? session.currency : null);
  const held = kept !== null && pricedIn(cart, kept, place.country) ? kept : null;
  const codes = (session.discounts ?? []).filter(({ by }) => by === 'integrator');
  const priced = pricedForMarket(cart, { ...place, currency: held, codes });
  const currency = priced[0]?.product.price.currency ?? session.currency;
  const { isOffered } = session.market ?? {};
  const market = marketOf(cart, { currency: held, country: place.country });
  const isSame = currency === session.currency && offers.every(({ pricingMode }) => pricingMode !== 'by_country');
  const lines = session.lines.map((line, index) => ({
    ...line,
    price: withLeastMinimum((priced[index] as PricedLine).product.price),
  }));
  return {
    ...session,
    ...(isSame ? {} : { currency, lines }),
    market: { currencies: [currency], ...market, ...(isOffered === false && { isOffered }) },
  };
}
