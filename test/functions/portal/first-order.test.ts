import { afterAll, beforeAll, expect, it } from 'vitest';
import { findStackSecret } from '../../../shared/wiring/runtime.ts';
import { sell } from '../../support/shop/shop.ts';
import { openPortal } from './portal-visitor.ts';

let shop: Awaited<ReturnType<typeof openPortal>>;
beforeAll(async () => {
  shop = await openPortal();
});
afterAll(() => shop.close());

it('the portal opens an order even in a new stack without a secret', async () => {
  const { paymentId } = await sell(shop.api, { email: 'first@buyer.example' });
  const visitor = shop.visitor();
  const { token } = await visitor.link('first@buyer.example');
  expect(await findStackSecret()).toBeUndefined();
  expect((await visitor.press(token)).status).toBe(303);
  expect((await visitor.get(`/orders/${paymentId}`)).status).toBe(200);
});
