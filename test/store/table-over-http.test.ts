import { DynamoDBClient, type TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalTable, startLocalTable } from '../../infra/local/local-table.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';
import { callDynamo } from '../../infra/local-aws/stream/dynamo-wire.ts';
import type { LocalTable } from '../../infra/local-aws/table.ts';
import { Amount } from '../../shared/domain/money/money.ts';
import { inTurn, tally, times } from '../support/seeded.ts';

let local: LocalTable;
let client: DynamoDBDocumentClient;
beforeAll(async () => {
  local = await startLocalTable();
  const { endpoint } = local;
  client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: localAws.region, credentials: localAws }),
  );
});
afterAll(async () => {
  client.destroy();
  await local.stop();
});

let serial = 0;
const newKey = (): { pk: string; sk: string } => {
  serial += 1;
  return { pk: `THING#${serial}`, sk: 'THING' };
};
const TableName = (): string => local.tableName;
const read = async (Key: object) =>
  (await client.send(new GetCommand({ TableName: TableName(), Key, ConsistentRead: true }))).Item;
const put = (Item: object, ConditionExpression?: string, values?: object) => ({
  Put: {
    TableName: TableName(),
    Item,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ...(ConditionExpression && { ConditionExpression }),
    ...(values && { ExpressionAttributeValues: values as Record<string, unknown> }),
  },
});
const transact = (TransactItems: ReturnType<typeof put>[], token?: string) =>
  client.send(new TransactWriteCommand({ TransactItems, ...(token && { ClientRequestToken: token }) }));
const failure = (sending: Promise<unknown>): Promise<TransactionCanceledException> =>
  sending.then(
    () => expect.unreachable(),
    (error) => error,
  );
const ifAbsent = 'attribute_not_exists(pk)';

describe('the DynamoDB emulator that the money tests use', () => {
  it('writes a transaction completely or not at all, and gives the reason of a refusal for each row', async () => {
    const [taken, free] = [newKey(), newKey()];
    await transact([put({ ...taken, entity: 'OLD', n: 7 }, ifAbsent)]);
    const error = await failure(transact([put({ ...free, n: 1 }, ifAbsent), put({ ...taken, n: 8 }, ifAbsent)]));
    expect(error.name).toBe('TransactionCanceledException');
    expect(error.CancellationReasons?.map(({ Code }) => Code)).toEqual(['None', 'ConditionalCheckFailed']);
    expect(error.CancellationReasons?.[1]?.Item).toMatchObject({ entity: { S: 'OLD' }, n: { N: '7' } });
    expect([await read(free), (await read(taken))?.['n']]).toEqual([undefined, 7]);
  });

  it('executes a request token once, and refuses it for different bytes (aws/aws-sdk#413)', async () => {
    const key = newKey();
    const token = `token-${serial}`;
    await transact([put({ ...key, n: 1 }, ifAbsent)], token);
    await transact([put({ ...key, n: 1 }, ifAbsent)], token);
    const mismatch = await failure(transact([put({ ...key, n: 2 })], token));
    expect(mismatch.name).toBe('IdempotentParameterMismatchException');
    expect((await read(key))?.['n']).toBe(1);
  });

  it('lets one of fifty writers win a version, without other errors', async () => {
    const key = newKey();
    await transact([put({ ...key, version: 1 })]);
    const names = await inTurn(times(50), 50, (n) =>
      transact([put({ ...key, version: 2, n }, 'version = :v', { ':v': 1 })]).then(
        () => 'won',
        (error) => error.CancellationReasons.map(({ Code }: { Code: string }) => Code).join(),
      ),
    );
    expect(tally(names)).toEqual({ won: 1, ConditionalCheckFailed: 49 });
  });

  it('shows a write at once, in indexes too', async () => {
    const key = newKey();
    const at = `2026-03-01T00:00:00.000Z#${key.pk}`;
    await transact([put({ ...key, listPk: 'LAG', listSk: at, row: { n: 1 } })]);
    const { Items } = await client.send(
      new QueryCommand({
        TableName: TableName(),
        IndexName: 'list',
        KeyConditionExpression: 'listPk = :lag AND listSk = :at',
        ExpressionAttributeValues: { ':lag': 'LAG', ':at': at },
      }),
    );
    expect(Items?.map(({ row }) => row)).toEqual([{ n: 1 }]);
  });

  it('never removes a row, even long after its time to live', async () => {
    const key = newKey();
    await transact([put({ ...key, ttl: 1 })]);
    expect(await read(key)).toMatchObject({ ttl: 1 });
  });

  it('treats a comparison with a missing attribute as false', async () => {
    const key = newKey();
    await transact([put({ ...key })]);
    for (const condition of ['version = :v', 'version < :v', 'version > :v'])
      expect((await failure(transact([put({ ...key, version: 1 }, condition, { ':v': 1 })]))).name).toMatch(/Cancel/);
  });

  it('refuses a row of more than 400 kB, and table names of fewer than three characters', async () => {
    const large = { ...newKey(), text: 'x'.repeat(410 * 1_024) };
    const write = new PutCommand({ TableName: TableName(), Item: large });
    expect((await failure(client.send(write))).name).toBe('ValidationException');
    await expect(createLocalTable(local.call, 'ab')).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('reports the cost of a transaction in write units', async () => {
    const cost = async (item: object): Promise<number> => {
      const TransactItems = [put({ ...newKey(), ...item })];
      const answer = await client.send(new TransactWriteCommand({ TransactItems, ReturnConsumedCapacity: 'TOTAL' }));
      return answer.ConsumedCapacity?.[0]?.CapacityUnits ?? 0;
    };
    expect(await cost({})).toBe(2);
    expect(await cost({ text: 'x'.repeat(1_500) })).toBe(4);
    expect(await cost({ listPk: 'COST', listSk: '1' })).toBe(3);
  });

  it('puts the rows of 300 transactions into the stream in one order, each once', async () => {
    const keys = times(300).map(() => [newKey(), newKey()] as const);
    await inTurn(keys, 8, ([one, other]) => transact([put({ ...one, streamed: 1 }), put({ ...other, streamed: 1 })]));
    const call = <Output>(operation: string, input: object) =>
      callDynamo<Output>(local.endpoint, 'DynamoDBStreams', operation, input);
    const { Streams } = await call<{ Streams: { StreamArn: string; TableName: string }[] }>('ListStreams', {});
    const StreamArn = Streams.find((stream) => stream.TableName === TableName())?.StreamArn;
    const { StreamDescription } = await call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
      'DescribeStream',
      { StreamArn },
    );
    expect(StreamDescription.Shards).toHaveLength(1);
    const from = { StreamArn, ShardId: StreamDescription.Shards[0]?.ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    let { ShardIterator } = await call<{ ShardIterator?: string | undefined }>('GetShardIterator', from);
    type Page = { Records: StreamRecord[]; NextShardIterator?: string };
    interface StreamRecord {
      dynamodb: { SequenceNumber: string; NewImage: Record<string, unknown> };
    }
    const records: StreamRecord[] = [];
    for (
      let page: Page | undefined;
      ShardIterator && page?.Records.length !== 0;
      ShardIterator = page.NextShardIterator
    ) {
      page = await call<Page>('GetRecords', { ShardIterator });
      records.push(...page.Records);
    }
    const ours = records.filter(({ dynamodb }) => 'streamed' in dynamodb.NewImage);
    const numbers = ours.map(({ dynamodb }) => BigInt(dynamodb.SequenceNumber));
    expect(ours).toHaveLength(600);
    expect(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0n))).toBe(true);
  });

  it('keeps whole numbers up to 2^53, and refuses larger ones on writing and reading (aws-sdk-js-v3#6571, #2014, #5419)', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const whole = [0, 1, -1, 2_147_483_647, 2_147_483_648, -2_147_483_648, 4_294_967_296, most - 1, most, -most];
    for (const n of [...whole, 0.1, 19.25, -0.5, 1e-7, 123_456_789.125]) {
      const key = newKey();
      await transact([put({ ...key, n })]);
      expect((await read(key))?.['n']).toBe(n);
    }
    for (const n of [most + 1, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY])
      await expect(Promise.resolve().then(() => transact([put({ ...newKey(), n })]))).rejects.toThrow();
    const wide = newKey();
    const Item = { pk: { S: wide.pk }, sk: { S: wide.sk }, n: { N: '9007199254740993' } };
    await callDynamo(local.endpoint, 'DynamoDB', 'PutItem', { TableName: TableName(), Item });
    expect(Amount.safeParse((await read(wide))?.['n']).success).toBe(false);
  });
});
