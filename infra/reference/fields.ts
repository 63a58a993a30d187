import { type Shape, schemaNamed, schemaNameOf } from './contract.ts';

/** A field as a row of a table. */
export interface ShapeField {
  name: string;
  type: string;
  isRequired: boolean;
  text: string;
}

/** Schemas whose fields are shown within another one's, because they are short, or say only what a value is. */
const isValue = (shape: Shape): boolean => shape.properties === undefined;

const mostDepth = 3;

/** A shape behind its reference, with the words of the place that refers to it. */
function resolved(shape: Shape): Shape {
  const name = schemaNameOf(shape);
  return name === undefined ? shape : { ...schemaNamed(name), ...withoutReference(shape) };
}

const withoutReference = ({ $ref: _, ...others }: Shape): Shape => others;

/** The shape without the null that it may be. */
function present(shape: Shape): { shape: Shape; isNullable: boolean } {
  const { anyOf } = shape;
  if (!anyOf) return { shape: resolved(shape), isNullable: false };
  const others = anyOf.filter(({ type }) => type !== 'null');
  const [only] = others;
  const isNullable = others.length < anyOf.length;
  if (others.length !== 1 || !only) return { shape, isNullable };
  return { shape: { ...resolved(only), ...(shape.description && { description: shape.description }) }, isNullable };
}

const bound = (word: string, value: number | undefined, unit = ''): string[] =>
  value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? [] : [`${word} ${value}${unit}`];

const mostChoices = 16;

function boundsOf(shape: Shape): string[] {
  const { enum: choices, const: only, format, minimum, maximum, minLength, maxLength, minItems, maxItems } = shape;
  if (only !== undefined) return [`always \`${JSON.stringify(only)}\``];
  if (choices && choices.length > mostChoices) return [`one of ${choices.length} values`];
  if (choices) return [`one of ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}`];
  return [
    ...(format ? [format] : []),
    ...bound('from', minimum),
    ...bound('to', maximum),
    ...bound('at least', minLength || undefined, ' characters'),
    ...bound('at most', maxLength, ' characters'),
    ...bound('at least', minItems, ' entries'),
    ...bound('at most', maxItems, ' entries'),
  ];
}

const kindOf = ({ type, items, anyOf, enum: choices }: Shape): string => {
  if (type === 'array') return `list of ${items ? kindOf(present(items).shape) : 'anything'}`;
  if (anyOf) return anyOf.map((one) => kindOf(resolved(one))).join(' or ');
  return type ?? (choices ? 'string' : 'anything');
};

function typeText(shape: Shape, isNullable: boolean): string {
  const { default: usual } = shape;
  return [
    `${kindOf(shape)}${isNullable ? ' or null' : ''}`,
    ...boundsOf(shape),
    ...(usual === undefined ? [] : [`default \`${JSON.stringify(usual)}\``]),
  ].join(', ');
}

/** A field, then what is in it: `price`, `price.currency`, `items[].amount`. */
function rowsOf(name: string, found: Shape, isRequired: boolean, depth: number): ShapeField[] {
  const { shape, isNullable } = present(found);
  const text = found.description ?? shape.description ?? '';
  const row = { name, type: typeText(shape, isNullable), isRequired, text };
  if (depth >= mostDepth) return [row];
  const inner = shape.items ? present(shape.items).shape : shape;
  if (isValue(inner)) return [row];
  return [row, ...shapeFields(inner, `${name}${shape.items ? '[]' : ''}.`, depth + 1)];
}

/** The fields of an object, with those of the objects in it. */
export function shapeFields(found: Shape, prefix = '', depth = 0): ShapeField[] {
  const { properties = {}, required = [] } = resolved(found);
  return Object.entries(properties).flatMap(([name, shape]) =>
    rowsOf(`${prefix}${name}`, shape, required.includes(name), depth),
  );
}

/** A single value, such as a parameter of the address. */
export const typeOf = (found: Shape): string => {
  const { shape, isNullable } = present(found);
  return typeText(shape, isNullable);
};
