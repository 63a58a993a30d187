import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { operationOf } from '../../infra/contract/operations.ts';
import { inputWords } from '../../infra/contract/words.ts';
import { endpoints } from '../../infra/endpoints.ts';
import { queryWords } from '../../shared/wire/answers/query-words.ts';
import { wireSchemas } from '../support/wire/schema-fields.ts';
import { type Field, fieldsWithin, missingBounds, readContract, type Schema } from './json-document.ts';

const contract = readContract();
const operations = Object.values(contract.paths).flatMap((item) => Object.values(item));

const components = Object.entries(contract.components.schemas);
const sentNames = new Set(
  operations.flatMap(({ requestBody }) =>
    Object.values(requestBody?.content ?? {}).map(({ schema }) => schema.$ref?.replace(/.*\//, '')),
  ),
);
const sent = components.filter(([name]) => sentNames.has(name)).flatMap(([name, schema]) => fieldsWithin(name, schema));
const queried = operations.flatMap(({ operationId, parameters }) =>
  parameters.flatMap((parameter) =>
    'name' in parameter ? fieldsWithin(`${operationId}?${parameter.name}`, parameter.schema) : [],
  ),
);

/** Fields of answers that may have any length: text of other programs, and fields that have no limit. */
const endless = new Set([
  'Problem.detail',
  'Problem.instance',
  'Problem.message',
  'Problem.param',
  'Problem.errors[].path',
  'Problem.errors[].message',
  'WebhookAttempt.response',
  'AuditLogEntry.details',
  'AuditLogEntry.details.*',
  'Webhook.metadata',
  'WebhookHeaders.headers',
]);
const answered = components
  .filter(([name]) => !sentNames.has(name))
  .flatMap(([name, schema]) => fieldsWithin(name, schema))
  .filter(({ place }) => !endless.has(place));

const boundless = (fields: readonly Field[]): string[] =>
  fields.flatMap(({ place, schema }) => missingBounds(schema).map((kind) => `${place} (${kind})`));

describe('every field', () => {
  it('of a request states its limits in the contract, also those that zod’s conversion leaves out', () => {
    expect(sent.length).toBeGreaterThan(200);
    expect(boundless([...sent, ...queried])).toEqual([]);
  });

  it('of an answer states its limits in the contract', () => {
    expect(answered.length).toBeGreaterThan(600);
    expect(boundless(answered)).toEqual([]);
  });

  it.each<Schema>([
    { type: 'string' },
    { type: 'number', minimum: 0 },
    { type: 'integer', maximum: 1 },
    { type: 'array' },
    { type: ['string', 'null'] },
    { type: 'object', additionalProperties: { type: 'string' } },
  ])('without limits is reported as a fault by this test: %j', (schema) =>
    expect(missingBounds(schema)).toHaveLength(1),
  );

  it('has a description, and no description is left for a field that no longer exists', () => {
    const named = components.flatMap(([name, schema]) =>
      fieldsWithin(name, schema).flatMap(({ schema: { properties = {} } }) => Object.entries(properties)),
    );
    expect(named.filter(([, { description }]) => !description).map(([field]) => field)).toEqual([]);
    const params = operations.flatMap(({ parameters }) => parameters.flatMap((one) => ('name' in one ? [one] : [])));
    expect(params.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
    const names = new Set(named.map(([field]) => field));
    const said = Object.entries(inputWords).flatMap(([name, words]) =>
      Object.keys(words).map((path) => ({ name, path })),
    );
    expect(said.filter(({ path }) => !names.has(path.replace(/.*\./, '')))).toEqual([]);
    expect(said.filter(({ name }) => !sentNames.has(name))).toEqual([]);
    expect(Object.keys(queryWords).filter((name) => !params.some((one) => one.name === name))).toEqual([]);
  });
});

/** `body: wire.ProductInput` in a handler, by the name that the wire exports. */
const parsedBy = (name: string, what: 'body' | 'query'): string | undefined => {
  const source = readFileSync(new URL(`../../functions/${name}.ts`, import.meta.url), 'utf8');
  return new RegExp(`\\b${what}: (?:wire\\.)?(\\w+)`).exec(source)?.[1];
};

describe('the schema of a request', () => {
  const described = endpoints.flatMap(({ function: name, access }) => {
    const operation = operationOf(name);
    return operation && access !== 'public' ? [{ name, operation }] : [];
  });

  it.each(described)(
    'of $name in the contract is the schema with which its handler parses the request',
    async ({ name, operation }) => {
      const exported = Object.entries(await wireSchemas());
      const nameOf = (schema: z.ZodType | undefined) =>
        exported.find(([, known]) => known === schema)?.[0].replace(/.*\./, '');
      expect(nameOf(Object.values(operation.body ?? {})[0])).toBe(parsedBy(name, 'body'));
      expect(nameOf(operation.query)).toBe(parsedBy(name, 'query'));
    },
  );
});
