import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiKeys } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const anyone = { key: null, headers: { 'accept-language': 'en' } };

it('The first receipt of a new stack creates the secret, and its link opens the order', async () => {
  const session = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
  const { id, documentSecret } = await pay(session, { expectedTotal: 1_999 });
  expect(await apiKeys().findSessionSecret()).toBeUndefined();
  const { text } = await api.call(`GET /checkout/${session}`, {
    ...anyone,
    cookies: [`buyer=${id}.${documentSecret}`],
  });
  const [, query = ''] = /\/orders\/\w+\?(secret=[\w-]+)/.exec(text) ?? [];
  expect((await api.call(`GET /orders/${id}`, { ...anyone, query })).status).toBe(303);
});
