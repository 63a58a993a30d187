import * as z from 'zod';
import { hashApiKey } from '../../../../shared/http/api-key.ts';
import { apiKeys } from '../../../../shared/wiring/runtime.ts';
import type { LocalTable } from '../../../local-aws/table.ts';
import { localKey, seedLocalKey } from '../../local-key.ts';
import { seedHistory } from './seed-history.ts';

/**
 * The name of the local key during seeding, also in the audit log. After a crash it remains, and shows that no person
 * has used the shop yet.
 */
const unfinished = 'Demo data';

const Row = z.object({
  pk: z.object({ S: z.string() }),
  sk: z.object({ S: z.string() }),
  /** Absent in counters, such as those of downloads. */
  entity: z.object({ S: z.string() }).optional(),
});
const Page = z.object({ Items: z.array(Row), LastEvaluatedKey: z.unknown().optional() });

/** The kinds of rows that make up a shop. Exchange rates exist before it. */
async function firstRows({ call, tableName }: LocalTable): Promise<z.infer<typeof Row>[]> {
  const { Items } = Page.parse(await call('Scan', { TableName: tableName }));
  return Items.filter(({ entity }) => entity?.S !== 'RATE');
}

async function removeRows(table: LocalTable): Promise<void> {
  for (let rows = await firstRows(table); rows.length > 0; rows = await firstRows(table))
    for (const { pk, sk } of rows) await table.call('DeleteItem', { TableName: table.tableName, Key: { pk, sk } });
}

/**
 * Seeds an empty table once, before any request can reach it. A shop whose seeding was interrupted is removed and
 * seeded again. Any other shop stays unchanged.
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
