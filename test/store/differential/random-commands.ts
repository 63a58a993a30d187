import { randomUUID } from 'node:crypto';
import type { AttributeMap } from '../../../infra/local-aws/table/values/attribute-value.ts';
import { between, pickOne, times } from '../../support/seeded.ts';
import { Placeholders, someCondition, updates } from './random-expressions.ts';
import { someItem, someKey, texts } from './random-values.ts';

type Random = () => number;

/** One operation and its input. */
export interface RandomCommand {
  operation: string;
  input: Record<string, unknown>;
}

/** What DynamoDB refuses before it looks at a row. */
const mistakes: readonly ((random: Random) => Record<string, unknown>)[] = [
  () => ({ ConditionExpression: 'status = :v', ExpressionAttributeValues: { ':v': { N: '1' } } }),
  () => ({ ConditionExpression: 'x = :missing' }),
  () => ({ ConditionExpression: '#missing = x' }),
  () => ({ ConditionExpression: 'attribute_exists(x)', ExpressionAttributeValues: { ':unused': { N: '1' } } }),
  () => ({ ConditionExpression: 'attribute_exists(x)', ExpressionAttributeNames: { '#unused': 'y' } }),
  () => ({ ConditionExpression: 'x =' }),
  () => ({ ConditionExpression: 'attribute_exists(x) AND' }),
  () => ({ ConditionExpression: 'begins_with(x)' }),
  () => ({ ConditionExpression: 'unknown(x)' }),
  () => ({ ConditionExpression: '' }),
  () => ({
    ConditionExpression: 'x BETWEEN :b AND :a',
    ExpressionAttributeValues: { ':a': { N: '1' }, ':b': { N: '2' } },
  }),
  () => ({ ConditionExpression: 'x = :v', ExpressionAttributeValues: { ':v': {} } }),
  () => ({ ConditionExpression: 'x = :v', ExpressionAttributeValues: { ':v': { N: 'one' } } }),
  () => ({ ConditionExpression: 'x = :v', ExpressionAttributeValues: { ':v': { SS: [] } } }),
  () => ({ ConditionExpression: 'x = :v', ExpressionAttributeValues: { ':v': { SS: ['a', 'a'] } } }),
  () => ({ ConditionExpression: 'x = :v', ExpressionAttributeValues: { ':v': { N: '1'.repeat(39) } } }),
];

const badItems: readonly (() => AttributeMap)[] = [
  () => ({ pk: { S: 'P0' } }),
  () => ({ pk: { S: '' }, sk: { S: 'A' } }),
  () => ({ pk: { N: '1' }, sk: { S: 'A' } }),
  () => ({ pk: { S: 'P0' }, sk: { S: 'A' }, listPk: { N: '1' }, listSk: { S: 'a' } }),
  () => ({ pk: { S: 'P0' }, sk: { S: 'A' }, duePk: { S: '' }, dueSk: { S: 'a' } }),
  () => ({ pk: { S: 'P0' }, sk: { S: 'A' }, text: { S: 'x'.repeat(410 * 1_024) } }),
  () => ({ pk: { S: 'p'.repeat(2_049) }, sk: { S: 'A' } }),
  () => ({ pk: { S: 'P0' }, sk: { S: 's'.repeat(1_025) } }),
  () => ({ pk: { S: 'P0' }, sk: { S: 'A' }, n: { N: '1E126' } }),
];

/** Builds random commands for one table; a token is used again now and then, with the same items or with others. */
export function randomCommands(random: Random, TableName: string): () => RandomCommand {
  const chosen = (probability: number, members: () => object): object => (random() < probability ? members() : {});
  const capacity = () => ({ ReturnConsumedCapacity: pickOne(random, ['TOTAL', 'TOTAL', 'INDEXES', 'NONE']) });
  const seen = () => chosen(0.5, () => ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
  const tokens: { token: string; items: object[] }[] = [];

  const conditional = (of = new Placeholders()): object => {
    const condition = chosen(0.7, () => ({ ConditionExpression: someCondition(random, of) }));
    return { ...condition, ...of.members() };
  };
  const put = () => ({ TableName, Item: someItem(random), ...conditional(), ...seen() });
  const update = () => {
    const of = new Placeholders();
    const UpdateExpression = pickOne(random, updates)(random, of);
    return { TableName, Key: someKey(random), UpdateExpression, ...conditional(of), ...seen() };
  };
  const remove = () => ({ TableName, Key: someKey(random), ...conditional(), ...seen() });
  const check = () => {
    const of = new Placeholders();
    const ConditionExpression = someCondition(random, of);
    return { TableName, Key: someKey(random), ConditionExpression, ...of.members(), ...seen() };
  };
  const transactItem = (): object => {
    const chance = random();
    if (chance < 0.65) return { Put: put() };
    if (chance < 0.82) return { Update: update() };
    return chance < 0.91 ? { Delete: remove() } : { ConditionCheck: check() };
  };
  const distinctKeys = (): AttributeMap[] => {
    const keys = times(between(random, 1, 6)).map(() => someKey(random));
    return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  };
  /** Mostly without conditions, so that it is carried out and its repetition means something. */
  const tokened = (): object[] =>
    random() < 0.3
      ? times(between(random, 1, 4)).map(transactItem)
      : distinctKeys().map((Key) => ({ Put: { TableName, Item: { ...someItem(random), ...Key } } }));
  const transaction = (): object => {
    const chance = random();
    const known = chance < 0.2 ? tokens.at(-1) : undefined;
    if (known) return { TransactItems: random() < 0.7 ? known.items : tokened(), ClientRequestToken: known.token };
    if (chance < 0.7) return { TransactItems: times(between(random, 1, 4)).map(transactItem) };
    const fresh = { token: randomUUID(), items: tokened() };
    tokens.push(fresh);
    return { TransactItems: fresh.items, ClientRequestToken: fresh.token };
  };
  const projection = (of: Placeholders): object =>
    chosen(0.3, () => ({
      ProjectionExpression: [
        ...new Set(['pk', pickOne(random, ['x', 'y', 'x[0]', 'x.a']), `${of.name('data')}.a`]),
      ].join(', '),
    }));
  const get = () => {
    const of = new Placeholders();
    return { TableName, Key: someKey(random), ...projection(of), ...of.members() };
  };
  const query = (): object => {
    const of = new Placeholders();
    const [IndexName, partitionKey, sortKey, partition] = pickOne(random, [
      [undefined, 'pk', 'sk', `P${between(random, 0, 3)}`],
      ['list', 'listPk', 'listSk', `L${between(random, 0, 1)}`],
      ['due', 'duePk', 'dueSk', 'D'],
    ] as const);
    const sort = of.name(sortKey);
    const value = (text: string) => of.value({ S: text });
    const range = pickOne(random, [
      () => '',
      () => ` AND ${sort} BETWEEN ${value('A')} AND ${value(pickOne(random, ['B', 'a', '~']))}`,
      () => ` AND begins_with(${sort}, ${value(pickOne(random, ['a', 'B', '2026', 'b']))})`,
      () => ` AND ${sort} ${pickOne(random, ['<', '<=', '>', '>=', '='])} ${value(pickOne(random, texts))}`,
    ])();
    if (range === '') delete of.names[sort];
    const KeyConditionExpression = `${partitionKey} = ${value(partition)}${range}`;
    return {
      TableName,
      ...(IndexName && { IndexName }),
      KeyConditionExpression,
      ...chosen(0.2, () => ({ FilterExpression: someCondition(random, of).replaceAll('(pk)', '(x)') })),
      ...(IndexName ? {} : projection(of)),
      ...of.members(),
      ...chosen(0.5, () => ({ ScanIndexForward: false })),
      ...chosen(0.5, () => ({ Limit: between(random, 1, 4) })),
      ...(IndexName ? {} : chosen(0.5, () => ({ ConsistentRead: true }))),
    };
  };
  const scan = (): object => {
    const of = new Placeholders();
    const FilterExpression = chosen(0.3, () => ({ FilterExpression: someCondition(random, of) }));
    return { TableName, ...FilterExpression, ...of.members(), ...chosen(0.2, () => ({ Select: 'COUNT' })) };
  };
  const batchWrite = (): object => ({
    RequestItems: {
      [TableName]: distinctKeys().map((Key) =>
        random() < 0.6 ? { PutRequest: { Item: { ...someItem(random), ...Key } } } : { DeleteRequest: { Key } },
      ),
    },
  });
  const mistake = (): RandomCommand => {
    if (random() < 0.4) return { operation: 'PutItem', input: { TableName, Item: pickOne(random, badItems)() } };
    return { operation: 'PutItem', input: { TableName, Item: someItem(random), ...pickOne(random, mistakes)(random) } };
  };
  const read = () => ({ ...get(), ...chosen(0.5, () => ({ ConsistentRead: true })), ...capacity() });
  const returned = (among: readonly string[]) => chosen(0.5, () => ({ ReturnValues: pickOne(random, among) }));

  const kinds: readonly [weight: number, command: () => RandomCommand][] = [
    [10, () => ({ operation: 'GetItem', input: read() })],
    [
      4,
      () => ({
        operation: 'BatchGetItem',
        input: {
          RequestItems: { [TableName]: { Keys: distinctKeys(), ConsistentRead: random() < 0.5 } },
          ...capacity(),
        },
      }),
    ],
    [
      3,
      () => ({
        operation: 'TransactGetItems',
        input: { TransactItems: times(between(random, 1, 3)).map(() => ({ Get: get() })), ...capacity() },
      }),
    ],
    [18, () => ({ operation: 'PutItem', input: { ...put(), ...returned(['ALL_OLD', 'NONE']), ...capacity() } })],
    [
      16,
      () => ({
        operation: 'UpdateItem',
        input: { ...update(), ...returned(['ALL_NEW', 'ALL_OLD', 'UPDATED_NEW', 'UPDATED_OLD']), ...capacity() },
      }),
    ],
    [5, () => ({ operation: 'DeleteItem', input: { ...remove(), ...returned(['ALL_OLD']), ...capacity() } })],
    [20, () => ({ operation: 'TransactWriteItems', input: { ...transaction(), ...capacity() } })],
    [14, () => ({ operation: 'Query', input: { ...query(), ...capacity() } })],
    [4, () => ({ operation: 'Scan', input: { ...scan(), ...capacity() } })],
    [3, () => ({ operation: 'BatchWriteItem', input: { ...batchWrite(), ...capacity() } })],
    [3, mistake],
  ];
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0);
  return () => {
    let place = random() * total;
    for (const [weight, command] of kinds) {
      place -= weight;
      if (place < 0) return command();
    }
    return mistake();
  };
}
