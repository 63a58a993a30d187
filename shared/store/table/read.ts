import { AsyncLocalStorage } from 'node:async_hooks';
import type * as z from 'zod';
import type { RowKey } from '../keys.ts';
import { dataIn } from './packed.ts';
import { findItems, nameOf } from './read-many.ts';
import type { Table } from './table.ts';
import type { Item } from './write.ts';

/** Rows that are being read ahead, and the ones among them that were not used yet. */
interface Ahead {
  untaken: Set<string>;
  rows: Promise<(key: RowKey) => Item | undefined>;
}

const aheads = new AsyncLocalStorage<Ahead>();

/**
 * Reads in one call the rows that `act` will need. Each of these rows is used only once. After `act` has committed a
 * write, later reads go to the table.
 */
export function readRowsAhead<Result>(
  table: Table,
  keys: readonly RowKey[],
  act: () => Promise<Result>,
): Promise<Result> {
  if (keys.length === 0) return act();
  const rows = findItems(table, keys);
  rows.catch(() => {}); // Each reader of a row gets the error. This catch only prevents an unhandled rejection.
  return aheads.run({ untaken: new Set(keys.map(nameOf)), rows }, act);
}

/** Sends all later reads to the table, so a request sees its own writes. */
export const forgetAhead = (): void => aheads.getStore()?.untaken.clear();

/** One row by its key. It is consistent, at the time of this read or at the time when the rows were read ahead. */
export async function findItem(table: Table, key: RowKey): Promise<Item | undefined> {
  const ahead = aheads.getStore();
  const rows = ahead?.untaken.delete(nameOf(key)) ? ahead.rows : findItems(table, [key]);
  return (await rows)(key);
}

/** The object in a row's `data`. It is parsed, because stored data is checked like any other input. */
export async function findData<T>(table: Table, key: RowKey, schema: z.ZodType<T>): Promise<T | undefined> {
  const item = await findItem(table, key);
  return item && schema.parse(dataIn(item));
}
