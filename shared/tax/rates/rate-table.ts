import { type RateRow, rowsOf } from './rate-row.ts';
import type { RateSheet } from './rate-sheet.ts';
import { africa } from './sheets/africa.ts';
import { asia } from './sheets/asia.ts';
import { canada } from './sheets/canada.ts';
import { europe } from './sheets/europe.ts';
import { europeanUnion } from './sheets/european-union.ts';
import { latinAmerica } from './sheets/latin-america.ts';
import { oceania } from './sheets/oceania.ts';
import { unitedStates } from './sheets/united-states.ts';

const sheets: readonly RateSheet[] = [europeanUnion, europe, unitedStates, canada, latinAmerica, asia, africa, oceania];

const makers: ReadonlyMap<string, () => readonly RateRow[]> = new Map(
  sheets.flatMap(({ checkedOn: day, rates }) =>
    Object.entries(rates).map(([place, lines]) => [place, () => rowsOf(place, lines, day)] as const),
  ),
);

const made = new Map<string, readonly RateRow[]>();

/** The facts of a place such as `DE` or `US-TX`, created on first use: a sale needs one to three of 177 places. */
export function rowsAt(place: string): readonly RateRow[] {
  const known = made.get(place);
  if (known) return known;
  const rows = makers.get(place)?.();
  if (rows) made.set(place, rows);
  return rows ?? [];
}

/** Every fact in the table. */
export const rateRows = (): readonly RateRow[] => [...makers.keys()].flatMap(rowsAt);

/** The oldest date on which a sheet was checked. */
export const checkedOn: string = sheets.map((sheet) => sheet.checkedOn).sort()[0] ?? '';
