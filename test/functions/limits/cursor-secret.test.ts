import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { apiKeys, table } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct } from '../../support/shop/shop.ts';

const nextCursor = async (api: Api): Promise<string> =>
  (await api.call('GET /products', { query: 'cursor=start&page_size=1' })).body.next_cursor;

describe('The secret that signs cursors', () => {
  let api: Api;
  let productId: string;
  beforeAll(async () => {
    api = await startApi();
    await addProduct(api);
    productId = await addProduct(api);
  });
  afterAll(() => api.stop());

  it('is created by a checkout, and is then read together with the API key once and cached', async () => {
    const send = vi.spyOn(table().client, 'send');
    const readsOfSecret = () =>
      send.mock.calls.map(([{ input }]) => JSON.stringify(input)).filter((call) => call.includes('"SECRET"'));
    const early = await nextCursor(api);
    expect(early).not.toContain('=');
    expect(readsOfSecret()).toEqual([expect.stringMatching(/"KEY#/)]); // with the row of the API key, in one call
    for (const { paths } of endpoints.filter(
      ({ access, table: { get = [], list, customer } }) =>
        access === 'read' && get.includes('SECRET') && (list ?? customer),
    )) {
      send.mockClear();
      await api.call(`GET ${paths[0].replace('{id}', 'x')}`, {
        query: paths[0].includes('audit') ? '' : 'cursor=start',
      });
      expect([paths[0], readsOfSecret()]).toEqual([paths[0], [expect.stringMatching(/"KEY#/)]]);
    }
    expect(await apiKeys().findSessionSecret()).toBeUndefined();

    await api.call('POST /checkouts', {
      body: { product_cart: [{ product_id: productId, quantity: 1 }] },
      headers: { 'idempotency-key': 'one' },
    });
    expect(await apiKeys().findSessionSecret()).toHaveLength(43);
    send.mockClear();
    expect(await nextCursor(api)).toContain('=');
    expect(await nextCursor(api)).toContain('=');
    expect(readsOfSecret()).toEqual([]);
    expect((await api.call('GET /products', { query: `cursor=${early}` })).body.items).toHaveLength(1);
    send.mockRestore();
  });
});
