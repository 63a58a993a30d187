import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RowKey } from '../../../shared/store/keys.ts';
import { dataIn, unpacked } from '../../../shared/store/table/packed.ts';
import type { Item } from '../../../shared/store/table/write.ts';

/** A row with everything in it that can be read, for what looks for a text in rows. */
export const readable = (row: Item): Item => ({ ...row, data: dataIn(row), row: unpacked(row['row']) });

interface Place {
  client: DynamoDBDocumentClient;
  name: string;
}

/** The object in a row, whether it is packed or not. */
// biome-ignore lint/suspicious/noExplicitAny: the caller knows the row
export async function dataOf({ client, name }: Place, Key: RowKey): Promise<any> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  return dataIn(Item ?? {});
}

/** Changes the object in a row behind the store's back, and leaves it as a map, as earlier versions wrote it. */
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
