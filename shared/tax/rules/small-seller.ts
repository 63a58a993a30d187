import * as z from 'zod';
import { DomainError, refuse } from '../../domain/errors.ts';
import { convertAmount, convertsBetween, DayRates } from '../../domain/money/exchange-rates.ts';
import { Amount } from '../../domain/money/money.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { vatCountryOf } from '../places/tax-areas.ts';

/** The limit for one year's sales to all other member states, in euro cents (VAT Directive, art. 59c). */
export const homeLimit = 1_000_000;

/**
 * The settings of a merchant that is established in only one member state and taxes small cross-border sales to
 * consumers there (VAT Directive, art. 59c). Dates are local.
 */
export const SmallSeller = z.object({
  from: z.iso.date(),
  /**
   * The day from which the tax of the buyer's place applies, by the merchant's choice. Absent if the merchant has not
   * chosen it.
   */
  until: z.iso.date().optional(),
  /** Sales to other member states outside Tillstack, by year, without tax, in euro cents. */
  elsewhere: z.record(z.string().regex(/^\d{4}$/), Amount),
});
export type SmallSeller = z.infer<typeof SmallSeller>;

/** The sales that Tillstack has counted, and the newest exchange rates. */
export const HomeSales = z.object({
  /** The counted net amounts by year, in euro cents. */
  counted: z.record(z.string(), z.int()),
  rates: DayRates.optional(),
});
export type HomeSales = z.infer<typeof HomeSales>;

export const noHomeSales: HomeSales = { counted: {}, rates: undefined };

const yearBefore = (year: string): string => String(Number(year) - 1);

const holdsOn = ({ from, until }: SmallSeller, date: string): boolean =>
  from <= date && (until === undefined || date < until);

/** All sales of a year to other member states, inside and outside Tillstack, in euro cents. */
export const homeTotalOf = ({ elsewhere }: SmallSeller, { counted }: HomeSales, year: string): number =>
  (elsewhere[year] ?? 0) + (counted[year] ?? 0);

/**
 * The amount that may still be taxed in the merchant's own country on a date. Undefined if the rule does not apply, or
 * if the limit was exceeded in this year or the last one.
 */
export function roomAtHome(rule: SmallSeller, sales: HomeSales, date: string): number | undefined {
  const year = date.slice(0, 4);
  if (!holdsOn(rule, date) || homeTotalOf(rule, sales, yearBefore(year)) > homeLimit) return undefined;
  const room = homeLimit - homeTotalOf(rule, sales, year);
  return room < 0 ? undefined : room;
}

/** The highest count of the year at which a sale may still be added and taxed in the merchant's own country. */
export const mostCountedBefore = ({ elsewhere }: SmallSeller, { year, amount }: { year: string; amount: number }) =>
  homeLimit - (elsewhere[year] ?? 0) - amount;

/**
 * A cross-border sale in euro cents, for the count of its year. Undefined if the rule does not apply, the amount is 0,
 * or the European Central Bank has no rate for its currency.
 */
export function countedSale(
  rule: SmallSeller,
  { rates }: HomeSales,
  { net, currency, date }: { net: number; currency: string; date: string },
): { year: string; amount: number } | undefined {
  const pair = { from: currency, to: 'EUR' };
  const isConvertible = currency === 'EUR' || (rates && convertsBetween(rates, pair));
  if (net === 0 || !holdsOn(rule, date) || !isConvertible) return undefined;
  const amount = rates && currency !== 'EUR' ? convertAmount(net, rates, pair) : net;
  return amount === 0 ? undefined : { year: date.slice(0, 4), amount };
}

interface Statement {
  /** The sales to other member states outside Tillstack, in euro cents, for last year and this year. */
  lastYear: number;
  thisYear: number;
}

/**
 * The day from which a merchant may use its own country's tax again after it chose the tax of the buyer's place. The
 * choice binds it for two calendar years.
 */
const backFrom = (until: string): string => `${Number(until.slice(0, 4)) + 2}-01-01`;

/**
 * Starts the taxation of small sales in the merchant's own country, or corrects the amounts that the merchant has
 * entered.
 */
export function stateSmallSeller(
  rule: SmallSeller | undefined,
  { lastYear, thisYear }: Statement,
  { today, merchantCountry }: { today: string; merchantCountry: string },
): SmallSeller {
  if (!unionCountries.has(vatCountryOf(merchantCountry)))
    throw new DomainError('CONFLICT', brokenRule(sentences.small_seller_union));
  const isOver = rule?.until !== undefined && rule.until <= today;
  if (isOver && today < backFrom(rule.until ?? ''))
    throw new DomainError('CONFLICT', brokenRule(sentences.small_seller_bound, { day: backFrom(rule.until ?? '') }));
  const year = today.slice(0, 4);
  const elsewhere = { ...rule?.elsewhere, [yearBefore(year)]: lastYear, [year]: thisYear };
  return { from: rule && !isOver ? rule.from : today, elsewhere };
}

/** Chooses the tax of the buyer's place from today on. The choice binds the merchant for two calendar years. */
export function leaveSmallSeller(rule: SmallSeller | undefined, today: string): SmallSeller {
  if (!rule || (rule.until !== undefined && rule.until <= today))
    throw refuse('CONFLICT', 'small_seller', brokenRule(sentences.small_seller_none));
  return { ...rule, until: today };
}

/**
 * The last day on which the merchant's choice of the buyer's tax binds it; undefined if it has not made this choice.
 */
export const boundUntil = ({ until }: SmallSeller): string | undefined =>
  until === undefined ? undefined : `${Number(until.slice(0, 4)) + 1}-12-31`;
