import { hasLeastNet, unitAmountOf } from '../catalogue/price.ts';
import { finalTotal } from '../checkout/cart.ts';
import type { CheckoutSession } from '../checkout/checkout-session.ts';
import { DomainError } from '../errors.ts';
import { sum } from '../money/money.ts';
import { assertUsable, type TakenDiscounts, takeDiscounts } from './take-discounts.ts';

/** How much the codes of a session take off the chosen amounts; undefined while an amount or a minimum is missing. */
export function takenOff(
  { lines, currency, discounts = [] }: CheckoutSession,
  unitAmounts: readonly (number | null)[],
): TakenDiscounts | undefined {
  const known = unitAmounts.filter((amount) => amount !== null);
  if (discounts.length === 0 || known.length < lines.length) return undefined;
  try {
    const listed = lines.map((line, index) => ({ ...line, unitAmount: known[index] as number }));
    return takeDiscounts(listed, discounts, currency);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** Whether the least price of a line depends on the buyer or the place. */
const isOpenEnded = ({ price, adjustable }: CheckoutSession['lines'][number]): boolean =>
  adjustable !== undefined || hasLeastNet(price);

/**
 * The total minus the discount of codes, if it is the same in every place; null if the buyer or their place can change
 * it. Refuses a code that cannot lower this cart.
 */
export function totalWithCodes({ lines, currency, discounts = [] }: CheckoutSession): number | null {
  if (discounts.length === 0) return finalTotal(lines);
  assertUsable(lines, discounts, currency);
  if (lines.some(isOpenEnded)) return null;
  const amounts = lines.map(({ price, amount }) => unitAmountOf(price, amount, ''));
  const known = amounts.filter((amount) => amount !== null);
  if (known.length < amounts.length) return null;
  const listed = lines.map((line, index) => ({ ...line, unitAmount: known[index] as number }));
  const taken = takeDiscounts(listed, discounts, currency);
  const total = finalTotal(lines);
  return total === null ? null : total - sum(taken.lines);
}
