import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { RowKey } from '../keys.ts';
import { unavailable } from './errors.ts';
import type { Table } from './table.ts';
import type { Item } from './write.ts';

/** The rows of one query, as many as fit into one answer of the table. */
export async function queryRows(table: Table, input: Omit<QueryCommandInput, 'TableName'>): Promise<Item[]> {
  const query = new QueryCommand({ TableName: table.name, ...input });
  const { Items = [] } = await table.client.send(query).catch(unavailable);
  return Items;
}

/** The rows of a partition whose sort keys begin like the sort key of `prefix`, read consistently. */
export const queryPrefix = (table: Table, { pk, sk }: RowKey): Promise<Item[]> =>
  queryRows(table, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
    ConsistentRead: true,
  });

/** All rows of a partition, read consistently. */
export const queryPartition = (table: Table, pk: string): Promise<Item[]> =>
  queryRows(table, {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });

/** All rows of a partition between two sort keys, both included. It sends as many queries as needed. */
export async function queryBetween(table: Table, from: RowKey, to: RowKey): Promise<Item[]> {
  const rows: Item[] = [];
  let start: QueryCommandInput['ExclusiveStartKey'];
  do {
    const query = new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':pk': from.pk, ':from': from.sk, ':to': to.sk },
      ExclusiveStartKey: start,
    });
    const { Items = [], LastEvaluatedKey } = await table.client.send(query).catch(unavailable);
    rows.push(...Items);
    start = LastEvaluatedKey;
  } while (start);
  return rows;
}
