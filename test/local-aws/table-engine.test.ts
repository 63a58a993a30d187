import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLocalTable, startLocalTable } from '../../infra/local/local-table.ts';
import { DynamoError } from '../../infra/local-aws/table/dynamo-error.ts';
import { reservedWords } from '../../infra/local-aws/table/expression/reserved-words.ts';
import type { AttributeMap } from '../../infra/local-aws/table/values/attribute-value.ts';
import {
  addNumbers,
  bytesOfNumber,
  canonicalNumber,
  compareNumbers,
} from '../../infra/local-aws/table/values/decimal.ts';
import type { LocalTable } from '../../infra/local-aws/table.ts';
import { times } from '../support/seeded.ts';

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

/** The name and the words of a refusal. */
const refusal = (calling: Promise<unknown>): Promise<string> =>
  calling.then(
    () => 'no refusal',
    (error) => {
      if (!(error instanceof DynamoError)) throw error;
      return `${error.name}: ${error.message}`;
    },
  );

describe('numbers in the local table', () => {
  it.each([
    ['1.50', '1.5'],
    ['00012', '12'],
    ['1e2', '100'],
    ['-0', '0'],
    ['1E-7', '0.0000001'],
    ['.5', '0.5'],
    ['9007199254740993', '9007199254740993'],
    ['1e125', `1${'0'.repeat(125)}`],
  ])('are stored in a canonical form: %s as %s', (written, stored) => expect(canonicalNumber(written)).toBe(stored));

  it.each(['', '.', 'one', '1e', '0x1', '1e126', '1e-131', '1'.repeat(39)])('are refused in the form %j', (text) =>
    expect(() => canonicalNumber(text)).toThrow(DynamoError),
  );

  it('are added and compared exactly, beyond the precision of a double', () => {
    expect(addNumbers('9007199254740993', '1', 1)).toBe('9007199254740994');
    expect(addNumbers('0.1', '0.2', 1)).toBe('0.3');
    expect(addNumbers('1', '0.9', -1)).toBe('0.1');
    expect(compareNumbers('9007199254740993', '9007199254740992')).toBe(1);
    expect(compareNumbers('1e-130', '1e125')).toBe(-1);
    expect(compareNumbers('1.0', '1')).toBe(0);
  });

  it('have a size of one byte for each pair of digits, plus one, plus one for a minus sign', () => {
    const bytes = Object.entries({ 0: 1, 1: 2, 12: 2, 123: 3, 100: 2, 1000: 2, '1.5': 3, '-12.5': 4, '0.01': 2 });
    for (const [text, expected] of bytes) expect(bytesOfNumber(text), text).toBe(expected);
  });
});

describe('a request that is invalid for every row', () => {
  const values = { ExpressionAttributeValues: { ':v': { N: '1' } } };

  it.each([
    [
      'status = :v',
      values,
      'Invalid ConditionExpression: Attribute name is a reserved keyword; reserved keyword: status',
    ],
    [
      'x = :w',
      values,
      'Invalid ConditionExpression: An expression attribute value used in expression is not defined; attribute value: :w',
    ],
    [
      '#x = :v',
      values,
      'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #x',
    ],
    ['attribute_exists(x)', values, 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}'],
    ['x = :v y', values, 'Invalid ConditionExpression: Syntax error; token: "y", near: ":v y"'],
    ['x = ', {}, 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="'],
    ['', {}, 'Invalid ConditionExpression: The expression can not be empty;'],
    ['exists(x)', {}, 'Invalid ConditionExpression: Invalid function name; function: exists'],
    [
      'begins_with(x)',
      {},
      'Invalid ConditionExpression: Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1',
    ],
    [
      'begins_with(x, :v)',
      values,
      'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
    [
      'x < :v',
      { ExpressionAttributeValues: { ':v': { BOOL: true } } },
      'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
    ],
    ['((x = :v))', values, 'Invalid ConditionExpression: The expression has redundant parentheses;'],
    [
      'x = x',
      {},
      'Invalid ConditionExpression: The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [x]',
    ],
    [
      'size(x)',
      {},
      'Invalid ConditionExpression: The function is not allowed to be used this way in an expression; function: size',
    ],
    [
      'x = :v',
      { ExpressionAttributeValues: { ':v': { SS: [] } } },
      'ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  may not be empty for key :v',
    ],
    [
      'x = :v',
      { ExpressionAttributeValues: { ':v': {} } },
      'ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes for key :v',
    ],
    ['x = :v', { ExpressionAttributeValues: {} }, 'ExpressionAttributeValues must not be empty'],
  ])('is refused with the condition %j', async (ConditionExpression, further, message) => {
    expect(await refusal(call('PutItem', { Item: key('A'), ConditionExpression, ...further }))).toBe(
      `ValidationException: ${message}`,
    );
  });

  it.each([
    [
      'SET a = :v, a.b = :v',
      values,
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a, b]',
    ],
    ['SET a = :v SET b = :v', values, 'The "SET" section can only be used once in an update expression;'],
    [
      'ADD a :v',
      { ExpressionAttributeValues: { ':v': { S: 'x' } } },
      'Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
    ],
    [
      'SET a = b + :v',
      { ExpressionAttributeValues: { ':v': { S: 'x' } } },
      'Incorrect operand type for operator or function; operator or function: +, operand type: S',
    ],
  ])('is refused with the update %j', async (UpdateExpression, further, message) => {
    const update = call('UpdateItem', { Key: key('A'), UpdateExpression, ...further });
    expect(await refusal(update)).toBe(`ValidationException: Invalid UpdateExpression: ${message}`);
  });

  it('is refused with any of the 573 reserved words as a name, unless a placeholder replaces the word', async () => {
    expect(reservedWords.size).toBe(573);
    for (const word of reservedWords)
      expect(await refusal(call('GetItem', { Key: key('A'), ProjectionExpression: word.toLowerCase() })), word).toMatch(
        /reserved keyword/,
      );
    const names = { ExpressionAttributeNames: { '#s': 'status' } };
    expect(await call('GetItem', { Key: key('A'), ProjectionExpression: '#s', ...names })).toEqual({});
  });

  it('is refused even if its condition would be false', async () => {
    const Item = { ...key('A'), listPk: { N: '1' } };
    const write = call('PutItem', { Item, ConditionExpression: 'attribute_exists(pk)' });
    expect(await refusal(write)).toMatch(
      /^ValidationException: .*Type mismatch for Index Key listPk Expected: S Actual: N/,
    );
  });

  it('is refused if it uses a feature that the local table lacks: no feature is silently ignored', async () => {
    expect(await refusal(call('Scan', { Segment: 0, TotalSegments: 2 }))).toMatch(
      /does not support the parameter Segment/,
    );
    expect(await refusal(call('PutItem', { Item: key('A'), ReturnValues: 'ALL_NEW' }))).toMatch(
      /ReturnValues can only be ALL_OLD or NONE/,
    );
    expect(await refusal(call('PutItem', { Item: key('A'), ReturnConsumedCapacity: 'MUCH' }))).toMatch(
      /enum value set/,
    );
    expect(await refusal(call('PutItem', { Item: { ...key('A'), n: { N: 1 } } }))).toMatch(/^SerializationException/);
    expect(await refusal(call('Explain', {}))).toMatch(/^UnknownOperationException/);
    expect(await refusal(call('GetItem', { Key: key('A'), TableName: 'other' }))).toBe(
      'ResourceNotFoundException: Requested resource not found',
    );
  });
});

describe('the limits of the local table', () => {
  it('are keys of 2,048 and 1,024 bytes, rows of 400 kB, table names of at least three characters', async () => {
    await put('p'.repeat(2_048), {}, 's'.repeat(1_024));
    expect(await refusal(put('p'.repeat(2_049)))).toMatch(/Size of hashkey/);
    expect(await refusal(put('p', {}, 's'.repeat(1_025)))).toMatch(/Aggregated size of all range keys/);
    const text = (bytes: number) => ({ t: { S: 'x'.repeat(bytes) } });
    await put('A', text(400 * 1_024 - 7)); // pk A, sk S and t: 2 + 1 + 2 + 1 + 1 bytes
    expect(await refusal(put('A', text(400 * 1_024 - 6)))).toBe(
      'ValidationException: Item size has exceeded the maximum allowed size',
    );
    const grow = { Key: key('A'), UpdateExpression: 'SET u = :u', ExpressionAttributeValues: { ':u': { S: 'x' } } };
    expect(await refusal(call('UpdateItem', grow))).toMatch(/Item size to update/);
    expect(await refusal(createLocalTable(table.call, 'ab'))).toMatch(/between 3 and 255 characters/);
  });

  it('end a page of a query at the row that exceeds 1 MB, and the next page continues after it', async () => {
    for (const n of times(5)) await put('P', { t: { S: 'x'.repeat(300 * 1_024) } }, `${n}`);
    const query = { KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': { S: 'P' } } };
    const first = await call('Query', query);
    expect(first.Items).toHaveLength(4); // 3 × 300 kB are below 1,024 kB, the fourth passes it
    expect(first.LastEvaluatedKey).toEqual(key('P', '3'));
    const second = await call('Query', { ...query, ExclusiveStartKey: first.LastEvaluatedKey });
    expect(second.Items).toHaveLength(1);
    expect(second.LastEvaluatedKey).toBeUndefined();
  });

  it('let a batch read answer with at most 16 MB, and name the keys that it did not read', async () => {
    const Keys = times(50).map((n) => key(`P${n}`));
    for (const { pk } of Keys) await put(pk?.S ?? '', { t: { S: 'x'.repeat(390 * 1_024) } });
    const { Responses, UnprocessedKeys } = await call('BatchGetItem', {
      TableName: undefined,
      RequestItems: { [TableName]: { Keys } },
    });
    expect(Responses[TableName]).toHaveLength(42); // 42 × 390 kB = 16,380 kB are below 16,384
    expect(UnprocessedKeys[TableName].Keys).toEqual(Keys.slice(42));
  });

  it('allow 100 different keys in a batch read, 25 writes in a batch, and 100 in a transaction', async () => {
    const keys = (count: number) => times(count).map((n) => key(`${n}`));
    const batch = (Keys: object[]) => table.call('BatchGetItem', { RequestItems: { [TableName]: { Keys } } });
    expect(await refusal(batch(keys(101)))).toMatch(/Too many items/);
    expect(await refusal(batch([key('A'), key('A')]))).toMatch(/contains duplicates/);
    const writes = keys(26).map((Item) => ({ PutRequest: { Item } }));
    expect(await refusal(table.call('BatchWriteItem', { RequestItems: { [TableName]: writes } }))).toMatch(
      /Too many items/,
    );
    const TransactItems = keys(101).map((Item) => ({ Put: { TableName, Item } }));
    expect(await refusal(table.call('TransactWriteItems', { TransactItems }))).toMatch(/less than or equal to 100/);
  });
});
