import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { AnswerSchema } from './compare.ts';
import { readDeclarations } from './declarations.ts';
import { type AnswerContract, findDrifts } from './drifts.ts';
import { judgeDrifts, knownDrifts } from './known-drifts.ts';
import { readLibrary } from './library.ts';

const library = readLibrary(fileURLToPath(new URL('../../node_modules/dodopayments', import.meta.url)));
const text = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
const contract = (): AnswerContract => JSON.parse(text) as AnswerContract;

/** What is unlisted after a change of one schema. */
function afterChange(name: string, change: (schema: AnswerSchema) => void): string[] {
  const changed = contract();
  change(changed.components.schemas[name] ?? {});
  const { unlisted } = judgeDrifts(findDrifts(library, changed).drifts, knownDrifts);
  return unlisted.map(({ where, what }) => `${where} ${what}`);
}

describe('the difference between the API and the official library', () => {
  it('equals the list of known differences, which has a reason for each', () => {
    const { drifts, compared } = findDrifts(library, contract());
    const { unlisted, stale } = judgeDrifts(drifts, knownDrifts);
    expect({ unlisted, stale }).toEqual({ unlisted: [], stale: [] });
    expect(knownDrifts.filter(({ reason }) => reason.length < 40)).toEqual([]);
    expect(compared).toEqual(
      expect.arrayContaining(['GET /payments', 'POST /checkouts', 'GET /webhooks', 'refund.failed']),
    );
    expect(compared.length).toBeGreaterThanOrEqual(44);
  });

  it('is found when a required field is missing from our answers', () => {
    const drifts = afterChange('Refund', ({ properties }) => delete properties?.['brand_id']);
    expect(drifts).toEqual(expect.arrayContaining(['GET /refunds/{}.brand_id is not answered']));
  });

  it('is found when a required field is optional in our answers', () => {
    const drifts = afterChange('LineItem', (schema) => {
      schema.required = schema.required?.filter((name) => name !== 'tax') ?? [];
    });
    expect(drifts).toEqual(['GET /payments/{}/line-items.items[].tax is not always answered']);
  });

  it('is found when a field has another type, also an inherited field or one in a list', () => {
    const drifts = afterChange('LineItem', ({ properties = {} }) => {
      properties['amount'] = { type: ['integer', 'null'] };
      properties['items_id'] = { type: 'integer' };
    });
    expect(drifts).toEqual([
      'GET /payments/{}/line-items.items[].amount may be null; the library has number',
      'GET /payments/{}/line-items.items[].items_id may be number; the library has string',
    ]);
  });

  it('is found when the library has a new status', () => {
    const drifts = afterChange('Refund', ({ properties = {} }) => {
      properties['status'] = { type: 'string', enum: ['succeeded', 'bounced'] };
    });
    expect(drifts).toContain("POST /refunds.status may be bounced, which the library doesn't list");
  });

  it('lists extra and missing optional fields separately', () => {
    const changed = contract();
    const { properties = {} } = changed.components.schemas['LineItem'] ?? {};
    delete properties['description'];
    properties['colour'] = { type: 'string' };
    const { drifts } = findDrifts(library, changed);
    const place = 'GET /payments/{}/line-items.items[]';
    expect(drifts).toContainEqual({ kind: 'absent', where: `${place}.description`, what: 'is not answered' });
    expect(drifts).toContainEqual({
      kind: 'additional',
      where: `${place}.colour`,
      what: 'is not known to the library',
    });
  });

  it('fails with an error when the library’s declarations cannot be read', () => {
    expect(() => readDeclarations('export interface Odd { run(): void; }')).toThrow('The declarations have (');
  });
});
