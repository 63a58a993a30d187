import type { SessionRequest } from '../../domain/checkout/session-request.ts';
import { nameCountries } from '../../pages/format.ts';
import type { Locale } from '../../pages/locale.ts';
import type { PlaceOption } from './product-example.ts';

interface Region {
  code: string;
  name: string;
}

/** Every country by name. A country with regional tax is listed by its regions instead. */
export function placeOptions(
  countries: readonly string[],
  regionsOf: (country: string) => readonly Region[],
  locale: Locale,
): PlaceOption[] {
  return nameCountries(countries, locale).flatMap(({ code, name }) => {
    const regions = regionsOf(code);
    if (regions.length === 0) return [{ code, name }];
    return regions.map((region) => ({ code: `${code}-${region.code}`, name: `${name} – ${region.name}` }));
  });
}

/** A preview request for one unit of a product at a place such as `DE` or `US-TX`. */
export function billingAt(place: string, productId: string): SessionRequest {
  const [country = '', state] = place.split('-');
  const billing = state === undefined ? { country } : { country, state };
  const nothing = { customer: {}, taxId: null, businessName: null, returnUrl: null, cancelUrl: null, metadata: {} };
  const cart = [{ productId, quantity: 1, amount: null }];
  return { cart, fields: { ...nothing, billing }, currency: null };
}
