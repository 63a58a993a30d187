import { DynamoError, invalid } from '../dynamo-error.ts';
import type { AttributeMap } from '../values/attribute-value.ts';
import { checkItem } from '../values/value-size.ts';
import type { DocumentPath, ParsedExpression } from './syntax.ts';

/** The values of the placeholders of one request. */
export interface Scope {
  names: Readonly<Record<string, string>>;
  values: Readonly<AttributeMap>;
}

interface Placeholders {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: AttributeMap | undefined;
}

function assertMembers(what: string, sign: string, members: object | undefined): void {
  const placeholders = Object.keys(members ?? {});
  if (members && placeholders.length === 0) throw invalid(`ExpressionAttribute${what} must not be empty`);
  const wrong = placeholders.find((placeholder) => !placeholder.startsWith(sign) || !/^.\w+$/.test(placeholder));
  if (wrong !== undefined)
    throw invalid(`ExpressionAttribute${what} contains invalid key: Syntax error; key: "${wrong}"`);
}

/** Checks the names and values of placeholders in a request. */
export function scopeOf({ ExpressionAttributeNames: names, ExpressionAttributeValues: values }: Placeholders): Scope {
  assertMembers('Names', '#', names);
  assertMembers('Values', ':', values);
  for (const [placeholder, value] of Object.entries(values ?? {})) assertValue(placeholder, value);
  return { names: names ?? {}, values: values ?? {} };
}

function assertValue(placeholder: string, value: AttributeMap[string]): void {
  try {
    checkItem({ value });
  } catch (error) {
    if (!(error instanceof DynamoError) || error.name !== 'ValidationException') throw error;
    throw invalid(`ExpressionAttributeValues contains invalid value: ${error.message} for key ${placeholder}`);
  }
}

type Parsed = ParsedExpression<unknown> | undefined;

const isIn = (members: object, placeholder: string): boolean => Object.hasOwn(members, placeholder);

/** Checks that each placeholder has a value, and that each given name and value is used. */
export function assertPlaceholders({ names, values }: Scope, expressions: readonly Parsed[]): void {
  const used = new Set<string>();
  for (const expression of expressions) {
    const placeholders = [...(expression?.placeholders ?? [])];
    const missing = placeholders.find((each) => !isIn(each.startsWith('#') ? names : values, each));
    if (missing !== undefined) throw undefinedIn(expression, missing);
    for (const placeholder of placeholders) used.add(placeholder);
  }
  assertAllUsed('Names', names, used, expressions);
  assertAllUsed('Values', values, used, expressions);
}

function undefinedIn(expression: Parsed, placeholder: string): DynamoError {
  const reason = placeholder.startsWith('#')
    ? 'An expression attribute name used in the document path is not defined; attribute name'
    : 'An expression attribute value used in expression is not defined; attribute value';
  return invalid(`Invalid ${expression?.kind}: ${reason}: ${placeholder}`);
}

function assertAllUsed(what: string, members: object, used: ReadonlySet<string>, expressions: readonly Parsed[]): void {
  const placeholders = Object.keys(members);
  if (placeholders.length > 0 && !expressions.some((expression) => expression))
    throw invalid(`ExpressionAttribute${what} can only be specified when using expressions`);
  const unused = placeholders.filter((placeholder) => !used.has(placeholder));
  if (unused.length > 0)
    throw invalid(`Value provided in ExpressionAttribute${what} unused in expressions: keys: {${unused.join(', ')}}`);
}

/** A segment of a path. A placeholder is replaced by its name. */
export const partIn = (part: string | number, { names }: Scope): string | number =>
  typeof part === 'string' && part.startsWith('#') ? (names[part] ?? part) : part;

export const pathIn = (path: DocumentPath, scope: Scope): DocumentPath => path.map((part) => partIn(part, scope));

const written = (path: DocumentPath): string =>
  `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;

/** Refuses paths that overlap, and paths that use a list as a map. */
export function assertApart(expression: ParsedExpression<unknown>, paths: readonly DocumentPath[]): void {
  for (const [index, one] of paths.entries())
    for (const other of paths.slice(index + 1)) {
      const collision = collisionOf(one, other);
      if (collision)
        throw invalid(
          `Invalid ${expression.kind}: Two document paths ${collision} with each other; must remove or rewrite one of these paths; path one: ${written(one)}, path two: ${written(other)}`,
        );
    }
}

function collisionOf(one: DocumentPath, other: DocumentPath): 'overlap' | 'conflict' | undefined {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at += 1) {
    if (one[at] === other[at]) continue;
    return typeof one[at] === typeof other[at] ? undefined : 'conflict';
  }
  return 'overlap';
}
