import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../support/shop/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

describe('A stored answer is repeated to every key that has the right to the request, and to no other:', () => {
  it.each([
    ['POST /api-keys', { name: 'Till', access: 'read' }],
    ['POST /webhooks', { url: 'https://shop.example/hooks' }],
  ])('the answer of %s', async (route, body) => {
    const headers = { 'idempotency-key': `replay ${route}` };
    const first = await api.call(route, { body, headers });
    for (const access of ['read', 'write'] as const) {
      const again = await api.call(route, { body, headers, key: await api.addKey({ access }) });
      expect(again.status).toBe(403);
      expect(again.headers['idempotent-replayed']).toBeUndefined();
    }
    const other = await api.call(route, { body, headers, key: await api.addKey({ access: 'admin' }) });
    expect(other).toMatchObject({ status: first.status, headers: { 'idempotent-replayed': 'true' } });
    expect(other.body.key ?? null).toBeNull();
    expect(other.text).not.toMatch(/whsec_|"secret"/);
  });
});
