import { type DynamoError, invalid } from '../dynamo-error.ts';
import {
  type AttributeType,
  type AttributeValue,
  attributeTypeOf,
  attributeTypes,
  compareValues,
} from '../values/attribute-value.ts';
import { pathIn, type Scope } from './scope.ts';
import type { Condition, ExpressionKind, Operand, ParsedExpression, UpdateAction } from './syntax.ts';

const names: Record<AttributeType, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  L: 'LIST',
  M: 'MAP',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
};

/** The value of an operand, if the request contains it. The type of a path is only known when the row is read. */
const literal = (operand: Operand | undefined, scope: Scope): AttributeValue | undefined =>
  operand?.is === 'value' ? scope.values[operand.placeholder] : undefined;

const refusal = (kind: ExpressionKind, reason: string): DynamoError => invalid(`Invalid ${kind}: ${reason}`);

interface Use {
  kind: ExpressionKind;
  scope: Scope;
}

function assertType({ kind, scope }: Use, operator: string, operand: Operand, types: readonly AttributeType[]): void {
  const value = literal(operand, scope);
  if (!value || types.includes(attributeTypeOf(value))) return;
  throw refusal(
    kind,
    `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${attributeTypeOf(value)}`,
  );
}

const ordered: readonly AttributeType[] = ['S', 'N', 'B'];
const written = (value: AttributeValue): string =>
  `AttributeValue: {${attributeTypeOf(value)}:${Object.values(value)[0]}}`;

function assertBounds({ kind, scope }: Use, from: Operand, to: Operand): void {
  const [lower, upper] = [literal(from, scope), literal(to, scope)];
  if (!lower || !upper) return;
  const bounds = `lower bound operand: ${written(lower)}, upper bound operand: ${written(upper)}`;
  const difference = compareValues(lower, upper);
  if (difference === undefined)
    throw refusal(kind, `The BETWEEN operator requires same data type for lower and upper bounds; ${bounds}`);
  if (difference > 0)
    throw refusal(
      kind,
      `The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${bounds}`,
    );
}

/** Refuses a comparison with the same path on both sides, like DynamoDB. */
function assertDistinct({ kind, scope }: Use, operator: string, first: Operand, others: readonly Operand[]): void {
  if (first.is !== 'path') return;
  const path = JSON.stringify(pathIn(first.path, scope));
  if (!others.some((other) => other.is === 'path' && JSON.stringify(pathIn(other.path, scope)) === path)) return;
  const shown = `[${pathIn(first.path, scope).join(', ')}]`;
  throw refusal(
    kind,
    `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${shown}`,
  );
}

function assertCall(use: Use, { name, operands }: OfKind<'call'>): void {
  const [value, argument] = operands;
  if (!value || !argument) return;
  if (name === 'begins_with') for (const operand of operands) assertType(use, name, operand, ['S', 'B']);
  if (name === 'begins_with' || name === 'contains') assertDistinct(use, name, value, [argument]);
  if (name !== 'attribute_type') return;
  assertType(use, name, argument, ['S']);
  const type = literal(argument, use.scope)?.S;
  if (type !== undefined && !attributeTypes.includes(type as AttributeType))
    throw refusal(
      use.kind,
      `Invalid attribute type name found; type: ${type}, valid types: {${attributeTypes.join(',')}}`,
    );
}

function assertSizes(use: Use, operands: readonly Operand[]): void {
  for (const operand of operands)
    if (operand.is === 'size') assertType(use, 'size', operand.of, ['S', 'B', 'L', 'M', 'SS', 'NS', 'BS']);
}

function assertComparison(use: Use, { left, comparator, right }: OfKind<'compare'>): void {
  assertSizes(use, [left, right]);
  if (comparator !== '=' && comparator !== '<>')
    for (const operand of [left, right]) assertType(use, comparator, operand, ordered);
  assertDistinct(use, comparator, left, [right]);
}

type OfKind<Kind extends Condition['is']> = Extract<Condition, { is: Kind }>;

const assertRange = (use: Use, { operand, from, to }: OfKind<'between'>): void => {
  for (const each of [operand, from, to]) assertType(use, 'BETWEEN', each, ordered);
  assertBounds(use, from, to);
};

const assertBoth = (use: Use, { left, right }: OfKind<'and' | 'or'>): void => {
  for (const side of [left, right]) assertCondition(use, side);
};

const checks: { [Kind in Condition['is']]: (use: Use, condition: OfKind<Kind>) => void } = {
  and: assertBoth,
  or: assertBoth,
  not: (use, { condition }) => assertCondition(use, condition),
  call: assertCall,
  compare: assertComparison,
  between: assertRange,
  in: (use, { operand, among }) => assertDistinct(use, 'IN', operand, among),
};

const assertCondition = (use: Use, condition: Condition): void => checks[condition.is](use, condition as never);

/**
 * Refuses conditions that can never be true, such as a comparison of flags, or a range whose start is above its end.
 */
export const assertConditionTypes = ({ kind, root }: ParsedExpression<Condition>, scope: Scope): void =>
  assertCondition({ kind, scope }, root);

const addable: readonly AttributeType[] = ['N', 'SS', 'NS', 'BS'];
const deletable: readonly AttributeType[] = ['SS', 'NS', 'BS'];

function assertSection({ kind, scope }: Use, section: 'ADD' | 'DELETE', operand: Operand): void {
  const value = literal(operand, scope);
  const types = section === 'ADD' ? addable : deletable;
  if (!value || types.includes(attributeTypeOf(value))) return;
  const type = names[attributeTypeOf(value)];
  throw refusal(
    kind,
    `Incorrect operand type for operator or function; operator: ${section}, operand type: ${type}, typeSet: ALLOWED_FOR_${section}_OPERAND`,
  );
}

/** The operands of an operator or function, and the type that it accepts. */
function operatorOf(operand: Operand): { name: string; type: AttributeType; sides: readonly Operand[] } | undefined {
  if (operand.is === 'append') return { name: 'list_append', type: 'L', sides: [operand.left, operand.right] };
  if (operand.is !== 'sum') return undefined;
  return { name: operand.sign > 0 ? '+' : '-', type: 'N', sides: [operand.left, operand.right] };
}

function assertAssigned(use: Use, operand: Operand): void {
  if (operand.is === 'default') assertAssigned(use, operand.otherwise);
  const operator = operatorOf(operand);
  for (const side of operator?.sides ?? []) {
    if (operator) assertType(use, operator.name, side, [operator.type]);
    assertAssigned(use, side);
  }
}

/** Refuses updates that can never succeed, such as adding a number to a text. */
export function assertUpdateTypes({ kind, root }: ParsedExpression<UpdateAction[]>, scope: Scope): void {
  for (const action of root) {
    if (action.is === 'ADD' || action.is === 'DELETE') assertSection({ kind, scope }, action.is, action.operand);
    if (action.is === 'SET') assertAssigned({ kind, scope }, action.operand);
  }
}
