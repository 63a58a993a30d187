import { invalid, malformed } from '../dynamo-error.ts';
import { type AttributeMap, type AttributeType, type AttributeValue, attributeTypes } from './attribute-value.ts';
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

/** @throws DynamoError unless exactly one known type is present */
function typeOfInput(value: unknown): AttributeType {
  if (!isObject(value)) throw malformed('An attribute value is an object');
  const types = Object.keys(value);
  const mustContain = 'must contain exactly one of the supported datatypes';
  if (types.length > 1) throw invalid(`Supplied AttributeValue has more than one datatypes set, ${mustContain}`);
  const [type] = types;
  if (!attributeTypes.includes(type as AttributeType))
    throw invalid(`Supplied AttributeValue is empty, ${mustContain}`);
  return type as AttributeType;
}

function canonicalBinary(text: string): string {
  const bytes = Buffer.from(textOf(text), 'base64');
  if (bytes.length < Math.floor((text.replace(/=+$/, '').length * 3) / 4)) throw malformed('A binary value is base64');
  return bytes.toString('base64');
}

function flag(content: unknown): number {
  if (typeof content !== 'boolean') throw malformed('A value of type BOOL or NULL is true or false');
  return 1;
}

function bytesOfSet(elements: readonly string[], emptiness: string, bytesOf: (element: string) => number): number {
  const wrong = 'One or more parameter values were invalid:';
  if (elements.length === 0) throw invalid(`${wrong} ${emptiness}`);
  if (new Set(elements).size < elements.length)
    throw invalid(`${wrong} Input collection [${elements.join(', ')}] contains duplicates.`);
  return elements.reduce((total, element) => total + bytesOf(element), 0);
}

const bytesOfBinary = (element: string): number => Buffer.byteLength(element, 'base64');

function bytesOfNull(content: unknown): number {
  if (content === false)
    throw invalid('One or more parameter values were invalid: Null attribute value types must have the value of true');
  return flag(content);
}

type Measure = (value: AttributeValue, depth: number) => number;

/** How each type is checked, written in its one form, and counted. */
const measures: Record<AttributeType, Measure> = {
  S: ({ S }) => Buffer.byteLength(textOf(S)),
  N: (value) => {
    value.N = canonicalNumber(textOf(value.N));
    return bytesOfNumber(value.N);
  },
  B: (value) => {
    value.B = canonicalBinary(textOf(value.B));
    return bytesOfBinary(value.B);
  },
  BOOL: ({ BOOL }) => flag(BOOL),
  NULL: ({ NULL }) => bytesOfNull(NULL),
  L: ({ L }, depth) => listOf(L).reduce((total, element) => total + 1 + measureValue(element, depth + 1), 3),
  M: ({ M }, depth) => {
    if (!isObject(M)) throw malformed('A value of type M is an object');
    return measureMap(M, depth + 1) + Object.keys(M).length + 3;
  },
  SS: ({ SS }) => bytesOfSet(listOf(SS).map(textOf), 'An string set  may not be empty', Buffer.byteLength),
  NS: (value) => {
    value.NS = listOf(value.NS).map((element) => canonicalNumber(textOf(element)));
    return bytesOfSet(value.NS, 'An number set  may not be empty', bytesOfNumber);
  },
  BS: (value) => {
    value.BS = listOf(value.BS).map(canonicalBinary);
    return bytesOfSet(value.BS, 'Binary sets should not be empty', bytesOfBinary);
  },
};

function measureValue(value: AttributeValue, depth: number): number {
  if (depth > deepest) throw invalid('Nesting Levels have exceeded supported limits');
  return measures[typeOfInput(value)](value, depth);
}

function measureMap(map: AttributeMap, depth: number): number {
  let total = 0;
  for (const name of Object.keys(map))
    total += Buffer.byteLength(name) + measureValue(map[name] as AttributeValue, depth);
  return total;
}

/**
 * The bytes that a row counts for. Checks each value on the way and writes numbers and bytes in the form in which
 * DynamoDB stores them.
 * @throws DynamoError
 */
export function measureItem(item: AttributeMap): number {
  if (!isObject(item)) throw malformed('An item is an object');
  return measureMap(item, 0);
}
