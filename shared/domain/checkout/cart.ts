import type { AdjustableQuantity } from '../catalogue/adjustable-quantity.ts';
import { isOrderable } from '../catalogue/adjustable-quantity.ts';
import { assertTotal, unitAmountOf, withLeastMinimum } from '../catalogue/price.ts';
import type { Product } from '../catalogue/product.ts';
import { mayBeInclusive } from '../catalogue/tax-mode.ts';
import type { Wish } from '../catalogue/wish.ts';
import { DomainError, refuse } from '../errors.ts';
import { isCurrency } from '../money/currency.ts';
import { assertAmount, maxAmount, sum } from '../money/money.ts';
import type { SessionLine } from './checkout-session.ts';
import { lineAmount } from './priced-item.ts';

/** A product that an integrator or an offer puts into a session. */
export interface CartLine {
  product: Product;
  quantity: number;
  amount: number | null;
  /** The quantities that the buyer may choose; absent if none. */
  adjustable?: AdjustableQuantity | undefined;
  wish?: Wish | undefined;
}

/**
 * Copies the products' terms into session lines. Refuses an archived product, a mix of brands or currencies, and
 * amounts or quantities outside their limits.
 */
export function snapshotCart(cart: readonly CartLine[]): SessionLine[] {
  if (cart.length === 0) throw new DomainError('PRODUCT_CART_EMPTY', 'The cart needs at least one product.');
  assertSame(
    cart,
    ({ product }) => product.brandId,
    'BRAND_MISMATCH',
    'All products in a cart must have the same brand.',
  );
  const oneCurrency = 'All products in a cart must have the same currency.';
  assertSame(cart, ({ product }) => product.price.currency, 'INVALID_REQUEST_PARAMETERS', oneCurrency);
  const lines = cart.map(snapshotLine);
  assertKnownTotal(lines);
  return lines;
}

/** Refuses a total that is already too large, or that is final and too small for a card payment. */
function assertKnownTotal(lines: readonly SessionLine[]): void {
  const amounts = lines.map(({ price, amount }) => unitAmountOf(price, amount, ''));
  assertAmount(cartAmount(lines, amounts), 'product_cart');
  const total = finalTotal(lines);
  if (total !== null) assertTotal(total, (lines[0] as SessionLine).price.currency);
}

/** The total of a session that neither the buyer nor their place can change; null if one of them can. */
export const finalTotal = (lines: readonly SessionLine[]): number | null =>
  lines.some(({ adjustable }) => adjustable)
    ? null
    : knownTotal(
        lines,
        lines.map(({ price, amount }) => unitAmountOf(price, amount, '')),
      );

/**
 * The total, if it is the same in every place; else null. For that, every amount must be chosen, and every price must
 * include its tax.
 */
export function knownTotal(
  lines: readonly Pick<SessionLine, 'price' | 'quantity'>[],
  unitAmounts: readonly (number | null)[],
): number | null {
  return lines.every(({ price }) => price.taxInclusive && !price.taxByPlace) ? knownSum(lines, unitAmounts) : null;
}

/**
 * The total without tax, if it is the same in every place; else null. For that, every amount must be chosen, and no
 * price may include its tax.
 */
export function knownSubtotal(
  lines: readonly Pick<SessionLine, 'price' | 'quantity'>[],
  unitAmounts: readonly (number | null)[],
): number | null {
  return lines.every(({ price }) => !mayBeInclusive(price)) ? knownSum(lines, unitAmounts) : null;
}

/** The sum of the displayed prices, some with their tax and some without; null while an amount is not chosen. */
export function knownSum(
  lines: readonly { quantity: number }[],
  unitAmounts: readonly (number | null)[],
): number | null {
  if (unitAmounts.includes(null)) return null;
  const amount = cartAmount(lines, unitAmounts);
  return amount <= maxAmount ? amount : null;
}

const cartAmount = (lines: readonly { quantity: number }[], unitAmounts: readonly (number | null)[]): number =>
  sum(lines.map(({ quantity }, index) => lineAmount({ quantity, unitAmount: unitAmounts[index] ?? 0 })));

function snapshotLine({ product, quantity, amount, adjustable, wish }: CartLine, index: number): SessionLine {
  const path = `product_cart[${index}]`;
  if (product.archived)
    throw new DomainError('ARCHIVED_PRODUCT_IN_CART', `The product ${product.id} is archived and cannot be sold.`, {
      faults: [{ path: `${path}.product_id`, message: 'This product is archived.' }],
    });
  assertSoldIn(product.price.currency, path);
  assertQuantity({ quantity, adjustable }, path);
  const price = withLeastMinimum(product.price);
  const unitAmount = unitAmountOf(price, amount, `${path}.amount`);
  assertAmount(lineAmount({ quantity, unitAmount: unitAmount ?? 0 }), `${path}.amount`);
  const { name, description, image, taxCategory, supply, delivery } = product;
  const locked = price.kind === 'pay_what_you_want' ? unitAmount : null;
  const offered = { ...(adjustable && { adjustable }), ...(delivery && { delivery }), ...(wish && { wish }) };
  const told = { name, description, image, taxCategory, ...(supply && { supply }) };
  return { productId: product.id, ...told, price, quantity, ...offered, amount: locked };
}

/** Refuses a quantity that is outside of the buyer's limits. */
function assertQuantity({ quantity, adjustable }: Pick<CartLine, 'quantity' | 'adjustable'>, path: string): void {
  if (!adjustable || isOrderable(quantity, adjustable)) return;
  const { minimum, maximum } = adjustable;
  const message = `The quantity must be between ${minimum} and ${maximum}, which the buyer may choose.`;
  throw refuse('INVALID_REQUEST_PARAMETERS', `${path}.quantity`, message);
}

function assertSoldIn(currency: string, path: string): void {
  if (isCurrency(currency)) return;
  const message = `${currency} is not a supported currency. Give the product another one.`;
  throw refuse('UNSUPPORTED_CURRENCY', `${path}.product_id`, message);
}

function assertSame(
  cart: readonly CartLine[],
  of: (line: CartLine) => string,
  code: 'BRAND_MISMATCH' | 'INVALID_REQUEST_PARAMETERS',
  message: string,
): void {
  const [first] = cart;
  const other = cart.findIndex((line) => first && of(line) !== of(first));
  if (other < 0) return;
  throw refuse(code, `product_cart[${other}].product_id`, message);
}

/** The path that names the buyer's amount for a product in requests and errors. */
export const chosenAmountPath = (productId: string): string => `amounts.${productId}`;

/**
 * The charged unit amount of each line, fixed by the integrator or chosen. Refuses amounts that are missing or
 * outside of limits.
 */
export function chosenUnitAmounts(lines: readonly SessionLine[], chosen: ReadonlyMap<string, number>): number[] {
  return lines.map((line) => {
    const path = chosenAmountPath(line.productId);
    const amount = unitAmountOf(line.price, line.amount ?? chosen.get(line.productId) ?? null, path);
    if (amount !== null) {
      assertAmount(lineAmount({ quantity: line.quantity, unitAmount: amount }), path);
      return amount;
    }
    throw new DomainError('PAY_AS_YOU_WANT_AMOUNT_REQUIRED', `Choose an amount for ${line.name}.`, {
      faults: [{ path, message: 'An amount is required.' }],
    });
  });
}
