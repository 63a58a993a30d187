import * as z from 'zod';
import type { Emulator } from '../emulator.ts';
import type { DrillScene } from './drill.ts';

const Resources = z.array(z.tuple([z.string(), z.string(), z.string(), z.string().nullable()]));

/** The physical id of a resource, by the path of its construct. */
export async function physicalId({ emulator }: DrillScene, stack: string, path: string): Promise<string> {
  const all = Resources.parse(await emulator.python('upgrade.py', ['resources', stack]));
  const found = all.find(
    ([, logicalId]) => logicalId.startsWith(path) && /^[0-9A-F]{8}$/.test(logicalId.slice(path.length)),
  );
  if (found?.[3]) return found[3];
  throw new Error(`${stack} has no ${path}.`);
}

const Page = z.object({ Items: z.array(z.record(z.string(), z.record(z.string(), z.unknown()))) });

type StoredRow = z.infer<typeof Page>['Items'][number];

const textOf = (row: StoredRow, name: string): string => String(row[name]?.['S'] ?? '');

/** The rows whose partition keys begin with a prefix, read with the account owner's rights. */
export async function rowsBelow({ emulator, shop }: DrillScene, prefix: string): Promise<StoredRow[]> {
  const input = { TableName: shop.TableName, ConsistentRead: true };
  const { Items } = Page.parse(await emulator.call('dynamodb', 'scan', input));
  return Items.filter((row) => textOf(row, 'pk').startsWith(prefix));
}

/** Deletes rows directly in the table, without a function, and returns their keys. */
export async function loseRows(scene: DrillScene, rows: readonly StoredRow[]): Promise<string[]> {
  if (rows.length === 0) throw new Error('There are no rows to lose.');
  for (const { pk, sk } of rows)
    await scene.emulator.call('dynamodb', 'delete_item', { TableName: scene.shop.TableName, Key: { pk, sk } });
  return rows.map((row) => textOf(row, 'pk'));
}

/** Removes the contents of a row. */
export async function emptyRow(emulator: Emulator, table: string, key: { pk: string; sk: string }): Promise<void> {
  await emulator.call('dynamodb', 'update_item', {
    TableName: table,
    Key: { pk: { S: key.pk }, sk: { S: key.sk } },
    UpdateExpression: 'REMOVE #lost',
    ExpressionAttributeNames: { '#lost': 'data' },
  });
}
