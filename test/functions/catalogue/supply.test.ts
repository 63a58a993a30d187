import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments, sessions } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const supplyOf = async (id: string) => (await api.call(`GET /products/${id}`)).body.supply;
const change = (id: string, body: object) => api.call(`PATCH /products/${id}`, { body });
const course = (fields: object = {}) => addProduct(api, { tax_category: 'edtech', ...fields });

describe('the field “supply” of a product', () => {
  it('is null by default, which means that the tax category decides', async () => {
    expect(await supplyOf(await course())).toBeNull();
    expect(await supplyOf(await course({ supply: null }))).toBeNull();
    expect(await supplyOf(await course({ supply: 'service' }))).toBe('service');
    const { body } = await api.call('GET /products');
    expect(body.items.slice(0, 3).map(({ supply }: { supply: string | null }) => supply)).toEqual([
      'service',
      null,
      null,
    ]);
  });

  it('stays when other fields change, and is removed by null', async () => {
    const id = await course({ supply: 'service' });
    await change(id, { name: 'A course' });
    expect(await supplyOf(id)).toBe('service');
    await change(id, { supply: 'content' });
    expect(await supplyOf(id)).toBe('content');
    await change(id, { supply: null });
    expect(await supplyOf(id)).toBeNull();
  });

  it('422: accepts only content and service', async () => {
    const refused = await change(await course(), { supply: 'goods' });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'supply']);
  });

  it('is stored in the lines of a checkout and a payment, as it was when the checkout was opened', async () => {
    const [named, unnamed] = [await course({ supply: 'service' }), await course()];
    const id = await createSession(
      api,
      [named, unnamed].map((product_id) => ({ product_id, quantity: 1 })),
    );
    await change(named, { supply: 'content' });
    expect((await sessions().get(id)).lines.map(({ supply }) => supply)).toEqual(['service', undefined]);
    const buyer = { customer: { email: 'ada@example.com', name: 'Ada' }, billing_address: { country: 'DE' } };
    const { body } = await api.call(`POST /checkout/${id}/pay`, { key: null, body: { ...buyer, test_card: '4242' } });
    const { lines } = await payments().get(body.payment_id);
    expect(lines.map(({ supply }) => supply)).toEqual(['service', undefined]);
  });
});
