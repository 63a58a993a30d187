import type { TaxIdCheck } from '../domain/checkout/buyer.ts';
import type { ZeroReason } from '../domain/checkout/tax.ts';
import { unionCountries } from '../domain/places/union-countries.ts';
import { businessRuleOf } from './business-buyers.ts';
import { findRegistration, findUnionRegistration } from './collecting.ts';
import type { Jurisdiction } from './places/jurisdiction.ts';
import { vatHomeOf } from './places/resolve-place.ts';
import { vatCountryOf } from './places/tax-areas.ts';
import type { BusinessMode } from './rates/rate-sheet.ts';
import type { TaxRegistration } from './rules/registration.ts';
import type { TaxSettings } from './rules/settings.ts';

/** The parts of a buyer's tax id that affect tax. */
export type BuyerTaxId = Pick<TaxIdCheck, 'country' | 'status' | 'kinds'>;

export interface BusinessSale {
  settings: TaxSettings;
  buyerTaxId: BuyerTaxId | undefined;
  /** The local date of the buyer's place. */
  date: string;
  /** The version of the table with the rules for businesses; absent means today's. */
  tableVersion?: string | undefined;
}

/** Why a business is not charged, and the registration that its invoice names. */
interface Relief {
  reason: Extract<ZeroReason, 'reverse_charge' | 'not_collecting'>;
  registration?: TaxRegistration | undefined;
}

/**
 * Decides whether a business owes a tax instead of the seller. It does if it is foreign, has an accepted id, and the
 * law of its place says so. Undefined means that it is treated like a consumer.
 */
export function businessRelief(jurisdiction: Jurisdiction, sale: BusinessSale): Relief | undefined {
  if (!isForeignBusiness(jurisdiction, sale)) return undefined;
  const registration = registrationFor(jurisdiction, sale);
  const mode = registration?.businessBuyers ?? businessRuleOf(jurisdiction, sale.tableVersion).mode;
  return isRelieved(mode, jurisdiction, registration, sale) ? reliefUnder(mode, registration) : undefined;
}

const reliefUnder = (mode: BusinessMode, registration: TaxRegistration | undefined): Relief =>
  mode === 'no_seller_scheme' ? { reason: 'not_collecting' } : { reason: 'reverse_charge', registration };

function isRelieved(
  mode: BusinessMode,
  jurisdiction: Jurisdiction,
  registration: TaxRegistration | undefined,
  { settings, buyerTaxId }: BusinessSale,
): boolean {
  if (mode === 'relieved') return registration !== undefined || settings.collectPolicy === 'everywhere';
  if (mode === 'no_seller_scheme') return registration === undefined;
  return mode === 'by_scheme' && registration?.scheme === 'simplified' && hasIdFor(jurisdiction, buyerTaxId);
}

/** Whether the buyer has an id for the jurisdiction's tax. In Canada, each number counts only for its own tax. */
const hasIdFor = ({ region }: Jurisdiction, buyerTaxId: BuyerTaxId | undefined): boolean =>
  buyerTaxId?.kinds?.includes(region === 'QC' ? 'ca_qst' : 'ca_gst_hst') ?? false;

/** Whether the buyer has an accepted id of the jurisdiction's country, and the merchant is established in another one. */
export function isForeignBusiness({ country }: Jurisdiction, { settings, buyerTaxId }: BusinessSale): boolean {
  if (!isAccepted(buyerTaxId, settings)) return false;
  const home = vatCountryOf(country);
  return vatHomeOf(buyerTaxId.country) === home && vatHomeOf(settings.merchantCountry) !== home;
}

/**
 * The registration that the invoice of a business names. For a member state, it is any registration in the Union,
 * otherwise that of the jurisdiction.
 */
const registrationFor = (jurisdiction: Jurisdiction, { settings, date }: BusinessSale): TaxRegistration | undefined =>
  unionCountries.has(vatCountryOf(jurisdiction.country))
    ? findUnionRegistration(settings, date)
    : findRegistration(settings.registrations, jurisdiction, date);

/** Whether the tax id has an effect: it is confirmed, or the merchant accepts unconfirmed ones. */
const isAccepted = (check: BuyerTaxId | undefined, settings: TaxSettings): check is BuyerTaxId =>
  check?.status === 'valid' || (check?.status === 'unverified' && settings.onUnverifiedTaxId === 'accept');
