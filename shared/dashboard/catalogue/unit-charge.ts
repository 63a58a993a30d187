import { type ChargeFault, chargeFault } from '../../domain/catalogue/charge-fault.ts';
import { type LocalizedPrice, priceInMarket } from '../../domain/catalogue/localized-price.ts';
import { type Price, withLeastMinimum } from '../../domain/catalogue/price.ts';
import type { Product } from '../../domain/catalogue/product.ts';
import { DomainError } from '../../domain/errors.ts';
import { maxAmount } from '../../domain/money/money.ts';
import type { CreateCheckoutSessionDeps } from '../../use-cases/checkout/create-checkout-session.ts';
import { type PreviewCheckoutDeps, previewCheckout } from '../../use-cases/checkout/preview-checkout.ts';
import { billingAt } from './place-options.ts';

export type UnitChargeDeps = Omit<PreviewCheckoutDeps, 'products' | 'loadCodes'> &
  Pick<CreateCheckoutSessionDeps, 'takesPayments' | 'chargeLimits'>;

/** Prices one unit of a product for a buyer at a place, with the same code that prices carts. */
export async function priceUnit(deps: UnitChargeDeps, product: Product, place: string) {
  const products = { find: async () => product };
  const cart = billingAt(place, product.id);
  const { priced } = await previewCheckout({ ...deps, products, loadCodes: async () => [] }, cart);
  const [item] = priced.quote.lines;
  if (!item) throw new RangeError('A price without a line.');
  return { item, warnings: priced.calculation.warnings };
}

/** Why a card cannot be charged for one unit including tax, or for the lowest amount that a buyer can choose. */
export function unitChargeFault(deps: UnitChargeDeps, price: Price, gross: number): ChargeFault | undefined {
  const least = price.kind === 'fixed' ? gross : withLeastMinimum(price).minimum;
  return chargeFault(least, price.currency, termsOf(deps, price.currency));
}

/**
 * The limits of the processor in a currency. A live stage without a processor is not finished yet, so this is not an
 * error of the price.
 */
const termsOf = ({ takesPayments, chargeLimits }: UnitChargeDeps, currency: string) =>
  takesPayments() ? chargeLimits(currency) : { minimum: 1, maximum: maxAmount, step: 1 };

/** A price for a market that is too low for a card payment. */
export interface UnpayableMarket {
  price: LocalizedPrice;
  unpayable: ChargeFault;
}

/**
 * The prices for markets that are too low for a card payment. A price by country is checked in its country, and others
 * at the given place.
 */
export async function unpayableMarkets(
  deps: UnitChargeDeps,
  product: Product,
  place: string,
): Promise<UnpayableMarket[]> {
  const { localizedPrices = [], ...base } = product;
  const markets = localizedPrices.map(async (rule) => {
    const price = priceInMarket(product.price, rule);
    const gross = price.kind === 'fixed' ? await grossOf(deps, { ...base, price }, rule.countryCode ?? place) : 0;
    const unpayable = unitChargeFault(deps, price, gross);
    return unpayable ? [{ price: rule, unpayable }] : [];
  });
  return (await Promise.all(markets)).flat();
}

/**
 * The price of one unit at a place including tax. If the place is incomplete, or the cart is invalid, it is the price
 * without tax.
 */
async function grossOf(deps: UnitChargeDeps, product: Product & { price: { kind: 'fixed' } }, place: string) {
  try {
    return (await priceUnit(deps, product, place)).item.gross;
  } catch (error) {
    if (error instanceof DomainError) return product.price.unitAmount;
    throw error;
  }
}
