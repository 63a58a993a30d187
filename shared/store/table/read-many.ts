import { setTimeout as pause } from 'node:timers/promises';
import { BatchGetCommand, type BatchGetCommandInput, type BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { RowKey } from '../keys.ts';
import { unanswered, unavailable } from './errors.ts';
import type { Table } from './table.ts';
import type { Item } from './write.ts';

const mostPerBatch = 100;
/** How many answers in a row may contain none of the requested rows before the read fails. */
const mostInVain = 6;
/** The longest keys that DynamoDB accepts. It refuses longer or empty ones instead of finding nothing. */
const mostKeyBytes = { pk: 2_048, sk: 1_024 } as const;

/** The name of a row, unique in the table. */
export const nameOf = ({ pk, sk }: RowKey): string => `${pk}\n${sk}`;

/**
 * Whether a key is valid. An invalid key is left out, because the table would refuse the whole batch, and no row can
 * have this key.
 */
const canExist = ({ pk, sk }: RowKey): boolean => isWithin(pk, mostKeyBytes.pk) && isWithin(sk, mostKeyBytes.sk);
const isWithin = (text: string, mostBytes: number): boolean => text !== '' && Buffer.byteLength(text) <= mostBytes;

/**
 * Reads rows by their keys, consistently, each only once. With `fields`, it returns only these members of their `data`.
 */
export async function findItems(
  table: Table,
  keys: readonly RowKey[],
  fields?: readonly string[],
): Promise<(key: RowKey) => Item | undefined> {
  const unique = [...new Map(keys.filter(canExist).map((key) => [nameOf(key), key])).values()];
  const found = new Map<string, Item>();
  for (let start = 0; start < unique.length; start += mostPerBatch)
    for (const item of await readBatch(table, unique.slice(start, start + mostPerBatch), fields))
      found.set(nameOf(item as unknown as RowKey), item);
  return (key) => found.get(nameOf(key));
}

type Batch = NonNullable<BatchGetCommandInput['RequestItems']>;

const sizeOf = (batch: Batch): number => Object.values(batch).reduce((sum, { Keys = [] }) => sum + Keys.length, 0);

/**
 * Reads a batch of rows. The table skips rows above 16 MB or beyond its throughput. So the skipped rows are requested
 * again until a time limit. A row counts as absent only if the table has looked for it.
 */
async function readBatch(table: Table, keys: readonly RowKey[], fields?: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  let batch: Batch = { [table.name]: { Keys: [...keys], ...reading(fields) } };
  for (let inVain = 0; inVain < mostInVain; ) {
    const answer = await sendBatch(table, batch);
    items.push(...(answer.Responses?.[table.name] ?? []));
    const left = answer.UnprocessedKeys ?? {};
    if (sizeOf(left) === 0) return items;
    inVain = sizeOf(left) < sizeOf(batch) ? 0 : inVain + 1;
    if (inVain > 0 && inVain < mostInVain) await pause(Math.random() * 25 * 2 ** inVain);
    batch = left;
  }
  throw unanswered();
}

const sendBatch = (table: Table, RequestItems: Batch): Promise<BatchGetCommandOutput> =>
  table.client.send(new BatchGetCommand({ RequestItems })).catch(unavailable);

function reading(fields: readonly string[] | undefined) {
  if (!fields) return { ConsistentRead: true };
  const names = Object.fromEntries(fields.map((field, index) => [`#f${index}`, field]));
  return {
    ConsistentRead: true,
    ProjectionExpression: ['pk', 'sk', ...Object.keys(names).map((name) => `#data.${name}`)].join(', '),
    ExpressionAttributeNames: { '#data': 'data', ...names },
  };
}
