import type { BusinessLine, RateSheet } from './rate-sheet.ts';

/** An earlier version of the table. It contains all lines of the places that the next version has changed. */
export interface SupersededTable extends RateSheet {
  version: string;
  /** The rules for businesses, by place. */
  businesses?: Readonly<Record<string, BusinessLine>>;
}

/** Earlier tables, newest first, for sessions that may still be open. */
export const superseded: { tables: readonly SupersededTable[] } = {
  tables: [
    // the table of 0.2.0 had no rates for these places
    {
      version: '2026-11-22.f9901451',
      checkedOn: '2026-11-22',
      rates: { CI: [], ET: [], KH: [], LK: [], NP: [], PR: [], RW: [], SN: [], UG: [], ZM: [] },
    },
  ],
};
