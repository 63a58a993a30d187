import { fieldWords } from './field-words.ts';
import type { JsonSchema } from './json-schema.ts';

/** What a field means: in one schema, or wherever its name occurs. An event has the fields of its object. */
export const wordOf = (schema: string, field: string): string | undefined =>
  fieldWords[`${schema.replace(/^Past|EventData$/, '')}.${field}`] ?? fieldWords[field];

/** A schema with a description at every field, at any depth. */
export function describeFields(name: string, schema: JsonSchema): JsonSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  const inner = (part: JsonSchema): JsonSchema => describeFields(name, part);
  return {
    ...schema,
    ...(properties && { properties: describedProperties(name, properties) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inner(additionalProperties) }),
  };
}

function describedProperties(name: string, properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const entries = Object.entries(properties).map(([field, part]) => {
    const description = wordOf(name, field);
    return [field, { ...(description && { description }), ...describeFields(name, part) }] as const;
  });
  return Object.fromEntries(entries);
}
