import * as z from 'zod';
import { MetadataMap } from '../../shared/wire/metadata.ts';
import { CurrencyCode, PaidCurrencyCode } from '../../shared/wire/values.ts';
import { EventFilter } from '../../shared/wire/webhooks/event-filter.ts';

/** A schema in the form in which the contract publishes it. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
}

/** Values that many fields share, each described once. */
const shared = {
  Currency: CurrencyCode,
  PaidCurrency: PaidCurrencyCode,
  Metadata: MetadataMap,
  EventFilter,
} as const satisfies Readonly<Record<string, z.ZodType>>;

const uri = (name: string): string => `#/components/schemas/${name}`;

/**
 * Removes the pattern of a format. zod also writes each of its formats as a pattern, which is long and says the same.
 */
function withoutPatterns({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

interface Override {
  jsonSchema: z.core.JSONSchema.BaseSchema;
  path: (string | number)[];
}

const text: JsonSchema = { type: 'string', maxLength: 2_048 };
const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 99_999_999 };
const list: JsonSchema = { type: 'array', maxItems: 100, items: {} };

/**
 * The types of fields that are always null here. The original API has these types. All fields that are not listed are
 * texts.
 */
const typesOfNulls: Readonly<Record<string, JsonSchema>> = {
  is_resolved_by_rdr: { type: 'boolean' },
  cycles_remaining: count,
  discount_bps: count,
  discount_cycle: count,
  rate_limit: count,
  subscription_cycles: count,
  trial_amount: count,
  trial_period_days: count,
  recurring_breakup: { type: 'object' },
  addons: list,
  custom_field_responses: list,
  subscriptions: list,
};

/**
 * Gives a field that is always null or false the type that the original API has. Generators make nothing useful from a
 * type with only one value.
 */
function withTypeOfDialect({ jsonSchema, path }: Override): void {
  if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const;
  if (jsonSchema.type === 'boolean') delete jsonSchema.enum;
  const [place, name] = path.slice(-2);
  if (jsonSchema.type !== 'null' || place !== 'properties') return;
  const { type, ...others } = typesOfNulls[String(name)] ?? text;
  Object.assign(jsonSchema, { type: [type, 'null'], ...others });
}

/** What asks for nothing in a field that is not supported here: null, false or an empty list. */
const nothing = JSON.stringify(['null', 'boolean', 'array']);

/** The types that the original API has for fields that are not supported here. All others are texts. */
const typesOfUnsupported: Readonly<Record<string, JsonSchema>> = {
  confirm: { type: 'boolean' },
  force_3ds: { type: 'boolean' },
  show_saved_payment_methods: { type: 'boolean' },
  rate_limit: count,
  subscription_data: { type: 'object' },
  addons: list,
  credit_entitlements: list,
  custom_fields: list,
};

/** Gives a field that is not supported the type that the original API has. Its words say that a value is refused. */
function withTypeOfUnsupported(context: Override): void {
  withoutPatterns(context);
  const { jsonSchema, path } = context;
  const [place, name] = path.slice(-2);
  if (place !== 'properties') return;
  const isNothing = JSON.stringify(jsonSchema.anyOf?.map((part) => part.type)) === nothing;
  if (!isNothing && jsonSchema.type !== 'null') return;
  delete jsonSchema.anyOf;
  const { type, ...others } = typesOfUnsupported[String(name)] ?? text;
  Object.assign(jsonSchema, { type: [type, 'null'], ...others });
}

/** Allows additional fields in answers, so that a client does not fail when fields are added. */
function openAnswers(context: Override): void {
  withoutPatterns(context);
  withTypeOfDialect(context);
  if (context.jsonSchema.additionalProperties === false) delete context.jsonSchema.additionalProperties;
}

/** Named schemas that refer to each other, for requests or for answers. */
export function componentsOf(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries({ ...shared, ...schemas })) registry.add(schema, { id });
  const override = io === 'output' ? openAnswers : withTypeOfUnsupported;
  const { schemas: made } = z.toJSONSchema(registry, { io, uri, override, unrepresentable: 'any' });
  return Object.fromEntries(Object.entries(made).map(([name, schema]) => [name, bare(schema as JsonSchema)]));
}

/** Removes `$schema` and `$id`. Only a separate document needs them. */
const bare = ({ $schema: _, $id: __, ...schema }: JsonSchema): JsonSchema => wordsFirst(schema);

/** Writes a text, number or list that may be null as one schema with two types, not as a choice of two schemas. */
export function withNullAsType(schema: JsonSchema): JsonSchema {
  const { anyOf: [value, nothing, ...others] = [], ...words } = schema;
  const isChoice = nothing?.type !== 'null' || others.length > 0;
  if (isChoice || typeof value?.type !== 'string' || value.type === 'object') return schema;
  if ('enum' in value || 'const' in value) return schema;
  return { ...value, ...words, type: [value.type, 'null'] };
}

/** Puts the description before the type, at every level. */
function wordsFirst(found: JsonSchema): JsonSchema {
  const { description, ...schema } = withNullAsType(found);
  const { properties, items, anyOf, additionalProperties: others } = schema;
  return {
    ...(description !== undefined && { description }),
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, wordsFirst(part)])),
    }),
    ...(items && { items: wordsFirst(items) }),
    ...(anyOf && { anyOf: anyOf.map(wordsFirst) }),
    ...(typeof others === 'object' && { additionalProperties: wordsFirst(others) }),
  };
}

const isFlag = ({ enum: values }: JsonSchema): boolean => JSON.stringify(values) === '["true","false"]';

/** The fields of a query. They are sent as text. If they mean numbers or flags, they are described as such. */
export function queryFieldsOf(schema: z.ZodType): { name: string; isRequired: boolean; schema: JsonSchema }[] {
  const made = componentsOf({ Query: schema }, 'input')['Query'] ?? {};
  return Object.entries(made.properties ?? {}).map(([name, field]) => ({
    name,
    isRequired: made.required?.includes(name) ?? false,
    schema: isFlag(field) ? flagOf(field) : field,
  }));
}

const flagOf = ({ default: usual }: JsonSchema): JsonSchema =>
  usual === undefined ? { type: 'boolean' } : { type: 'boolean', default: usual === true || usual === 'true' };
