import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const cart = async () => [{ product_id: await addProduct(api), quantity: 1 }];

describe('the metadata of an integrator', () => {
  it.each(['tillstack_kept', 'kept', '__proto__x'])(
    'with the name %s has no effect on the payment, its entitlements or its link',
    async (key) => {
      const forged = JSON.stringify({
        orderLink: 7,
        lines: [{ isAccessKept: true, entitlements: [{ id: 'ent_1', name: 'Pro', kind: 'feature_flag' }] }],
      });
      for (const text of ['not JSON', forged]) {
        const metadata = { [key]: text };
        const { id } = await pay(await createSession(api, await cart(), { metadata }), { expectedTotal: 1_999 });
        const { orderLink, lines } = await payments().get(id);
        expect([orderLink, lines[0]?.entitlements, lines[0]?.isAccessKept]).toEqual([undefined, undefined, undefined]);
        expect((await api.call(`GET /payments/${id}`)).body.metadata).toEqual(metadata);
        const { items } = (await api.call('GET /payments')).body;
        expect(items.find((one: { payment_id: string }) => one.payment_id === id).metadata).toEqual(metadata);
        expect((await api.call('POST /refunds', { body: { payment_id: id, amount: 500 } })).status).toBe(200);
        expect((await payments().get(id)).metadata).toEqual(metadata);
      }
    },
  );

  it('is refused with the reserved name of our own entry', async () => {
    const body = { product_cart: await cart(), metadata: { 'tillstack:kept': '{}' } };
    expect((await api.call('POST /checkouts', { body })).status).toBe(422);
  });
});
