import * as z from 'zod';
import { DomainError, refuse } from '../../domain/errors.ts';
import { convertAmount, convertsBetween, DayRates } from '../../domain/money/exchange-rates.ts';
import { Amount } from '../../domain/money/money.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule } from '../../domain/rules/rules.ts';
import { vatCountryOf } from '../places/tax-areas.ts';

/** The limit of a year for all other member states together, in euro cents (VAT Directive, art. 59c). */
export const homeLimit = 1_000_000;

/**
 * A merchant that is established in one member state only, and taxes small cross-border sales to consumers there
 * (VAT Directive, art. 59c). Dates are local.
 */
export const SmallSeller = z.object({
  from: z.iso.date(),
  /** The first day on which the merchant has chosen the tax of the buyer's place; absent if it has not. */
  until: z.iso.date().optional(),
  /** By year: sales to other member states that the counter does not have, without tax, in euro cents. */
  elsewhere: z.record(z.string().regex(/^\d{4}$/), Amount),
});
export type SmallSeller = z.infer<typeof SmallSeller>;

/** What Tillstack has counted, and the newest exchange rates. */
export const HomeSales = z.object({
  /** By year: the net amounts in euro cents. */
  counted: z.record(z.string(), z.int()),
  rates: DayRates.optional(),
});
export type HomeSales = z.infer<typeof HomeSales>;

export const noHomeSales: HomeSales = { counted: {}, rates: undefined };

const yearBefore = (year: string): string => String(Number(year) - 1);

const holdsOn = ({ from, until }: SmallSeller, date: string): boolean =>
  from <= date && (until === undefined || date < until);

/** The year's sales to other member states, here and elsewhere, in euro cents. */
export const homeTotalOf = ({ elsewhere }: SmallSeller, { counted }: HomeSales, year: string): number =>
  (elsewhere[year] ?? 0) + (counted[year] ?? 0);

/**
 * How much more may be taxed at home on a date. Undefined if nothing may: the rule does not hold, or the limit was
 * passed in this year or the last one.
 */
export function roomAtHome(rule: SmallSeller, sales: HomeSales, date: string): number | undefined {
  const year = date.slice(0, 4);
  if (!holdsOn(rule, date) || homeTotalOf(rule, sales, yearBefore(year)) > homeLimit) return undefined;
  const room = homeLimit - homeTotalOf(rule, sales, year);
  return room < 0 ? undefined : room;
}

/** Up to which count of its year a sale may be added, if it is taxed at home. */
export const mostCountedBefore = ({ elsewhere }: SmallSeller, { year, amount }: { year: string; amount: number }) =>
  homeLimit - (elsewhere[year] ?? 0) - amount;

/**
 * A cross-border sale in euro cents, for the count of its year. Undefined if there is nothing to count: the rule does
 * not hold, the amount is 0, or the European Central Bank has no rate for its currency.
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
  /** The sales to other member states that Tillstack has not counted, in euro cents, last year and this year. */
  lastYear: number;
  thisYear: number;
}

/** The day from which a merchant that has left may tax at home again: the election binds two calendar years. */
const backFrom = (until: string): string => `${Number(until.slice(0, 4)) + 2}-01-01`;

/** Begins to tax small sales at home, or corrects the stated amounts. */
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

/** Chooses the tax of the buyer's place from today on, which binds two calendar years. */
export function leaveSmallSeller(rule: SmallSeller | undefined, today: string): SmallSeller {
  if (!rule || (rule.until !== undefined && rule.until <= today))
    throw refuse('CONFLICT', 'small_seller', brokenRule(sentences.small_seller_none));
  return { ...rule, until: today };
}

/** Until which day the choice of a merchant that has left binds; undefined if it has not left. */
export const boundUntil = ({ until }: SmallSeller): string | undefined =>
  until === undefined ? undefined : `${Number(until.slice(0, 4)) + 1}-12-31`;
