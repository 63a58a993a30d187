import { compareNumbers } from './decimal.ts';

/** A value in the wire format. It has exactly one of these members. */
export interface AttributeValue {
  S?: string;
  N?: string;
  B?: string;
  BOOL?: boolean;
  NULL?: boolean;
  L?: AttributeValue[];
  M?: AttributeMap;
  SS?: string[];
  NS?: string[];
  BS?: string[];
}

/** A row, or a map inside a row. */
export type AttributeMap = Record<string, AttributeValue>;

export type AttributeType = keyof AttributeValue;

export const attributeTypes: readonly AttributeType[] = ['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS'];

/** The type of a value that has already been checked. */
export const attributeTypeOf = (value: AttributeValue): AttributeType => Object.keys(value)[0] as AttributeType;

/** An attribute of a map. A name such as `constructor` is an ordinary attribute. */
export const attributeOf = (map: AttributeMap | undefined, name: string): AttributeValue | undefined =>
  map && Object.hasOwn(map, name) ? map[name] : undefined;

const isLow = (text: string): boolean => !/[\ud800-\udfff]/.test(text);

/** Compares two texts by their UTF-8 bytes. Without characters beyond 16 bits, this equals the order of JavaScript. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (isLow(left) && isLow(right)) return left < right ? -1 : 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

const orderings: Partial<Record<AttributeType, (left: AttributeValue, right: AttributeValue) => number>> = {
  N: (left, right) => compareNumbers(left.N ?? '', right.N ?? ''),
  S: (left, right) => compareTexts(left.S ?? '', right.S ?? ''),
  B: (left, right) => Buffer.compare(Buffer.from(left.B ?? '', 'base64'), Buffer.from(right.B ?? '', 'base64')),
};

/** Compares two values, strings by their UTF-8 bytes. Undefined if DynamoDB defines no order for them. */
export function compareValues(left: AttributeValue, right: AttributeValue): number | undefined {
  const type = attributeTypeOf(left);
  return type === attributeTypeOf(right) ? orderings[type]?.(left, right) : undefined;
}

const equalLists = (left: AttributeValue[], right: AttributeValue[]): boolean =>
  left.length === right.length && left.every((value, index) => equalValues(value, right[index]));

const equalMaps = (left: AttributeMap, right: AttributeMap): boolean => {
  const names = Object.keys(left);
  const isSame = (name: string) => equalValues(left[name], attributeOf(right, name));
  return names.length === Object.keys(right).length && names.every(isSame);
};

const equalSets = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((element) => right.includes(element));

/** Whether two values are equal. The elements of a set have no order. */
export function equalValues(left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (!left || !right) return false;
  const type = attributeTypeOf(left);
  if (type !== attributeTypeOf(right)) return false;
  if (left.L && right.L) return equalLists(left.L, right.L);
  if (left.M && right.M) return equalMaps(left.M, right.M);
  const [one, other] = [left[type], right[type]];
  return Array.isArray(one) && Array.isArray(other) ? equalSets(one as string[], other as string[]) : one === other;
}

/** Whether two rows are equal. The order of attributes does not matter. */
export const isSameRow = (before: AttributeMap | undefined, after: AttributeMap | undefined): boolean =>
  before !== undefined && after !== undefined && equalMaps(before, after);
