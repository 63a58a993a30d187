import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { growthOf, linear } from '../../support/cpu.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { readable } from '../../support/table/change-data.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let session: string;
let token: string;

beforeAll(async () => {
  api = await startApi();
  const product = await addProduct(api);
  session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const { text } = await api.call(`GET /checkout/${session}`, { key: null });
  token = /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '';
});
afterAll(() => api.stop());

const card = '4242 4242 4242 4242';
/** More than four of its digits: ids and hashes have those by chance. */
const cardInside = /4242.{0,3}4242/;

const post = (action: 'quote' | 'pay', fields: Record<string, string>): Promise<ApiAnswer> =>
  api.call(`POST /checkout/${session}/${action}`, {
    key: null,
    raw: Buffer.from(new URLSearchParams({ token, country: 'DE', ...fields }).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });

/** Every row as the table keeps it. */
const stored = async (): Promise<string> => {
  const { Items = [] } = await table().client.send(new ScanCommand({ TableName: api.tableName }));
  return JSON.stringify(Items.map(readable));
};

describe('a path parameter that cannot be an id of this stack', () => {
  const pages = endpoints
    .filter(({ access }) => access === 'public')
    .flatMap(({ method, paths }) => paths.map((path) => ({ method: method === 'ANY' ? 'GET' : method, path })))
    .filter(({ path }) => path.includes('{') && !path.startsWith('/dashboard'));

  it.each(
    pages.flatMap((page) =>
      ['x'.repeat(2_100), 'x'.repeat(101), '%20', 'a%00b', '%C3%A4', 'a%2Fb'].map((value) => ({ ...page, value })),
    ),
  )('is answered with 404: $method $path with $value', async ({ method, path, value }) => {
    const before = api.log.length;
    const { status, text } = await api.call(`${method} ${path.replace(/\{\w+\}/, value)}`, {
      key: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    });
    expect({ status, isShort: text.length < 20_000 }).toEqual({ status: 404, isShort: true });
    expect(api.log.slice(before).join('\n')).not.toContain('"level":"error"');
  });
});

describe('A form with many combining characters', () => {
  const marks = (length: number): string => `Q${'\u0301\u0323'.repeat(length / 6)}`;

  it.each(['region', 'name', 'postal_code', 'tax_id', 'email'])(
    'takes time only in proportion to its length, in the field %s',
    async (field) => {
      const growth = await growthOf(
        (length) => ({ country: 'US', region: 'CA', [field]: marks(length) }),
        (fields) => post('quote', fields),
        30_000,
      );
      expect(growth).toBeLessThan(linear);
    },
  );

  it('takes time only in proportion to its length, as JSON with an invalid id', async () => {
    const growth = await growthOf(
      (length) => ({ customer: { email: 'a@example.com', name: marks(length) }, billing_address: { country: 'DE' } }),
      (body) => api.call('POST /checkout/x/pay', { body, key: null }),
      60_000,
    );
    expect(growth).toBeLessThan(linear);
  });
});

describe('a card number that a buyer types', () => {
  it.each(['region', 'postal_code', 'street', 'city', 'tax_id', 'name', 'email', 'business_name'])(
    'into %s is not stored, and the field shows an error when the buyer asks for a total or pays',
    async (field) => {
      for (const action of ['quote', 'pay'] as const) {
        const country = field === 'region' ? 'US' : 'DE';
        const { status, text } = await post(action, { country, [field]: card, expected_total: '1999' });
        expect(status).toBe(action === 'pay' ? 422 : 200);
        if (action === 'pay' || !['name', 'email', 'business_name'].includes(field))
          expect(text).toContain('aria-invalid="true"');
      }
      expect(await stored()).not.toMatch(cardInside);
    },
  );
});

describe('a card number in a refused request', () => {
  it.each([
    ['POST /refunds', { payment_id: `pay_${'x'.repeat(21)}`, items: [{ item_id: card }] }],
    ['POST /products', { [card]: 1 }],
    ['POST /products', { name: card }],
    ['POST /webhooks', { url: `https://hook.example.com/${card.replaceAll(' ', '%20')}` }],
    ['POST /webhooks', { url: 'https://hook.example.com/', headers: { 'x-card': card } }],
    ['POST /products/4242424242424242/unarchive', undefined],
    ['POST /tax/registrations', { country: 'US', region: card, active_from: '2026-01-01' }],
    ['POST /api-keys', { name: card }],
  ])('appears neither in the answer nor in the table: %s %j', async (request, body) => {
    const headers = { 'idempotency-key': `${request} ${JSON.stringify(body)}`.slice(0, 200) };
    const answer = await api.call(request, { headers, ...(body && { body }) });
    expect([404, 422]).toContain(answer.status);
    expect(answer.text).not.toMatch(cardInside);
    expect(await stored()).not.toMatch(cardInside);
    expect(api.log.join('\n')).not.toMatch(cardInside);
  });

  it('does not appear in the answer when the body is not JSON or has a key twice', async () => {
    for (const text of [`{"a": ${card}}`, `{"${card}": 1, "${card}": 2}`, `[4242424242424242 x]`]) {
      const answer = await api.call('POST /products', { raw: Buffer.from(text) });
      expectProblem(answer, 400, 'INVALID_REQUEST_BODY');
      expect(answer.text).not.toMatch(cardInside);
    }
  });
});
