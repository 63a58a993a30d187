import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { unpackPayload } from '../../../shared/store/events/event-payload.ts';
import { dataIn, unpacked } from '../../../shared/store/table/packed.ts';
import type { Api } from '../shop/api.ts';
import { withBytes } from './row-forms.ts';
import { sendThrough } from './send-through.ts';

interface Item {
  pk: { S: string };
  sk: { S: string };
  entity?: { S: string };
}

type TableOfTest = Pick<Api['table'], 'call' | 'tableName'>;

/** Returns every row of a table, in the form of the network. */
async function allItems({ call, tableName: TableName }: TableOfTest): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: unknown;
  do {
    const page = await call<{ Items: Item[]; LastEvaluatedKey?: unknown }>('Scan', { TableName, ExclusiveStartKey });
    items.push(...page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/** Remembers the present rows of a table. Returns a function that restores exactly these. */
export async function keepRows(table: TableOfTest): Promise<() => Promise<void>> {
  const TableName = table.tableName;
  const nameOf = ({ pk, sk }: Item) => JSON.stringify([pk.S, sk.S]);
  const kept = new Map((await allItems(table)).map((Item) => [nameOf(Item), { Item, text: JSON.stringify(Item) }]));
  return async () => {
    const changed = new Map(kept);
    for (const item of await allItems(table)) {
      const name = nameOf(item);
      const before = kept.get(name);
      if (!before) await table.call('DeleteItem', { TableName, Key: { pk: item.pk, sk: item.sk } });
      else if (JSON.stringify(item) === before.text) changed.delete(name);
    }
    for (const { Item } of changed.values()) await table.call('PutItem', { TableName, Item });
  };
}

/** Counts the rows of each entity in the table, except API keys. A refused request must not change these counts. */
export async function countRows({ table }: Pick<Api, 'table'>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { entity } of await allItems(table)) {
    const name = entity?.S ?? 'UNKNOWN';
    if (name !== 'KEY') counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** The entities of the rows that one command writes. */
export type Written = string[];

interface WrittenRow {
  Item?: { entity?: string };
  Key?: { pk: string };
}

const entityOf = ({ Item, Key }: WrittenRow): string => Item?.entity ?? Key?.pk.split('#')[0] ?? 'UNKNOWN';

/** Records every writing command that a client sends from now on, as the entities of its rows. */
export function watchWrites(client: DynamoDBDocumentClient): Written[] {
  const writes: Written[] = [];
  sendThrough(client, (send) => (command) => {
    const { TransactItems, ...single } = command.input as WrittenRow & { TransactItems?: Record<string, WrittenRow>[] };
    const rows = TransactItems ? TransactItems.flatMap((item) => Object.values(item)) : [single];
    if (!/^(Get|BatchGet|TransactGet|Query|Scan)/.test(command.constructor.name))
      writes.push(rows.map(entityOf).sort());
    return send(command);
  });
  return writes;
}

/** Returns a row with its bytes in the form that the stores read. */
async function readable(item: Item): Promise<string> {
  const { data, row, payload, ...plain } = unmarshall(item as never);
  const packed = Object.values(plain).filter((value) => value instanceof Uint8Array);
  if (packed.length > 0) throw new Error(`${item.pk.S} has bytes that nobody reads.`);
  const inside = [dataIn({ data, row }), unpacked(row), payload && unpackPayload(payload)];
  return JSON.stringify([plain, ...inside]);
}

/** Returns every row of a table as readable text, with packed content unpacked. */
export async function dumpRows(table: TableOfTest): Promise<{ name: string; entity: string; text: string }[]> {
  const items = (await allItems(table)).map((item) => withBytes(item) as Item);
  return Promise.all(
    items.map(async (item) => ({
      name: `${item.pk.S} ${item.sk.S}`,
      entity: item.entity?.S ?? 'UNKNOWN',
      text: await readable(item),
    })),
  );
}
