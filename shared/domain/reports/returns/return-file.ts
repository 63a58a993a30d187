import type { DayRates } from '../../money/exchange-rates.ts';
import type { CsvCell } from '../csv.ts';
import type { TaxMovement } from './movement.ts';

/** One table of a return. It becomes one file. */
export interface ReturnTable {
  header: readonly string[];
  rows: readonly (readonly CsvCell[])[];
}

/** The result of a return after all of its movements are counted. */
export interface FinishedReturn {
  summary: ReturnTable;
  /** What the merchant has to know before filing the return. */
  notes: readonly string[];
  /** A file in the format that an authority imports, and the last part of the file's name; absent if there is none. */
  upload?: { name: string; text: string };
  /** The exchange rates by quarter; absent if the documents have their own. */
  rates?: readonly { quarter: string; rates: DayRates }[];
  /** Whether some rates are not published yet. Then the return cannot be filed. */
  isProvisional?: boolean;
}

/**
 * Whether a movement is counted in the boxes, belongs to no box (`other`), or is left out because there is no exchange
 * rate for it.
 */
export type Membership = 'counted' | 'other' | 'left_out';

/** Counts movements one by one, so the memory need not contain all of them. */
export interface ReturnCounter {
  add(movement: TaxMovement): Membership | Promise<Membership>;
  finish(): Promise<FinishedReturn>;
}

const percentPlaces = 2;

/** A rate as a percentage: `0.19` → `19`, `0.0725` → `7.25`. Empty if there is no rate. */
export function percentCell(rate: string | null): string {
  if (rate === null) return '';
  const [whole = '0', places = ''] = rate.split('.');
  const padded = places.padEnd(percentPlaces, '0');
  const points = `${whole}${padded.slice(0, percentPlaces)}`.replace(/^0+(?=\d)/, '');
  const rest = padded.slice(percentPlaces).replace(/0+$/, '');
  return rest === '' ? points : `${points}.${rest}`;
}
