import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

export type Row = Record<string, unknown>;

/** Every row of a table, page by page. */
export async function* scanPages(client: DynamoDBDocumentClient, tableName: string): AsyncGenerator<Row[]> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName: tableName, ConsistentRead: true }))
    yield Items;
}
