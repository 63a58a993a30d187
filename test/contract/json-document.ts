import { readFileSync } from 'node:fs';

/** A schema of the committed contract, as far as the tests look into it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  maxProperties?: number;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
  required?: string[];
}

interface Parameter {
  name: string;
  in: string;
  description?: string;
  schema: Schema;
}

interface PublishedOperation {
  operationId: string;
  description: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: Schema; example?: unknown }>; 'x-codes'?: string[] }>;
}

export interface PublishedContract {
  paths: Record<string, Record<string, PublishedOperation>>;
  webhooks: Record<string, { post: PublishedOperation }>;
  components: { schemas: Record<string, Schema> };
}

/** The contract as it is committed. */
export const readContract = (): PublishedContract =>
  JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

/** A field with its place, `ProductInput.price.currency`, and the words that stand beside it. */
export interface Field {
  place: string;
  schema: Schema;
}

/** A schema and all that is inside it; what it refers to has a place of its own. */
export function fieldsWithin(place: string, schema: Schema): Field[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  return [
    { place, schema },
    ...Object.entries(properties).flatMap(([name, part]) => fieldsWithin(`${place}.${name}`, part)),
    ...(items ? fieldsWithin(`${place}[]`, items) : []),
    ...anyOf.flatMap((option) => fieldsWithin(place, option)),
    ...(typeof additionalProperties === 'object' ? fieldsWithin(`${place}.*`, additionalProperties) : []),
  ];
}

/** The bounds that a schema lacks, by the kinds of value that it takes. */
export function missingBounds({ $ref, type, ...schema }: Schema): string[] {
  if ($ref !== undefined || schema.enum !== undefined || schema.const !== undefined) return [];
  const kinds = [type ?? []].flat();
  const bounds: Record<string, boolean> = {
    string: schema.maxLength !== undefined || schema.pattern !== undefined || schema.format !== undefined,
    number: schema.minimum !== undefined && schema.maximum !== undefined,
    integer: schema.minimum !== undefined && schema.maximum !== undefined,
    array: schema.maxItems !== undefined,
    object: typeof schema.additionalProperties !== 'object' || schema.maxProperties !== undefined,
  };
  return kinds.filter((kind) => bounds[kind] === false);
}
