import { type Shape, schemaNamed, schemaNameOf } from './contract.ts';

/** A field as a row of a table. */
export interface ShapeField {
  name: string;
  type: string;
  isRequired: boolean;
  text: string;
}

/** Whether a schema is shown inside another one, because it is short or only describes a value. */
const isValue = (shape: Shape): boolean => shape.properties === undefined;

const mostDepth = 3;

/** Follows a reference. A description beside the reference replaces that of the schema. */
function resolved(shape: Shape): Shape {
  const name = schemaNameOf(shape);
  return name === undefined ? shape : { ...schemaNamed(name), ...withoutReference(shape) };
}

const withoutReference = ({ $ref: _, ...others }: Shape): Shape => others;

/** The schema without null as an alternative. */
function present(shape: Shape): { shape: Shape; isNullable: boolean } {
  const { anyOf, type } = shape;
  if (Array.isArray(type)) {
    const [only = 'null', ...others] = type.filter((name) => name !== 'null');
    return { shape: { ...shape, type: others.length > 0 ? type : only }, isNullable: type.includes('null') };
  }
  if (!anyOf) return { shape: resolved(shape), isNullable: false };
  const others = anyOf.filter(isSomething);
  const [only] = others;
  const isNullable = others.length < anyOf.length;
  if (others.length !== 1 || !only) return { shape, isNullable };
  return { shape: { ...resolved(only), ...(shape.description && { description: shape.description }) }, isNullable };
}

/** A range as text: `1 to 20 entries`. A limit beyond the safe integers is left out. */
function rangeOf(least: number | undefined, most: number | undefined, unit = ''): string[] {
  const [low, high] = [least, most].map((bound) =>
    bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound,
  );
  if (low === undefined) return high === undefined ? [] : [`at most ${high}${unit}`];
  return [high === undefined ? `at least ${low}${unit}` : `${low} to ${high}${unit}`];
}

const mostChoices = 16;

/** The names of JSON-schema formats in the tables. For other formats, a table only shows the limits. */
const formatWords: Readonly<Record<string, string>> = {
  'date-time': 'a time such as `2026-03-01T12:00:00.000Z`',
  date: 'a day such as `2026-03-01`',
  uri: 'an address',
  email: 'an e-mail address',
  uuid: 'a UUID',
};

function boundsOf(shape: Shape): string[] {
  const { enum: choices, const: only, format = '', minimum, maximum, minLength, maxLength, minItems, maxItems } = shape;
  if (only !== undefined) return [`always \`${JSON.stringify(only)}\``];
  if (choices && choices.length > mostChoices) return [`one of ${choices.length} values`];
  if (choices) return [`one of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}`];
  return [
    ...(formatWords[format] ? [formatWords[format]] : []),
    ...rangeOf(minimum, maximum),
    ...rangeOf(minLength || undefined, maxLength, ' characters'),
    ...(maxItems === 0 ? [] : rangeOf(minItems, maxItems, ' entries')),
  ];
}

function kindOf({ type, items, anyOf, enum: choices, const: only, maxItems }: Shape): string {
  if (type === 'array' && maxItems === 0) return 'empty list';
  if (type === 'array') return items ? `list of ${kindOf(present(items).shape)}` : 'list';
  if (anyOf) return [...new Set(anyOf.filter(isSomething).map((one) => optionOf(resolved(one))))].join(' or ');
  if (typeof type === 'object') return type.join(' or ');
  return type ?? (choices || only !== undefined ? 'string' : 'any value');
}

const isSomething = ({ type }: Shape): boolean => type !== 'null';

/** One of several schemas as text. If only one value is possible, it is this value, otherwise the type. */
function optionOf(shape: Shape): string {
  const [only = shape.const, ...others] = shape.enum ?? [];
  return only === undefined || others.length > 0 ? kindOf(shape) : `\`${JSON.stringify(only)}\``;
}

function kindText(shape: Shape, isNullable: boolean): string {
  const kind = kindOf(shape);
  if (kind === 'null') return 'always null';
  return isNullable ? `${kind} or null` : kind;
}

function typeText(shape: Shape, isNullable: boolean): string {
  const { default: usual } = shape;
  return [
    kindText(shape, isNullable),
    ...boundsOf(shape),
    ...(usual === undefined ? [] : [`default \`${JSON.stringify(usual)}\``]),
  ].join(', ');
}

/** The rows of a field and of the fields inside it: `price`, `price.currency`, `items[].amount`. */
function rowsOf(name: string, found: Shape, isRequired: boolean, depth: number): ShapeField[] {
  const { shape, isNullable } = present(found);
  const text = found.description ?? shape.description ?? '';
  const row = { name, type: typeText(shape, isNullable), isRequired, text };
  if (depth >= mostDepth) return [row];
  const inner = shape.items ? present(shape.items).shape : shape;
  if (isValue(inner)) return [row];
  return [row, ...shapeFields(inner, `${name}${shape.items ? '[]' : ''}.`, depth + 1)];
}

/** The rows of an object's fields, including the fields of objects in it. */
export function shapeFields(found: Shape, prefix = '', depth = 0): ShapeField[] {
  const { properties = {}, required = [] } = resolved(found);
  return Object.entries(properties).flatMap(([name, shape]) =>
    rowsOf(`${prefix}${name}`, shape, required.includes(name), depth),
  );
}

/** The type of a single value as text, such as of a path parameter. */
export const typeOf = (found: Shape): string => {
  const { shape, isNullable } = present(found);
  return typeText(shape, isNullable);
};
