import { withinLimits } from '../../domain/catalogue/adjustable-quantity.ts';
import { marketOf, pricedForMarket } from '../../domain/catalogue/cart-currency.ts';
import { type CartLine, snapshotCart } from '../../domain/checkout/cart.ts';
import type { CheckoutSession, SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { CartRequest, SessionRequest } from '../../domain/checkout/session-request.ts';
import type { DiscountTerms } from '../../domain/discounts/discount-terms.ts';
import { notFound } from '../../domain/errors.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';
import { currencyOf } from '../../tax/places/country-currency.ts';

interface LoadedCart {
  lines: SessionLine[];
  brandId: string;
  /** Absent: no buyer has another price. */
  market?: CheckoutSession['market'];
}

/** The cart's products as they are now, with the prices of the buyer's market, taken over into session lines. Its codes bound the market. */
export async function loadCart(
  products: Pick<ProductStore, 'find'>,
  { cart, currency, fields }: SessionRequest,
  codes: readonly Pick<DiscountTerms, 'currencies'>[],
): Promise<LoadedCart> {
  const loaded = await Promise.all(cart.map((line, index) => loadLine(products, line, index)));
  const { country } = fields.billing;
  const lines = pricedForMarket(loaded, { currency, country, countryCurrency: country && currencyOf(country), codes });
  const market = marketOf(loaded, { currency, country });
  return { lines: snapshotCart(lines), brandId: lines[0]?.product.brandId ?? '', ...(market && { market }) };
}

async function loadLine(
  products: Pick<ProductStore, 'find'>,
  { productId, quantity, amount, adjustable: limits }: CartRequest,
  index: number,
): Promise<CartLine> {
  const product = await products.find(productId);
  if (!product) throw notFound('product', productId, `product_cart[${index}].product_id`);
  if (limits !== 'as_product') return { product, quantity, amount, ...(limits && { adjustable: limits }) };
  const { adjustable } = product;
  return { product, quantity: withinLimits(quantity, adjustable), amount, ...(adjustable && { adjustable }) };
}
