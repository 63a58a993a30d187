import type { TaxCategory } from '../../domain/checkout/tax.ts';
import { buyerCountries, isBuyerCountry } from '../../tax/places/countries.ts';
import { findRegion, type Region, regionsOf } from '../../tax/places/regions.ts';
import { needsPostalCode } from '../../tax/places/territories.ts';
import { type UnsoldSettings, unsoldCountries } from '../../tax/supported-countries.ts';
import { checkTaxIdFormat, taxIdExample } from '../../tax/tax-ids/tax-id.ts';

/** The countries and regions for the address fields of a form. */
export interface Places {
  /** The codes of the countries that a buyer can choose. */
  countries: readonly string[];
  /** The countries among them to which the order cannot be sold. */
  unsold: ReadonlySet<string>;
  /** The regions of a country; empty if the region does not affect the tax. */
  regionsOf(country: string): readonly Region[];
  /** The region by its code or name. */
  findRegion(country: string, text: string): Region | undefined;
  asksPostalCode(country: string): boolean;
  /** Whether a business in this country can have a tax id that changes the tax or is printed. */
  asksTaxId(country: string): boolean;
  /** How tax ids of a country are written; undefined if their form is unknown. */
  taxIdExample(country: string): string | undefined;
}

/** The address fields for the countries that a buyer can choose, with the merchant's tax settings on a date. */
export const placesOf = (settings: UnsoldSettings, categories: readonly TaxCategory[], date: string): Places => ({
  countries: buyerCountries,
  unsold: unsoldCountries(categories, { settings, date }),
  taxIdExample: (country) => (isBuyerCountry(country) ? taxIdExample(country) : undefined),
  regionsOf: (country) => (isBuyerCountry(country) ? regionsOf(country) : []),
  findRegion: (country, text) => (isBuyerCountry(country) ? findRegion(country, text) : undefined),
  asksPostalCode: (country) => isBuyerCountry(country) && needsPostalCode(country, settings.overrides),
  asksTaxId: (country) => isBuyerCountry(country) && checkTaxIdFormat('', country).formatName !== 'Tax ID',
});
