import * as z from 'zod';
import { DomainError, refuse } from '../errors.ts';
import { currencyFloor } from '../money/currency.ts';
import { Amount } from '../money/money.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { mayBeInclusive, TaxByPlace } from './tax-mode.ts';

/** Optional terms of a price that the buyer chooses. They exist in the product's own market and in every other one. */
export const choiceTerms = {
  /** The amounts that the page suggests, ascending; if absent, the page computes them. */
  presetAmounts: z.array(Amount),
  /** The least that the merchant keeps of a unit after any tax; absent if there is no such limit. */
  minimumNet: Amount,
};

const common = { currency: z.string(), taxInclusive: z.boolean(), taxByPlace: TaxByPlace.optional() };

/** What one unit costs: a fixed amount, or an amount that the buyer chooses within limits. */
export const Price = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), ...common, unitAmount: Amount }),
  z.object({
    kind: z.literal('pay_what_you_want'),
    ...common,
    minimum: Amount,
    suggested: Amount.nullable(),
    maximum: Amount.nullable(),
    ...z.object(choiceTerms).partial().shape,
    /** Whether the buyer may pay nothing even if the minimum is above zero. */
    allowZero: z.literal(true).optional(),
    /** What the money is used for, in the merchant's words; absent if nothing is shown. */
    purpose: z.string().optional(),
    /** Whether the page shows how much the merchant keeps after tax. */
    showsNet: z.literal(true).optional(),
  }),
]);
export type Price = z.infer<typeof Price>;
export type PayWhatYouWant = Extract<Price, { kind: 'pay_what_you_want' }>;

/** The least amount of one unit that any buyer can pay. */
export const leastOf = (price: Price): number => {
  if (price.kind === 'fixed') return price.unitAmount;
  return price.allowZero ? 0 : withLeastMinimum(price).minimum;
};

/** The price with a minimum that holds in every place: the buyer pays at least what the merchant must keep. */
export const withLeastMinimum = <P extends Price>(price: P): P =>
  price.kind === 'fixed' ? price : { ...price, minimum: Math.max(price.minimum, price.minimumNet ?? 0) };

/** The least that the merchant keeps of a unit after any tax; undefined if there is no such limit. */
export const leastNetOf = (price: Price): number | undefined => (price.kind === 'fixed' ? undefined : price.minimumNet);

/** Whether the price has a least net, so the tax of a place can raise the minimum. */
export const hasLeastNet = (price: Price): boolean => leastNetOf(price) !== undefined;

/**
 * The first amount in a form: the suggestion, else the minimum. Null if there is none, or if the tax of a place could
 * make it too small; no tax is more than half of the net.
 */
export function firstAmountOf(price: PayWhatYouWant): number | null {
  const { suggested, minimum, minimumNet = 0 } = withLeastMinimum(price);
  const amount = suggested ?? minimum;
  const isEnough = !mayBeInclusive(price) || 2 * amount >= 3 * minimumNet;
  return amount > 0 && isEnough ? amount : null;
}

/** Refuses a suggestion, a maximum or presets that do not fit the other limits. */
export function assertPrice(price: Price): void {
  if (price.kind === 'fixed') return;
  const { minimum, suggested, maximum } = withLeastMinimum(price);
  if (suggested !== null && suggested < minimum)
    throw refuse(
      'INVALID_SUGGESTED_PRICE',
      'price.suggested_price',
      brokenRule(sentences.price_suggested, { minimum }),
    );
  if (maximum !== null && maximum < Math.max(minimum, suggested ?? 0))
    throw refuse('INVALID_MAXIMUM_PRICE', 'price.maximum_price', brokenRule(sentences.price_maximum));
  assertPresets(withLeastMinimum(price));
}

const mostPresets = 6;

function assertPresets({ presetAmounts: amounts = [], ...limits }: PayWhatYouWant): void {
  const isAscending = amounts.every((amount, index) => index === 0 || amount > (amounts[index - 1] as number));
  if (amounts.length > mostPresets || !isAscending || amounts.some((amount) => limitFault(amount, limits)))
    throw refuse(
      'INVALID_REQUEST_PARAMETERS',
      'price.preset_amounts',
      brokenRule(sentences.price_presets, { most: mostPresets }),
    );
}

/** How an amount misses the limits of its price; undefined if it is within them. */
export const limitFault = (
  amount: number,
  { minimum, maximum, allowZero }: Pick<PayWhatYouWant, 'minimum' | 'maximum' | 'allowZero'>,
): 'below_minimum' | 'above_maximum' | undefined => {
  if (amount === 0 && allowZero) return undefined;
  if (amount < minimum) return 'below_minimum';
  return maximum !== null && amount > maximum ? 'above_maximum' : undefined;
};

/** The unit amount of a line: the fixed one, or the buyer's choice, which is checked against the limits. */
export function unitAmountOf(price: Price, chosen: number | null, path: string): number | null {
  if (price.kind === 'fixed') return price.unitAmount;
  if (chosen === null) return null;
  const { maximum, currency } = price;
  const fault = limitFault(chosen, price);
  if (fault === 'below_minimum') throw belowMinimum(price, path);
  if (fault === 'above_maximum')
    throw refuse('REQUEST_AMOUNT_ABOVE_MAXIMUM', path, `The maximum is ${maximum} (${currency}, minor units).`);
  return chosen;
}

/** The error for an amount below the minimum. It names the minimum. */
const belowMinimum = (
  { minimum, allowZero, currency }: Pick<PayWhatYouWant, 'minimum' | 'allowZero' | 'currency'>,
  path: string,
): DomainError => {
  const message = `The minimum is ${minimum}${allowZero ? ', or 0' : ''} (${currency}, minor units).`;
  return new DomainError('REQUEST_AMOUNT_BELOW_MINIMUM', message, {
    faults: [{ path, message }],
    extra: { minimum_amount: minimum },
  });
};

/** Whether no card processor accepts a total: it is above zero, but below the currency's floor. */
export const isBelowFloor = (total: number, currency: string): boolean => total > 0 && total < currencyFloor(currency);

/** Refuses a total that no card processor accepts. */
export function assertTotal(total: number, currency: string): void {
  if (!isBelowFloor(total, currency)) return;
  throw new DomainError(
    'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
    `A payment in ${currency} must be 0 or at least ${currencyFloor(currency)} minor units; this one is ${total}.`,
  );
}
