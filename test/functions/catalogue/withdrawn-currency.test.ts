import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, fieldGuide, pay } from '../../support/shop/shop.ts';

let api: Api;
let product: string;
let session: string;

const set = (key: object, path: string) =>
  table().client.send(
    new UpdateCommand({
      TableName: table().name,
      Key: key,
      UpdateExpression: `SET ${path} = :lev`,
      ExpressionAttributeNames: Object.fromEntries(path.match(/#\w+/g)!.map((name) => [name, name.slice(1)])),
      ExpressionAttributeValues: { ':lev': 'BGN' },
    }),
  );

/** A product and an open session in levs, as a table from before the euro in Bulgaria has them. */
beforeAll(async () => {
  api = await startApi();
  product = await addProduct(api);
  session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  await set({ pk: `PRODUCT#${product}`, sk: 'PRODUCT' }, '#data.#price.#currency');
  await set({ pk: `SESSION#${session}`, sk: 'SESSION' }, '#data.#currency');
  await set({ pk: `SESSION#${session}`, sk: 'SESSION' }, '#data.#lines[0].#price.#currency');
});
afterAll(() => api.stop());

describe('a currency that ISO 4217 has withdrawn', () => {
  it.each(['BGN', 'ANG'])('%s is refused for a new product', async (currency) => {
    const body = { ...fieldGuide, price: { ...fieldGuide.price, currency } };
    const answer = await api.call('POST /products', { body });
    expect([answer.status, answer.body.code, answer.body.param]).toEqual([
      422,
      'UNSUPPORTED_CURRENCY',
      'price.currency',
    ]);
  });

  it('is refused for a new session, naming the product', async () => {
    const cart = { product_cart: [{ product_id: product, quantity: 1 }] };
    for (const route of ['POST /checkouts', 'POST /checkouts/preview']) {
      const answer = await api.call(route, { body: cart });
      expect([answer.status, answer.body.code]).toEqual([422, 'UNSUPPORTED_CURRENCY']);
      expect(answer.body.param).toBe('product_cart[0].product_id');
    }
  });

  it('leaves its products readable and editable, and the dashboard page asks for another currency', async () => {
    const read = await api.call(`GET /products/${product}`);
    expect([read.status, read.body.price.currency]).toEqual([200, 'BGN']);
    const changed = await api.call(`PATCH /products/${product}`, { body: { name: 'A guide' } });
    expect(changed.status).toBe(200);
    const { cookies } = await browse(api, localKey);
    const { text } = await api.call(`GET /dashboard/products/${product}`, { cookies, key: null });
    expect(text).toMatch(/<option value="" selected>Choose a currency<\/option>/);
  });

  it('can still be paid, listed and refunded in sales that began before', async () => {
    const payment = await pay(session, { expectedTotal: 1_999 });
    expect([payment.status, payment.currency, payment.gross]).toEqual(['succeeded', 'BGN', 1_999]);
    const list = await api.call('GET /payments', { query: 'currency=BGN' });
    expect(list.body.items.map(({ payment_id: id }: { payment_id: string }) => id)).toEqual([payment.id]);
    const refund = await api.call('POST /refunds', { body: { payment_id: payment.id } });
    expect([refund.status, refund.body.amount]).toEqual([200, 1_999]);
  });
});
