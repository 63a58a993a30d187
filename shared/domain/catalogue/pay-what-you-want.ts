import * as z from 'zod';
import { DomainError, faultAt, refuse } from '../errors.ts';
import { Amount } from '../money/money.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { mayBeInclusive, TaxByPlace } from './tax-mode.ts';

/** The terms of a price of any kind. */
export const commonTerms = { currency: z.string(), taxInclusive: z.boolean(), taxByPlace: TaxByPlace.optional() };

/** Optional terms of a price that the buyer chooses. They exist in the product's own market and in every other one. */
export const choiceTerms = {
  /** The amounts that the page suggests, ascending; if absent, the page computes them. */
  presetAmounts: z.array(Amount),
  /** The least that the merchant keeps of a unit after any tax; absent if there is no such limit. */
  minimumNet: Amount,
};

/** A price that the buyer chooses within limits. */
export const PayWhatYouWant = z.object({
  kind: z.literal('pay_what_you_want'),
  ...commonTerms,
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
});
export type PayWhatYouWant = z.infer<typeof PayWhatYouWant>;

/** The minimum that holds in every place: the buyer pays at least what the merchant must keep. */
export const minimumOf = ({ minimum, minimumNet = 0 }: PayWhatYouWant): number => Math.max(minimum, minimumNet);

/** The least that the merchant keeps of a unit after any tax; undefined if there is no such limit. */
export const leastNetOf = (price: PayWhatYouWant | { kind: 'fixed' }): number | undefined =>
  price.kind === 'fixed' ? undefined : price.minimumNet;

/** The amount that a buyer chose for one unit. Refuses an amount outside the limits. */
export function chosenAmount(amount: number, price: PayWhatYouWant, path: string): number {
  const fault = limitFault(amount, price);
  if (fault === 'below_minimum') throw belowMinimum(price, path);
  if (fault === 'above_maximum')
    throw refuse(
      'REQUEST_AMOUNT_ABOVE_MAXIMUM',
      path,
      brokenRule(sentences.amount_maximum, { most: price.maximum ?? 0, currency: price.currency }),
    );
  return amount;
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

/** The error for an amount below the minimum. It names the minimum. */
const belowMinimum = (
  { minimum, allowZero, currency }: Pick<PayWhatYouWant, 'minimum' | 'allowZero' | 'currency'>,
  path: string,
): DomainError => {
  const sentence = allowZero ? sentences.amount_minimum_or_zero : sentences.amount_minimum;
  const rule = brokenRule(sentence, { least: minimum, currency });
  return new DomainError('REQUEST_AMOUNT_BELOW_MINIMUM', rule, {
    faults: [faultAt(path, rule)],
    extra: { minimum_amount: minimum },
  });
};

/** The first amount in a form: the suggestion. Null if there is none, or if the tax of a place could make it too small. */
export const firstAmountOf = (price: PayWhatYouWant): number | null =>
  price.suggested && isEnoughInEveryPlace(price.suggested, price) ? price.suggested : null;

/** Whether an amount leaves the least net in every place. No tax is more than half of the net, and zero has none. */
export const isEnoughInEveryPlace = (amount: number, price: PayWhatYouWant): boolean =>
  amount === 0 || !mayBeInclusive(price) || 2 * amount >= 3 * (price.minimumNet ?? 0);

/** Refuses a suggestion, a maximum and presets that do not fit the other limits. It names all that do not. */
export function assertLimits(price: PayWhatYouWant): void {
  const refusals = limitRefusals(price);
  const [first] = refusals;
  if (!first) return;
  throw new DomainError(first.code, first.message, { faults: refusals.flatMap(({ details }) => details.faults ?? []) });
}

function limitRefusals(price: PayWhatYouWant): DomainError[] {
  const { suggested, maximum } = price;
  const minimum = minimumOf(price);
  const suggestion = suggestionRefusals(suggested, minimum);
  const least = Math.max(minimum, suggestion.length > 0 ? 0 : (suggested ?? 0));
  const limit = maximumRefusals(maximum, least);
  return [
    ...suggestion,
    ...limit,
    ...presetRefusals({ ...price, minimum, maximum: limit.length > 0 ? null : maximum }),
  ];
}

const suggestionRefusals = (suggested: number | null, minimum: number): DomainError[] =>
  suggested !== null && suggested < minimum
    ? [refuse('INVALID_SUGGESTED_PRICE', 'price.suggested_price', brokenRule(sentences.price_suggested, { minimum }))]
    : [];

const maximumRefusals = (maximum: number | null, least: number): DomainError[] =>
  maximum !== null && maximum < least
    ? [refuse('INVALID_MAXIMUM_PRICE', 'price.maximum_price', brokenRule(sentences.price_maximum))]
    : [];

const mostPresets = 6;

function presetRefusals({ presetAmounts: amounts = [], ...limits }: PayWhatYouWant): DomainError[] {
  const isAscending = amounts.every((amount, index) => index === 0 || amount > (amounts[index - 1] as number));
  const isFitting =
    amounts.length <= mostPresets && isAscending && !amounts.some((amount) => limitFault(amount, limits));
  const rule = brokenRule(sentences.price_presets, { most: mostPresets });
  return isFitting ? [] : [refuse('INVALID_REQUEST_PARAMETERS', 'price.preset_amounts', rule)];
}
