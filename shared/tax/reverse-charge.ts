import type { TaxIdCheck } from '../domain/checkout/buyer.ts';
import type { ZeroReason } from '../domain/checkout/tax.ts';
import { type BusinessMode, businessModeOf } from './business-buyers.ts';
import { findRegistration, findUnionRegistration } from './collecting.ts';
import type { Jurisdiction } from './places/jurisdiction.ts';
import { vatHomeOf } from './places/resolve-place.ts';
import { unionCountries, vatCountryOf } from './places/tax-areas.ts';
import type { TaxRegistration } from './rules/registration.ts';
import type { TaxSettings } from './rules/settings.ts';

/** The parts of a buyer's tax id that affect tax. */
export type BuyerTaxId = Pick<TaxIdCheck, 'country' | 'status' | 'kinds'>;

export interface BusinessSale {
  settings: TaxSettings;
  buyerTaxId: BuyerTaxId | undefined;
  /** The local date of the buyer's place. */
  date: string;
  /** The table of the rules for businesses; absent: today's. */
  tableVersion?: string | undefined;
}

/** Why a business is not charged, and the registration under which it is invoiced. */
interface Relief {
  reason: Extract<ZeroReason, 'reverse_charge' | 'not_collecting'>;
  registration?: TaxRegistration | undefined;
}

/**
 * Decides whether a business owes a jurisdiction's tax itself: a foreign business with an accepted id, if the law of
 * its place relieves it. Undefined: it is treated like a consumer.
 */
export function businessRelief(jurisdiction: Jurisdiction, sale: BusinessSale): Relief | undefined {
  if (!isForeignBusiness(jurisdiction, sale)) return undefined;
  const registration = registrationFor(jurisdiction, sale);
  const mode = registration?.businessBuyers ?? businessModeOf(jurisdiction, sale.tableVersion);
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

/** In Canada, each number relieves only its own tax. */
const hasIdFor = ({ region }: Jurisdiction, buyerTaxId: BuyerTaxId | undefined): boolean =>
  buyerTaxId?.kinds?.includes(region === 'QC' ? 'ca_qst' : 'ca_gst_hst') ?? false;

/** Whether the buyer has an accepted id of the jurisdiction's country, and the merchant is established in another one. */
function isForeignBusiness({ country }: Jurisdiction, { settings, buyerTaxId }: BusinessSale): boolean {
  if (!isAccepted(buyerTaxId, settings)) return false;
  const home = vatCountryOf(country);
  return vatHomeOf(buyerTaxId.country) === home && vatHomeOf(settings.merchantCountry) !== home;
}

/**
 * The registration under which the merchant invoices a business: any Union one for its members, otherwise the
 * jurisdiction's.
 */
const registrationFor = (jurisdiction: Jurisdiction, { settings, date }: BusinessSale): TaxRegistration | undefined =>
  unionCountries.has(vatCountryOf(jurisdiction.country))
    ? findUnionRegistration(settings, date)
    : findRegistration(settings.registrations, jurisdiction, date);

/** Whether the id counts: confirmed, or unconfirmed if the merchant accepts that risk. */
const isAccepted = (check: BuyerTaxId | undefined, settings: TaxSettings): check is BuyerTaxId =>
  check?.status === 'valid' || (check?.status === 'unverified' && settings.onUnverifiedTaxId === 'accept');
