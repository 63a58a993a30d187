import * as z from 'zod';
import { hashApiKey } from '../../../../shared/http/api-key.ts';
import { apiKeys } from '../../../../shared/wiring/runtime.ts';
import type { LocalTable } from '../../../local-aws/table.ts';
import { localKey, seedLocalKey } from '../../local-key.ts';
import { seedHistory } from './seed-history.ts';

/** The name of the local key while a shop is seeded, and in the audit log of that time. A crash leaves it behind, and with it nothing that a person has done. */
const unfinished = 'Demo data';

const Row = z.object({
  pk: z.object({ S: z.string() }),
  sk: z.object({ S: z.string() }),
  entity: z.object({ S: z.string() }),
});
const Page = z.object({ Items: z.array(Row), LastEvaluatedKey: z.unknown().optional() });

/** Rows of the shop; the exchange rates are there before it. */
async function firstRows({ call, tableName }: LocalTable): Promise<z.infer<typeof Row>[]> {
  const { Items } = Page.parse(await call('Scan', { TableName: tableName }));
  return Items.filter(({ entity }) => entity.S !== 'RATE');
}

async function removeRows(table: LocalTable): Promise<void> {
  for (let rows = await firstRows(table); rows.length > 0; rows = await firstRows(table))
    for (const { pk, sk } of rows) await table.call('DeleteItem', { TableName: table.tableName, Key: { pk, sk } });
}

/**
 * Seeds a bare table, once, before anything can reach it. A shop that was not seeded to the end is removed and seeded from the beginning.
 * Any other shop stays as it is.
 */
export async function prepareShop(table: LocalTable, { isEmpty }: { isEmpty: boolean }): Promise<void> {
  const known = await apiKeys().find(hashApiKey(localKey));
  if (known?.name === unfinished) await removeRows(table);
  else if (known || (await firstRows(table)).length > 0) return;
  if (isEmpty) return;
  await seedLocalKey(table, unfinished);
  await seedHistory(localKey);
  await seedLocalKey(table);
}
