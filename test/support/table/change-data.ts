import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RowKey } from '../../../shared/store/keys.ts';
import { dataIn, unpacked } from '../../../shared/store/table/packed.ts';
import type { Item } from '../../../shared/store/table/write.ts';

/** Returns a row with all its content unpacked, so a test can search for a text in it. */
export const readable = (row: Item): Item => ({ ...row, data: dataIn(row), row: unpacked(row['row']) });

interface Place {
  client: DynamoDBDocumentClient;
  name: string;
}

/** Returns the object in a row, packed or not. */
// biome-ignore lint/suspicious/noExplicitAny: the caller knows the row
export async function dataOf({ client, name }: Place, Key: RowKey): Promise<any> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  return dataIn(Item ?? {});
}

/** Changes the object in a row without the store, and writes it as a map, like earlier versions. */
export async function changeData(
  { client, name }: Place,
  Key: RowKey,
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the row
  change: (data: any) => unknown,
): Promise<void> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  const data = change(dataIn(Item ?? {}));
  await client.send(new PutCommand({ TableName: name, Item: { ...Item, data } }));
}
