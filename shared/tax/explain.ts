import { findRowById } from './rates/rate-lookup.ts';
import type { RateRow } from './rates/rate-row.ts';
import { sources } from './rates/sources.ts';

/** A row of the table with all that is known about it. */
export interface ExplainedRow {
  row: RateRow;
  sources: string[];
}

/** The rows with the ids that a payment keeps; undefined if today's table has no such row. */
export function explainRow(id: string): ExplainedRow | undefined {
  const row = findRowById(id);
  return row && { row, sources: row.sources.map((key) => sources[key] ?? key) };
}
