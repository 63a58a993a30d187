import { unionCountries } from '../domain/places/union-countries.ts';
import type { Jurisdiction } from './places/jurisdiction.ts';
import { needsRegion } from './places/regions.ts';
import { codeOf, locatePlace, type ResolvedPlace } from './places/resolve-place.ts';
import { vatCountryOf } from './places/tax-areas.ts';
import { isInUnionVat } from './places/territories.ts';
import type { TaxRegistration } from './rules/registration.ts';
import type { TaxSettings } from './rules/settings.ts';

/**
 * The registration that collects a jurisdiction's tax on a local date. The jurisdiction's own registration comes
 * before OSS.
 */
export function findRegistration(
  registrations: readonly TaxRegistration[],
  jurisdiction: Jurisdiction,
  date: string,
): TaxRegistration | undefined {
  const active = registrations.filter((registration) => isActive(registration, date));
  const direct = active.filter(({ scheme }) => scheme !== 'oss');
  return (
    direct.find((registration) => isOf(registration, jurisdiction)) ??
    direct.find((registration) => reaches(registration, jurisdiction)) ??
    active.find(({ scheme }) => scheme === 'oss' && isUnion(jurisdiction))
  );
}

/**
 * Finds a registration in the European Union, which reverse charge requires. The merchant's own country comes first.
 */
export function findUnionRegistration(
  { registrations, merchantCountry }: Pick<TaxSettings, 'registrations' | 'merchantCountry'>,
  date: string,
): TaxRegistration | undefined {
  const union = registrations.filter((one) => isActive(one, date) && unionCountries.has(vatCountryOf(one.country)));
  return union.find(({ country }) => country === merchantCountry) ?? union[0];
}

/** Whether supplier and buyer are in the same Indian state. Then CGST and SGST apply instead of IGST. */
export function isIntraState({ country, region }: ResolvedPlace, settings: TaxSettings, date: string): boolean {
  if (country !== 'IN' || settings.merchantCountry !== 'IN') return false;
  const registered = settings.registrations.some(
    (one) => one.scheme === 'standard' && isOf(one, { country, region }) && isActive(one, date),
  );
  return registered || (settings.collectPolicy === 'everywhere' && codeOf('IN', settings.merchantRegion) === region);
}

const isActive = ({ activeFrom, expiresAt }: TaxRegistration, date: string): boolean =>
  activeFrom <= date && (expiresAt === undefined || date < expiresAt);

const isOf = (registration: TaxRegistration, { country, region }: Jurisdiction): boolean => {
  const place = locatePlace(registration);
  return place.country === country && place.region === region;
};

/**
 * Whether a registration covers a place. A registration in an Indian state collects IGST for all states. The
 * registration of a country covers its territories.
 */
function reaches(registration: TaxRegistration, { country }: Jurisdiction): boolean {
  const place = locatePlace(registration);
  if (country === 'IN') return place.country === 'IN';
  return !needsRegion(country) && place.region === undefined && vatCountryOf(place.country) === vatCountryOf(country);
}

const isUnion = ({ country, region }: Jurisdiction): boolean =>
  unionCountries.has(vatCountryOf(country)) && isInUnionVat(country, region);
