import * as z from 'zod';
import { hashApiKey } from '../../../../shared/http/api-key.ts';
import { apiKeys } from '../../../../shared/wiring/runtime.ts';
import type { LocalTable } from '../../../local-aws/table.ts';
import { localKey, seedLocalKey } from '../../local-key.ts';
import { seedHistory } from './seed-history.ts';

/**
 * The name of the local key while the shop is filled, also in the audit log. After a crash, the name stays. It shows
 * that no person has used the shop yet.
 */
const unfinished = 'Demo data';

/** The name of the local key in a shop that was made with `--empty`. Such a shop stays bare at every later start. */
export const bareName = 'Local sandbox, bare';

const Row = z.object({
  pk: z.object({ S: z.string() }),
  sk: z.object({ S: z.string() }),
  /** The kind of row. Absent in counters, such as those of downloads. */
  entity: z.object({ S: z.string() }).optional(),
});
const Page = z.object({ Items: z.array(Row), LastEvaluatedKey: z.unknown().optional() });

/**
 * Reads some rows of the kinds that make up a shop. Exchange rates are left out, because they exist before the shop.
 */
async function firstRows({ call, tableName }: LocalTable): Promise<z.infer<typeof Row>[]> {
  const { Items } = Page.parse(await call('Scan', { TableName: tableName }));
  return Items.filter(({ entity }) => entity?.S !== 'RATE');
}

async function removeRows(table: LocalTable): Promise<void> {
  for (let rows = await firstRows(table); rows.length > 0; rows = await firstRows(table))
    for (const { pk, sk } of rows) await table.call('DeleteItem', { TableName: table.tableName, Key: { pk, sk } });
}

/**
 * Fills an empty table once, before any request can reach it. If filling a shop was interrupted, it is emptied and
 * filled again. Any other shop does not change. Returns whether the shop is bare, from now or from an earlier start on. The name of the
 * local key then has to be `bareName`.
 */
export async function prepareShop(table: LocalTable, { isEmpty }: { isEmpty: boolean }): Promise<boolean> {
  const known = await apiKeys().find(hashApiKey(localKey));
  if (known?.name === unfinished) await removeRows(table);
  else if (known || (await firstRows(table)).length > 0) return known?.name === bareName;
  if (isEmpty) return true;
  await seedLocalKey(table, unfinished);
  await seedHistory(localKey);
  await seedLocalKey(table);
  return false;
}
