import { wishFor } from '../../domain/catalogue/accepted-wish.ts';
import { withinLimits } from '../../domain/catalogue/adjustable-quantity.ts';
import { marketOf, pricedForMarket } from '../../domain/catalogue/cart-currency.ts';
import { currentOffer, type Offer, offerVersionOf } from '../../domain/catalogue/offer.ts';
import { type CartLine, snapshotCart } from '../../domain/checkout/cart.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { CartRequest, SessionRequest } from '../../domain/checkout/session-request.ts';
import type { DiscountTerms } from '../../domain/discounts/discount-terms.ts';
import { assertFewKeys } from '../../domain/entitlements/cart-keys.ts';
import { type Entitlement, lineEntitlementOf } from '../../domain/entitlements/entitlement.ts';
import { notFound } from '../../domain/errors.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import type { EntitlementStore } from '../../store/entitlements/entitlement-store.ts';
import { currencyOf } from '../../tax/places/country-currency.ts';

interface LoadCartDeps {
  products: Pick<ProductStore, 'find'>;
  /** The entitlements of the products; absent for a cart that is only previewed. */
  entitlements?: Pick<EntitlementStore, 'findMany'> | undefined;
}

interface LoadedCart {
  lines: SessionLine[];
  brandId: string;
  /** The market of the cart; absent if all buyers have the same price. */
  market?: CheckoutSession['market'];
  /** The offers of the products for that market. The lines refer to them. */
  offers: readonly Offer[];
}

/**
 * Turns the cart's products into session lines at their current prices in the buyer's market. Codes can limit the
 * market.
 */
export async function loadCart(
  { products, entitlements }: LoadCartDeps,
  { cart, currency, fields }: SessionRequest,
  codes: readonly Pick<DiscountTerms, 'currencies'>[],
): Promise<LoadedCart> {
  const loaded = await Promise.all(cart.map((line, index) => loadLine(products, line, index)));
  const { country } = fields.billing;
  const lines = pricedForMarket(loaded, { currency, country, countryCurrency: country && currencyOf(country), codes });
  const market = marketOf(loaded, { currency, country });
  const offers = market ? loaded.flatMap(({ product }) => currentOffer(product) ?? []) : [];
  const brandId = lines[0]?.product.brandId ?? '';
  const given = await givenBy(entitlements, loaded);
  const frozen = naming(offers, snapshotCart(lines)).map((line) => ({ ...line, ...given.get(line.productId) }));
  assertFewKeys(frozen, 'product_cart');
  return { lines: frozen, brandId, offers, ...(market && { market }) };
}

/** The entitlements of each product in a cart. Reads nothing if there are none. Leaves out deleted entitlements. */
async function givenBy(
  entitlements: LoadCartDeps['entitlements'],
  cart: readonly CartLine[],
): Promise<Map<string, Pick<SessionLine, 'entitlements' | 'delivery'>>> {
  const ids = cart.flatMap(({ product }) => product.entitlements ?? []);
  if (!entitlements || ids.length === 0) return new Map();
  const found = await entitlements.findMany(ids);
  const lines = cart.map(({ product }) => {
    const given = product.entitlements?.flatMap((id) => found.get(id) ?? []).filter(({ isActive }) => isActive) ?? [];
    if (given.length === 0) return [product.id, {}] as const;
    return [product.id, { entitlements: given.map(lineEntitlementOf), ...deliveryBy(given, product.id) }] as const;
  });
  return new Map(lines);
}

/**
 * The text and address that a product delivers. The session stores them, so that the receipt shows them as they were
 * when the checkout was opened.
 */
function deliveryBy(given: readonly Entitlement[], productId: string): Pick<SessionLine, 'delivery'> {
  const config = given.find((one) => one.productId === productId && one.config.type === 'digital_files')?.config;
  if (config?.type !== 'digital_files') return {};
  const { url, instructions } = config;
  return url === null && instructions === null ? {} : { delivery: { url, instructions } };
}

/** The lines with the version of their offers. A cart contains each product once. */
function naming(offers: readonly Offer[], lines: readonly SessionLine[]): SessionLine[] {
  const versions = new Map(offers.map((offer) => [offer.productId, offerVersionOf(offer)]));
  return lines.map((line) => {
    const offer = versions.get(line.productId);
    return { ...line, ...(offer && { offer }) };
  });
}

async function loadLine(
  products: Pick<ProductStore, 'find'>,
  { productId, quantity, amount, wish: proposed, adjustable: limits }: CartRequest,
  index: number,
): Promise<CartLine> {
  const product = await products.find(productId);
  if (!product) throw notFound('product', productId, `product_cart[${index}].product_id`);
  const wish = proposed && wishFor(product, proposed, `product_cart[${index}].amount`);
  const chosen = { product, amount, ...(wish && { wish }) };
  if (limits !== 'as_product') return { ...chosen, quantity, ...(limits && { adjustable: limits }) };
  const { adjustable } = product;
  return { ...chosen, quantity: withinLimits(quantity, adjustable), ...(adjustable && { adjustable }) };
}
