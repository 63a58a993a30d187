import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import type { Table } from '../table/table.ts';
import type { Item } from '../table/write.ts';

/** Reads an event, and the endpoints for which a delivery of it exists. All these rows are in one partition. */
export async function readWithEndpoints(
  table: Table,
  id: string,
): Promise<{ item: Item | undefined; endpointIds: ReadonlySet<string> }> {
  const { pk, sk } = keys.event(id);
  const query = new QueryCommand({
    TableName: table.name,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });
  const { Items = [] } = await table.client.send(query).catch(unavailable);
  const item = Items.find((row) => row['sk'] === sk);
  const { sk: prefix } = keys.delivery(id, '');
  const others = Items.map((row) => String(row['sk'])).filter((key) => key.startsWith(prefix));
  const endpointIds = new Set(others.map((key) => key.slice(prefix.length)));
  return { item, endpointIds };
}
