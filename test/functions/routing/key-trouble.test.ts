import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';

/** What DynamoDB answers where it cannot use the table's key, with status 400. */
const reason = 'KMS key access denied error: The key is disabled. (Service: AWSKMS; Error Code: DisabledException)';
const denied = () =>
  Object.assign(new Error(reason), { name: 'AccessDeniedException', $metadata: { httpStatusCode: 400 } });

let api: Api;
let productId: string;
let cookies: string[];
let sessionId: string;
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
  ({ cookies } = await browse(api, await api.addKey({ access: 'admin' })));
  const cart = { product_cart: [{ product_id: productId, quantity: 1 }] };
  sessionId = (await api.call('POST /checkouts', { body: cart })).body.session_id;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => api.stop());

const lists = endpoints
  .filter(({ access, method }) => access !== 'public' && method === 'GET')
  .map(({ paths: [path] }) => [`GET ${path.replaceAll(/\{\w+\}/g, 'pdt_1234567890123')}`]);

it.each([
  ...lists,
  ['POST /checkouts', () => ({ body: { product_cart: [{ product_id: productId, quantity: 1 }] } })],
  ['GET /dashboard', () => ({ key: null, cookies })],
  ['GET /dashboard/payments', () => ({ key: null, cookies })],
  ['GET /checkout', () => ({ key: null })],
] as [string, (() => object)?][])('%s answers 503 while the table’s KMS key is unusable', async (request, ask) => {
  const route = request === 'GET /checkout' ? `GET /checkout/${sessionId}` : request;
  vi.spyOn(table().client, 'send').mockImplementation(() => Promise.reject(denied()));
  api.log.length = 0;
  const { status, headers, text } = await api.call(route, ask?.());
  expect([status, headers['retry-after']]).toEqual([503, '1']);
  expect(text).not.toContain('KMS');
  const line = api.log.map((written) => JSON.parse(written)).find(({ message }) => message === 'request failed');
  expect(line).toMatchObject({ level: 'error', status: 503, error: 'AccessDeniedException', reason });
});

it.each(['POST /products', 'POST /customers', 'POST /webhooks'])(
  '%s answers 503 when only writes to the table fail',
  async (route) => {
    const { client } = table();
    const send = client.send.bind(client) as (...parts: unknown[]) => Promise<unknown>;
    vi.spyOn(client, 'send').mockImplementation(((command: object, ...others: unknown[]) =>
      /Put|Update|Write/.test(command.constructor.name)
        ? Promise.reject(denied())
        : send(command, ...others)) as never);
    const bodies: Record<string, object> = {
      'POST /products': {
        name: 'Guide',
        description: 'x',
        tax_category: 'e_book',
        price: { type: 'one_time_price', currency: 'EUR', price: 1999, tax_inclusive: true },
      },
      'POST /customers': { email: 'reader@example.com', name: 'Erika' },
      'POST /webhooks': { url: 'https://shop.example/hooks' },
    };
    const { status, headers } = await api.call(route, { body: bodies[route], headers: { 'idempotency-key': route } });
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    vi.restoreAllMocks();
    expect((await api.call(route, { body: bodies[route], headers: { 'idempotency-key': route } })).status).toBe(200);
  },
);
