import { takes } from '../../domain/catalogue/accepted-wish.ts';
import { withinLimits } from '../../domain/catalogue/adjustable-quantity.ts';
import { pricedForMarket } from '../../domain/catalogue/cart-currency.ts';
import { firstAmountOf, type PayWhatYouWant } from '../../domain/catalogue/pay-what-you-want.ts';
import { type Price, withLeastMinimum } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { taxedIn } from '../../domain/catalogue/tax-mode.ts';
import { attachAll, type LoadCodes } from '../../domain/discounts/attached-discount.ts';
import { assertUsable, takeDiscounts } from '../../domain/discounts/take-discounts.ts';
import { sum } from '../../domain/money/money.ts';
import type { PageRequest } from '../../http/page.ts';
import { amountText } from '../../pages/amount-input.ts';
import type { Locale } from '../../pages/locale.ts';
import { isBuyerCountry } from '../../tax/places/countries.ts';
import { currencyOf } from '../../tax/places/country-currency.ts';
import type { OfferLink } from '../../wire/checkout/offer-link.ts';
import type { CheckoutEnvironment } from '../checkout-context.ts';
import { codeFault, codeIn, isCode } from '../form/enter-code.ts';
import { choiceMessage, type FieldMessage } from '../form/faults.ts';
import { likelyCountry } from '../form/likely-country.ts';
import { readTypedAmount } from '../form/read-fields.ts';
import type { OfferParameters, TypedAmount } from './offer-parameters.ts';

/** A product as its page shows it: at the price that the checkout has for the buyer's place. */
export interface ShownOffer {
  country: string;
  price: Price;
  quantity: number;
  /** The code of the link; absent if it has none. */
  code?: ShownCode | undefined;
  /** The text in the field of the amount, and its error. */
  typed: string;
  fault?: FieldMessage | undefined;
}

/** All data of a product's page. */
export interface OfferView extends Pick<OfferParameters, 'carried'> {
  product: Product;
  publicUrl: string;
  offer: ShownOffer;
  /** The language in the page's address; undefined if there is none. */
  language: Locale | undefined;
}

interface ShownCode {
  code: string;
  /** How much the code takes off; null if the buyer chooses the amount. */
  taken: number | null;
  /** Why the code cannot be used. */
  fault?: FieldMessage;
}

interface OfferDeps {
  loadCodes: LoadCodes;
  now: () => Date;
}

interface OfferRequest {
  product: Product;
  link: OfferLink;
  country: string;
  typed: TypedAmount | undefined;
  locale: Locale;
}

interface Visit {
  env: Pick<CheckoutEnvironment, 'merchant'>;
}

/** The country of the page: the one that the buyer or the link states, else the one that the checkout guesses. */
export const shownCountry = (deps: Visit, request: PageRequest, stated: string | undefined) =>
  stated !== undefined && isBuyerCountry(stated)
    ? { country: stated, isStated: true }
    : { country: likelyCountry(deps, request), isStated: false };

/** The price of a product for buyers in a country, with its tax as it is there. */
export function priceAt(product: Product, country: string): Price {
  const market = { currency: null, country, countryCurrency: currencyOf(country), codes: [] };
  const [line] = pricedForMarket([{ product, amount: null }], market);
  return withLeastMinimum(taxedIn(line?.product.price ?? product.price, country));
}

export async function shownOffer(deps: OfferDeps, request: OfferRequest): Promise<ShownOffer> {
  const { product, link, country } = request;
  const price = priceAt(product, country);
  const offer = { country, price, quantity: withinLimits(link.quantity, product.adjustable) };
  const code = isCode(link.discount)
    ? await shownCode(deps, { ...request, ...offer, typed: link.discount })
    : undefined;
  return { ...offer, code, ...(price.kind === 'fixed' ? { typed: '' } : shownAmount(price, request)) };
}

/** The text of the amount field: what the buyer has typed, the amount of the link, or the suggestion. */
function shownAmount(price: PayWhatYouWant, { link, typed, locale, product }: OfferRequest) {
  if (typed?.currency === price.currency) {
    const { fault } = readTypedAmount(typed.amount, price, locale);
    return { typed: typed.amount, ...(fault && { fault: choiceMessage(fault, price, locale) }) };
  }
  const isProposed =
    link.amount !== undefined && product.price.currency === price.currency && takes(price, link.amount);
  const amount = isProposed ? (link.amount ?? null) : firstAmountOf(price);
  return { typed: amount === null ? '' : amountText(amount, price.currency, locale) };
}

interface CodedOffer extends Pick<ShownOffer, 'price' | 'quantity'> {
  product: Product;
  locale: Locale;
  typed: string;
}

/** What the code of the link takes off the price, or why it cannot be used. */
async function shownCode(
  { loadCodes, now }: OfferDeps,
  { product, price, quantity, typed, locale }: CodedOffer,
): Promise<ShownCode> {
  const code = codeIn(typed);
  try {
    const discounts = attachAll([code], await loadCodes([code]), { by: 'buyer', now: now().toISOString() });
    const line = { productId: product.id, price, quantity };
    assertUsable([line], discounts, price.currency);
    if (price.kind !== 'fixed') return { code, taken: null };
    return {
      code,
      taken: sum(takeDiscounts([{ ...line, unitAmount: price.unitAmount }], discounts, price.currency).codes),
    };
  } catch (error) {
    const fault = codeFault(error, price.currency, locale);
    if (!fault) throw error;
    return { code, taken: null, fault };
  }
}
