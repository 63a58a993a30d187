import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../support/shop/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const read = (headers: Record<string, string> = {}) => api.call('GET /openapi.json', { key: null, headers });
const committed = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

describe('GET /openapi.json', () => {
  it('200: answers the committed contract without an API key, to programs and to pages of any site', async () => {
    const { status, headers, body } = await read();
    expect([status, headers['access-control-allow-origin']]).toEqual([200, '*']);
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(body).toEqual(committed);
  });

  it.each(['tag', 'W/tag', '"other", tag', '*'])(
    '304: answers no body to a reader who has the same version (%s)',
    async (known) => {
      const { etag = '' } = (await read()).headers;
      expect(etag).toMatch(/^"[\w-]{22}"$/);
      const { status, text } = await read({ 'if-none-match': known.replace('tag', etag) });
      expect([status, text]).toEqual([304, '']);
    },
  );

  it('200: answers the contract to a reader who has another version', async () => {
    expect((await read({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('is valid OpenAPI 3.1 for an independent validator', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(committed));
    expect(errors).toBeUndefined();
    expect([valid, validator.version]).toEqual([true, '3.1']);
  });

  it('is invalid for that validator when an operation has no valid responses', async () => {
    const wrong = structuredClone(committed);
    wrong.paths['/products'].post.responses = [];
    expect((await new Validator().validate(wrong)).valid).toBe(false);
  });
});
