import type { TaxCategory } from '../domain/checkout/tax.ts';
import { DomainError } from '../domain/errors.ts';
import { findRegistration } from './collecting.ts';
import { buyerCountries, countries } from './places/countries.ts';
import { regionsOf } from './places/regions.ts';
import { locatePlace, vatHomeOf } from './places/resolve-place.ts';
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
 * The countries to which an order with these categories cannot be sold: the merchant collects tax there, but no rate is
 * known. It reads only which rates exist, because a page cannot price its order for every country. An override of the
 * merchant counts as a rate.
 */
export function unsoldCountries(
  categories: readonly TaxCategory[],
  { settings, date }: { settings: UnsoldSettings; date: string },
): ReadonlySet<string> {
  const { overrides, onUnsupported, collectPolicy, registrations } = settings;
  if (onUnsupported === 'zero') return new Set();
  const overridden = new Set(overrides.map(({ country }) => country));
  const rated = [...new Set(categories)].map(ratedCountries);
  const isRated = (country: string) =>
    overridden.has(country) || rated.every((known) => known.has(country) || known.has(vatHomeOf(country)));
  const isCollecting = (country: string) =>
    collectPolicy === 'everywhere' || findRegistration(registrations, locatePlace({ country }), date) !== undefined;
  return new Set(buyerCountries.filter((country) => !isRated(country) && isCollecting(country)));
}

/** The settings that decide whether a country has a rate, and whether it needs one. */
export type UnsoldSettings = Pick<TaxSettings, 'overrides' | 'onUnsupported' | 'collectPolicy' | 'registrations'>;
