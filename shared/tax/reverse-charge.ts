import type { TaxIdCheck } from '../domain/checkout/buyer.ts';
import { findRegistration, findUnionRegistration } from './collecting.ts';
import type { Jurisdiction } from './places/jurisdiction.ts';
import { vatHomeOf } from './places/resolve-place.ts';
import { unionCountries, vatCountryOf } from './places/tax-areas.ts';
import type { TaxRegistration } from './rules/registration.ts';
import type { TaxSettings } from './rules/settings.ts';

/** The parts of a buyer's tax id that affect tax. */
export type BuyerTaxId = Pick<TaxIdCheck, 'country' | 'status'>;

export interface BusinessSale {
  settings: TaxSettings;
  buyerTaxId: BuyerTaxId | undefined;
  /** The local date of the buyer's place. */
  date: string;
}

/** Countries outside the Union with reverse charge. In all others, a business is charged like a consumer. */
const otherCountries: ReadonlySet<string> = new Set(['GB', 'NO', 'CH', 'AU', 'SG', 'BH', 'OM', 'TZ']);

/**
 * Whether the buyer accounts for the tax: a foreign business with an accepted id, if the law and a registration
 * allow it.
 */
export function isReverseCharged(jurisdiction: Jurisdiction, sale: BusinessSale): boolean {
  const { settings, buyerTaxId } = sale;
  if (!isAccepted(buyerTaxId, settings) || !knowsReverseCharge(jurisdiction)) return false;
  const country = vatCountryOf(jurisdiction.country);
  if (vatHomeOf(buyerTaxId.country) !== country || vatHomeOf(settings.merchantCountry) === country) return false;
  return settings.collectPolicy === 'everywhere' || reverseChargeRegistration(jurisdiction, sale) !== undefined;
}

/**
 * The registration under which the merchant invoices without tax: any Union one for its members, otherwise the
 * jurisdiction's.
 */
export const reverseChargeRegistration = (
  jurisdiction: Jurisdiction,
  { settings, date }: BusinessSale,
): TaxRegistration | undefined =>
  unionCountries.has(vatCountryOf(jurisdiction.country))
    ? findUnionRegistration(settings, date)
    : findRegistration(settings.registrations, jurisdiction, date);

/** Whether the id counts: confirmed, or unconfirmed if the merchant accepts that risk. */
const isAccepted = (check: BuyerTaxId | undefined, settings: TaxSettings): check is BuyerTaxId =>
  check?.status === 'valid' || (check?.status === 'unverified' && settings.onUnverifiedTaxId === 'accept');

/** In Canada, only the QST has it. The other provinces' taxes need a certificate. */
const knowsReverseCharge = ({ country, region }: Jurisdiction): boolean =>
  country === 'CA'
    ? region === 'QC'
    : unionCountries.has(vatCountryOf(country)) || otherCountries.has(vatCountryOf(country));
