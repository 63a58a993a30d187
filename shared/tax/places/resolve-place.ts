import type { Place } from '../../domain/checkout/tax.ts';
import { type DomainError, refuse } from '../../domain/errors.ts';
import { isTaxCountry } from './countries.ts';
import { findRegion, needsRegion, regionCode, regionsOf } from './regions.ts';
import { vatCountryOf } from './tax-areas.ts';
import { countryOfPostalCode, findTerritory } from './territories.ts';

/** Codes that are treated as another country. Services to Northern Ireland are taxed as in Great Britain. */
const aliases: Readonly<Record<string, string>> = { XI: 'GB' };

/** The place where a sale is taxed: country and region as in the rate table, with territories as separate regions. */
export interface ResolvedPlace {
  country: string;
  region: string | undefined;
  /** The postal code in upper case, without spaces and hyphens; empty if there is none. */
  postalCode: string;
}

/**
 * The place by its names in the rate table: Santa Cruz de Tenerife is `ES` `CN`, Guadeloupe is `FR` `GP`, Northern
 * Ireland is `GB`. Refuses an unknown country, and a missing or unknown region if the tax depends on it.
 */
export function resolvePlace(place: Place): ResolvedPlace {
  const located = locatePlace(place);
  if (!needsRegion(located.country)) return located;
  return { ...located, region: requireRegion(located.country, place.region) };
}

/** Resolves a place like `resolvePlace`, but does not require a region, because dates do not depend on one. */
export function locatePlace(place: Place): ResolvedPlace {
  const postalCode = compactPostalCode(place.postalCode);
  const country = countryOfPostalCode(place.country, postalCode);
  if (!isTaxCountry(country)) throw unknownCountry(country);
  const territory = findTerritory(country, place.region ?? '', postalCode);
  if (territory) return { country: territory.country, region: territory.region, postalCode };
  return { country: aliases[country] ?? country, region: codeOf(country, place.region), postalCode };
}

/** The country whose VAT numbers and rules apply to a country code. For Guadeloupe and Monaco, that is France. */
export const vatHomeOf = (country: string): string => vatCountryOf(locatePlace({ country }).country);

/** A postal code in upper case, without spaces and hyphens, to compare it with prefixes. */
export const compactPostalCode = (postalCode = ''): string => postalCode.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** The region's code; undefined when there is none. */
export const codeOf = (country: string, region: string | undefined): string | undefined =>
  region ? (findRegion(country, region)?.code ?? regionCode(country, region)) : undefined;

/** The code of a place: `US-TX`, or `DE` without a region. */
export const placeCode = (country: string, region: string | undefined): string =>
  region ? `${country}-${region}` : country;

function requireRegion(country: string, region: string | undefined): string {
  if (!region?.trim())
    throw regionFault(country, `A sale to ${country} is taxed by state or province, and none is given.`);
  const found = findRegion(country, region);
  if (!found) throw regionFault(country, `${region} is no state or province of ${country}.`);
  return found.code;
}

function regionFault(country: string, message: string): DomainError {
  const hint = `${message} Use one of ${regionsOf(country)
    .map(({ code }) => code)
    .join(', ')}.`;
  return refuse('INVALID_REQUEST_PARAMETERS', 'billing_address.state', hint);
}

function unknownCountry(country: string): DomainError {
  return refuse(
    'UNSUPPORTED_COUNTRY',
    'billing_address.country',
    `${country} is not an ISO 3166-1 alpha-2 country code.`,
  );
}
