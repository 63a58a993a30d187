import { invalid } from '../dynamo-error.ts';
import {
  type AttributeMap,
  type AttributeType,
  type AttributeValue,
  attributeOf,
  attributeTypeOf,
} from '../values/attribute-value.ts';
import { addNumbers } from '../values/decimal.ts';
import { partIn, type Scope } from './scope.ts';
import type { DocumentPath, Operand } from './syntax.ts';

const step = (value: AttributeValue | undefined, part: string | number): AttributeValue | undefined =>
  typeof part === 'number' ? value?.L?.[part] : attributeOf(value?.M, part);

/** The value at a path in a row; undefined if there is none. */
function valueAt(item: AttributeMap | undefined, path: DocumentPath, scope: Scope): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item ?? {} };
  for (const part of path) value = step(value, partIn(part, scope));
  return value;
}

type Size = (value: AttributeValue) => number | undefined;

const sizes: Partial<Record<AttributeType, Size>> = {
  S: ({ S }) => S?.length,
  B: ({ B }) => Buffer.byteLength(B ?? '', 'base64'),
  L: ({ L }) => L?.length,
  M: ({ M }) => Object.keys(M ?? {}).length,
  SS: ({ SS }) => SS?.length,
  NS: ({ NS }) => NS?.length,
  BS: ({ BS }) => BS?.length,
};

/** The size of a value. Numbers, flags and nulls have none, so a comparison with their size is false. */
function sizeOf(value: AttributeValue | undefined): AttributeValue | undefined {
  const size = value && sizes[attributeTypeOf(value)]?.(value);
  return size === undefined ? undefined : { N: String(size) };
}

/** DynamoDB's message for an operand of an unsupported type. */
export const incorrectType = () => invalid('An operand in the update expression has an incorrect data type');
const missing = () => invalid('The provided expression refers to an attribute that does not exist in the item');

function sum(left: AttributeValue | undefined, right: AttributeValue | undefined, sign: 1 | -1): AttributeValue {
  if (!left || !right) throw missing();
  if (left.N === undefined || right.N === undefined) throw incorrectType();
  return { N: addNumbers(left.N, right.N, sign) };
}

function append(left: AttributeValue | undefined, right: AttributeValue | undefined): AttributeValue {
  if (!left || !right) throw missing();
  if (!left.L || !right.L) throw incorrectType();
  return { L: [...left.L, ...right.L] };
}

/** The value of an operand for a row. The row may be missing. */
export function evaluate(operand: Operand, item: AttributeMap | undefined, scope: Scope): AttributeValue | undefined {
  switch (operand.is) {
    case 'value':
      return scope.values[operand.placeholder];
    case 'path':
      return valueAt(item, operand.path, scope);
    case 'size':
      return sizeOf(evaluate(operand.of, item, scope));
    case 'default':
      return valueAt(item, operand.path, scope) ?? evaluate(operand.otherwise, item, scope);
    case 'append':
      return append(evaluate(operand.left, item, scope), evaluate(operand.right, item, scope));
    case 'sum':
      return sum(evaluate(operand.left, item, scope), evaluate(operand.right, item, scope), operand.sign);
  }
}
