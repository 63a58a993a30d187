import { type ApiOperation, type Shape, schemaNamed, schemaNameOf } from '../../../reference/contract.ts';

/** Resolves references in a schema, and drops null as an alternative. */
export function plainShape(shape: Shape): Shape {
  const { $ref, anyOf = [], type, ...own } = shape;
  const name = schemaNameOf(shape);
  if (name !== undefined) return plainShape({ ...schemaNamed(name), ...own });
  const shapes = anyOf.map(plainShape).filter((one) => one.type !== 'null');
  const [first, ...more] = shapes;
  if (first && more.length === 0) return { ...first, ...own };
  const [only, ...others] = [type ?? shapes.map((one) => one.type ?? '')].flat(2).filter((one) => one !== 'null');
  return only && others.every((one) => one === only) ? { ...own, type: only } : shape;
}

/**
 * The largest amount of the API. An integer with this maximum is an amount in minor units, if there is a currency
 * beside it.
 */
const largestAmount = 2_147_483_647;

export const isAmount = ({ type, maximum }: Shape): boolean => type === 'integer' && maximum === largestAmount;

/** Whether the operation accepts an Idempotency-Key, which makes repeating it safe. */
export const takesIdempotencyKey = ({ parameters = [] }: ApiOperation): boolean =>
  parameters.some((one) => '$ref' in one && one.$ref.endsWith('/IdempotencyKey'));
