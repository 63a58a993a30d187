import type { LocationEvidence } from '../domain/checkout/location-evidence.ts';
import type { Payment } from '../domain/payments/payment.ts';
import { unionCountries } from '../domain/places/union-countries.ts';
import { isCrossBorder } from './cross-border.ts';
import { locatePlace } from './places/resolve-place.ts';
import { vatCountryOf } from './places/tax-areas.ts';

/**
 * The result of comparing the items of evidence. `alone`: the only item is the address that the buyer typed. `differ`:
 * one other item names another country. `conflict`: two other items do.
 */
export type EvidenceFinding = 'agree' | 'alone' | 'differ' | 'conflict';

export function evidenceFinding({ items, status }: LocationEvidence): EvidenceFinding {
  if (status === 'two_match') return 'agree';
  if (status === 'conflict') return 'conflict';
  return items.length > 1 ? 'differ' : 'alone';
}

/**
 * The rule of Regulation (EU) 282/2011 that requires evidence for a sale. `union` (art. 24b, since 2019): a seller in
 * the Union needs one item from another source up to 100,000 euro a year, and two items above. `abroad`: other sellers
 * always need two items. Undefined: no evidence is required, because the sale is not an electronic service to a
 * consumer in another member state.
 */
export function evidenceRuleOf(
  { calculation, lines }: Pick<Payment, 'calculation' | 'lines'>,
  merchantCountry: string,
): 'union' | 'abroad' | undefined {
  const { country, region, postalCode } = calculation;
  const place = locatePlace({ country, region: region ?? undefined, postalCode: postalCode ?? undefined });
  const isOwed = lines.some(({ components }) => components.some(({ reason }) => reason === 'reverse_charge'));
  const isAsked = lines.some(({ taxCategory: category }) => isCrossBorder(place, { category, merchantCountry }));
  if (isOwed || !isAsked) return undefined;
  return unionCountries.has(vatCountryOf(merchantCountry)) ? 'union' : 'abroad';
}
