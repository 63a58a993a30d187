import { buyerCountries, isBuyerCountry } from '../../tax/places/countries.ts';
import { findRegion, type Region, regionsOf } from '../../tax/places/regions.ts';
import { needsPostalCode } from '../../tax/places/territories.ts';
import { checkTaxIdFormat } from '../../tax/tax-ids/tax-id.ts';

/** The countries and regions for the address fields of a form. */
export interface Places {
  /** The codes of the countries that a buyer can choose. */
  countries: readonly string[];
  /** The regions of a country; empty if the region does not affect the tax. */
  regionsOf(country: string): readonly Region[];
  /** The region by its code or name. */
  findRegion(country: string, text: string): Region | undefined;
  asksPostalCode(country: string): boolean;
  /** Whether a business in this country can have a tax id that changes the tax or is printed. */
  asksTaxId(country: string): boolean;
}

/** The address fields for the countries that a buyer can choose, with the merchant's overrides. */
export const placesOf = (overrides: Parameters<typeof needsPostalCode>[1]): Places => ({
  countries: buyerCountries,
  regionsOf: (country) => (isBuyerCountry(country) ? regionsOf(country) : []),
  findRegion: (country, text) => (isBuyerCountry(country) ? findRegion(country, text) : undefined),
  asksPostalCode: (country) => isBuyerCountry(country) && needsPostalCode(country, overrides),
  asksTaxId: (country) => isBuyerCountry(country) && checkTaxIdFormat('', country).formatName !== 'Tax ID',
});
