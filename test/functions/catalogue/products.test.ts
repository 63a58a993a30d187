import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, fieldGuide, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const price = fieldGuide.price;

describe('POST /products', () => {
  it('200: creates a tax-inclusive product, and answers the flag in the price and in the product', async () => {
    const { status, body } = await api.call('POST /products', { body: fieldGuide });
    expect(status).toBe(200);
    expect(body.product_id).toMatch(/^pdt_[A-Za-z0-9]{21}$/);
    expect(body).toMatchObject({ tax_inclusive: true, price: { price: 1_999, tax_inclusive: true }, image: null });
  });

  it('200: accepts the tax flag in the product as well as in the price', async () => {
    const { body } = await api.call('POST /products', {
      body: { ...fieldGuide, price: { ...price, tax_inclusive: null }, tax_inclusive: true },
    });
    expect(body).toMatchObject({ tax_inclusive: true, price: { tax_inclusive: true } });
  });

  it('200: creates a pay-what-you-want product with its limits', async () => {
    const { body } = await api.call('POST /products', { body: support });
    expect(body.price).toMatchObject({
      price: 500,
      suggested_price: 1_500,
      maximum_price: null,
      pay_what_you_want: true,
    });
  });

  it.each([
    ['an unknown field', { ...fieldGuide, colour: 'red' }, 'INVALID_REQUEST_BODY', 'colour'],
    ['a server-owned field', { ...fieldGuide, product_id: 'pdt_1' }, 'INVALID_REQUEST_BODY', 'product_id'],
    ['a fraction', { ...fieldGuide, price: { ...price, price: 19.99 } }, 'INVALID_REQUEST_BODY', 'price.price'],
    [
      'a negative amount',
      { ...fieldGuide, price: { ...price, price: -1 } },
      'INTEGER_CONVERSION_FAILURE',
      'price.price',
    ],
    [
      'a huge amount',
      { ...fieldGuide, price: { ...price, price: 2_147_483_648 } },
      'INTEGER_CONVERSION_FAILURE',
      'price.price',
    ],
    ['text for a number', { ...fieldGuide, price: { ...price, price: '1999' } }, 'INVALID_REQUEST_BODY', 'price.price'],
    ['nothing for a number', { ...fieldGuide, price: { ...price, price: '' } }, 'INVALID_REQUEST_BODY', 'price.price'],
    ['null for a number', { ...fieldGuide, price: { ...price, price: null } }, 'INVALID_REQUEST_BODY', 'price.price'],
    ['two different flags', { ...fieldGuide, tax_inclusive: false }, 'INVALID_REQUEST_PARAMETERS', 'tax_inclusive'],
    [
      'a recurring price',
      { ...fieldGuide, price: { ...price, type: 'recurring_price' } },
      'INVALID_REQUEST_PARAMETERS',
      'price.type',
    ],
    [
      'an unknown currency',
      { ...fieldGuide, price: { ...price, currency: 'HRK' } },
      'UNSUPPORTED_CURRENCY',
      'price.currency',
    ],
    ['an unknown tax category', { ...fieldGuide, tax_category: 'books' }, 'UNSUPPORTED_TAX_CATEGORY', 'tax_category'],
    ['no description', { ...fieldGuide, description: undefined }, 'INVALID_REQUEST_BODY', 'description'],
    ['a card number in a text', { ...fieldGuide, name: '4242 4242 4242 4242' }, 'INVALID_REQUEST_BODY', 'name'],
    [
      'a suggestion below the minimum',
      { ...support, price: { ...support.price, suggested_price: 100 } },
      'INVALID_SUGGESTED_PRICE',
      'price.suggested_price',
    ],
    [
      'a maximum below the suggestion',
      { ...support, price: { ...support.price, maximum_price: 1_000 } },
      'INVALID_MAXIMUM_PRICE',
      'price.maximum_price',
    ],
    [
      'presets below the minimum',
      { ...support, price: { ...support.price, preset_amounts: [100, 900] } },
      'INVALID_REQUEST_PARAMETERS',
      'price.preset_amounts',
    ],
    [
      'presets of a fixed price',
      { ...fieldGuide, price: { ...price, preset_amounts: [1_999] } },
      'INVALID_REQUEST_PARAMETERS',
      'price.preset_amounts',
    ],
    [
      'a fixed price that may be nothing',
      { ...fieldGuide, price: { ...price, allow_zero: true } },
      'INVALID_REQUEST_PARAMETERS',
      'price.allow_zero',
    ],
    ['nested metadata', { ...fieldGuide, metadata: { a: { b: 1 } } }, 'INVALID_REQUEST_BODY', 'metadata.a'],
    [
      '51 metadata keys',
      { ...fieldGuide, metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 1])) },
      'MAXIMUM_KEYS_REACHED',
      'metadata',
    ],
  ])('422: refuses %s', async (_, body, code, param) => {
    const answer = await api.call('POST /products', { body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code, param });
  });

  it('422: lists every fault with its path', async () => {
    const body = {
      name: '',
      description: '',
      price: { type: 'one_time_price', currency: 'XXX', price: -1 },
      tax_category: 'x',
      extra: 1,
    };
    const { body: problem } = await api.call('POST /products', { body });
    const paths = problem.errors.map((fault: { path: string }) => fault.path).sort();
    expect(paths).toEqual(['description', 'extra', 'name', 'price.currency', 'price.price', 'tax_category']);
  });
});

describe('any request', () => {
  const raw = (text: string | Buffer) => api.call('POST /products', { raw: Buffer.from(text as string) });

  it.each([
    ['broken JSON', '{"name":', 400],
    ['an empty body', '', 400],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['a key that occurs twice', '{"name":"a","name":"b"}', 400],
    ['a key of the prototype', '{"__proto__":{}}', 422],
    ['a key that every object has', '{"metadata":{"constructor":"Acme"}}', 422],
    ['a nesting that never ends', '['.repeat(200_000), 400],
    ['an exponent beyond all numbers', '{"price":{"price":1e400}}', 422],
    ['a body of 300 kB', JSON.stringify({ name: 'x'.repeat(300_000) }), 413],
  ])('is refused with %s', async (_, body, status) => {
    const answer = await raw(body);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(Object.keys(answer.body)).toEqual(
      expect.arrayContaining([
        'type',
        'title',
        'status',
        'detail',
        'instance',
        'code',
        'message',
        'param',
        'errors',
        'request_id',
      ]),
    );
    expect(answer.text).not.toMatch(/node_modules|\.ts:/);
  });

  it('415: is refused with another content type', async () => {
    const answer = await api.call('POST /products', {
      raw: Buffer.from('a=b'),
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  it('401: is refused without a key and with an unknown, mistyped or revoked key', async () => {
    const revoked = await api.addKey({ revokedAt: '2026-01-02T00:00:00.000Z' });
    const expired = await api.addKey({ expiresAt: '2026-01-02T00:00:00.000Z' });
    for (const key of [null, 'sk_test_x', 'nonsense', revoked, expired]) {
      const { status, body } = await api.call('GET /products', { key });
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    }
  });

  it('401: is refused with a key of the other mode, and the answer names both modes', async () => {
    const { formatApiKey } = await import('../../../shared/http/api-key.ts');
    const { status, body } = await api.call('GET /products', { key: formatApiKey('live', 'x'.repeat(32)) });
    expect(status).toBe(401);
    expect(body.code).toBe('WRONG_MODE');
    expect(body.message).toMatch(/live mode.*test mode/);
  });

  it('403: is refused with a read-only key if it writes, and answered if it reads', async () => {
    const key = await api.addKey({ access: 'read' });
    expect((await api.call('GET /products', { key })).status).toBe(200);
    const { status, body } = await api.call('POST /products', { key, body: fieldGuide });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'UNAUTHORIZED' });
  });

  it('404: is answered with the usual problem format when its route is unknown', async () => {
    expect(await api.call('GET /nothing')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

describe('PATCH /products/{id}', () => {
  it('200: changes the tax flag without changing other fields', async () => {
    const id = await addProduct(api);
    const { status, body } = await api.call(`PATCH /products/${id}`, { body: { tax_inclusive: false } });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tax_inclusive: false,
      price: { price: 1_999, tax_inclusive: false },
      name: fieldGuide.name,
    });
    expect((await api.call(`GET /products/${id}`)).body).toEqual(body);
  });

  it('200: keeps the tax flag when the new price does not state it', async () => {
    const id = await addProduct(api);
    const { body } = await api.call(`PATCH /products/${id}`, {
      body: { price: { type: 'one_time_price', currency: 'EUR', price: 5 } },
    });
    expect(body.price).toMatchObject({ price: 5, tax_inclusive: true });
  });

  it.each(['name', 'description', 'price', 'tax_category', 'brand_id'])(
    '200: keeps the field %s when it is sent as null',
    async (field) => {
      const id = await addProduct(api);
      const { body: before } = await api.call(`GET /products/${id}`);
      const { status, body } = await api.call(`PATCH /products/${id}`, { body: { [field]: null } });
      expect({ status, after: body }).toEqual({ status: 200, after: { ...before, updated_at: body.updated_at } });
    },
  );

  it('200: keeps every field of twenty changes that arrive at once', async () => {
    const id = await addProduct(api);
    const changes = Array.from({ length: 20 }, (_, index) => ({ metadata: { [`k${index}`]: index } }));
    const answers = await Promise.all(changes.map((body) => api.call(`PATCH /products/${id}`, { body })));
    const { body } = await api.call(`GET /products/${id}`);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(body).toMatchObject({ name: fieldGuide.name, tax_inclusive: true });
  });

  it('404, 410: refuses an unknown id and an archived product', async () => {
    const unknown = `pdt_${'x'.repeat(21)}`;
    expect((await api.call(`PATCH /products/${unknown}`, { body: { name: 'a' } })).status).toBe(404);
    const id = await addProduct(api);
    expect(await api.call(`DELETE /products/${id}`)).toMatchObject({ status: 200, text: '{}' });
    expect(await api.call(`DELETE /products/${id}`)).toMatchObject({
      status: 410,
      body: { code: 'PRODUCT_IS_DELETED' },
    });
    expect((await api.call(`PATCH /products/${id}`, { body: { name: 'a' } })).status).toBe(410);
    expect((await api.call(`POST /products/${id}/unarchive`)).body.product_id).toBe(id);
  });
});

describe('the locale parameter', () => {
  it('200, 422: changes no text of a product, and is refused if it is not a locale', async () => {
    const id = await addProduct(api);
    const { name } = (await api.call(`GET /products/${id}`)).body;
    expect((await api.call(`GET /products/${id}`, { query: 'locale=fr' })).body.name).toBe(name);
    const { body } = await api.call('GET /products', { query: 'locale=pt-BR&page_size=100' });
    expect(body.items.find(({ product_id }: { product_id: string }) => product_id === id).name).toBe(name);
    const cart = { product_cart: [{ product_id: id, quantity: 1 }], billing_address: { country: 'DE' } };
    const preview = await api.call('POST /checkouts/preview', { query: 'locale=de', body: cart });
    expect(preview.body.product_cart[0].name).toBe(name);
    for (const request of [`GET /products/${id}`, 'GET /products'])
      expectProblem(await api.call(request, { query: 'locale=%C3%A9' }), 422, 'INVALID_QUERY_PARAMS');
    const wrong = await api.call('POST /checkouts/preview', { query: 'locale=1', body: cart });
    expectProblem(wrong, 422, 'INVALID_QUERY_PARAMS');
  });
});

describe('GET /products', () => {
  it('200: shows every product once, by page number and by cursor', async () => {
    const names = Array.from({ length: 5 }, (_, index) => `Paged ${index}`);
    for (const name of names) await addProduct(api, { name });
    const all = (await api.call('GET /products', { query: 'page_size=100' })).body.items.map(
      (p: { product_id: string }) => p.product_id,
    );
    const walked: string[] = [];
    let cursor = '';
    do {
      const { body } = await api.call('GET /products', { query: `page_size=2${cursor && `&cursor=${cursor}`}` });
      walked.push(...body.items.map((p: { product_id: string }) => p.product_id));
      cursor = body.next_cursor ?? '';
    } while (cursor);
    expect(walked).toEqual(all);
    const second = await api.call('GET /products', { query: 'page_size=2&page_number=2' });
    expect(second.body.items.map((p: { product_id: string }) => p.product_id)).toEqual(all.slice(2, 4));
    expect((await api.call('GET /products', { query: 'page_number=90' })).body).toEqual({
      items: [],
      has_more: false,
      next_cursor: null,
    });
  });

  it.each([
    'page_number=0',
    'page_number=1.5',
    'page_size=101',
    'page_number=1001',
    'cursor=x.y',
    'cursor=a&page_number=1',
    'colour=red',
  ])('422: refuses %s', async (query) => {
    expect(await api.call('GET /products', { query })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_QUERY_PARAMS' },
    });
  });
});
