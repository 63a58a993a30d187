import type { TaxCategory } from '../domain/checkout/tax.ts';
import { DomainError } from '../domain/errors.ts';
import { buyerCountries, countries } from './places/countries.ts';
import { regionsOf } from './places/regions.ts';
import { vatHomeOf } from './places/resolve-place.ts';
import { ratedCountries } from './rates/rate-table.ts';
import type { TaxSettings } from './rules/settings.ts';
import { taxTreatment } from './treatment.ts';

interface Sale {
  country: string;
  category: TaxCategory;
  settings: TaxSettings;
  date: string;
}

/** Whether a category can be sold to a country, or to at least one of its regions, under the merchant's rules. */
const isSupported = ({ country, category, settings, date }: Sale): boolean =>
  [undefined, ...regionsOf(country).map(({ code }) => code)].some((region) => {
    try {
      taxTreatment({ place: { country, region, postalCode: undefined }, category, date, settings });
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  });

/** Whether a category can be sold to a place under the merchant's current rules. */
export const soldTo =
  (taxSettings: () => Promise<TaxSettings>, now: () => Date) =>
  async (country: string, category: TaxCategory): Promise<boolean> =>
    isSupported({ country, category, settings: await taxSettings(), date: now().toISOString().slice(0, 10) });

/** The ISO countries to which at least one of the categories can be sold. */
export const supportedCountries = (
  categories: readonly TaxCategory[],
  { settings, date }: Pick<Sale, 'settings' | 'date'>,
): string[] =>
  countries.filter((country) => categories.some((category) => isSupported({ country, category, settings, date })));

/**
 * The countries to which an order with these categories cannot be sold, because no rate is known there. It reads only
 * which rates exist, because a page cannot price its order for every country. An override of the merchant counts as a
 * rate.
 */
export function unsoldCountries(
  categories: readonly TaxCategory[],
  { overrides, onUnsupported }: Pick<TaxSettings, 'overrides' | 'onUnsupported'>,
): ReadonlySet<string> {
  if (onUnsupported === 'zero') return new Set();
  const overridden = new Set(overrides.map(({ country }) => country));
  const rated = [...new Set(categories)].map(ratedCountries);
  const isSold = (country: string) =>
    overridden.has(country) || rated.every((known) => known.has(country) || known.has(vatHomeOf(country)));
  return new Set(buyerCountries.filter((country) => !isSold(country)));
}
