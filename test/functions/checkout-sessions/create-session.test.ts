import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
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

  it('401, 403: refuses a request without a key, and one with a read-only key', async () => {
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

  it('200, 422: accepts 20 lines, and refuses 21 lines', async () => {
    const products: string[] = [];
    for (let index = 0; index < 21; index += 1) products.push(await addProduct(api));
    const lines = products.map((id) => one(id));
    expect((await create({ product_cart: lines.slice(0, 20) })).status).toBe(200);
    expectProblem(await create({ product_cart: lines }), 422, 'INVALID_REQUEST_BODY', 'product_cart');
  });

  it('400, 413, 415: refuses a body that is not JSON or is too large', async () => {
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
