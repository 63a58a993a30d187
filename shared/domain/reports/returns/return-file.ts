import type { CsvCell } from '../csv.ts';
import type { TaxMovement } from './movement.ts';

/** A table of a return, as in its file. */
export interface ReturnTable {
  header: readonly string[];
  rows: readonly (readonly CsvCell[])[];
}

/** The result of a return after all of its movements are counted. */
export interface FinishedReturn {
  summary: ReturnTable;
  /** What the merchant has to know before using the return. */
  notes: readonly string[];
}

/** Counts movements one by one, so they need not be kept in memory. */
export interface ReturnCounter {
  add(movement: TaxMovement): void | Promise<void>;
  finish(): Promise<FinishedReturn>;
}

const percentPlaces = 2;

/** `0.19` → `19`, `0.0725` → `7.25`; empty if there is no rate. */
export function percentCell(rate: string | null): string {
  if (rate === null) return '';
  const [whole = '0', places = ''] = rate.split('.');
  const padded = places.padEnd(percentPlaces, '0');
  const points = `${whole}${padded.slice(0, percentPlaces)}`.replace(/^0+(?=\d)/, '');
  const rest = padded.slice(percentPlaces).replace(/0+$/, '');
  return rest === '' ? points : `${points}.${rest}`;
}
