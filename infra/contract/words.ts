import { settingInputWords } from '../../shared/wire/access/input-words.ts';
import { queryWords } from '../../shared/wire/answers/query-words.ts';
import type { WordsByField } from '../../shared/wire/answers/words-in.ts';
import { catalogueInputWords } from '../../shared/wire/catalogue/input-words.ts';
import { checkoutInputWords } from '../../shared/wire/checkout/input-words.ts';
import { customerInputWords } from '../../shared/wire/customers/input-words.ts';
import { discountInputWords } from '../../shared/wire/discounts/input-words.ts';
import { entitlementInputWords } from '../../shared/wire/entitlements/input-words.ts';
import { licenseInputWords } from '../../shared/wire/entitlements/license-input-words.ts';
import { paymentInputWords } from '../../shared/wire/payments/input-words.ts';
import { webhookInputWords } from '../../shared/wire/webhooks/input-words.ts';
import { withdrawalInputWords } from '../../shared/wire/withdrawal/input-words.ts';
import type { JsonSchema } from './json-schema.ts';

/** The descriptions of the fields of each input. */
export const inputWords: Readonly<Record<string, WordsByField>> = {
  ...settingInputWords,
  ...catalogueInputWords,
  ...checkoutInputWords,
  ...customerInputWords,
  ...discountInputWords,
  ...entitlementInputWords,
  ...licenseInputWords,
  ...paymentInputWords,
  ...webhookInputWords,
  ...withdrawalInputWords,
};

/** The description of a field of a query. */
export const queryWordOf = (field: string): string | undefined => queryWords[field];

/**
 * The schema of an input with a description for every field, at every level. Schemas of answers already have
 * descriptions.
 */
export const describeInput = (name: string, schema: JsonSchema): JsonSchema =>
  describeFields(inputWords[name] ?? {}, schema, '');

function describeFields(words: WordsByField, schema: JsonSchema, path: string): JsonSchema {
  const { properties, items, anyOf } = schema;
  const inner = (part: JsonSchema): JsonSchema => describeFields(words, part, path);
  return {
    ...schema,
    ...(properties && { properties: describedProperties(words, properties, path) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
  };
}

function describedProperties(
  words: WordsByField,
  properties: Record<string, JsonSchema>,
  path: string,
): Record<string, JsonSchema> {
  const entries = Object.entries(properties).map(([field, part]) => {
    const description = words[`${path}${field}`] ?? words[field];
    return [
      field,
      { ...(description && { description }), ...describeFields(words, part, `${path}${field}.`) },
    ] as const;
  });
  return Object.fromEntries(entries);
}
