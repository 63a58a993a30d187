import type { RowKey } from '../keys.ts';
import type { Cut } from './list-row.ts';
import { dataIn } from './packed.ts';
import { findItems } from './read-many.ts';
import type { Table } from './table.ts';
import type { Item } from './write.ts';

interface Parser<T> {
  parse: (value: unknown) => T;
}

/** Reads a list view. It may be complete or shortened. */
export const rowParser = <Whole, Brief extends object>(whole: Parser<Whole>, brief: Parser<Brief>) => ({
  parse: (value: unknown): Whole | (Brief & Cut) =>
    isCut(value) ? { ...brief.parse(value), more: true } : whole.parse(value),
});

const isCut = (value: unknown): value is Cut => typeof value === 'object' && value !== null && 'more' in value;

/** Completes all shortened list views with one read. If none is shortened, it reads nothing. */
export const completing =
  <Whole extends object, Brief extends object>(
    table: Table,
    {
      keyOf,
      join,
      fields,
    }: { keyOf: (row: Brief) => RowKey; join: (row: Brief, data: Item) => Whole; fields?: readonly string[] },
  ) =>
  async (rows: readonly (Whole | (Brief & Cut))[]): Promise<(Whole | undefined)[]> => {
    const isShort = (row: Whole | (Brief & Cut)): row is Brief & Cut => isCut(row);
    const data = await findItems(table, rows.filter(isShort).map(keyOf), fields);
    return rows.map((row) => {
      if (!isShort(row)) return row;
      const item = data(keyOf(row));
      return item && join(row, dataIn(item) as Item);
    });
  };
