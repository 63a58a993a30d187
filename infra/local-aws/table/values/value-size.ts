import { invalid, malformed } from '../dynamo-error.ts';
import { type AttributeMap, type AttributeType, type AttributeValue, attributeTypeOf } from './attribute-value.ts';
import { bytesOfNumber, canonicalNumber } from './decimal.ts';

const deepest = 32;

function textOf(content: unknown): string {
  if (typeof content !== 'string') throw malformed('A value of type S, N or B, or an element of a set, is a string');
  return content;
}

function listOf<Element>(content: Element[] | undefined): Element[] {
  if (!Array.isArray(content)) throw malformed('A value of type L, SS, NS or BS is an array');
  return content;
}

const isObject = (content: unknown): content is object =>
  typeof content === 'object' && content !== null && !Array.isArray(content);

/**
 * The type of an incoming value.
 * @throws DynamoError unless it has exactly one known type
 */
function typeOfInput(value: unknown): AttributeType {
  if (!isObject(value)) throw malformed('An attribute value is an object');
  const types = Object.keys(value);
  const mustContain = 'must contain exactly one of the supported datatypes';
  if (types.length > 1) throw invalid(`Supplied AttributeValue has more than one datatypes set, ${mustContain}`);
  const [type] = types;
  if (!Object.hasOwn(checks, type ?? '')) throw invalid(`Supplied AttributeValue is empty, ${mustContain}`);
  return type as AttributeType;
}

/** Writes bytes as canonical base64. */
function canonicalBinary(content: unknown): string {
  const text = textOf(content);
  const bytes = Buffer.from(text, 'base64');
  const written = bytes.toString('base64');
  if (written === text) return text;
  if (bytes.length < Math.floor((text.replace(/=+$/, '').length * 3) / 4)) throw malformed('A binary value is base64');
  return written;
}

function assertFlag(content: unknown): void {
  if (typeof content !== 'boolean') throw malformed('A value of type BOOL or NULL is true or false');
}

function assertNull(content: unknown): void {
  if (content === false)
    throw invalid('One or more parameter values were invalid: Null attribute value types must have the value of true');
  assertFlag(content);
}

function assertSet(elements: readonly string[], emptiness: string): void {
  const wrong = 'One or more parameter values were invalid:';
  if (elements.length === 0) throw invalid(`${wrong} ${emptiness}`);
  if (new Set(elements).size < elements.length)
    throw invalid(`${wrong} Input collection [${elements.join(', ')}] contains duplicates.`);
}

/** Checks a value of each type, and writes it in canonical form. */
const checks: Record<AttributeType, (value: AttributeValue, depth: number) => void> = {
  S: ({ S }) => void textOf(S),
  N: (value) => {
    value.N = canonicalNumber(textOf(value.N));
  },
  B: (value) => {
    value.B = canonicalBinary(value.B);
  },
  BOOL: ({ BOOL }) => assertFlag(BOOL),
  NULL: ({ NULL }) => assertNull(NULL),
  L: ({ L }, depth) => {
    for (const element of listOf(L)) checkValue(element, depth + 1);
  },
  M: ({ M }, depth) => {
    if (!isObject(M)) throw malformed('A value of type M is an object');
    checkMap(M, depth + 1);
  },
  SS: ({ SS }) => assertSet(listOf(SS).map(textOf), 'An string set  may not be empty'),
  NS: (value) => {
    value.NS = listOf(value.NS).map((element) => canonicalNumber(textOf(element)));
    assertSet(value.NS, 'An number set  may not be empty');
  },
  BS: (value) => {
    value.BS = listOf(value.BS).map(canonicalBinary);
    assertSet(value.BS, 'Binary sets should not be empty');
  },
};

function checkValue(value: AttributeValue, depth: number): void {
  if (depth > deepest) throw invalid('Nesting Levels have exceeded supported limits');
  checks[typeOfInput(value)](value, depth);
}

function checkMap(map: AttributeMap, depth: number): void {
  for (const name of Object.keys(map)) checkValue(map[name] as AttributeValue, depth);
}

/**
 * Checks each value of an incoming row, and writes numbers and bytes like DynamoDB stores them.
 * @throws DynamoError for an invalid value
 */
export function checkItem(item: AttributeMap): void {
  if (!isObject(item)) throw malformed('An item is an object');
  checkMap(item, 0);
}

const bytesOfBinary = (element: string): number => Buffer.byteLength(element, 'base64');

const sum = <Element>(elements: readonly Element[] | undefined, bytesOf: (element: Element) => number): number =>
  (elements ?? []).reduce((total, element) => total + bytesOf(element), 0);

/** Counts the size of a value of each type. */
const measures: Record<AttributeType, (value: AttributeValue) => number> = {
  S: ({ S = '' }) => Buffer.byteLength(S),
  N: ({ N = '' }) => bytesOfNumber(N),
  B: ({ B = '' }) => bytesOfBinary(B),
  BOOL: () => 1,
  NULL: () => 1,
  L: ({ L }) => 3 + sum(L, (element) => 1 + measureValue(element)),
  M: ({ M = {} }) => 3 + Object.keys(M).length + measureItem(M),
  SS: ({ SS }) => sum(SS, (element) => Buffer.byteLength(element)),
  NS: ({ NS }) => sum(NS, bytesOfNumber),
  BS: ({ BS }) => sum(BS, bytesOfBinary),
};

const measureValue = (value: AttributeValue): number => measures[attributeTypeOf(value)](value);

/** The size of a row in bytes. Its values must already be checked. */
export function measureItem(item: AttributeMap): number {
  let total = 0;
  for (const name of Object.keys(item)) total += Buffer.byteLength(name) + measureValue(item[name] as AttributeValue);
  return total;
}
