import * as z from 'zod';
import { DomainError } from '../errors.ts';
import { currencyFloor } from '../money/currency.ts';
import { Amount } from '../money/money.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';
import { assertLimits, chosenAmount, commonTerms, leastNetOf, minimumOf, PayWhatYouWant } from './pay-what-you-want.ts';

/** What one unit costs: a fixed amount, or an amount that the buyer chooses within limits. */
export const Price = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('fixed'), ...commonTerms, unitAmount: Amount }),
  PayWhatYouWant,
]);
export type Price = z.infer<typeof Price>;

/** The lowest amount of one unit with which any buyer can pay. */
export const leastOf = (price: Price): number => {
  if (price.kind === 'fixed') return price.unitAmount;
  return price.allowZero ? 0 : withLeastMinimum(price).minimum;
};

/** The price with a minimum that holds in every place: the buyer pays at least what the merchant must keep. */
export const withLeastMinimum = <P extends Price>(price: P): P =>
  price.kind === 'fixed' ? price : { ...price, minimum: minimumOf(price) };

/** Whether the price has a least net, so the tax of a place can raise the minimum. */
export const hasLeastNet = (price: Price): boolean => leastNetOf(price) !== undefined;

/** Refuses limits of a price that do not fit each other. */
export function assertPrice(price: Price): void {
  if (price.kind === 'pay_what_you_want') assertLimits(price);
}

/** The unit amount of a line: the fixed one, or the buyer's choice, which is checked against the limits. */
export function unitAmountOf(price: Price, chosen: number | null, path: string): number | null {
  if (price.kind === 'fixed') return price.unitAmount;
  return chosen === null ? null : chosenAmount(chosen, price, path);
}

/** Whether no card processor accepts a total: it is above zero, but below the currency's floor. */
export const isBelowFloor = (total: number, currency: string): boolean => total > 0 && total < currencyFloor(currency);

/** Refuses a total that no card processor accepts. */
export function assertTotal(total: number, currency: string): void {
  if (!isBelowFloor(total, currency)) return;
  throw new DomainError(
    'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
    brokenRule(sentences.total_minimum, { currency, least: currencyFloor(currency), total }),
  );
}
