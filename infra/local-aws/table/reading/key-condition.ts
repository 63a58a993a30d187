import { type DynamoError, invalid } from '../dynamo-error.ts';
import { partIn, type Scope } from '../expression/scope.ts';
import type { Condition, Operand } from '../expression/syntax.ts';
import type { KeyNames } from '../tables/definition.ts';
import { emptyKey } from '../tables/keys.ts';

/** A range of keys, as a condition in SQL on its two columns. */
interface KeyRange {
  partition: string;
  where: string;
  parameters: string[];
}

type KeyTest = Extract<Condition, { is: 'compare' | 'between' | 'call' }>;

const unsupported = (): DynamoError => invalid('Query key condition not supported');
const badOperator = (operator: string): DynamoError =>
  invalid(`Invalid operator used in KeyConditionExpression: ${operator}`);

/** The comparisons in a key condition, which are joined with AND. There is at most one for each key. */
function testsOf(condition: Condition): KeyTest[] {
  switch (condition.is) {
    case 'and':
      return [...testsOf(condition.left), ...testsOf(condition.right)];
    case 'or':
    case 'not':
    case 'in':
      throw badOperator(condition.is.toUpperCase());
    case 'call':
      if (condition.name !== 'begins_with') throw badOperator(condition.name);
      return [condition];
    case 'compare':
      if (condition.comparator === '<>') throw badOperator('<>');
      return [condition];
    default:
      return [condition];
  }
}

function operandsOf(test: KeyTest): readonly Operand[] {
  if (test.is === 'compare') return [test.left, test.right];
  return test.is === 'between' ? [test.operand, test.from, test.to] : test.operands;
}

function attributeIn(operand: Operand | undefined, scope: Scope): string {
  if (operand?.is !== 'path') throw unsupported();
  if (operand.path.length > 1) throw invalid('KeyConditionExpressions cannot contain nested attributes');
  return String(partIn(operand.path[0] ?? '', scope));
}

function textIn(operand: Operand, name: string, scope: Scope): string {
  const value = operand.is === 'value' ? scope.values[operand.placeholder] : undefined;
  if (!value) throw unsupported();
  if (value.S === undefined)
    throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
  if (value.S === '') throw emptyKey(name);
  return value.S;
}

/** The first text in byte order after all texts with a prefix; undefined if there is none. */
function successorOf(prefix: string): string | undefined {
  const letters = [...prefix];
  for (let last = letters.pop(); last !== undefined; last = letters.pop()) {
    const next = (last.codePointAt(0) ?? 0) + 1;
    if (next <= 0x10ffff) return letters.join('') + String.fromCodePoint(next === 0xd800 ? 0xe000 : next);
  }
  return undefined;
}

function prefixRange(column: string, prefix: string): Pick<KeyRange, 'where' | 'parameters'> {
  const end = successorOf(prefix);
  return end === undefined
    ? { where: ` AND ${column} >= ?`, parameters: [prefix] }
    : { where: ` AND ${column} >= ? AND ${column} < ?`, parameters: [prefix, end] };
}

function sortRange(test: KeyTest, column: string, values: readonly string[]): Pick<KeyRange, 'where' | 'parameters'> {
  if (test.is === 'between') return { where: ` AND ${column} BETWEEN ? AND ?`, parameters: [...values] };
  if (test.is === 'call') return prefixRange(column, values[0] ?? '');
  return { where: ` AND ${column} ${test.comparator} ?`, parameters: [...values] };
}

const isEquality = (test: KeyTest): boolean => test.is === 'compare' && test.comparator === '=';

/** The test of each attribute. Refuses two tests of one attribute. */
function testsByName(condition: Condition, scope: Scope): Map<string, KeyTest> {
  const tests = new Map<string, KeyTest>();
  for (const test of testsOf(condition)) {
    const name = attributeIn(operandsOf(test)[0], scope);
    if (tests.has(name)) throw invalid('KeyConditionExpressions must only contain one condition per key');
    tests.set(name, test);
  }
  return tests;
}

/** Checks that the partition key has an equality test, and that only the sort key has another test. */
function assertKeys(tests: ReadonlyMap<string, KeyTest>, { partitionKey, sortKey }: KeyNames): KeyTest {
  const partition = tests.get(partitionKey);
  if (!partition) throw invalid(`Query condition missed key schema element: ${partitionKey}`);
  if (!isEquality(partition)) throw unsupported();
  if (tests.size > (tests.has(sortKey) ? 2 : 1)) throw invalid(`Query condition missed key schema element: ${sortKey}`);
  return partition;
}

/** The rows that a key condition selects: one partition, and a range of its sort keys. */
export function keyRangeOf(condition: Condition, keys: KeyNames, scope: Scope, sortColumn: string): KeyRange {
  const tests = testsByName(condition, scope);
  const textsOf = (test: KeyTest, name: string) =>
    operandsOf(test)
      .slice(1)
      .map((operand) => textIn(operand, name, scope));
  const [partition = ''] = textsOf(assertKeys(tests, keys), keys.partitionKey);
  const sort = tests.get(keys.sortKey);
  return {
    partition,
    ...(sort ? sortRange(sort, sortColumn, textsOf(sort, keys.sortKey)) : { where: '', parameters: [] }),
  };
}
