import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiKeys } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { sell } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const anyone = { key: null, headers: { 'accept-language': 'en' } };

it('The API creates the secret of a new stack with the first order link, which then opens its order', async () => {
  const { paymentId } = await sell(api);
  const open = (query: string) => api.call(`GET /orders/${paymentId}`, { ...anyone, query });
  expect((await open('secret=guess')).status).toBe(404);
  expect(await apiKeys().findSessionSecret()).toBeUndefined();
  const { order_url } = (await api.call(`GET /payments/${paymentId}`)).body;
  expect(await apiKeys().findSessionSecret()).toMatch(/^\w{43}$/);
  expect((await open(new URL(order_url).search.slice(1))).status).toBe(303);
});
