import { intraState, intraStateRow } from '../intra-state.ts';
import { vatCountryOf } from '../places/tax-areas.ts';
import { holdsOn, type RateRow } from './rate-row.ts';
import type { RateCategory } from './rate-sheet.ts';
import { listedOnly, rowsAt } from './rate-table.ts';

interface RateKey {
  country: string;
  /** The region from `resolvePlace`, or `intraState` for a sale within one Indian state. */
  region?: string | undefined;
  category: RateCategory;
}

export interface RateQuery extends RateKey {
  /** The local date of the place. */
  date: string;
  /** The version of the table to read; absent means today's. */
  tableVersion?: string | undefined;
}

const standard: RateCategory = 'standard';

/** The row that applies, with its id and sources; undefined if the table has no rate for the sale. */
export function lookUpRate(query: RateQuery): RateRow | undefined {
  if (query.region === intraState) return findIntraStateRow(query);
  for (const step of rateSteps(query)) {
    const row = findRow(step, query.date, query.tableVersion);
    if (row) return row;
  }
  return listedOnly.has(query.country) ? findUntaxedRegion(query) : undefined;
}

/** The keys under which a rate may be found, in the order of the search. */
export function rateSteps({ country, region, category }: RateKey): RateKey[] {
  const inRegion: RateKey[] = [{ country, region, category }];
  if (listedOnly.has(country)) return inRegion;
  const withinVatOf: RateKey[] =
    vatCountryOf(country) === country ? [] : [{ country: vatCountryOf(country), category }];
  const inCountry: RateKey[] = [{ country, category }, ...withinVatOf, { country, category: standard }];
  return region ? [...inRegion, { country, region, category: standard }, ...inCountry] : inCountry;
}

/** The fact with an id from the `rowIds` of a treatment; undefined if the id belongs to an override. */
export const findRowById = (id: string, version?: string): RateRow | undefined =>
  rowsAt(id.split('/')[0] ?? '', version).find((row) => row.id === id);

/** The row of a table with exactly this key. It does not try more general keys. */
export const findRow = (key: RateKey, date: string, version?: string): RateRow | undefined =>
  rowsAt(placeOf(key), version).find((row) => row.category === key.category && holdsOn(row, date));

/** The row of a state without a sales tax. It applies to every category, even to one that is not in the table. */
function findUntaxedRegion({ country, region, date, tableVersion }: RateQuery): RateRow | undefined {
  const row = findRow({ country, region, category: standard }, date, tableVersion);
  return row?.taxability === 'no_tax' ? row : undefined;
}

function findIntraStateRow({ country, category, date, tableVersion }: RateQuery): RateRow | undefined {
  const interState = lookUpRate({ country, category, date, tableVersion });
  return (
    interState &&
    (findRow({ country, region: intraState, category: interState.category }, date, tableVersion) ??
      intraStateRow(interState))
  );
}

const placeOf = ({ country, region }: RateKey): string => (region ? `${country}-${region}` : country);
