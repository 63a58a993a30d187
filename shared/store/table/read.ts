import { AsyncLocalStorage } from 'node:async_hooks';
import type * as z from 'zod';
import type { RowKey } from '../keys.ts';
import { findItems, nameOf } from './read-many.ts';
import type { Table } from './table.ts';
import type { Item } from './write.ts';

/** Rows that are on their way, and those of them that nobody has taken yet. */
interface Ahead {
  untaken: Set<string>;
  rows: Promise<(key: RowKey) => Item | undefined>;
}

const aheads = new AsyncLocalStorage<Ahead>();

/**
 * Asks in one call for the rows that `act` is going to find. Each of them is handed out once, and none after `act` has committed
 * anything: what is read again is read from the table.
 */
export function readRowsAhead<Result>(
  table: Table,
  keys: readonly RowKey[],
  act: () => Promise<Result>,
): Promise<Result> {
  if (keys.length === 0) return act();
  const rows = findItems(table, keys);
  rows.catch(() => {}); // told to those who take a row
  return aheads.run({ untaken: new Set(keys.map(nameOf)), rows }, act);
}

/** Lets everything be read from the table from now on: a request sees what it has written. */
export const forgetAhead = (): void => aheads.getStore()?.untaken.clear();

/** One row by its key, as it is now, or as it was when the request began to read. */
export async function findItem(table: Table, key: RowKey): Promise<Item | undefined> {
  const ahead = aheads.getStore();
  const rows = ahead?.untaken.delete(nameOf(key)) ? ahead.rows : findItems(table, [key]);
  return (await rows)(key);
}

/** The object in a row's `data`, parsed: what the table holds is checked like any other input. */
export async function findData<T>(table: Table, key: RowKey, schema: z.ZodType<T>): Promise<T | undefined> {
  const item = await findItem(table, key);
  return item && schema.parse(item['data']);
}
