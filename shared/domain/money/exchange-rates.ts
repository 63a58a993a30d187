import * as z from 'zod';
import { dayMs } from '../duration.ts';
import { minorUnitDigits } from './currency.ts';
import { quotientHalfUp } from './rounding.ts';

/** The format of a published rate: digits with at most six decimals, above zero. */
const rate = /^(?=.*[1-9])\d{1,7}(\.\d{1,6})?$/;

/** The published rates of one day. */
export const DayRates = z.object({
  /** The day for which the publisher gives the rates. */
  date: z.iso.date(),
  /** The publisher's name, as printed on documents. */
  source: z.string(),
  /** The units of each currency for one euro, as published. The euro itself is not listed. */
  perEuro: z.record(z.string().regex(/^[A-Z]{3}$/), z.string().regex(rate)),
});
export type DayRates = z.infer<typeof DayRates>;

/** Two currencies to convert between. */
export interface CurrencyPair {
  from: string;
  to: string;
}

const scale = 6;

/** A published rate in millionths. */
function millionths(published: string): bigint {
  const [whole = '', places = ''] = published.split('.');
  return BigInt(whole + places.padEnd(scale, '0'));
}

const perEuroOf = ({ perEuro }: DayRates, currency: string): string | undefined =>
  currency === 'EUR' ? '1' : perEuro[currency];

/** Whether a day's rates convert between two currencies. */
export const convertsBetween = (rates: DayRates, { from, to }: CurrencyPair): boolean =>
  perEuroOf(rates, from) !== undefined && perEuroOf(rates, to) !== undefined;

function ratesOf(rates: DayRates, { from, to }: CurrencyPair): { from: bigint; to: bigint } {
  const [fromRate, toRate] = [perEuroOf(rates, from), perEuroOf(rates, to)];
  if (fromRate === undefined || toRate === undefined)
    throw new RangeError(`The rates of ${rates.date} do not convert ${from} to ${to}.`);
  return { from: millionths(fromRate), to: millionths(toRate) };
}

/**
 * Converts an amount of minor units through the euro, rounded once. Halves are rounded away from zero. So an amount and
 * its negative give the same result, apart from the sign.
 */
export function convertAmount(amount: number, rates: DayRates, pair: CurrencyPair): number {
  if (pair.from === pair.to) return amount;
  const { from, to } = ratesOf(rates, pair);
  const numerator = BigInt(Math.abs(amount)) * to * 10n ** BigInt(minorUnitDigits(pair.to));
  const converted = quotientHalfUp(numerator, from * 10n ** BigInt(minorUnitDigits(pair.from)));
  return amount < 0 ? 0 - converted : converted;
}

const crossPlaces = 8;

/**
 * The value of one unit of a currency in another currency, to eight decimals, for display. Amounts are converted with
 * the published rates instead.
 */
export function crossRate(rates: DayRates, pair: CurrencyPair): string {
  const { from, to } = ratesOf(rates, pair);
  const scaled = (2n * to * 10n ** BigInt(crossPlaces) + from) / (2n * from);
  const text = String(scaled).padStart(crossPlaces + 1, '0');
  const places = text.slice(-crossPlaces).replace(/0+$/, '');
  return places === '' ? text.slice(0, -crossPlaces) : `${text.slice(0, -crossPlaces)}.${places}`;
}

/** The rates of only two currencies on the same day, as a document stores them. */
export function ratesOfPair({ date, source, perEuro }: DayRates, { from, to }: CurrencyPair): DayRates {
  const listed = [from, to].flatMap((currency) => {
    const published = perEuro[currency];
    return published === undefined ? [] : [[currency, published] as const];
  });
  return { date, source, perEuro: Object.fromEntries(listed) };
}

/** The number of days from one date to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;
