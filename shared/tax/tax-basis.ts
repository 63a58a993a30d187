import type { TaxCategory } from '../domain/checkout/tax.ts';
import { DomainError } from '../domain/errors.ts';
import { one, rateTimesFraction } from '../domain/money/rounding.ts';
import { isIntraState } from './collecting.ts';
import { intraState, stateTaxName } from './intra-state.ts';
import { applyingOverrides } from './overriding.ts';
import { type Jurisdiction, jurisdictionCode, jurisdictionOf } from './places/jurisdiction.ts';
import { placeCode, type ResolvedPlace } from './places/resolve-place.ts';
import { isTerritory } from './places/territories.ts';
import { findRow, lookUpRate } from './rates/rate-lookup.ts';
import type { Taxability } from './rates/rate-sheet.ts';
import { exemptionText } from './rules/exemption-text.ts';
import type { TaxSettings } from './rules/settings.ts';

/** One tax according to the law of the place. Whether the merchant collects it is decided later. */
export interface TaxPart {
  name: string;
  /** The code of the jurisdiction that levies the tax. */
  jurisdiction: string;
  /** The place where the merchant registers for it. */
  registeredAt: Jurisdiction;
  /** How the place treats the sale; `unsupported` if no rate is known. */
  taxability: Taxability | 'unsupported';
  rate: string;
  baseFraction: string;
}

/** The taxes that are due at a place, with the facts and overrides that decide them. */
export interface TaxBasis {
  parts: readonly TaxPart[];
  /** The ids of rate rows and overrides. */
  rowIds: readonly string[];
  /** Whether the merchant added a tax to the table's rate. */
  hasAddition: boolean;
  /** Why the merchant's override exempts the sale, as printed on documents. */
  exemption: string | undefined;
  /** Whether the standard rate of a territory is used because its rate for the category is unknown. */
  isTerritoryStandard: boolean;
}

interface TaxedSale {
  place: ResolvedPlace;
  category: TaxCategory;
  /** The local date of the place. */
  date: string;
  settings: TaxSettings;
  /** The version of the rate table; absent means today's. */
  tableVersion?: string | undefined;
  /** The customer whom the merchant's shop has named. Absent for an unknown buyer, who gets no customer's exemption. */
  customerId?: string | undefined;
}

/** The fields of a row or an override that decide the tax. */
interface Rule {
  id: string;
  taxability: Taxability;
  components: readonly { name: string; rate: string; baseFraction?: string | undefined }[];
}

/** Decides the taxes at a place: the table's row or the merchant's replacement, with the merchant's additions. */
export function taxBasis(sale: TaxedSale): TaxBasis {
  const { replacement, addition } = applyingOverrides(sale.settings.overrides, sale);
  const row = replacement ? undefined : lookUpRate(rateQueryOf(sale));
  const rule: Rule | undefined = replacement ?? row;
  const ruled = rule && rule.components.length > 0 ? partsOf(rule, sale) : namedParts(rule, sale);
  const added = addition ? partsOf(addition, sale, ruled[0]?.baseFraction) : [];
  const parts = [...ruled, ...added];
  assertBelowPrice(parts, sale.place);
  return {
    parts,
    rowIds: [rule, addition].flatMap((one) => (one ? [one.id] : [])),
    hasAddition: added.length > 0,
    exemption: replacement?.taxability === 'exempt' ? exemptionText(replacement) : undefined,
    isTerritoryStandard: row?.category === 'standard' && isTerritory(row.country, row.region),
  };
}

const rateQueryOf = ({ place, category, date, settings, tableVersion }: TaxedSale) => ({
  country: place.country,
  region: isIntraState(place, settings, date) ? intraState : place.region,
  category,
  date,
  tableVersion,
});

function partsOf({ components, taxability }: Rule, { place }: TaxedSale, fractionBelow = '1'): TaxPart[] {
  return components.map(({ name, rate, baseFraction = fractionBelow }) => ({
    ...named(stateTaxName(name, place.region), place),
    taxability,
    rate,
    baseFraction,
  }));
}

/** If there is no rate, lists the normal taxes of the place, with the reason why none is charged. */
function namedParts(rule: Rule | undefined, { place, date, tableVersion }: TaxedSale): TaxPart[] {
  const taxability = rule?.taxability ?? 'unsupported';
  return taxNamesAt(place, date, tableVersion).map((name) => ({
    ...named(name, place),
    taxability,
    rate: '0',
    baseFraction: '1',
  }));
}

const named = (name: string, place: ResolvedPlace) => ({
  name,
  jurisdiction: jurisdictionCode(name, place),
  registeredAt: jurisdictionOf(name, place),
});

function taxNamesAt({ country, region }: ResolvedPlace, date: string, tableVersion?: string): string[] {
  const standards = [region, undefined].map((at) =>
    findRow({ country, region: at, category: 'standard' }, date, tableVersion),
  );
  const names = standards.find((row) => row && row.components.length > 0)?.components.map(({ name }) => name);
  return names ?? ['Tax'];
}

/**
 * Refuses taxes that leave nothing for the net. A single override was already checked, but several together can be too
 * high.
 */
function assertBelowPrice(parts: readonly TaxPart[], { country, region }: ResolvedPlace): void {
  const sum = parts.reduce((total, { rate, baseFraction }) => total + rateTimesFraction(rate, baseFraction), 0n);
  if (sum <= one) return;
  throw new DomainError(
    'INVALID_REQUEST_PARAMETERS',
    `The tax rates at ${placeCode(country, region)} come to more than 100 %.`,
  );
}
