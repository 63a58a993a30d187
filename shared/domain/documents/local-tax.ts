import * as z from 'zod';
import {
  type CurrencyPair,
  convertAmount,
  convertsBetween,
  DayRates,
  daysBetween,
  ratesOfPair,
} from '../money/exchange-rates.ts';

/** The tax in the currency of its country, with the published rates of the conversion. It never changes after issue. */
export const LocalTax = z.object({
  currency: z.string(),
  /** The tax in minor units of this currency; negative on a credit note. */
  tax: z.int(),
  /** The rates of the sale's currency and of this one. */
  rates: DayRates,
});
export type LocalTax = z.infer<typeof LocalTax>;

/** The second currency in which a sale's documents show the tax, with its rates. */
export type LocalRates = Pick<LocalTax, 'currency' | 'rates'>;

/** A sale whose document needs an exchange rate. */
export interface RateNeed extends CurrencyPair {
  /** The rates must be published before this date, when the tax falls due. */
  before: string;
}

/** For how many days the last published rates may be used. It is longer than any pause of the publisher. */
const goodForDays = 10;

/** Whether newer rates must be fetched, because the newest known ones are too old for a sale's date. */
export const isOutdated = (newest: DayRates | undefined, { before }: RateNeed): boolean =>
  newest === undefined || daysBetween(newest.date, before) > goodForDays;

/** The rates for a sale's document; undefined if the publisher has none for its currency. */
export const localRatesOf = (newest: DayRates | undefined, need: RateNeed): LocalRates | undefined =>
  newest && convertsBetween(newest, need) ? { currency: need.to, rates: ratesOfPair(newest, need) } : undefined;

/** The tax of a document in the currency of its country. Empty if the law does not require it. */
export const localTaxOf = (tax: number, currency: string, local: LocalRates | undefined): { localTax?: LocalTax } =>
  local === undefined || tax === 0
    ? {}
    : { localTax: { ...local, tax: convertAmount(tax, local.rates, { from: currency, to: local.currency }) } };
