import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { toUnavailable } from './errors.ts';
import type { Table } from './table.ts';
import type { Item } from './transaction.ts';

export interface Key {
  pk: string;
  sk: string;
}

/** The most that a key may have: DynamoDB refuses longer ones instead of finding nothing. */
const mostKeyBytes = { pk: 2_048, sk: 1_024 } as const;

const canExist = ({ pk, sk }: Key): boolean =>
  Buffer.byteLength(pk) <= mostKeyBytes.pk && Buffer.byteLength(sk) <= mostKeyBytes.sk;

/** One row by its key, as it is now. */
export async function findItem(table: Table, key: Key): Promise<Item | undefined> {
  if (!canExist(key)) return undefined;
  try {
    const { Item: item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
    );
    return item;
  } catch (error) {
    throw toUnavailable(error);
  }
}

/** The object in a row's `data`, parsed: what the table holds is checked like any other input. */
export async function findData<T>(table: Table, key: Key, schema: z.ZodType<T>): Promise<T | undefined> {
  const item = await findItem(table, key);
  return item && schema.parse(item['data']);
}
