import type { TaxCategory } from '../domain/checkout/tax.ts';
import { unionCountries } from '../domain/places/union-countries.ts';
import type { ResolvedPlace } from './places/resolve-place.ts';
import { vatCountryOf } from './places/tax-areas.ts';
import { isInUnionVat } from './places/territories.ts';

/**
 * The categories that are electronic services. Live tutoring is not one, so the rule for small sellers does not apply
 * to it.
 */
const electronic: ReadonlySet<TaxCategory> = new Set(['digital_products', 'saas', 'e_book', 'edtech']);

/**
 * Whether a sale counts towards the limit of small sellers: an electronic service to a consumer in another member
 * state.
 */
export function isCrossBorder(
  { country, region }: ResolvedPlace,
  { category, merchantCountry }: { category: TaxCategory; merchantCountry: string },
): boolean {
  const state = vatCountryOf(country);
  const isAbroad = unionCountries.has(state) && state !== vatCountryOf(merchantCountry);
  return isAbroad && isInUnionVat(country, region) && electronic.has(category);
}
