import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createLocalTable, startLocalTable } from '../../infra/local/local-table.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';
import type { LocalTable } from '../../infra/local-aws/table.ts';

const clientOf = ({ endpoint }: LocalTable) =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: localAws.region, credentials: localAws }));

let table: LocalTable;
let client: DynamoDBDocumentClient;

beforeAll(async () => {
  table = await startLocalTable();
  client = clientOf(table);
});
afterAll(() => table.stop());

describe('the local table', () => {
  it('has the keys, the projections and the stream of the schema', async () => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table.tableName }));
    expect(Table?.KeySchema?.map(({ AttributeName }) => AttributeName)).toEqual(['pk', 'sk']);
    expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
    const projections = Table?.GlobalSecondaryIndexes?.map(({ IndexName, Projection }) => [IndexName, Projection]);
    expect(Object.fromEntries(projections ?? [])).toEqual({
      list: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['row'] },
      customer: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['row'] },
      due: { ProjectionType: 'KEYS_ONLY' },
    });
  });

  it('handles a connected client’s requests without the network steps, until the connection is undone', async () => {
    const other = clientOf(table);
    const before = other.middlewareStack.identify();
    const undo = table.connect(other);
    const connected = new Set(other.middlewareStack.identify());
    expect(before.filter((step) => !connected.has(step)).map((step) => step.split(' ')[0])).toEqual([
      'loggerMiddleware',
      'contentLengthMiddleware',
      'getUserAgentMiddleware',
      'hostHeaderMiddleware',
      'recursionDetectionMiddleware',
      'httpSigningMiddleware',
    ]);
    await other.send(
      new PutCommand({ TableName: table.tableName, Item: { pk: 'N#1', sk: 'X', bytes: Buffer.from('é') } }),
    );
    undo();
    expect(other.middlewareStack.identify()).toEqual(before);
    const { Item } = await other.send(new GetCommand({ TableName: table.tableName, Key: { pk: 'N#1', sk: 'X' } }));
    expect(Item).toEqual({ pk: 'N#1', sk: 'X', bytes: new Uint8Array(Buffer.from('é')) });
  });

  it('writes all rows of a transaction or none', async () => {
    const put = (pk: string, condition?: string) => ({
      Put: { TableName: table.tableName, Item: { pk, sk: 'X' }, ConditionExpression: condition },
    });
    await client.send(new TransactWriteCommand({ TransactItems: [put('A#1'), put('A#2')] }));
    const second = client.send(
      new TransactWriteCommand({ TransactItems: [put('A#3'), put('A#1', 'attribute_not_exists(pk)')] }),
    );
    await expect(second).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
    const third = await client.send(new GetCommand({ TableName: table.tableName, Key: { pk: 'A#3', sk: 'X' } }));
    expect(third.Item).toBeUndefined();
  });

  it('shows a listed row in the list index only, newest first in a backward query', async () => {
    const put = (id: string) => ({
      Put: {
        TableName: table.tableName,
        Item: { pk: id, sk: 'X', listPk: 'L', listSk: id, row: { id }, data: { secret: true } },
      },
    });
    await client.send(new TransactWriteCommand({ TransactItems: [put('L#1'), put('L#2')] }));
    const page = new QueryCommand({
      TableName: table.tableName,
      IndexName: 'list',
      KeyConditionExpression: 'listPk = :pk',
      ExpressionAttributeValues: { ':pk': 'L' },
      ScanIndexForward: false,
    });
    const { Items = [] } = await client.send(page);
    expect(Items.map(({ row }) => row)).toEqual([{ id: 'L#2' }, { id: 'L#1' }]);
    expect(Items[0]).not.toHaveProperty('data');
  });

  it('can share its server with other tables, and is not created twice', async () => {
    await createLocalTable(table.call, 'second-table');
    await createLocalTable(table.call, 'second-table');
    const found = await client.send(new GetCommand({ TableName: 'second-table', Key: { pk: 'A#1', sk: 'X' } }));
    expect(found.Item).toBeUndefined();
  });

  it('keeps its rows in a data directory across runs', async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), 'table-'));
    const run = async <Result>(act: (kept: LocalTable) => Promise<Result>) => {
      const kept = await startLocalTable({ tableName: 'kept', dataDirectory });
      return act(kept).finally(kept.stop);
    };
    const item = { pk: 'KEPT', sk: 'X' };
    await run((kept) =>
      clientOf(kept).send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'kept', Item: item } }] })),
    );
    const again = await run((kept) => clientOf(kept).send(new GetCommand({ TableName: 'kept', Key: item })));
    expect(again.Item).toEqual(item);
    await rm(dataDirectory, { recursive: true });
  });

  it('is replaced by the table at DYNAMODB_ENDPOINT if that variable is set', async () => {
    vi.stubEnv('DYNAMODB_ENDPOINT', table.endpoint);
    const other = await startLocalTable().finally(() => vi.unstubAllEnvs());
    expect(other.endpoint).toBe(table.endpoint);
    expect(other.tableName).not.toBe(table.tableName);
  });
});
