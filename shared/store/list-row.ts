import { findItems, type Key } from './read.ts';
import type { Table } from './table.ts';
import type { Item } from './transaction.ts';

/**
 * The most that a list view may take: with its keys it stays below 1 kB, so that each index writes one unit. JSON is never shorter
 * than what DynamoDB counts.
 */
export const mostRowBytes = 820;

/** The list view says that there is more of its object than fits. */
export interface Cut {
  more: true;
}

/** The whole list view, or what is short in it where the whole does not fit. */
export const fitted = <Whole extends object, Brief extends object>(
  whole: Whole,
  brief: (whole: Whole) => Brief,
): Whole | (Brief & Cut) =>
  Buffer.byteLength(JSON.stringify(whole)) <= mostRowBytes ? whole : { ...brief(whole), more: true };

interface Parser<T> {
  parse: (value: unknown) => T;
}

/** Reads a list view that is whole, as all of version 0.1 are, or cut. */
export const rowParser = <Whole, Brief extends object>(whole: Parser<Whole>, brief: Parser<Brief>) => ({
  parse: (value: unknown): Whole | (Brief & Cut) =>
    isCut(value) ? { ...brief.parse(value), more: true } : whole.parse(value),
});

const isCut = (value: unknown): value is Cut => typeof value === 'object' && value !== null && 'more' in value;

/** Makes cut list views whole: reads for all of them together what they leave out, and nothing for the others. */
export const completing =
  <Whole extends object, Brief extends object>(
    table: Table,
    {
      keyOf,
      join,
      fields,
    }: { keyOf: (row: Brief) => Key; join: (row: Brief, data: Item) => Whole; fields?: readonly string[] },
  ) =>
  async (rows: readonly (Whole | (Brief & Cut))[]): Promise<(Whole | undefined)[]> => {
    const isShort = (row: Whole | (Brief & Cut)): row is Brief & Cut => isCut(row);
    const data = await findItems(table, rows.filter(isShort).map(keyOf), fields);
    return rows.map((row) => {
      if (!isShort(row)) return row;
      const item = data(keyOf(row));
      return item && join(row, item['data'] as Item);
    });
  };
