import type { Place, TaxCategory, TaxComponent, TaxTreatment, ZeroReason } from '../domain/checkout/tax.ts';
import { refuse } from '../domain/errors.ts';
import { findRegistration } from './collecting.ts';
import { isCrossBorder } from './cross-border.ts';
import { placeCode, type ResolvedPlace, resolvePlace } from './places/resolve-place.ts';
import { type BusinessSale, type BuyerTaxId, businessRelief, isForeignBusiness } from './reverse-charge.ts';
import type { TaxRegistration } from './rules/registration.ts';
import type { TaxSettings } from './rules/settings.ts';
import { type TaxPart, taxBasis } from './tax-basis.ts';
import { warningsOf } from './warnings.ts';

interface TreatmentQuery {
  place: Place;
  category: TaxCategory;
  /** The local date of the place that taxes the sale, from `localDate`. */
  date: string;
  settings: TaxSettings;
  /** The version of the rate table and of the business rules; absent means today's. */
  tableVersion?: string | undefined;
  /** The customer whom the merchant's shop has named. An unknown buyer gets no customer's exemption. */
  customerId?: string | undefined;
  /**
   * Whether a small seller's cross-border sale gets the tax of the seller's own country, because it is within the
   * year's limit.
   */
  isAtHome?: boolean | undefined;
  /** The buyer's tax id, from `verifyTaxId`. An invalid one has no effect. */
  buyerTaxId?: BuyerTaxId | undefined;
}

/** A treatment with the facts that decide it. */
export interface AppliedTreatment extends TaxTreatment {
  /** The ids of the rate row and of the overrides. */
  rowIds: readonly string[];
  /** Why the merchant's override exempts the sale; undefined if none does. */
  exemption: string | undefined;
  /** The ids of the registrations that collect the tax, or that the invoice names if the buyer owes it. */
  registrations: readonly string[];
  /** Whether the sale counts towards a small seller's limit for the year; absent if not. */
  isCrossBorder?: true;
}

/** A tax component after the decision, with its registration. */
interface Decision {
  reason: ZeroReason | null;
  registration?: TaxRegistration | undefined;
}

/**
 * Decides for each tax whether it is charged. It checks the reasons in the order of `zeroReasons`. It throws
 * UNSUPPORTED_COUNTRY if no rate is known and the merchant refuses such sales. It throws INVALID_REQUEST_PARAMETERS if
 * a needed region is missing.
 */
export function taxTreatment(query: TreatmentQuery): AppliedTreatment {
  const place = resolvePlace(query.place);
  if (!query.settings.smallSeller || !isSmallSale(place, query)) return treatmentAt(place, query);
  const { merchantCountry } = query.settings;
  if (!query.isAtHome) return { ...treatmentAt(place, query), isCrossBorder: true };
  const atHome = treatmentAt(resolvePlace({ country: merchantCountry }), query);
  return { ...atHome, taxedIn: merchantCountry, isCrossBorder: true };
}

/** Whether a sale to a consumer counts towards the limit of a small seller. */
const isSmallSale = (place: ResolvedPlace, { buyerTaxId, date, settings, category }: TreatmentQuery): boolean =>
  isCrossBorder(place, { category, merchantCountry: settings.merchantCountry }) &&
  !isForeignBusiness(place, { settings, buyerTaxId, date });

function treatmentAt(place: ResolvedPlace, { buyerTaxId, ...query }: TreatmentQuery): AppliedTreatment {
  const basis = taxBasis({ ...query, place });
  const isExempted = basis.exemption !== undefined;
  const decisions = basis.parts.map((part) => decide(part, { ...query, buyerTaxId }, isExempted));
  const components = basis.parts.map((part, index) => componentOf(part, decisions[index]?.reason ?? null));
  if (query.settings.onUnsupported === 'reject') assertSupported(components, place, query.category);
  return {
    components,
    warnings: warningsOf({ place, category: query.category, buyerTaxId, components, basis }),
    rowIds: basis.rowIds,
    exemption: components.some(({ reason }) => reason === 'exempt') ? basis.exemption : undefined,
    registrations: [...new Set(decisions.flatMap(({ registration }) => (registration ? [registration.id] : [])))],
  };
}

/** Decides one tax. An exemption of the merchant needs no registration, because small businesses have none. */
function decide({ registeredAt, taxability }: TaxPart, sale: BusinessSale, isExempted: boolean): Decision {
  if (taxability === 'no_tax' || taxability === 'outside_scope') return { reason: 'no_tax' };
  const relief = businessRelief(registeredAt, sale);
  if (relief) return relief;
  const registration = findRegistration(sale.settings.registrations, registeredAt, sale.date);
  if (isExempted && taxability === 'exempt') return { reason: 'exempt', registration };
  if (!registration && sale.settings.collectPolicy === 'registered_only') return { reason: 'not_collecting' };
  return { reason: taxability === 'taxable' ? null : taxability, registration };
}

function componentOf({ name, jurisdiction, rate, baseFraction }: TaxPart, reason: ZeroReason | null): TaxComponent {
  const printedRate = reason === null ? rate : reason === 'zero_rated' ? '0' : null;
  return { name, jurisdiction, rate: printedRate, baseFraction, reason };
}

function assertSupported(
  components: readonly TaxComponent[],
  { country, region }: ResolvedPlace,
  category: TaxCategory,
): void {
  if (components.every(({ reason }) => reason !== 'unsupported')) return;
  throw refuse(
    'UNSUPPORTED_COUNTRY',
    'billing_address.country',
    `No tax rate is known for ${category} in ${placeCode(country, region)}, so it cannot be sold there.`,
  );
}
