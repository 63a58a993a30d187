import type { RateRow } from '../../shared/tax/rates/rate-row.ts';
import type { RateOverride } from '../../shared/tax/rules/override.ts';
import type { TaxRegistration } from '../../shared/tax/rules/registration.ts';
import type { TaxSettings } from '../../shared/tax/rules/settings.ts';

/** A merchant of Germany who is registered nowhere and collects everywhere. */
export const settings = (changes: Partial<TaxSettings> = {}): TaxSettings => ({
  merchantCountry: 'DE',
  registrations: [],
  overrides: [],
  collectPolicy: 'everywhere',
  onUnsupported: 'reject',
  onUnverifiedTaxId: 'charge',
  ...changes,
});

/** A merchant of Germany who collects only in the given places: `DE`, `US-TX`, `oss`. */
export const registeredIn = (...places: string[]): TaxSettings =>
  settings({ collectPolicy: 'registered_only', registrations: places.map(registrationIn) });

/** A merchant of Germany who collects only in the given places, under a scheme for foreign sellers. */
export const simplifiedIn = (...places: string[]): TaxSettings =>
  settings({
    collectPolicy: 'registered_only',
    registrations: places.map((place) => ({ ...registrationIn(place), scheme: 'simplified' })),
  });

export function registrationIn(place: string): TaxRegistration {
  if (place === 'oss') return { ...registrationIn('DE'), id: 'reg_oss', scheme: 'oss' };
  const [country = '', region] = place.split('-');
  return { id: `reg_${place}`, country, region, scheme: 'standard', activeFrom: '2020-01-01' };
}

/** Austin's 2 %, on top of what Texas takes. */
export const override = (changes: Partial<RateOverride> = {}): RateOverride => ({
  id: 'ovr_austin',
  country: 'US',
  region: 'TX',
  postalCodePrefix: '787',
  mode: 'add',
  taxability: 'taxable',
  components: [{ name: 'Austin', rate: '0.02' }],
  effectiveFrom: '2024-01-01',
  reason: 'city sales tax',
  ...changes,
});

/** A sound row, to be broken. */
export const row = (changes: Partial<RateRow> = {}): RateRow => ({
  id: 'DE/saas/2021-01-01',
  country: 'DE',
  region: undefined,
  category: 'saas',
  taxability: 'taxable',
  components: [{ name: 'VAT', rate: '0.19', baseFraction: '1' }],
  effectiveFrom: '2021-01-01',
  effectiveTo: undefined,
  confidence: 'high',
  sources: ['kdeldycke'],
  note: undefined,
  checkedOn: '2026-08-05',
  ...changes,
});
