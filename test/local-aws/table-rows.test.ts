import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalTable } from '../../infra/local/local-table.ts';
import { DynamoError } from '../../infra/local-aws/table/dynamo-error.ts';
import type { AttributeMap } from '../../infra/local-aws/table/values/attribute-value.ts';
import type { LocalTable } from '../../infra/local-aws/table.ts';

let table: LocalTable;

beforeEach(async () => {
  table = await startLocalTable({ tableName: 'things' });
});

afterEach(() => table.stop());

const TableName = 'things';
const key = (pk: string, sk = 'S'): AttributeMap => ({ pk: { S: pk }, sk: { S: sk } });

// biome-ignore lint/suspicious/noExplicitAny: tests read any response
const call = (operation: string, input: object) => table.call<any>(operation, { TableName, ...input });

const put = (pk: string, fields: AttributeMap = {}, sk?: string) =>
  call('PutItem', { Item: { ...key(pk, sk), ...fields } });

const item = async (pk: string) => (await call('GetItem', { Key: key(pk) })).Item;

/** The name and the words of a refusal. */
const refusal = (calling: Promise<unknown>): Promise<string> =>
  calling.then(
    () => 'no refusal',
    (error) => {
      if (!(error instanceof DynamoError)) throw error;
      return `${error.name}: ${error.message}`;
    },
  );

describe('rows of the local table', () => {
  it('are ordered and found by the bytes of their keys, in all languages', async () => {
    const sorted = ['A', 'Z', 'a', 'a#b', 'aé', 'a\uFFFD', 'a\u{1F600}', 'a\u{10FFFF}', 'b', '~'];
    for (const sk of sorted.toReversed()) await put('P', {}, sk);
    const sorts = async (condition: string, value: string) => {
      const { Items } = await call('Query', {
        KeyConditionExpression: `pk = :p AND ${condition}`,
        ExpressionAttributeValues: { ':p': { S: 'P' }, ':v': { S: value } },
      });
      return Items.map(({ sk }: AttributeMap) => sk?.S);
    };
    expect(await sorts('sk > :v', '!')).toEqual(sorted);
    expect(await sorts('begins_with(sk, :v)', 'a')).toEqual(sorted.slice(2, 8));
    expect(await sorts('begins_with(sk, :v)', 'a\u{10FFFF}')).toEqual(['a\u{10FFFF}']);
    expect(await sorts('begins_with(sk, :v)', 'A')).toEqual(['A']);
    const filter = { FilterExpression: 'sk > :v', ExpressionAttributeValues: { ':v': { S: 'a\uFFFD' } } };
    const { Items } = await call('Scan', filter);
    expect(Items.map(({ sk }: AttributeMap) => sk?.S)).toEqual(sorted.slice(6));
  });

  it('work as usual when their key is a name that JavaScript objects have, such as constructor', async () => {
    await put('A', { constructor: { S: 'x' } });
    expect(
      await refusal(call('PutItem', { Item: key('A'), ConditionExpression: 'attribute_exists(toString)' })),
    ).toMatch(/Conditional/);
    expect((await item('A')).constructor).toEqual({ S: 'x' });
  });

  it('are updated from their old values: each expression of an update sees the row before the update', async () => {
    await put('A', { a: { N: '1' }, b: { N: '2' }, l: { L: [{ S: '0' }, { S: '1' }, { S: '2' }] } });
    const UpdateExpression = 'SET a = b, b = a + :one REMOVE l[0], l[2]';
    await call('UpdateItem', { Key: key('A'), UpdateExpression, ExpressionAttributeValues: { ':one': { N: '1' } } });
    expect(await item('A')).toMatchObject({ a: { N: '2' }, b: { N: '2' }, l: { L: [{ S: '1' }] } });
  });

  it('are not changed by an update inside a missing attribute', async () => {
    await put('A');
    const update = { Key: key('A'), UpdateExpression: 'SET m.a = :v', ExpressionAttributeValues: { ':v': { S: 'x' } } };
    const message = 'The document path provided in the update expression is invalid for update';
    expect(await refusal(call('UpdateItem', update))).toBe(`ValidationException: ${message}`);
    const TransactItems = [{ Put: { TableName, Item: key('B') } }, { Update: { TableName, ...update } }];
    const CancellationReasons = [{ Code: 'None' }, { Code: 'ValidationError', Message: message }];
    const transaction = table.call('TransactWriteItems', { TransactItems });
    await expect(transaction).rejects.toMatchObject({ details: { CancellationReasons } });
    expect(await item('B')).toBeUndefined();
  });

  it('leave an index when they lose its keys, and each changed index entry costs one unit', async () => {
    const cost = async (fields: AttributeMap) => {
      const Item = { ...key('A'), ...fields };
      const { ConsumedCapacity } = await call('PutItem', { Item, ReturnConsumedCapacity: 'INDEXES' });
      return ConsumedCapacity.GlobalSecondaryIndexes?.list?.CapacityUnits ?? 0;
    };
    const at = (listSk: string) => ({ listPk: { S: 'L' }, listSk: { S: listSk } });
    expect(await cost({})).toBe(0);
    expect(await cost(at('1'))).toBe(1);
    expect(await cost({ ...at('1'), data: { S: 'not in the index' } })).toBe(0);
    expect(await cost({ ...at('1'), row: { S: 'in the index' } })).toBe(1);
    expect(await cost(at('2'))).toBe(2);
    expect(await cost({ listPk: { S: 'L' } })).toBe(1);
  });

  it('cost a reader of an index only the size of the projected attributes', async () => {
    await put('A', { listPk: { S: 'L' }, listSk: { S: '1' }, data: { S: 'x'.repeat(9_000) } });
    const { ConsumedCapacity } = await call('Query', {
      IndexName: 'list',
      KeyConditionExpression: 'listPk = :p',
      ExpressionAttributeValues: { ':p': { S: 'L' } },
      ReturnConsumedCapacity: 'TOTAL',
    });
    expect(ConsumedCapacity.CapacityUnits).toBe(0.5); // the row has 9 kB, its entry less than four
  });
});

describe('the stream of the local table', () => {
  async function records(): Promise<{ eventName: string; dynamodb: { NewImage?: AttributeMap } }[]> {
    const { Streams } = await call('ListStreams', {});
    const { StreamDescription } = await table.call<{
      StreamDescription: { StreamArn: string; Shards: { ShardId: string }[] };
    }>('DescribeStream', Streams[0]);
    const { StreamArn, Shards } = StreamDescription;
    const { ShardIterator } = await table.call<{ ShardIterator: string }>('GetShardIterator', {
      StreamArn,
      ShardId: Shards[0]?.ShardId,
      ShardIteratorType: 'TRIM_HORIZON',
    });
    return (await table.call<{ Records: [] }>('GetRecords', { ShardIterator })).Records;
  }

  it('has a record for each changed row, and none for a write that was refused or changed nothing', async () => {
    await put('A', { x: { S: '1' }, y: { S: '2' } });
    await call('PutItem', { Item: { y: { S: '2' }, x: { S: '1' }, ...key('A') } });
    await refusal(call('PutItem', { Item: key('A'), ConditionExpression: 'attribute_not_exists(pk)' }));
    await call('UpdateItem', { Key: key('A'), UpdateExpression: 'REMOVE z' });
    await put('A', { x: { S: '2' } });
    await call('DeleteItem', { Key: key('A') });
    await call('DeleteItem', { Key: key('A') });
    const seen = (await records()).map(({ eventName, dynamodb }) => [eventName, dynamodb.NewImage?.['x']?.S]);
    expect(seen).toEqual([
      ['INSERT', '1'],
      ['MODIFY', '2'],
      ['REMOVE', undefined],
    ]);
  });

  it('has both images and their size, if the table is set to include them', async () => {
    const both = await startLocalTable({ tableName: 'plain' });
    const request = (await both.call<{ Table: object }>('DescribeTable', { TableName: 'plain' })).Table;
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
    await both.call('CreateTable', { ...request, TableName: 'both', StreamSpecification });
    for (const x of ['1', '22']) await both.call('PutItem', { TableName: 'both', Item: { ...key('A'), x: { S: x } } });
    const iterator = 'arn:aws:dynamodb:eu-central-1:000000000000:table/both/stream/x|1';
    const { Records } = await both.call<{ Records: { dynamodb: object }[] }>('GetRecords', { ShardIterator: iterator });
    await both.stop();
    const keyBytes = 3 + 3; // pk A, sk S
    expect(Records.map(({ dynamodb }) => dynamodb)).toMatchObject([
      {
        NewImage: { ...key('A'), x: { S: '22' } },
        OldImage: { ...key('A'), x: { S: '1' } },
        SizeBytes: 3 * keyBytes + 3 + 2,
      },
    ]);
  });

  it('has no record of a cancelled transaction', async () => {
    const TransactItems = ['A', 'B'].map((pk) => ({
      Put: { TableName, Item: key(pk), ConditionExpression: 'attribute_not_exists(pk)' },
    }));
    await put('B');
    expect(await refusal(table.call('TransactWriteItems', { TransactItems }))).toMatch(
      /\[None, ConditionalCheckFailed\]/,
    );
    expect(await records()).toHaveLength(1);
  });
});

describe('the data folder of the local table', () => {
  let dataDirectory: string;
  beforeEach(() => {
    dataDirectory = mkdtempSync(join(tmpdir(), 'tillstack table '));
  });
  afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

  it('keeps rows, stream and idempotency tokens across a restart', async () => {
    const TransactItems = [
      { Put: { TableName: 'kept', Item: key('A'), ConditionExpression: 'attribute_not_exists(pk)' } },
    ];
    const transaction = { TransactItems, ClientRequestToken: 'once' };
    const first = await startLocalTable({ tableName: 'kept', dataDirectory });
    await first.call('TransactWriteItems', transaction);
    await first.stop();
    const second = await startLocalTable({ tableName: 'kept', dataDirectory });
    await second.call('TransactWriteItems', transaction);
    expect(await second.call('GetItem', { TableName: 'kept', Key: key('A') })).toEqual({ Item: key('A') });
    await second.stop();
  });

  it('is used by one process at a time, and a second process gets an error', async () => {
    const first = await startLocalTable({ tableName: 'kept', dataDirectory });
    await expect(startLocalTable({ tableName: 'kept', dataDirectory })).rejects.toThrow(
      /Another process uses the data/,
    );
    await first.stop();
  });
});
