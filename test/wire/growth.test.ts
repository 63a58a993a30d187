import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { payInput, quoteInput } from '../../shared/wire/checkout/checkout-json.ts';
import { parseInput } from '../../shared/wire/parse.ts';
import { growthOf, linear } from '../support/cpu.ts';
import { hostileUnits, repeated } from '../support/wire/hostile.ts';
import { type SchemaField, schemaFieldsOf, wireSchemas } from '../support/wire/schema-fields.ts';

const seen = new Set<z.core.$ZodType>();
const schemas = { ...(await wireSchemas()), payInput: payInput(['4242']), quoteInput: quoteInput(['4242']) };

/** A body has at most 256 KiB; quadratic work shows with less. */
const units = 20_000;
/** V8 keeps an object of more than about a thousand keys in another way, which costs more: half of this is more. */
const elements = 4_000;

const manyKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'x']));

/** What is put into a field, by its size. */
const shapesOf = ({ kind }: SchemaField): Record<string, [make: (size: number) => unknown, size: number]> => {
  if (kind === 'keys') return { 'many keys': [manyKeys, elements] };
  if (kind === 'many') return { 'many elements': [(count) => Array(count).fill('x'), elements] };
  const of = (unit: string, before = ''): [(size: number) => string, number] => [
    (size) => before + repeated(unit, size),
    units,
  ];
  return {
    ...Object.fromEntries(Object.entries(hostileUnits).map(([name, unit]) => [name, of(unit)])),
    'marks after a letter': of('\u0301\u0323', 'a'),
    'a host of many labels': of('a.', 'https://'),
    'a host beyond ASCII': of('ä', 'https://'),
    'a long e-mail address': of('a.', 'a@'),
  };
};

function refuses(schema: z.core.$ZodType, value: unknown): void {
  try {
    parseInput(schema as z.ZodType, value);
  } catch {
    // what it says is tested elsewhere
  }
}

/** Compares every character with every other one. */
function equalPairs(text: string): number {
  let pairs = 0;
  for (let one = 0; one < text.length; one += 1)
    for (let other = 0; other < text.length; other += 1)
      if (text.charCodeAt(one) === text.charCodeAt(other)) pairs += 1;
  return pairs;
}

describe('the time to check a field', () => {
  it('is measured precisely enough to notice quadratic growth', async () => {
    const marks = (length: number) => `a${'\u0301\u0323'.repeat(length / 2)}`;
    expect(await growthOf(marks, equalPairs, 1_000)).toBeGreaterThanOrEqual(linear);
    expect(await growthOf(marks, (text) => text.split('').join('-'), 200_000)).toBeLessThan(linear);
  });

  it('is measured for every schema of the API', () => {
    const count = Object.values(schemas).flatMap((schema) => schemaFieldsOf(schema)).length;
    expect(Object.keys(schemas).length).toBeGreaterThan(30);
    expect(count).toBeGreaterThan(200);
  });

  it.each(Object.entries(schemas))('of %s grows no faster than its length', async (_, schema) => {
    const steep: string[] = [];
    for (const field of schemaFieldsOf(schema, seen))
      for (const [shape, [make, size]] of Object.entries(shapesOf(field))) {
        const growth = await growthOf(
          (length) => field.wrap(make(length)),
          (value) => refuses(schema, value),
          size,
        );
        if (growth >= linear) steep.push(`${field.path || 'itself'}, ${shape}: × ${growth.toFixed(1)}`);
      }
    expect(steep).toEqual([]);
  });
});
