import { earlierFact } from './earlier-fact.ts';
import { type RateRow, rowsOf } from './rate-row.ts';
import type { RateCategory, RateLine, RateSheet } from './rate-sheet.ts';
import { africa } from './sheets/africa.ts';
import { asia } from './sheets/asia.ts';
import { canada } from './sheets/canada.ts';
import { europe } from './sheets/europe.ts';
import { europeanUnion } from './sheets/european-union.ts';
import { latinAmerica } from './sheets/latin-america.ts';
import { oceania } from './sheets/oceania.ts';
import { unitedStates } from './sheets/united-states.ts';
import { superseded } from './superseded-tables.ts';
import { tableVersion } from './table-version.ts';

const sheets: readonly RateSheet[] = [europeanUnion, europe, unitedStates, canada, latinAmerica, asia, africa, oceania];

/**
 * Countries that tax a service only if its category is in the table. Other services do not get the general rate there.
 */
export const listedOnly: ReadonlySet<string> = new Set(['US', 'CA']);

const makers: ReadonlyMap<string, () => readonly RateRow[]> = new Map(
  sheets.flatMap(({ checkedOn: day, rates }) =>
    Object.entries(rates).map(([place, lines]) => [place, () => rowsOf(place, lines, day)] as const),
  ),
);

/**
 * Whether a version of the table is known. The current version is, and so are the versions that open sessions may still
 * use.
 */
export const isKnownTable = (version: string): boolean =>
  version === tableVersion || superseded.tables.some((table) => table.version === version);

/**
 * The countries that have a rate for a category, in one of their regions at least, at any date. It reads the sheets
 * only, because making all facts takes long.
 */
export function ratedCountries(category: RateCategory): ReadonlySet<string> {
  const places = sheets.flatMap(({ rates }) => Object.entries(rates));
  const rated = places.flatMap(([place, lines]) => {
    const country = place.slice(0, 2);
    const isRated = ([names, taxes]: RateLine) => {
      const categories = names.split(' ');
      const isGeneral = categories.includes('standard') && (taxes === 'no_tax' || !listedOnly.has(country));
      return isGeneral || categories.includes(category);
    };
    return lines.some(isRated) ? [country] : [];
  });
  return new Set(rated);
}

const made = new Map<string, readonly RateRow[]>();

/**
 * The facts of a place such as `DE` or `US-TX`. They are created on first use, because a sale needs only one to three
 * of its many places.
 * @param version the table to read; for an unknown version, the current table is read
 */
export function rowsAt(place: string, version: string = tableVersion): readonly RateRow[] {
  const earlier = earlierFact(version, (table) => (place in table.rates ? table : undefined));
  const key = `${earlier?.version ?? tableVersion} ${place}`;
  const known = made.get(key);
  if (known) return known;
  const rows = earlier ? rowsOf(place, earlier.rates[place] ?? [], earlier.checkedOn) : makers.get(place)?.();
  if (rows) made.set(key, rows);
  return rows ?? [];
}

/** Every fact of a table. */
export const rateRows = (version: string = tableVersion): readonly RateRow[] =>
  [...makers.keys()].flatMap((place) => rowsAt(place, version));

/** The oldest date on which a sheet was checked. */
export const checkedOn: string = sheets.map((sheet) => sheet.checkedOn).sort()[0] ?? '';
