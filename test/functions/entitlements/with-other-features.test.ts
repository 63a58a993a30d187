import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let readKey: string;
beforeAll(async () => {
  api = await startApi();
  readKey = await api.addKey({ access: 'read' });
});
afterAll(() => api.stop());

const newKeys = async (): Promise<string> => {
  const body = { name: 'Program', integration_type: 'license_key', integration_config: { activations_limit: 3 } };
  return (await api.call('POST /entitlements', { body })).body.id;
};
const productOf = (id: string, fields: object = {}) =>
  addProduct(api, { entitlements: [{ entitlement_id: id }], ...fields });
const grantsOf = async (id: string) => (await api.call(`GET /entitlements/${id}/grants`)).body.items;
const validate = async (key: string) =>
  (await api.call('POST /licenses/validate', { body: { license_key: key }, key: null })).body.valid;

const buyer = { customer: { email: 'ada@example.com', name: 'Ada' } };
/** Pays a session by JSON, as a page of the integrator's own does. */
const payAt = (session: string, country: string, more: object) =>
  api.call(`POST /checkout/${session}/pay`, {
    body: { ...buyer, billing_address: { country }, test_card: '4242', ...more },
  });

/** A sale of one licence key, issued. */
async function sold(fields: object = {}) {
  const id = await newKeys();
  const session = await createSession(api, [{ product_id: await productOf(id, fields), quantity: 1 }]);
  const payment = await pay(session, { expectedTotal: 1_999 });
  await sweep();
  const [grant] = await grantsOf(id);
  return { id, payment, grant, key: grant.license_key.key as string };
}

describe('the entitlement of a product', () => {
  it('is granted to a buyer who pays the price of another country', async () => {
    const id = await newKeys();
    const product = await productOf(id, { pricing_mode: 'by_country' });
    const price = { amount: 900, currency: 'EUR', country_code: 'FR' };
    await api.call(`POST /products/${product}/localized-prices`, { body: price });
    const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
    const { status, body } = await payAt(session, 'FR', { expected_total: 900, expected_currency: 'EUR' });
    expect([status, body.total_amount]).toEqual([200, 900]);
    await sweep();
    expect(await grantsOf(id)).toMatchObject([{ status: 'Delivered', payment_id: body.payment_id }]);
  });

  it('is granted for a line that a discount code makes free', async () => {
    const id = await newKeys();
    await api.call('POST /discounts', { body: { type: 'percentage', amount: 10_000, code: 'GIFT' } });
    const session = await createSession(api, [{ product_id: await productOf(id), quantity: 1 }], {
      discount_codes: ['GIFT'],
    });
    await pay(session, { expectedTotal: 0 });
    await sweep();
    const [grant] = await grantsOf(id);
    expect(await validate(grant.license_key.key)).toBe(true);
  });

  it('is granted as often as the quantity that the buyer chooses, up to twenty keys', async () => {
    const id = await newKeys();
    const product = await productOf(id, { adjustable_quantity: { minimum: 1, maximum: 99 } });
    const cart = { product_id: product, quantity: 1, adjustable_quantity: { minimum: 1, maximum: 99 } };
    const session = await createSession(api, [cart]);
    const many = await payAt(session, 'DE', { quantities: { [product]: 21 }, expected_total: 21 * 1_999 });
    expectProblem(many, 422, 'INVALID_REQUEST_PARAMETERS');
    const { status } = await payAt(session, 'DE', { quantities: { [product]: 3 }, expected_total: 3 * 1_999 });
    expect(status).toBe(200);
    await sweep();
    expect(await grantsOf(id)).toHaveLength(3);
  });

  it('stays valid when only the tax is refunded', async () => {
    const { payment, key } = await sold();
    const { status, body } = await api.call('POST /refunds', {
      body: { payment_id: payment.id, type: 'tax', tax_reason: 'exempt' },
    });
    expect(status).toBe(200);
    await finishRefund(body.refund_id);
    await sweep();
    expect(await validate(key)).toBe(true);
  });
});

describe('the events of grants', () => {
  it('show the licence key to keys with write access, and its last characters to read-only keys', async () => {
    const { payment, key } = await sold();
    const query = `payment_id=${payment.id}&page_size=100`;
    const { items } = (await api.call('GET /webhook-events', { query })).body;
    const told: { event_id: string; type: string }[] = items.filter(
      ({ type }: { type: string }) => !/^payment/.test(type),
    );
    const shownTo = async (caller?: string) => {
      const answers = await Promise.all(
        told.map(({ event_id }) => api.call(`GET /webhook-events/${event_id}`, caller ? { key: caller } : {})),
      );
      return answers.map(({ text }) => text).join('\n');
    };
    expect(told.map(({ type }) => type)).toContain('license_key.created');
    expect(await shownTo()).toContain(key);
    const seen = await shownTo(readKey);
    expect(seen).not.toContain(key.slice(0, 11));
    expect(seen).toContain(`••••${key.slice(-4)}`);
  });
});

describe('the erasure of a buyer', () => {
  it('removes the licence key from events, keeps the purchase, and the order page shows no name', async () => {
    const { id, payment, key } = await sold();
    const url = new URL(await orderUrlOf(await payments().get(payment.id)));
    const { status } = await api.call(`POST /customers/${payment.customer.id}/erase`);
    expect(status).toBe(200);
    await invokeFunction('customers/erase-customers', {});
    const erased = await payments().get(payment.id);
    expect(erased.customer.email).toBe('');
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${payment.id}&page_size=100` })).body;
    for (const { event_id } of items)
      expect((await api.call(`GET /webhook-events/${event_id}`)).text).not.toContain(key);
    expect(await validate(key)).toBe(true);
    expect(await grantsOf(id)).toMatchObject([{ status: 'Delivered' }]);
    const anyone = { key: null, headers: { 'accept-language': 'en' } };
    const { cookies } = await api.call(`GET ${url.pathname}`, { ...anyone, query: url.search.slice(1) });
    const page = await api.call(`GET ${url.pathname}`, {
      ...anyone,
      cookies: cookies.map((cookie) => cookie.split(';')[0] ?? ''),
    });
    expect(page.text).toContain(key);
    expect(page.text).not.toMatch(/buyer@|A Buyer/);
  });
});
