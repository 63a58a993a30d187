import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { hearDispute, sweep } from '../../support/shop/settle.ts';
import { addProduct, support } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ ...testMerchant, expiredCheckoutEvents: true });
});
beforeEach(() => clock.stopAt('2031-03-01T12:00:00.000Z'));
afterAll(async () => {
  expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
  clock.run();
  await api.stop();
});

const headers = { 'sec-fetch-site': 'same-origin' };
const priceOf = (price: number) => ({ type: 'one_time_price', currency: 'EUR', price, tax_inclusive: true });
const sessionIn = ({ headers: answer }: { headers: Record<string, string> }): string =>
  /(cks_\w+)/.exec(answer['location'] ?? '')?.[1] ?? '';
const newCode = async (terms: object) => (await api.call('POST /discounts', { body: terms })).body;

const ada = { email: 'ada@example.com', name: 'Ada' };
const open = async (product: string, fields: object = {}, key?: string): Promise<string> => {
  const body = { product_cart: [{ product_id: product, quantity: 1 }], customer: ada, ...fields };
  return (await api.call('POST /checkouts', { body, ...(key && { key }) })).body.session_id;
};
const ask = async (action: 'quote' | 'pay', id: string, country: string, fields: object = {}) => {
  const card = action === 'pay' && { test_card: '4242' };
  const body = { customer: ada, billing_address: { country }, ...card, ...fields };
  const { status, body: answer } = await api.call(`POST /checkout/${id}/${action}`, { key: null, body });
  return status === 200 ? [answer.total_amount, answer.currency] : [status, answer.code];
};
const recover = async (id: string): Promise<string> => {
  clock.forward({ hours: 24 });
  await sweep();
  return sessionIn(await api.call(`POST /checkout/${id}/recover`, { key: null, headers }));
};
const localize = (id: string, body: object) => api.call(`POST /products/${id}/localized-prices`, { body });

describe('a checkout that a recovery link has opened', () => {
  it('keeps the discount code and all prices as they were when it was opened again', async () => {
    const x = await addProduct(api, { price: priceOf(1_000), pricing_mode: 'by_country' });
    const { body: french } = await localize(x, { country_code: 'FR', currency: 'EUR', amount: 500 });
    const { code, discount_id: codeId } = await newCode({ type: 'percentage', amount: 2_000 });
    const id = await recover(await open(x, { discount_codes: [code] }));
    await api.call(`PATCH /products/${x}`, { body: { price: priceOf(4_000) } });
    await api.call(`PATCH /products/${x}/localized-prices/${french.id}`, { body: { amount: 3_000 } });
    await api.call(`PATCH /discounts/${codeId}`, { body: { amount: 100 } });
    expect(await ask('quote', id, 'DE')).toEqual([800, 'EUR']);
    expect(await ask('pay', id, 'FR')).toEqual([400, 'EUR']);
  });

  it('suggests the amount of the original link, but refuses an amount below the minimum of the billing country', async () => {
    const x = await addProduct(api, { ...support, pricing_mode: 'by_country' });
    await localize(x, { country_code: 'FR', currency: 'EUR', amount: 9_000 });
    const query = 'amount=700&email=ada@example.com';
    const id = await recover(sessionIn(await api.call(`POST /buy/${x}`, { key: null, query, headers })));
    const { text } = await api.call(`GET /checkout/${id}`, { key: null });
    expect(text).toContain('value="7.00"');
    const amounts = { [x]: 700 };
    expect((await ask('quote', id, 'FR', { amounts }))[0]).toBe(422);
    expect((await ask('pay', id, 'FR', { amounts }))[0]).toBe(422);
    expect(await ask('pay', id, 'DE', { amounts })).toEqual([700, 'EUR']);
  });

  it('keeps its discount code after an expired payment has freed the code’s use', async () => {
    const x = await addProduct(api, { price: priceOf(1_000) });
    const { code } = await newCode({ type: 'percentage', amount: 2_000, usage_limit: 1 });
    const first = await open(x, { discount_codes: [code] });
    expect(await ask('pay', first, 'DE', { test_card: cards.slowDecline.slice(-4) })).toEqual([800, 'EUR']);
    clock.forward({ minutes: 10 });
    await sweep();
    const id = await recover(first);
    expect(await ask('pay', id, 'DE')).toEqual([800, 'EUR']);
    expect(
      (
        await api.call('POST /checkouts', {
          body: { product_cart: [{ product_id: x, quantity: 1 }], discount_codes: [code] },
        })
      ).status,
    ).toBe(422);
  });
});

describe('a limited code that makes an order free', () => {
  it('can be used only once, even a long time later', async () => {
    const x = await addProduct(api, { price: priceOf(1_000) });
    const { code } = await newCode({ type: 'percentage', amount: 10_000, usage_limit: 1 });
    const [first, second] = [await open(x, { discount_codes: [code] }), await open(x, { discount_codes: [code] })];
    expect(await ask('pay', first, 'DE')).toEqual([0, 'EUR']);
    for (const minutes of [0, 3, 20]) {
      clock.forward({ minutes });
      await sweep();
      expect(await ask('pay', second, 'DE')).toEqual([422, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED']);
    }
  });
});

describe('a code with terms in one currency', () => {
  it('keeps the currency when the buyer changes to a country with another currency', async () => {
    const x = await addProduct(api, { price: priceOf(1_000), pricing_mode: 'by_country' });
    await localize(x, { country_code: 'GB', currency: 'GBP', amount: 1_200 });
    const { code } = await newCode({ type: 'flat', amount: 300, currency_options: [{ currency: 'EUR' }] });
    const id = await open(x, { discount_codes: [code] });
    await api.call(`PATCH /products/${x}`, { body: { price: priceOf(5_000) } });
    for (const country of ['GB', 'DE']) expect(await ask('quote', id, country)).toEqual([700, 'EUR']);
    expect(await ask('pay', id, 'GB')).toEqual([700, 'EUR']);
  });
});

describe('a checkout that was created with an expiring key', () => {
  it('can be recovered and paid after the key has expired', async () => {
    const x = await addProduct(api, { price: priceOf(1_000) });
    const key = await api.addKey({ access: 'write', expiresAt: '2031-03-01T13:00:00.000Z' });
    const id = await open(x, {}, key);
    const again = await recover(await open(x, {}, key));
    expect((await api.call('GET /products', { key })).status).toBe(401);
    expect((await ask('pay', id, 'DE'))[0]).toBe(410);
    expect(await ask('pay', again, 'DE')).toEqual([1_000, 'EUR']);
  });
});

describe('a sale with a discount code that the bank has charged back', () => {
  const isGone = async (paymentId: string) => {
    const { body } = await api.call(`GET /payments/${paymentId}`);
    return [body.customer.email, body.disputes[0]?.dispute_status, body.total_amount];
  };
  const days = async (count: number) => {
    clock.forward({ hours: 24 * count });
    await sweep();
  };

  it('stays charged back after the customer’s data is erased, and its uses stay counted', async () => {
    const terms = { type: 'percentage', amount: 2_000, usage_limit: 5, per_customer_usage_limit: 1 };
    const [x, { code, discount_id: codeId }] = [await addProduct(api, { price: priceOf(1_000) }), await newCode(terms)];
    const customer = { email: 'eve@example.com', name: 'Eve' };
    const id = await open(x, { discount_codes: [code], customer });
    await ask('pay', id, 'DE', { customer, test_card: cards.disputeLost.slice(-4) });
    const paymentId = (await api.call(`GET /checkouts/${id}`)).body.payment_id;
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
    await hearDispute(paymentId);
    for (let day = 0; day < 4; day += 1) await days(1);
    expect(await isGone(paymentId)).toEqual(['eve@example.com', 'dispute_lost', 800]);
    const { customer_id: customerId } = (await api.call(`GET /payments/${paymentId}`)).body.customer;
    await api.call(`POST /customers/${customerId}/erase`);
    await days(1);
    await invokeFunction('customers/erase-customers', {});
    expect(await isGone(paymentId)).toEqual(['', 'dispute_lost', 800]);
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const query = 'from=2031-03-01&to=2031-03-01&status=lost';
    const { text } = await api.call('GET /dashboard/payments', { cookies, key: null, query });
    expect(text).toMatch(/class="badge [a-z]+">lost</);
    expect((await api.call(`GET /discounts/${codeId}`)).body.times_used).toBe(1);
    const again = await open(x, { discount_codes: [code], customer });
    expect((await ask('pay', again, 'DE', { customer }))[0]).toBe(422);
  });
});
