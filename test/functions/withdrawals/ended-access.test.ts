import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { declareByLink } from '../../support/shop/withdrawals.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** An order of two lines, each with a licence key. */
async function sold(card: string = cards.good, price = 1_999) {
  const entitlements = await Promise.all(
    ['Atlas', 'Globe'].map(async (name) => {
      const body = { name, integration_type: 'license_key', integration_config: {} };
      return (await api.call('POST /entitlements', { body })).body.id as string;
    }),
  );
  const cart = await Promise.all(
    entitlements.map(async (entitlement_id) => ({
      product_id: await addProduct(api, { entitlements: [{ entitlement_id }], ...free(price) }),
      quantity: 1,
    })),
  );
  const { id } = await pay(await createSession(api, cart), { expectedTotal: 2 * price, card });
  await sweep();
  return { id, entitlements };
}

const free = (price: number) =>
  price === 0 ? { price: { type: 'one_time_price', currency: 'EUR', price: 0, tax_inclusive: true } } : {};

const decide = (id: string, body: object) => api.call(`POST /withdrawals/${id}/decide`, { body });

async function grantsOf({ entitlements }: { entitlements: string[] }) {
  const found = await Promise.all(
    entitlements.map(async (id) => (await api.call(`GET /entitlements/${id}/grants`)).body.items[0]),
  );
  const valid = await Promise.all(
    found.map(
      async ({ license_key }) =>
        (await api.call('POST /licenses/validate', { key: null, body: { license_key: license_key.key } })).body.valid,
    ),
  );
  return found.map(({ status }, index) => [status, valid[index]]);
}

async function orderPage(id: string): Promise<string> {
  const secret = new URL(await orderUrlOf(await payments().get(id))).searchParams.get('secret') ?? '';
  return (await api.call(`GET /orders/${id}`, { key: null, cookies: [`order=${secret}`] })).text;
}

describe('a withdrawal that refunds one line', () => {
  it('ends the access to that line at once, and keeps the access to other lines', async () => {
    const sale = await sold();
    const id = await declareByLink(api, sale.id, [['line', '0']]);
    expect((await decide(id, { outcome: 'refund', lines: [{ line: 0, amount: 700 }] })).status).toBe(200);
    expect(await grantsOf(sale)).toEqual([
      ['Delivered', false],
      ['Delivered', true],
    ]);
    await sweep();
    expect(await grantsOf(sale)).toEqual([
      ['Revoked', false],
      ['Delivered', true],
    ]);
    expect(await orderPage(sale.id)).toContain('You withdrew from the contract');
  });

  it('leaves the access ended even if the refund fails, because the contract has ended', async () => {
    const sale = await sold(cards.failingRefunds);
    const id = await declareByLink(api, sale.id, [['line', '0']]);
    const { decisions } = (await decide(id, { outcome: 'refund', lines: [{ line: 0, amount: 700 }] })).body;
    await finishRefund(decisions[0].refund_id);
    await sweep();
    expect(await grantsOf(sale)).toEqual([
      ['Revoked', false],
      ['Delivered', true],
    ]);
  });

  it('is different from a refund without a withdrawal, which ends no access', async () => {
    const sale = await sold();
    await api.call('POST /refunds', { body: { payment_id: sale.id, amount: 700 } });
    await sweep();
    expect(await grantsOf(sale)).toEqual([
      ['Delivered', true],
      ['Delivered', true],
    ]);
  });
});

describe('a withdrawal that ends without a refund', () => {
  it('ends the access to the declared lines, even of a free order', async () => {
    const sale = await sold(cards.good, 0);
    const id = await declareByLink(api, sale.id, [['line', '1']]);
    expect((await decide(id, { outcome: 'end' })).status).toBe(200);
    expect(await grantsOf(sale)).toEqual([
      ['Delivered', true],
      ['Delivered', false],
    ]);
    await sweep();
    expect(await grantsOf(sale)).toEqual([
      ['Delivered', true],
      ['Revoked', false],
    ]);
  });

  it('ends no access if it is refused or closed', async () => {
    const sale = await sold();
    await decide(await declareByLink(api, sale.id), { outcome: 'refuse', reason: 'late' });
    await decide(await declareByLink(api, sale.id), { outcome: 'close' });
    await sweep();
    expect(await grantsOf(sale)).toEqual([
      ['Delivered', true],
      ['Delivered', true],
    ]);
  });
});
