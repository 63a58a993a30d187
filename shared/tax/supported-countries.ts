import type { TaxCategory } from '../domain/checkout/tax.ts';
import { DomainError } from '../domain/errors.ts';
import { countries } from './places/countries.ts';
import { regionsOf } from './places/regions.ts';
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
