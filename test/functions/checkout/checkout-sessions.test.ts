import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { campaign } from '../../support/seeded.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, support } from '../../support/shop/shop.ts';
import { countRows } from '../../support/table/rows.ts';
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
const retrieve = async (id: string) => (await api.call(`GET /checkouts/${id}`)).body;
const one = (productId: string, fields: object = {}) => ({ product_id: productId, quantity: 1, ...fields });
const cart = (fields: object = {}) => ({ product_cart: [one(book)], ...fields });
const unknown = (prefix: string) => `${prefix}_${'x'.repeat(21)}`;

describe.each(['POST /checkout-sessions/create', 'POST /checkouts'])('%s', (route) => {
  it('200: answers with an id, an absolute URL and every documented key', async () => {
    const { status, body } = await api.call(route, { body: cart() });
    expect(status).toBe(200);
    expect({
      missing: missingKeys(body, dialect.sessionCreated),
      stray: strayKeys(body, dialect.sessionCreated),
    }).toEqual({
      missing: [],
      stray: [],
    });
    expect(body.session_id).toMatch(/^cks_[A-Za-z0-9]{21}$/);
    expect(body.checkout_url).toBe(`http://localhost:4000/checkout/${body.session_id}`);
    expect(body).toMatchObject({ client_secret: null, payment_id: null, publishable_key: null });
  });

  it('401: without a key; 403: with a read-only key', async () => {
    expectProblem(await api.call(route, { body: cart(), key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expectProblem(await api.call(route, { body: cart(), key }), 403, 'UNAUTHORIZED');
  });
});

describe('a new checkout session', () => {
  it('200: accepts every field that the API documents', async () => {
    const everything = {
      product_cart: [one(book, { quantity: 3, addons: [], credit_entitlements: null }), one(tip, { amount: 900 })],
      customer: { email: 'ada@example.com', name: 'Ada', phone_number: '+49 30 1234', create_new_customer: true },
      billing_address: { country: 'DE', city: 'Berlin', state: 'BE', street: 'Weg 1', zipcode: '10115' },
      return_url: 'https://shop.example/thanks?order=7',
      cancel_url: 'https://shop.example/cart',
      tax_id: 'DE136695976',
      customer_business_name: 'Ada GmbH',
      metadata: { order: 'A-7', gift: true, weight: 1.5 },
      billing_currency: 'EUR',
    };
    const { status, body } = await create(everything);
    expect(status).toBe(200);
    expect(await retrieve(body.session_id)).toMatchObject({
      customer_email: 'ada@example.com',
      customer_name: 'Ada',
      metadata: { order: 'A-7', gift: true, weight: 1.5 },
    });
  });

  it('200: accepts null for every optional field', async () => {
    const nothing = {
      customer: null,
      billing_address: null,
      return_url: null,
      cancel_url: null,
      tax_id: null,
      customer_business_name: null,
      metadata: null,
    };
    expect((await create(cart(nothing))).status).toBe(200);
  });

  it.each([
    ['confirm', false],
    ['discount_code', null],
    ['discount_codes', []],
    ['payment_method_id', null],
    ['billing_currency', 'EUR'],
  ])('200: accepts the field %s with the value %j, which changes nothing', async (field, value) => {
    expect((await create(cart({ [field]: value }))).status).toBe(200);
  });

  it.each([
    ['confirm', true],
    ['payment_method_id', 'pm_1'],
    ['product_collection_id', 'pc_1'],
    ['subscription_data', { trial_period_days: 7 }],
    ['billing_currency', 'USD'],
  ])(
    '422: refuses the field %s with the value %j, because it would change the charged amount',
    async (field, value) => {
      expectProblem(await create(cart({ [field]: value })), 422, 'INVALID_REQUEST_PARAMETERS', field);
    },
  );

  it('200: accepts 20 lines; 422: refuses 21 lines', async () => {
    const products: string[] = [];
    for (let index = 0; index < 21; index += 1) products.push(await addProduct(api));
    const lines = products.map((id) => one(id));
    expect((await create({ product_cart: lines.slice(0, 20) })).status).toBe(200);
    expectProblem(await create({ product_cart: lines }), 422, 'INVALID_REQUEST_BODY', 'product_cart');
  });

  it('400, 413, 415: refuses a body that is no JSON or is too large', async () => {
    expectProblem(await api.call('POST /checkouts', { raw: Buffer.from('{') }), 400, 'INVALID_REQUEST_BODY');
    const large = Buffer.from(JSON.stringify(cart({ metadata: { a: 'x'.repeat(300_000) } })));
    expectProblem(await api.call('POST /checkouts', { raw: large }), 413, 'PAYLOAD_TOO_LARGE');
    const form = { raw: Buffer.from('a=b'), headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expectProblem(await api.call('POST /checkouts', form), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('404: names the unknown product or customer', async () => {
    const line = await create({ product_cart: [one(book), one(unknown('pdt'))] });
    expectProblem(line, 404, 'NOT_FOUND', 'product_cart[1].product_id');
    const stranger = await create(cart({ customer: { customer_id: unknown('cus') } }));
    expectProblem(stranger, 404, 'NOT_FOUND', 'customer.customer_id');
  });

  it('200: fills in a returning customer’s data from their latest payment', async () => {
    const first = await createSession(api, [one(book)]);
    const { customer } = await pay(first, { expectedTotal: 1_999, email: 'back@example.com', name: 'Come Back' });
    const { body } = await create(cart({ customer: { customer_id: customer.id } }));
    expect(await retrieve(body.session_id)).toMatchObject({
      customer_email: 'back@example.com',
      customer_name: 'Come Back',
    });
  });

  it('422: refuses an archived product, also together with an active one', async () => {
    const archived = await addProduct(api);
    await api.call(`DELETE /products/${archived}`);
    const answer = await create({ product_cart: [one(book), one(archived)] });
    expectProblem(answer, 422, 'PRODUCT_IS_DELETED', 'product_cart[1].product_id');
  });

  it('422: refuses two currencies in one cart', async () => {
    const dollars = await addProduct(api, { price: { ...fieldGuide.price, currency: 'USD' } });
    const answer = await create({ product_cart: [one(book), one(dollars)] });
    expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', 'product_cart[1].product_id');
  });

  const line = (fields: object) => () => ({ product_cart: [one(book, fields)] });
  const withField = (fields: object) => () => cart(fields);

  it.each([
    ['an empty cart', () => ({ product_cart: [] }), 'PRODUCT_CART_EMPTY', 'product_cart'],
    ['no cart', () => ({}), 'INVALID_REQUEST_BODY', 'product_cart'],
    [
      'a product that is named twice',
      () => ({ product_cart: [one(book), one(book, { quantity: 2 })] }),
      'INVALID_REQUEST_PARAMETERS',
      'product_cart',
    ],
    ['an unknown field', withField({ colour: 'red' }), 'INVALID_REQUEST_BODY', 'colour'],
    ['an unknown field of a line', line({ price: 1 }), 'INVALID_REQUEST_BODY', 'product_cart[0].price'],
    [
      'an unknown field of the customer',
      withField({ customer: { email: 'a@example.com', vip: true } }),
      'INVALID_REQUEST_BODY',
      'customer.vip',
    ],
    [
      'an unknown field of the address',
      withField({ billing_address: { country: 'DE', planet: 'Earth' } }),
      'INVALID_REQUEST_BODY',
      'billing_address.planet',
    ],
    [
      'an address without a country',
      withField({ billing_address: { city: 'Berlin' } }),
      'INVALID_REQUEST_BODY',
      'billing_address.country',
    ],
    [
      'a country in lower case',
      withField({ billing_address: { country: 'de' } }),
      'UNSUPPORTED_COUNTRY',
      'billing_address.country',
    ],
    [
      'a country of three letters',
      withField({ billing_address: { country: 'DEU' } }),
      'UNSUPPORTED_COUNTRY',
      'billing_address.country',
    ],
    [
      'a country that is no text',
      withField({ billing_address: { country: 49 } }),
      'INVALID_REQUEST_BODY',
      'billing_address.country',
    ],
    [
      'a country that does not exist',
      withField({ billing_address: { country: 'XX' } }),
      'UNSUPPORTED_COUNTRY',
      'billing_address.country',
    ],
    ['a withdrawn currency', withField({ billing_currency: 'HRK' }), 'UNSUPPORTED_CURRENCY', 'billing_currency'],
    [
      'an id of another kind',
      () => ({ product_cart: [one(unknown('pay'))] }),
      'INVALID_REQUEST_BODY',
      'product_cart[0].product_id',
    ],
    ['quantity 0', line({ quantity: 0 }), 'INVALID_REQUEST_BODY', 'product_cart[0].quantity'],
    ['a negative quantity', line({ quantity: -1 }), 'INVALID_REQUEST_BODY', 'product_cart[0].quantity'],
    ['a quantity with a fraction', line({ quantity: 1.5 }), 'INVALID_REQUEST_BODY', 'product_cart[0].quantity'],
    ['a quantity as text', line({ quantity: '1' }), 'INVALID_REQUEST_BODY', 'product_cart[0].quantity'],
    ['null for the quantity', line({ quantity: null }), 'INVALID_REQUEST_BODY', 'product_cart[0].quantity'],
    ['addons', line({ addons: [{ addon_id: 'a', quantity: 1 }] }), 'INVALID_REQUEST_BODY', 'product_cart[0].addons'],
    ['a negative amount', line({ amount: -1 }), 'INTEGER_CONVERSION_FAILURE', 'product_cart[0].amount'],
    [
      'an amount beyond 32 bits',
      line({ amount: 2_147_483_648 }),
      'INTEGER_CONVERSION_FAILURE',
      'product_cart[0].amount',
    ],
    ['an amount with a fraction', line({ amount: 5.5 }), 'INVALID_REQUEST_BODY', 'product_cart[0].amount'],
    ['an amount as text', line({ amount: '500' }), 'INVALID_REQUEST_BODY', 'product_cart[0].amount'],
    ['an amount as an empty text', line({ amount: '' }), 'INVALID_REQUEST_BODY', 'product_cart[0].amount'],
    [
      'an e-mail address without a domain',
      withField({ customer: { email: 'ada' } }),
      'INVALID_REQUEST_BODY',
      'customer.email',
    ],
    ['a customer who is nobody', withField({ customer: {} }), 'INVALID_REQUEST_BODY', 'customer.email'],
    ['a customer of a name only', withField({ customer: { name: 'Ada' } }), 'INVALID_REQUEST_BODY', 'customer.email'],
    ['a tax id without a country', withField({ tax_id: 'DE136695976' }), 'INVALID_TAX_ID', 'tax_id'],
    [
      'a tax id with wrong check digits',
      withField({ tax_id: 'DE136695970', billing_address: { country: 'DE' } }),
      'INVALID_TAX_ID',
      'tax_id',
    ],
    [
      'a tax id that the register does not know',
      withField({ tax_id: 'DE199990006', billing_address: { country: 'DE' } }),
      'INVALID_TAX_ID',
      'tax_id',
    ],
    [
      'a business name without a tax id',
      withField({ customer_business_name: 'Ada GmbH' }),
      'INVALID_REQUEST_PARAMETERS',
      'customer_business_name',
    ],
    ['nested metadata', withField({ metadata: { a: { b: 1 } } }), 'INVALID_REQUEST_BODY', 'metadata.a'],
    [
      '51 metadata keys',
      withField({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) }),
      'MAXIMUM_KEYS_REACHED',
      'metadata',
    ],
  ])('422: refuses %s and stores nothing', async (_, body, code, param) => {
    const before = await countRows(api);
    expectProblem(await create(body()), 422, code, param);
    expect(await countRows(api)).toEqual(before);
  });

  it.each([
    'session_id',
    'id',
    'status',
    'payment_id',
    'payment_status',
    'created_at',
    'expires_at',
    'checkout_url',
    'attempts',
    'version',
    'formToken',
    'lines',
    'currency',
  ])('422: refuses %s, which only the server sets', async (field) => {
    expectProblem(await create(cart({ [field]: 'x' })), 422, 'INVALID_REQUEST_BODY', field);
  });

  it('422: lists all errors in one answer, but at most twenty', async () => {
    const faulty = {
      product_cart: [{ product_id: 'x', quantity: 0 }],
      customer: { email: 'x' },
      return_url: 'x',
      extra: 1,
    };
    const { body } = await create(faulty);
    const paths = body.errors.map((fault: { path: string }) => fault.path).sort();
    expect(paths).toEqual([
      'customer.email',
      'extra',
      'product_cart[0].product_id',
      'product_cart[0].quantity',
      'return_url',
    ]);
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`extra${index}`, 1]));
    expect((await create(cart(many))).body.errors).toHaveLength(20);
  });
});

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

describe('card numbers', () => {
  const number = '4242 4242 4242 4242';
  const customer = { email: 'ada@example.com' };
  const billing = { country: 'DE' };

  it.each([
    ['customer.name', { customer: { ...customer, name: number } }],
    ['customer.email', { customer: { email: '4242424242424242@example.com' } }],
    ['billing_address.city', { billing_address: { ...billing, city: number } }],
    ['billing_address.state', { billing_address: { ...billing, state: number } }],
    ['billing_address.street', { billing_address: { ...billing, street: number } }],
    ['billing_address.zipcode', { billing_address: { ...billing, zipcode: number } }],
    ['customer_business_name', { billing_address: billing, tax_id: 'DE136695976', customer_business_name: number }],
    ['metadata.note', { metadata: { note: `card ${number}` } }],
    ['metadata.note', { metadata: { note: 4_242_424_242_424_242 } }],
    ['metadata.****************', { metadata: { '4242424242424242': 'x' } }],
    ['customer.phone_number', { customer: { ...customer, phone_number: `+${number}` } }],
    ['return_url', { return_url: 'https://shop.example/thanks?card=4242%204242.4242%25204242' }],
    ['cancel_url', { cancel_url: 'https://shop.example/4242424242424242' }],
    ['tax_id', { billing_address: billing, tax_id: number }],
    ['metadata.note', { metadata: { note: '٤٢٤٢\u00a0٤٢٤٢\u2009٤٢٤٢.٤٢٤٢' } }],
  ])('422: are refused in %s, and appear in no answer and no log', async (param, fields) => {
    const answer = await create(cart(fields));
    expectProblem(answer, 422, 'INVALID_REQUEST_BODY', param);
    expect(answer.body.message).toMatch(/card number/);
    expect(answer.text).not.toMatch(/4242.{0,3}4242/);
    expect(api.log.join('\n')).not.toMatch(/4242[ -]?4242[ -]?4242/);
  });
});

describe.each(['GET /checkout-sessions', 'GET /checkouts'])('%s/{id}', (route) => {
  it('200: shows an open session with every key, and nothing of its secrets', async () => {
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

  it('404: an unknown id, an id of another kind, an id that contains a table key, and a very long id', async () => {
    const ids = [unknown('cks'), book, `cks_${'x'.repeat(20)}`, 'SESSION%23cks_1', '..', 'cks_%00', 'x'.repeat(3_000)];
    for (const id of ids) expectProblem(await api.call(`${route}/${id}`), 404, 'NOT_FOUND');
  });

  it('401: without a key; 200: with a read-only key', async () => {
    const id = await createSession(api, [one(book)]);
    expectProblem(await api.call(`${route}/${id}`, { key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expect((await api.call(`${route}/${id}`, { key })).status).toBe(200);
  });
});

describe('paying a session', () => {
  it.each([
    ['good', 'succeeded', 'completed', null],
    ['failingRefunds', 'succeeded', 'completed', null],
    ['declined', 'failed', 'open', 'GENERIC_DECLINE'],
    ['insufficientFunds', 'failed', 'open', 'INSUFFICIENT_FUNDS'],
    ['processingError', 'failed', 'open', 'PROCESSING_ERROR'],
  ] as const)(
    'with the test card %s ends as %s, and leaves the session %s',
    async (card, outcome, status, errorCode) => {
      const id = await createSession(api, [one(book)]);
      const payment = await pay(id, { expectedTotal: 1_999, card: cards[card] });
      expect(await retrieve(id)).toMatchObject({ status, payment_id: payment.id, payment_status: outcome });
      const { body } = await api.call(`GET /payments/${payment.id}`);
      expect(body).toMatchObject({ status: outcome, error_code: errorCode, card_last_four: cards[card].slice(-4) });
      expect(body.error_message).toEqual(errorCode === null ? null : expect.any(String));
    },
  );

  it.each([
    ['slowSuccess', 'succeeded', 'completed', null],
    ['slowDecline', 'failed', 'open', 'GENERIC_DECLINE'],
  ] as const)('with the test card %s is first processing, then %s', async (card, outcome, status, errorCode) => {
    const id = await createSession(api, [one(book)]);
    const payment = await pay(id, { expectedTotal: 1_999, card: cards[card] });
    expect(await retrieve(id)).toMatchObject({ status: 'open', payment_id: payment.id, payment_status: 'processing' });
    await expect(pay(id, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    await finishPayment(payment.id);
    expect(await retrieve(id)).toMatchObject({ status, payment_id: payment.id, payment_status: outcome });
    expect((await api.call(`GET /payments/${payment.id}`)).body).toMatchObject({
      status: outcome,
      error_code: errorCode,
    });
  });

  it('a second time, after it was paid, is refused and changes nothing', async () => {
    const id = await createSession(api, [one(book)]);
    await pay(id, { expectedTotal: 1_999 });
    const before = await countRows(api);
    await expect(pay(id, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    expect(await countRows(api)).toEqual(before);
  });

  it('succeeds only once when many requests arrive at the same time', async () => {
    const id = await createSession(api, [one(tip)]);
    const amounts = Array.from({ length: 12 }, (_, index) => 500 + index);
    const tries = amounts.map((amount) => pay(id, { expectedTotal: amount, amounts: new Map([[tip, amount]]) }));
    const settled = await Promise.allSettled(tries);
    const paid = settled.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value.id] : []));
    const refused = settled.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason.code] : []));
    expect(paid).toHaveLength(1);
    expect(new Set(refused)).toEqual(new Set(['CHECKOUT_SESSION_CONSUMED']));
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payment_id: paid[0] });
  });

  it('is possible for ten attempts after declines, and then no more', async () => {
    const id = await createSession(api, [one(book)]);
    const tried = new Set<string>();
    for (let attempt = 1; attempt <= 10; attempt += 1)
      tried.add((await pay(id, { expectedTotal: 1_999, card: cards.declined })).id);
    expect(tried.size).toBe(10);
    await expect(pay(id, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    expect(await retrieve(id)).toMatchObject({ payment_status: 'failed' });
  });

  it('succeeds on the tenth attempt', async () => {
    const id = await createSession(api, [one(book)]);
    for (let attempt = 1; attempt <= 9; attempt += 1) await pay(id, { expectedTotal: 1_999, card: cards.declined });
    expect((await pay(id, { expectedTotal: 1_999 })).status).toBe('succeeded');
  });

  it('is possible until the last millisecond of 24 hours, and refused after that', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const [inTime, late] = [await createSession(api, [one(book)]), await createSession(api, [one(book)])];
    clock.stopAt('2026-03-02T11:59:59.999Z');
    expect((await pay(inTime, { expectedTotal: 1_999 })).status).toBe('succeeded');
    clock.stopAt('2026-03-02T12:00:00Z');
    await expect(pay(late, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' });
    const { status, body } = await api.call(`GET /checkouts/${late}`);
    expect({ status, session: body.status }).toEqual({ status: 200, session: 'expired' });
    expect((await retrieve(inTime)).status).toBe('completed');
  });

  it('by a payment that is still processing at expiry completes the session nevertheless', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const id = await createSession(api, [one(book)]);
    clock.stopAt('2026-03-02T11:59:59Z');
    const payment = await pay(id, { expectedTotal: 1_999, card: cards.slowSuccess });
    clock.stopAt('2026-03-02T12:30:00Z');
    expect((await retrieve(id)).status).toBe('open');
    await finishPayment(payment.id);
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payment_status: 'succeeded' });
  });

  it.each([
    ['no amount', new Map<string, number>(), 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED'],
    ['one below the minimum', new Map([['tip', 499]]), 'REQUEST_AMOUNT_BELOW_MINIMUM'],
    ['one above the maximum', new Map([['tip', 100_001]]), 'REQUEST_AMOUNT_ABOVE_MAXIMUM'],
  ])('with %s for a pay-what-you-want product is refused, and the session stays open', async (_, chosen, code) => {
    const id = await createSession(api, [one(tip)]);
    const amounts = new Map([...chosen.values()].map((amount) => [tip, amount]));
    const before = await countRows(api);
    await expect(pay(id, { expectedTotal: 499, amounts })).rejects.toMatchObject({ code });
    expect(await countRows(api)).toEqual(before);
    expect(await retrieve(id)).toMatchObject({ status: 'open', payment_id: null });
  });

  it('with a known total below the card minimum is refused before any attempt, and the preview says so', async () => {
    const cheap = { product_cart: [one(await addProduct(api, { price: { ...fieldGuide.price, price: 49 } }))] };
    for (const route of ['POST /checkouts', 'POST /checkouts/preview'])
      expectProblem(await api.call(route, { body: cheap }), 422, 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT');
    const exclusive = await addProduct(api, { price: { ...fieldGuide.price, price: 49, tax_inclusive: false } });
    expect((await create({ product_cart: [one(exclusive)] })).status).toBe(200); // 49 + 7 % = 52
  });

  it('with a total below the card minimum is refused, and a total of zero is accepted as free', async () => {
    const any = await addProduct(api, { price: { ...support.price, price: 0 } });
    const id = await createSession(api, [one(any)]);
    await expect(pay(id, { expectedTotal: 49, amounts: new Map([[any, 49]]) })).rejects.toMatchObject({
      code: 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
    });
    const gift = await createSession(api, [one(any)]);
    const payment = await pay(gift, { expectedTotal: 0, amounts: new Map([[any, 0]]) });
    expect(payment).toMatchObject({ status: 'succeeded', gross: 0, tax: 0 });
  });

  it('with a total that differs from the page is refused, and the answer names the right total', async () => {
    const id = await createSession(api, [one(book)]);
    await expect(pay(id, { expectedTotal: 1_998 })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { extra: { total_amount: 1_999 } },
    });
  });

  it('is possible when a product was archived in the meantime', async () => {
    const product = await addProduct(api);
    const id = await createSession(api, [one(product)]);
    await api.call(`DELETE /products/${product}`);
    expect((await pay(id, { expectedTotal: 1_999 })).status).toBe('succeeded');
  });

  const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD');
  const change = fc.record(
    {
      name: fc
        .string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'abcäöü日本 ') })
        .map((text) => `x${text}`.trim()),
      description: fc.constantFrom('Old.', 'New.', 'Newer.'),
      tax_category: fc.constantFrom('saas', 'e_book', 'edtech', 'digital_products'),
      tax_inclusive: fc.boolean(),
      price: fc.oneof(
        fc.record({ type: fc.constant('one_time_price'), currency, price: fc.integer({ min: 1_000, max: 900_000 }) }),
        fc.record({
          type: fc.constant('one_time_price'),
          currency,
          price: fc.integer({ min: 1_000, max: 900_000 }),
          pay_what_you_want: fc.constant(true),
          maximum_price: fc.integer({ min: 900_000, max: 1_000_000 }),
        }),
      ),
    },
    { requiredKeys: [] },
  );

  const changes = campaign(500, 60);

  it(`charges the product’s price from the creation of the session, after ${changes} later changes`, async () => {
    const product = await addProduct(api);
    const outcomes = { charged: 0, changed: 0 };
    for (const body of fc.sample(change, { numRuns: changes, seed: 7 })) {
      const sold = (await api.call(`GET /products/${product}`)).body;
      const chosen = sold.price.pay_what_you_want ? sold.price.maximum_price : undefined;
      const lines = [one(product, { quantity: 2, ...(chosen && { amount: chosen }) })];
      const shown = (
        await api.call('POST /checkouts/preview', { body: { product_cart: lines, billing_address: { country: 'DE' } } })
      ).body;
      const id = await createSession(api, lines);
      const changed = await api.call(`PATCH /products/${product}`, { body });
      expect(changed.status).toBe(200);
      const payment = await pay(id, { expectedTotal: shown.total_price });
      expect(payment).toMatchObject({ currency: sold.price.currency, gross: shown.total_price, tax: shown.total_tax });
      const { name, description, tax_category: taxCategory, tax_inclusive: taxInclusive } = sold;
      expect(payment.lines[0]).toMatchObject({
        name,
        description,
        taxCategory,
        taxInclusive,
        unitAmount: chosen ?? sold.price.price,
      });
      outcomes.charged += 1;
      if (JSON.stringify(changed.body.price) !== JSON.stringify(sold.price)) outcomes.changed += 1;
    }
    expect(outcomes.charged).toBe(changes);
    expect(outcomes.changed).toBeGreaterThan(changes * 0.4);
  });
});

describe('POST /checkouts/preview', () => {
  const preview = (body: object, key?: string) => api.call('POST /checkouts/preview', { body, ...(key && { key }) });
  const at = (country: string, fields: object = {}) => ({ billing_address: { country, ...fields } });

  it('200: shows the whole price breakdown with every key, and stores nothing', async () => {
    const before = await countRows(api);
    const { status, body } = await preview(cart(at('DE')));
    expect(status).toBe(200);
    for (const [part, keys] of [
      [body, dialect.preview],
      [body.current_breakup, dialect.previewBreakup],
      [body.product_cart[0], dialect.previewLine],
    ] as const)
      expect({ missing: missingKeys(part, keys), stray: strayKeys(part, keys) }).toEqual({ missing: [], stray: [] });
    expect(body).toMatchObject({
      billing_country: 'DE',
      currency: 'EUR',
      total_price: 1_999,
      total_tax: 131, // 19.99 × 7 / 107 = 1.3077…
      current_breakup: { subtotal: 1_868, discount: 0, tax: 131, total_amount: 1_999, listed_subtotal: 1_999 },
      tax_id_err_msg: null,
    });
    expect(body.product_cart[0]).toMatchObject({
      quantity: 1,
      og_price: 1_999,
      discounted_price: 1_999,
      tax: 131,
      tax_rate: 7,
    });
    expect(await countRows(api)).toEqual(before);
  });

  it.each([
    ['DE', {}, 131], // 7 %: 1999 × 7 / 107 = 130.77…
    ['HU', {}, 425], // 27 %: 1999 × 27 / 127 = 424.98…
    ['GB', {}, 0], // e-books are zero-rated
    ['US', { state: 'TX' }, 118], // 6.25 %: 1999 × 0.0625 / 1.0625 = 117.58…
    ['US', { state: 'OR' }, 0], // no sales tax
  ])('200: a price with tax included stays the same in %s %j, of which %i is tax', async (country, fields, tax) => {
    const { body } = await preview(cart(at(country, fields)));
    expect(body).toMatchObject({ total_price: 1_999, total_tax: tax });
    expect(body.current_breakup.subtotal + body.current_breakup.tax).toBe(1_999);
  });

  it('200: adds the tax to a price without tax', async () => {
    const product = await addProduct(api, { price: { ...fieldGuide.price, tax_inclusive: false } });
    const { body } = await preview({ product_cart: [one(product)], ...at('DE') });
    // 19.99 × 7 % = 1.3993
    expect(body.current_breakup).toMatchObject({ subtotal: 1_999, discount: 0, tax: 140, total_amount: 2_139 });
  });

  it('200: uses the suggested amount, or else the minimum, when the buyer has not chosen yet', async () => {
    const least = await addProduct(api, { ...support, price: { ...support.price, suggested_price: null } });
    expect((await preview({ product_cart: [one(tip)], ...at('DE') })).body.total_price).toBe(1_500);
    expect((await preview({ product_cart: [one(tip, { amount: 900 })], ...at('DE') })).body.total_price).toBe(900);
    expect((await preview({ product_cart: [one(least)], ...at('DE') })).body.total_price).toBe(500);
  });

  it('200: a business in another country pays the same price, of which nothing is tax', async () => {
    const { body } = await preview(cart({ ...at('AT'), tax_id: 'ATU33864707' }));
    expect(body).toMatchObject({
      total_price: 1_999,
      total_tax: 0,
      tax_id_err_msg: null,
      tax_id_format_name: 'EU VAT',
    });
    expect(body.current_breakup.subtotal).toBe(1_999);
  });

  it('200: reports a refused tax id, and shows the price for a consumer', async () => {
    const { status, body } = await preview(cart({ ...at('AT'), tax_id: 'ATU33864700' }));
    expect(status).toBe(200);
    expect(body.tax_id_err_msg).toMatch(/ATU33864700/);
    expect(body.total_tax).toBeGreaterThan(0);
  });

  it('200: uses the merchant’s country when there is no address; a read-only key is enough', async () => {
    const key = await api.addKey({ access: 'read' });
    expect((await preview(cart(), key)).body).toMatchObject({ billing_country: 'DE', total_tax: 131 });
  });

  it.each([
    ['an unknown field', { colour: 1 }, 422, 'INVALID_REQUEST_BODY', 'colour'],
    ['another currency', { billing_currency: 'USD' }, 422, 'INVALID_REQUEST_PARAMETERS', 'billing_currency'],
    ['a short code', { discount_code: 'X' }, 422, 'INVALID_REQUEST_BODY', 'discount_code'],
    ['no region where one is needed', at('US'), 422, 'INVALID_REQUEST_PARAMETERS', 'billing_address.state'],
    [
      'a region that does not exist',
      at('US', { state: 'ZZ' }),
      422,
      'INVALID_REQUEST_PARAMETERS',
      'billing_address.state',
    ],
    ['an unknown country', at('XX'), 422, 'UNSUPPORTED_COUNTRY', 'billing_address.country'],
    ['a tax id without a country', { tax_id: 'ATU33864707' }, 422, 'INVALID_TAX_ID', 'tax_id'],
    [
      'an amount below the minimum',
      { product_cart: 'tip' },
      422,
      'REQUEST_AMOUNT_BELOW_MINIMUM',
      'product_cart[0].amount',
    ],
    ['an empty cart', { product_cart: [] }, 422, 'PRODUCT_CART_EMPTY', 'product_cart'],
    ['an unknown product', { product_cart: [one(unknown('pdt'))] }, 404, 'NOT_FOUND', 'product_cart[0].product_id'],
  ])('refuses %s', async (_, fields: Record<string, unknown>, status, code, param) => {
    const lines = fields['product_cart'] === 'tip' ? { product_cart: [one(tip, { amount: 499 })] } : {};
    expectProblem(await preview(cart({ ...fields, ...lines })), status, code, param);
  });

  it('422: refuses a total above 32 bits', async () => {
    const largest = await addProduct(api, {
      price: { ...fieldGuide.price, price: 2_147_483_647, tax_inclusive: false },
    });
    // 2147483647 + 7 % is more than 2147483647
    expectProblem(await preview({ product_cart: [one(largest)], ...at('DE') }), 422, 'INTEGER_CONVERSION_FAILURE');
  });
});
