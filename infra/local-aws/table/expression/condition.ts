import {
  type AttributeMap,
  type AttributeType,
  type AttributeValue,
  attributeTypeOf,
  compareValues,
  equalValues,
} from '../values/attribute-value.ts';
import { evaluate } from './operand.ts';
import type { Scope } from './scope.ts';
import type { Comparator, Condition, PredicateName } from './syntax.ts';

type Optional = AttributeValue | undefined;

const orders: Record<Comparator, (difference: number) => boolean> = {
  '=': (difference) => difference === 0,
  '<>': (difference) => difference !== 0,
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

function compares(left: Optional, comparator: Comparator, right: Optional): boolean {
  if (comparator === '=') return equalValues(left, right);
  if (comparator === '<>') return !equalValues(left, right);
  const difference = left && right && compareValues(left, right);
  return difference !== undefined && orders[comparator](difference);
}

const bytesOf = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64');

function beginsWith(value: Optional, prefix: Optional): boolean {
  if (value?.S !== undefined && prefix?.S !== undefined) return value.S.startsWith(prefix.S);
  if (value?.B === undefined || prefix?.B === undefined) return false;
  const expected = bytesOf(prefix.B);
  return bytesOf(value.B).subarray(0, expected.length).equals(expected);
}

const holdsPart: Partial<Record<AttributeType, (whole: AttributeValue, part: AttributeValue) => boolean>> = {
  S: (whole, { S: part }) => part !== undefined && (whole.S ?? '').includes(part),
  B: (whole, { B: part }) => part !== undefined && bytesOf(whole.B).includes(bytesOf(part)),
  L: (whole, part) => (whole.L ?? []).some((element) => equalValues(element, part)),
  SS: (whole, { S: part }) => part !== undefined && (whole.SS ?? []).includes(part),
  NS: (whole, { N: part }) => part !== undefined && (whole.NS ?? []).includes(part),
  BS: (whole, { B: part }) => part !== undefined && (whole.BS ?? []).includes(part),
};

/** Whether a text contains a part, or whether a list or set contains an element. */
function contains(whole: Optional, part: Optional): boolean {
  return (whole && part && holdsPart[attributeTypeOf(whole)]?.(whole, part)) ?? false;
}

const predicates: Record<PredicateName, (value: Optional, operand: Optional) => boolean> = {
  attribute_exists: (value) => value !== undefined,
  attribute_not_exists: (value) => value === undefined,
  attribute_type: (value, type) => value !== undefined && attributeTypeOf(value) === type?.S,
  begins_with: beginsWith,
  contains,
};

/** Whether a condition is true for a row. The row may be missing. */
export function holds(condition: Condition, item: AttributeMap | undefined, scope: Scope): boolean {
  switch (condition.is) {
    case 'and':
      return holds(condition.left, item, scope) && holds(condition.right, item, scope);
    case 'or':
      return holds(condition.left, item, scope) || holds(condition.right, item, scope);
    case 'not':
      return !holds(condition.condition, item, scope);
    case 'call': {
      const [value, operand] = condition.operands.map((each) => evaluate(each, item, scope));
      return predicates[condition.name](value, operand);
    }
    default:
      return holdsComparison(condition, item, scope);
  }
}

function holdsComparison(
  condition: Extract<Condition, { is: 'compare' | 'between' | 'in' }>,
  item: AttributeMap | undefined,
  scope: Scope,
): boolean {
  if (condition.is === 'compare') {
    const { left, comparator, right } = condition;
    return compares(evaluate(left, item, scope), comparator, evaluate(right, item, scope));
  }
  const value = evaluate(condition.operand, item, scope);
  if (condition.is === 'in') return condition.among.some((each) => equalValues(value, evaluate(each, item, scope)));
  const [from, to] = [condition.from, condition.to].map((each) => evaluate(each, item, scope));
  return compares(value, '>=', from) && compares(value, '<=', to);
}
