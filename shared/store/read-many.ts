import { setTimeout as pause } from 'node:timers/promises';
import { BatchGetCommand, type BatchGetCommandInput, type BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import { DomainError } from '../domain/errors.ts';
import { toUnavailable } from './errors.ts';
import type { Key } from './read.ts';
import type { Table } from './table.ts';
import type { Item } from './transaction.ts';

const mostPerBatch = 100;
const mostTries = 6;

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;

/** Rows by their keys, as they are now, each read once; with `fields`, only these members of their `data`. */
export async function findItems(
  table: Table,
  keys: readonly Key[],
  fields?: readonly string[],
): Promise<(key: Key) => Item | undefined> {
  const unique = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
  const found = new Map<string, Item>();
  for (let start = 0; start < unique.length; start += mostPerBatch)
    for (const item of await readBatch(table, unique.slice(start, start + mostPerBatch), fields))
      found.set(nameOf(item as unknown as Key), item);
  return (key) => found.get(nameOf(key));
}

/** The table leaves out what does not fit into 16 MB, or comes too fast: the rest is asked for again, a bounded number of times. */
async function readBatch(table: Table, keys: readonly Key[], fields?: readonly string[]): Promise<Item[]> {
  const items: Item[] = [];
  let RequestItems: BatchGetCommandInput['RequestItems'] = { [table.name]: { Keys: [...keys], ...reading(fields) } };
  for (let tries = 1; ; tries += 1) {
    const answer = await sendBatch(table, { RequestItems });
    const some: Item[] = answer.Responses?.[table.name] ?? [];
    items.push(...some);
    RequestItems = answer.UnprocessedKeys ?? {};
    if (Object.keys(RequestItems).length === 0) return items;
    if (tries === mostTries)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The store did not answer in time. Try again.');
    if (some.length === 0) await pause(Math.random() * 25 * 2 ** tries);
  }
}

const sendBatch = (table: Table, input: BatchGetCommandInput): Promise<BatchGetCommandOutput> =>
  table.client.send(new BatchGetCommand(input)).catch((error: unknown) => Promise.reject(toUnavailable(error)));

function reading(fields: readonly string[] | undefined) {
  if (!fields) return { ConsistentRead: true };
  const names = Object.fromEntries(fields.map((field, index) => [`#f${index}`, field]));
  return {
    ConsistentRead: true,
    ProjectionExpression: ['pk', 'sk', ...Object.keys(names).map((name) => `#data.${name}`)].join(', '),
    ExpressionAttributeNames: { '#data': 'data', ...names },
  };
}
