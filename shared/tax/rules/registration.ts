import * as z from 'zod';
import { registrationSchemes } from '../../domain/checkout/tax.ts';
import { DomainError, type Fault, faultAt, refuse } from '../../domain/errors.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { brokenRule, type RuleValues, type Sentence } from '../../domain/rules/rules.ts';
import { businessRuleOf } from '../business-buyers.ts';
import { isTaxCountry } from '../places/countries.ts';
import { localDate } from '../places/local-date.ts';
import { findRegion, needsRegion } from '../places/regions.ts';
import { locatePlace } from '../places/resolve-place.ts';

/**
 * A place where the merchant is registered and collects tax. Dates are local; `activeFrom` is included, `expiresAt` is
 * not. The schema is built when the first registration is read.
 */
export const TaxRegistration = z.lazy(() =>
  z.object({
    id: z.string(),
    country: z.string(),
    /** A US state, a Canadian province with a separate tax, or an Indian state. */
    region: z.string().optional(),
    scheme: z.enum(registrationSchemes),
    taxId: z.string().max(50).optional(),
    activeFrom: z.iso.date(),
    expiresAt: z.iso.date().optional(),
    /** The merchant's decision how businesses are taxed. It is only allowed if the law is not certain. */
    businessBuyers: z.enum(['relieved', 'charged']).optional(),
  }),
);
export type TaxRegistration = z.infer<typeof TaxRegistration>;

/** Provinces with a tax that is not part of the GST or HST. */
const provincesWithTax = ['BC', 'MB', 'QC', 'SK'];

/** Refuses a registration with an unknown place, or one that would collect nothing. */
export function assertRegistration(registration: TaxRegistration): void {
  const { country, activeFrom, expiresAt } = registration;
  if (!isTaxCountry(country)) {
    throw refuse('UNSUPPORTED_COUNTRY', 'country', brokenRule(sentences.country, { country }));
  }
  const faults = [regionFaults, schemeFaults, businessFaults].flatMap((faultsOf) => faultsOf(registration));
  if (expiresAt !== undefined && expiresAt <= activeFrom) faults.push(fault('expires_at', sentences.registration_end));
  const [first] = faults;
  if (first) throw new DomainError('INVALID_REQUEST_PARAMETERS', first.message, { faults });
}

/** Whether a registration has begun. Then the merchant may have declared sales under it. */
export const hasBegun = ({ activeFrom, ...place }: TaxRegistration, now: Date): boolean =>
  activeFrom <= localDate(place, now);

/**
 * Refuses to remove a registration that has begun, or to move its beginning into the future. It can only get an end.
 */
export function assertNotBegun(registration: TaxRegistration, now: Date): void {
  if (hasBegun(registration, now)) throw new DomainError('CONFLICT', brokenRule(sentences.registration_begun));
}

function regionFaults({ country, region }: TaxRegistration): Fault[] {
  if (!needsRegion(country)) return region ? [fault('region', sentences.registration_whole_country, { country })] : [];
  if (region === undefined) return country === 'US' ? [fault('region', sentences.registration_state)] : [];
  const code = findRegion(country, region)?.code;
  if (code === undefined) return [fault('region', sentences.region, { region, country })];
  if (country !== 'CA' || provincesWithTax.includes(code)) return [];
  return [fault('region', sentences.registration_province, { region: code })];
}

const schemeFaults = ({ country, scheme }: TaxRegistration): Fault[] =>
  scheme === 'oss' && !unionCountries.has(country) ? [fault('scheme', sentences.registration_oss)] : [];

/**
 * The faults of the merchant's decision about businesses. If the place's rule has high or medium confidence, the law
 * decides and no decision is allowed.
 */
function businessFaults({ country, region, businessBuyers }: TaxRegistration): Fault[] {
  if (businessBuyers === undefined) return [];
  const { mode, confidence } = businessRuleOf(locatePlace({ country, region }));
  if (confidence === 'low') return [];
  return [fault('business_buyers', sentences.registration_businesses, { country, mode })];
}

const fault = (path: string, rule: Sentence, values?: RuleValues): Fault => faultAt(path, brokenRule(rule, values));
