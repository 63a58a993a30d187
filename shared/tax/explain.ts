import { findRowById } from './rates/rate-lookup.ts';
import type { RateRow } from './rates/rate-row.ts';
import { sources } from './rates/sources.ts';

/** A row of the table with everything that is known of it. */
export interface ExplainedRow {
  row: RateRow;
  sources: string[];
}

/** Rows by the ids that a payment keeps; undefined where today's table does not hold such a row any more. */
export function explainRow(id: string): ExplainedRow | undefined {
  const row = findRowById(id);
  return row && { row, sources: row.sources.map((key) => sources[key] ?? key) };
}
