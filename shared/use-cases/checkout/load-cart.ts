import { type CartLine, snapshotCart } from '../../domain/checkout/cart.ts';
import type { SessionLine } from '../../domain/checkout/checkout-session.ts';
import type { SessionRequest } from '../../domain/checkout/session-request.ts';
import { notFound, refuse } from '../../domain/errors.ts';
import type { ProductStore } from '../../store/catalogue/product-store.ts';

interface LoadedCart {
  lines: SessionLine[];
  brandId: string;
}

/** The cart's products as they are now, taken over into session lines. */
export async function loadCart(
  products: Pick<ProductStore, 'find'>,
  { cart, currency }: SessionRequest,
): Promise<LoadedCart> {
  const lines = await Promise.all(cart.map((line, index) => loadLine(products, line, index)));
  const snapshot = { lines: snapshotCart(lines), brandId: lines[0]?.product.brandId ?? '' };
  const cartCurrency = lines[0]?.product.price.currency;
  if (currency === null || cartCurrency === currency) return snapshot;
  const message = `The cart is in ${cartCurrency}; amounts are not converted.`;
  throw refuse('INVALID_REQUEST_PARAMETERS', 'billing_currency', message);
}

async function loadLine(
  products: Pick<ProductStore, 'find'>,
  { productId, quantity, amount }: SessionRequest['cart'][number],
  index: number,
): Promise<CartLine> {
  const product = await products.find(productId);
  if (product) return { product, quantity, amount };
  throw notFound('product', productId, `product_cart[${index}].product_id`);
}
