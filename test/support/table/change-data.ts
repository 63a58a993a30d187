import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RowKey } from '../../../shared/store/keys.ts';
import { unpacked } from '../../../shared/store/table/packed.ts';

interface Place {
  client: DynamoDBDocumentClient;
  name: string;
}

/** The object in a row, whether it is packed or not. */
// biome-ignore lint/suspicious/noExplicitAny: the caller knows the row
export async function dataOf({ client, name }: Place, Key: RowKey): Promise<any> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  return unpacked(Item?.['data']);
}

/** Changes the object in a row behind the store's back, and leaves it as a map, as earlier versions wrote it. */
export async function changeData(
  { client, name }: Place,
  Key: RowKey,
  // biome-ignore lint/suspicious/noExplicitAny: the caller knows the row
  change: (data: any) => unknown,
): Promise<void> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }));
  const data = change(unpacked(Item?.['data']));
  await client.send(new PutCommand({ TableName: name, Item: { ...Item, data } }));
}
