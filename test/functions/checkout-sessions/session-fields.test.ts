import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct, createSession, fieldGuide, pay, support } from '../../support/shop/shop.ts';
import { dialect, missingKeys, strayKeys } from '../../support/wire/dialect.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let book: string;
let tip: string;

beforeAll(async () => {
  api = await startApi({ ...testMerchant, returnSchemes: ['com.example.shop'] });
  book = await addProduct(api);
  tip = await addProduct(api, { ...support, price: { ...support.price, maximum_price: 100_000 } });
});

afterEach(() => clock.run());
afterAll(() => api.stop());

const create = (body: object, headers: Record<string, string> = {}) => api.call('POST /checkouts', { body, headers });
const one = (productId: string, fields: object = {}) => ({ product_id: productId, quantity: 1, ...fields });
const cart = (fields: object = {}) => ({ product_cart: [one(book)], ...fields });
const unknown = (prefix: string) => `${prefix}_${'x'.repeat(21)}`;

describe('amounts of a new checkout session', () => {
  it.each([
    ['below the minimum', 499, 'REQUEST_AMOUNT_BELOW_MINIMUM'],
    ['of nothing', 0, 'REQUEST_AMOUNT_BELOW_MINIMUM'],
    ['above the maximum', 100_001, 'REQUEST_AMOUNT_ABOVE_MAXIMUM'],
  ])('422: refuses an amount %s', async (_, amount, code) => {
    expectProblem(await create({ product_cart: [one(tip, { amount })] }), 422, code, 'product_cart[0].amount');
  });

  it.each([500, 100_000])('200: accepts an amount exactly at the limit, %i', async (amount) => {
    expect((await create({ product_cart: [one(tip, { amount })] })).status).toBe(200);
  });

  it('are compared with the limits per unit, not per line', async () => {
    const answer = await create({ product_cart: [one(tip, { amount: 499, quantity: 10 })] }); // 4990 in all
    expectProblem(answer, 422, 'REQUEST_AMOUNT_BELOW_MINIMUM');
  });

  it('are ignored for a product with a fixed price', async () => {
    const id = await createSession(api, [one(book, { amount: 1 })]);
    expect((await pay(id, { expectedTotal: 1_999 })).gross).toBe(1_999);
  });

  it('are charged as set in the session, even if the buyer sends another amount', async () => {
    const id = await createSession(api, [one(tip, { amount: 700 })]);
    const payment = await pay(id, { expectedTotal: 700, amounts: new Map([[tip, 50_000]]) });
    expect(payment.gross).toBe(700);
  });

  const expensive = (price: number) => addProduct(api, { price: { ...fieldGuide.price, price } });

  it('422: refuses a line total above 32 bits; 200: accepts the highest amount below that', async () => {
    const product = await expensive(1_073_741_824);
    const answer = await create({ product_cart: [one(product, { quantity: 2 })] }); // 2^30 × 2 = 2^31
    expectProblem(answer, 422, 'INTEGER_CONVERSION_FAILURE', 'product_cart[0].amount');
    const largest = await expensive(2_147_483_647);
    expect((await create({ product_cart: [one(largest)] })).status).toBe(200);
  });

  it('422: refuses a cart whose total is above 32 bits although each line is below', async () => {
    const [first, second] = [await expensive(2_147_483_647), await expensive(1)];
    expectProblem(await create({ product_cart: [one(first), one(second)] }), 422, 'INTEGER_CONVERSION_FAILURE');
  });
});

describe('return and cancel addresses', () => {
  const session = (field: string, url: string) => create(cart({ [field]: url }));

  it.each([
    'https://shop.example',
    'https://shop.example/',
    'https://shop.example/thanks',
    'https://shop.example/thanks?order=7&x=%20',
    'https://shop.example/thanks#top',
    'https://shop.example:8443/thanks',
    'HTTPS://SHOP.EXAMPLE/THANKS',
    'https://münchen.example/danke',
    'https://xn--mnchen-3ya.example/',
    'https://192.0.2.7/thanks',
    'http://localhost:3000/thanks',
    'http://127.0.0.1:3000/thanks',
    'com.example.shop:/done',
    'com.example.shop://done?order=7',
    'COM.EXAMPLE.SHOP:/done',
  ])('200: accepts %s', async (url) => {
    expect((await session('return_url', url)).status).toBe(200);
    expect((await session('cancel_url', url)).status).toBe(200);
  });

  it.each([
    '',
    'shop.example',
    '/thanks',
    '//shop.example/thanks',
    '///shop.example',
    'https:',
    'https://',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    'http://shop.example/thanks',
    'http://localhost.shop.example/',
    'http://localhost@shop.example/',
    'http://[::1]/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'javascript://shop.example/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'https://@shop.example/',
    'https://user@shop.example/',
    'https://user:password@shop.example/',
    'https://shop.example\\@evil.example/',
    'https:\\\\shop.example',
    'https://shop.example/\\evil',
    ' https://shop.example/',
    'https://shop.example/ ',
    'blob:https://shop.example/1',
    'intent://shop#Intent;scheme=https;end',
    'view-source:https://shop.example/',
    'ms-settings://x',
    'com.example.shop:done',
    'com.example.shop://user@done',
    'com.example.shop:/a\\b',
    'https://shop.example/a b',
    'https://shop.example/\nset-cookie:a=b',
    'https://shop.example/\t',
    'https://shop.example/\0',
    'https://shop.example:99999/',
    'https://shop .example/',
    'https://[::1/',
    'https://%00.example/',
    `https://shop.example/${'a'.repeat(2_048)}`,
    '{PAYMENT_ID}',
  ])('422: refuses %j', async (url) => {
    expectProblem(await session('return_url', url), 422, 'INVALID_REQUEST_BODY', 'return_url');
    expectProblem(await session('cancel_url', url), 422, 'INVALID_REQUEST_BODY', 'cancel_url');
  });

  it.each(['com.example.other:/done', 'com.example.shop.evil:/done', 'example:/done'])(
    '422: refuses the app link %s, because the merchant has not allowed its scheme',
    async (url) => {
      expectProblem(await session('return_url', url), 422, 'INVALID_REQUEST_PARAMETERS', 'return_url');
      expectProblem(await session('cancel_url', url), 422, 'INVALID_REQUEST_PARAMETERS', 'cancel_url');
    },
  );
});

describe.each(['GET /checkout-sessions', 'GET /checkouts'])('%s/{id}', (route) => {
  it('200: shows an open session with every documented field, and none of its secrets', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const id = await createSession(api, [one(book)], { metadata: { order: 'A-7' } });
    const { status, body, text } = await api.call(`${route}/${id}`);
    expect(status).toBe(200);
    expect({ missing: missingKeys(body, dialect.session), stray: strayKeys(body, dialect.session) }).toEqual({
      missing: [],
      stray: [],
    });
    expect(body).toEqual({
      id,
      status: 'open',
      created_at: '2026-03-01T12:00:00.000Z',
      expires_at: '2026-03-02T12:00:00.000Z',
      checkout_url: `http://localhost:4000/checkout/${id}`,
      customer_email: null,
      customer_name: null,
      payment_id: null,
      payment_status: null,
      metadata: { order: 'A-7' },
      discount_codes: [],
    });
    expect(text).not.toMatch(/token|return_url|returnUrl/i);
  });

  it('200: names the buyer who paid or tried to pay, otherwise the session’s customer; the page names neither', async () => {
    const customer = { email: 'ordered@example.com', name: 'Who Ordered' };
    const id = await createSession(api, [one(book)], { customer });
    const shown = async () => (await api.call(`${route}/${id}`)).body;
    const page = async () => (await api.call(`GET /checkout/${id}`, { key: null })).text;
    expect(await shown()).toMatchObject({ customer_email: 'ordered@example.com', customer_name: 'Who Ordered' });
    await pay(id, { expectedTotal: 1_999, card: cards.declined, email: 'tried@example.com', name: 'Who Tried' });
    expect(await shown()).toMatchObject({ customer_email: 'tried@example.com', customer_name: 'Who Tried' });
    expect(await page()).toContain('ordered@example.com');
    expect(await page()).not.toMatch(/tried/i);
    await pay(id, { expectedTotal: 1_999, email: 'paid@example.com', name: 'Who Paid' });
    expect(await shown()).toMatchObject({ customer_email: 'paid@example.com', customer_name: 'Who Paid' });
    expect(await page()).not.toMatch(/tried|paid@example|who paid/i);
  });

  it('404: answers an unknown id, an id of another kind, an id with a table key, and a very long id', async () => {
    const ids = [unknown('cks'), book, `cks_${'x'.repeat(20)}`, 'SESSION%23cks_1', '..', 'cks_%00', 'x'.repeat(3_000)];
    for (const id of ids) expectProblem(await api.call(`${route}/${id}`), 404, 'NOT_FOUND');
  });

  it('401, 200: refuses a request without a key, and accepts a read-only key', async () => {
    const id = await createSession(api, [one(book)]);
    expectProblem(await api.call(`${route}/${id}`, { key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expect((await api.call(`${route}/${id}`, { key })).status).toBe(200);
  });
});
