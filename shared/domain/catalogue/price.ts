import * as z from 'zod';
import { DomainError, refuse } from '../errors.ts';
import { currencyFloor } from '../money/currency.ts';
import { Amount } from '../money/money.ts';

const common = { currency: z.string(), taxInclusive: z.boolean() };

/** What one unit costs: a fixed amount, or an amount that the buyer chooses within limits. */
export const Price = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), ...common, unitAmount: Amount }),
  z.object({
    kind: z.literal('pay_what_you_want'),
    ...common,
    minimum: Amount,
    suggested: Amount.nullable(),
    maximum: Amount.nullable(),
  }),
]);
export type Price = z.infer<typeof Price>;
export type PayWhatYouWant = Extract<Price, { kind: 'pay_what_you_want' }>;

/** Refuses a suggestion or a maximum that contradicts the minimum. */
export function assertPrice(price: Price): void {
  if (price.kind === 'fixed') return;
  const { minimum, suggested, maximum } = price;
  if (suggested !== null && suggested < minimum)
    refusePrice('INVALID_SUGGESTED_PRICE', 'price.suggested_price', `at least the minimum price, ${minimum}`);
  if (maximum !== null && maximum < Math.max(minimum, suggested ?? 0))
    refusePrice('INVALID_MAXIMUM_PRICE', 'price.maximum_price', 'at least the minimum and the suggested price');
}

function refusePrice(code: 'INVALID_SUGGESTED_PRICE' | 'INVALID_MAXIMUM_PRICE', path: string, rule: string): never {
  throw refuse(code, path, `${path} must be ${rule}.`);
}

/** How an amount misses the limits of its price; undefined if it is within them. */
export const limitFault = (
  amount: number,
  { minimum, maximum }: Pick<PayWhatYouWant, 'minimum' | 'maximum'>,
): 'below_minimum' | 'above_maximum' | undefined => {
  if (amount < minimum) return 'below_minimum';
  return maximum !== null && amount > maximum ? 'above_maximum' : undefined;
};

/** The unit amount of a line: the fixed one, or the buyer's choice after checking it against the limits. */
export function unitAmountOf(price: Price, chosen: number | null, path: string): number | null {
  if (price.kind === 'fixed') return price.unitAmount;
  if (chosen === null) return null;
  const { minimum, maximum, currency } = price;
  const fault = limitFault(chosen, price);
  if (fault === 'below_minimum')
    throw refuse('REQUEST_AMOUNT_BELOW_MINIMUM', path, `The minimum is ${minimum} (${currency}, minor units).`);
  if (fault === 'above_maximum')
    throw refuse('REQUEST_AMOUNT_ABOVE_MAXIMUM', path, `The maximum is ${maximum} (${currency}, minor units).`);
  return chosen;
}

/** Refuses a total that no card processor accepts: above zero, but below the currency's floor. */
export function assertTotal(total: number, currency: string): void {
  const floor = currencyFloor(currency);
  if (total === 0 || total >= floor) return;
  throw new DomainError(
    'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
    `A payment in ${currency} must be 0 or at least ${floor} minor units; this one is ${total}.`,
  );
}
