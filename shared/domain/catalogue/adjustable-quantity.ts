import * as z from 'zod';
import { assertFewKeys } from '../entitlements/cart-keys.ts';
import type { LineEntitlement } from '../entitlements/line-entitlement.ts';
import { refuse } from '../errors.ts';

/** The most units that a merchant can let a buyer choose. */
export const mostUnits = 1_000;

/** The smallest and the largest quantity that the buyer may choose. */
export const AdjustableQuantity = z.object({ minimum: z.int().min(1), maximum: z.int().min(1) });
export type AdjustableQuantity = z.infer<typeof AdjustableQuantity>;

export const isOrderable = (quantity: number, { minimum, maximum }: AdjustableQuantity): boolean =>
  Number.isInteger(quantity) && quantity >= minimum && quantity <= maximum;

/** The nearest quantity that the buyer may choose. If buyers cannot choose, any quantity is accepted. */
export const withinLimits = (quantity: number, limits: AdjustableQuantity | undefined): number =>
  limits ? Math.min(Math.max(quantity, limits.minimum), limits.maximum) : quantity;

/** The path that names a product's quantity in requests and errors. */
export const chosenQuantityPath = (productId: string): string => `quantities.${productId}`;

/** A line in an order, whose quantity the buyer may be able to choose. */
interface OrderedLine {
  productId: string;
  quantity: number;
  adjustable?: AdjustableQuantity | undefined;
  entitlements?: LineEntitlement[] | undefined;
}

/**
 * The lines with the quantities that the buyer has chosen. Refuses a quantity if the merchant does not let the buyer
 * choose it.
 */
export function withQuantities<Line extends OrderedLine>(
  lines: readonly Line[],
  chosen: ReadonlyMap<string, number> = new Map(),
): Line[] {
  for (const productId of chosen.keys())
    if (!lines.some((line) => line.productId === productId))
      throw refuseQuantity(productId, 'This checkout session does not sell this product.');
  const ordered = lines.map((line) => {
    const quantity = chosen.get(line.productId) ?? line.quantity;
    assertChoice(line, quantity);
    return { ...line, quantity };
  });
  const [productId] = chosen.keys();
  if (productId !== undefined) assertFewKeys(ordered, chosenQuantityPath(productId));
  return ordered;
}

function assertChoice({ productId, quantity: own, adjustable }: OrderedLine, quantity: number): void {
  if (quantity === own) return;
  if (!adjustable)
    throw refuseQuantity(productId, `The buyer cannot choose the quantity of this product: it is ${own}.`);
  const { minimum, maximum } = adjustable;
  if (!isOrderable(quantity, adjustable))
    throw refuseQuantity(productId, `The quantity must be between ${minimum} and ${maximum}.`);
}

const refuseQuantity = (productId: string, message: string) =>
  refuse('INVALID_REQUEST_PARAMETERS', chosenQuantityPath(productId), message);
