import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as sdk from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLocalTable } from '../../../infra/local/local-table.ts';
import { localAws } from '../../../infra/local-aws/local-aws.ts';
import type { LocalTable } from '../../../infra/local-aws/table.ts';
import { campaign, pickOne, seeded, times } from '../../support/seeded.ts';
import { withBytes } from '../../support/table/row-forms.ts';
import { goAroundSdk, observers } from '../../support/table/without-sdk.ts';
import { randomCommands } from './random-commands.ts';

const TableName = 'differential';

interface Side {
  table: LocalTable;
  client: sdk.DynamoDBDocumentClient;
}

async function start(): Promise<Side> {
  const table = await startLocalTable({ tableName: TableName });
  const { endpoint } = table;
  const inner = new DynamoDBClient({ endpoint, region: localAws.region, credentials: localAws, maxAttempts: 1 });
  const client = sdk.DynamoDBDocumentClient.from(inner, { marshallOptions: { removeUndefinedValues: true } });
  table.connect(client);
  return { table, client };
}

let through: Side;
let around: Side;
let undo: () => void;
beforeAll(async () => {
  [through, around] = [await start(), await start()];
  undo = goAroundSdk(around.client, around.table.engine ?? expect.unreachable());
});
afterAll(() => Promise.all([through.table.stop(), around.table.stop()]));

type Members = Record<string, unknown>;

class Instance {
  readonly member = 1;
}

/** Values that a row may have by mistake, or that no wire value stands for. */
const odd: readonly unknown[] = [
  ...[undefined, null, '', 0, -0, 1.5, 2 ** 53, -(2 ** 53), 2 ** 53 - 1, 1e-7, Number.NaN, Number.POSITIVE_INFINITY],
  ...[10n, Symbol.iterator, () => 1, new Date(0), new Instance(), new Map([['a', 1]]), Object.create(null)],
  ...[new Set(), new Set(['a']), new Set([1, 2]), new Set([new Uint8Array([1])]), sdk.NumberValue.from('1e30')],
  ...[
    Buffer.from('é'),
    new Uint8Array(0),
    new Uint8Array([1, 2, 3]).subarray(1),
    new Float64Array([1]),
    [1, undefined],
  ],
  ...[{ a: undefined, b: [{}] }, JSON.parse('{"__proto__":{"a":1}}'), Array(3), { constructor: 'x' }, [() => 1, 2]],
];

/** A row of the wire as the stores write it, with something odd in it now and then. */
function rowOf(random: () => number, wire: Members): Members {
  const row = Object.fromEntries(Object.entries(wire).map(([name, value]) => [name, plainOf(random, value)]));
  return random() < 0.15 && 'pk' in row && 'version' in row ? { ...row, odd: pickOne(random, odd) } : row;
}

/** Values that are malformed on the wire stand for odd ones. */
function plainOf(random: () => number, value: unknown): unknown {
  try {
    return unmarshall(withBytes({ value }) as Parameters<typeof unmarshall>[0])['value'];
  } catch {
    return pickOne(random, odd);
  }
}

function inputOf(random: () => number, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => inputOf(random, element));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (/^(Key|Item|ExpressionAttributeValues|ExclusiveStartKey)$/.test(name)) return [name, rowOf(random, member)];
      if (name === 'Keys') return [name, member.map((key: Members) => rowOf(random, key))];
      return [name, inputOf(random, member)];
    }),
  );
}

const classes: Readonly<Record<string, new (input: never) => unknown>> = {
  ...{ GetItem: sdk.GetCommand, BatchGetItem: sdk.BatchGetCommand, TransactGetItems: sdk.TransactGetCommand },
  ...{ Query: sdk.QueryCommand, Scan: sdk.ScanCommand, PutItem: sdk.PutCommand, UpdateItem: sdk.UpdateCommand },
  ...{ DeleteItem: sdk.DeleteCommand, BatchWriteItem: sdk.BatchWriteCommand },
  TransactWriteItems: sdk.TransactWriteCommand,
};

const given = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));

/** What a caller sees of an answer or an error. Nothing reads the raw response of a refusal. */
async function outcomeOf({ client }: Side, operation: string, input: unknown): Promise<Members> {
  const Command = classes[operation] ?? expect.unreachable();
  try {
    return { answer: await client.send(new Command(input as never) as never) };
  } catch (error) {
    const { __type, $response, ...members } = error as Members & Error;
    return { type: (error as Error).constructor, ...given(members), message: (error as Error).message, isError: true };
  }
}

describe('the shortcut around the SDK’s client in the tests of functions', () => {
  it('gives the same answers and errors as the SDK, and writes the same', {
    timeout: campaign(7_200_000, 90_000),
  }, async () => {
    const random = seeded(21);
    const nextCommand = randomCommands(random, TableName);
    const [commands, differences, kinds] = [campaign(20_000, 500), [] as unknown[], new Set<string>()];
    let passed = 0;
    const observer = () => {
      passed += 1;
    };
    observers.add(observer);
    for (const _ of times(commands)) {
      const { operation, input: wire } = nextCommand();
      const input = inputOf(random, wire);
      const [ours, theirs] = [await outcomeOf(around, operation, input), await outcomeOf(through, operation, input)];
      kinds.add(`${operation} ${theirs['name'] ?? ''}`);
      if (!isDeepStrictEqual(ours, theirs)) differences.push({ operation, input, ours, theirs });
    }
    observers.delete(observer);
    const rowsIn = ({ table }: Side) => table.call<{ Items: unknown[] }>('Scan', { TableName });
    expect(differences.slice(0, 3)).toEqual([]);
    expect(await rowsIn(around)).toEqual(await rowsIn(through));
    expect(kinds.size).toBeGreaterThan(15);
    expect(passed / commands).toBeGreaterThan(0.5);
  });

  it('is not used when a middleware, another handler or the caller’s signal needs the SDK', async () => {
    const { client, table } = around;
    const names: string[] = [];
    const observer = (name: string) => void names.push(name);
    observers.add(observer);
    const get = (options?: object) =>
      client.send(new sdk.GetCommand({ TableName, Key: { pk: 'P0', sk: 'A' } }), options);
    const passes = async (): Promise<boolean> => {
      names.length = 0;
      await get();
      return names.length === 1;
    };
    expect(await passes()).toBe(true);

    let seen = 0;
    const count: Parameters<typeof client.middlewareStack.add>[0] = (next) => async (args) => {
      seen += 1;
      return next(args);
    };
    client.middlewareStack.add(count, { step: 'deserialize', name: 'count' });
    expect(await passes()).toBe(false);
    expect(seen).toBe(1);
    client.middlewareStack.remove('count');
    expect(await passes()).toBe(true);
    client.middlewareStack.addRelativeTo(count, { relation: 'before', toMiddleware: 'retryMiddleware', name: 'count' });
    expect(await passes()).toBe(false);
    client.middlewareStack.remove(count);
    client.middlewareStack.remove('unknown');
    expect(await passes()).toBe(true);

    await expect(get({ abortSignal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    const reconnect = table.connect(client);
    expect(await passes()).toBe(false);
    reconnect();
    expect(await passes()).toBe(true);
    undo();
    expect(await passes()).toBe(false);
    observers.delete(observer);
    undo = goAroundSdk(client, table.engine ?? expect.unreachable());
  });
});
