import type { BusinessLine, RateSheet } from './rate-sheet.ts';

/** An earlier version of the table. It contains all lines of the places that the next version has changed. */
export interface SupersededTable extends RateSheet {
  version: string;
  /** The rules for businesses, by place. */
  businesses?: Readonly<Record<string, BusinessLine>>;
}

/**
 * Earlier tables, newest first, for sessions that may still be open. The list is empty, because no released table was
 * replaced yet. Tests add one.
 */
export const superseded: { tables: readonly SupersededTable[] } = { tables: [] };
