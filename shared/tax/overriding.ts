import type { TaxCategory } from '../domain/checkout/tax.ts';
import { compactPostalCode, locatePlace, type ResolvedPlace } from './places/resolve-place.ts';
import { holdsOn } from './rates/rate-row.ts';
import type { RateOverride } from './rules/override.ts';

/** How a merchant's overrides change a sale. */
interface AppliedOverrides {
  /** An override that replaces the table's row. */
  replacement?: RateOverride | undefined;
  /** An override that adds to the row or to its replacement. */
  addition?: RateOverride | undefined;
}

interface OverridableSale {
  place: ResolvedPlace;
  category: TaxCategory;
  date: string;
  customerId?: string | undefined;
}

/**
 * Finds the overrides that apply. The most specific one is used. An override for the customer comes before those for
 * all buyers. After that, the longest postal prefix comes first, then the region, then the country, and with a category
 * before without. An addition adds to anything less specific. A replacement hides anything less specific.
 */
export function applyingOverrides(
  overrides: readonly RateOverride[],
  { place, category, date, customerId }: OverridableSale,
): AppliedOverrides {
  const applying = overrides
    .filter((override) => reaches(override, place) && holdsOn(override, date))
    .filter((override) => override.category === undefined || override.category === category)
    .filter((override) => override.customerId === undefined || override.customerId === customerId)
    .toSorted((a, b) => compare(specificityOf(b), specificityOf(a)));
  const replacedAt = applying.findIndex(({ mode }) => mode === 'replace');
  const above = replacedAt < 0 ? applying : applying.slice(0, replacedAt);
  return { replacement: applying[replacedAt], addition: above.find(({ mode }) => mode === 'add') };
}

function reaches(override: RateOverride, place: ResolvedPlace): boolean {
  const { country, region } = locatePlace(override);
  if (country !== place.country || (region !== undefined && region !== place.region)) return false;
  return place.postalCode.startsWith(compactPostalCode(override.postalCodePrefix));
}

const specificityOf = ({ country, region, postalCodePrefix, category, customerId }: RateOverride): number[] => [
  customerId === undefined ? 0 : 1,
  compactPostalCode(postalCodePrefix).length,
  locatePlace({ country, region }).region === undefined ? 0 : 1,
  category === undefined ? 0 : 1,
];

const compare = (a: readonly number[], b: readonly number[]): number =>
  a.map((figure, index) => figure - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
