import * as z from 'zod';
import {
  type CurrencyPair,
  convertAmount,
  convertsBetween,
  DayRates,
  daysBetween,
  ratesOfPair,
} from '../money/exchange-rates.ts';

/** The tax in the currency of its state, with the published rates that made it. Frozen with the document. */
export const LocalTax = z.object({
  currency: z.string(),
  /** In minor units of this currency; negative on a credit note. */
  tax: z.int(),
  /** Of the sale's currency and this one. */
  rates: DayRates,
});
export type LocalTax = z.infer<typeof LocalTax>;

/** The currency and the rates in which a sale's documents show the tax as well. */
export type LocalRates = Pick<LocalTax, 'currency' | 'rates'>;

/** A sale whose document needs a rate. */
export interface RateNeed extends CurrencyPair {
  /** The rates must be published before this date, when the tax falls due. */
  before: string;
}

/** For how long the last published rates stay good: longer than the publisher is ever closed. */
const goodForDays = 10;

/** Whether the newest rates before a sale's date are so old that newer ones must have been published. */
export const isOutdated = (newest: DayRates | undefined, { before }: RateNeed): boolean =>
  newest === undefined || daysBetween(newest.date, before) > goodForDays;

/** The rates of a sale's document; undefined where the publisher has none for its currency. */
export const localRatesOf = (newest: DayRates | undefined, need: RateNeed): LocalRates | undefined =>
  newest && convertsBetween(newest, need) ? { currency: need.to, rates: ratesOfPair(newest, need) } : undefined;

/** A document's tax in the currency of its state; nothing where the law asks for nothing. */
export const localTaxOf = (tax: number, currency: string, local: LocalRates | undefined): { localTax?: LocalTax } =>
  local === undefined || tax === 0
    ? {}
    : { localTax: { ...local, tax: convertAmount(tax, local.rates, { from: currency, to: local.currency }) } };
