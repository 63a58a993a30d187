import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import { locales } from '../../shared/pages/locale.ts';
import { pageTexts } from '../../shared/texts/texts.ts';
import { visibleText } from '../pages/markup.ts';
import { type Api, startApiThroughSdk, testMerchant } from '../support/shop/api.ts';
import { browse } from '../support/shop/dashboard.ts';
import { fieldGuide } from '../support/shop/shop.ts';
import { expectProblem } from '../support/wire/problem.ts';

const key = formatApiKey('live', 'L'.repeat(32));
let api: Api;

/** A live stack of a merchant who is live, on this machine's table. */
beforeAll(async () => {
  api = await startApiThroughSdk({ ...testMerchant, live: true });
  process.env['STAGE'] = 'live';
  const { apiKeys } = await import('../../shared/wiring/runtime.ts');
  const rights = { access: 'admin' as const, refunds: { perDay: null }, createdBy: null };
  const times = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: null, revokedAt: null };
  await apiKeys().save({ hash: hashApiKey(key), name: 'Live', lastFour: key.slice(-4), ...rights, ...times });
});
afterAll(() => api.stop());

const createUnconnected = async (fields: object = {}, product: object = fieldGuide) => {
  const { body } = await api.call('POST /products', { body: product, key });
  return api.call('POST /checkouts', {
    body: { product_cart: [{ product_id: body.product_id, quantity: 1 }], ...fields },
    key,
  });
};

/** A session of the time when the stack had a processor. */
const create = async (fields: object = {}) => {
  process.env['PROCESSOR'] = 'stripe';
  const created = await createUnconnected(fields);
  delete process.env['PROCESSOR'];
  return created;
};

/** What a browser posts to the page. */
async function post(path: string, fields: Record<string, string>): Promise<{ statusCode: number; body: string }> {
  const event = {
    version: '2.0',
    routeKey: 'POST /checkout/{id}/pay',
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    pathParameters: { id: path.split('/').at(-2) },
    requestContext: { requestId: 'request-1', http: { method: 'POST', path, sourceIp: '192.0.2.1' } },
    body: new URLSearchParams(fields).toString(),
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2;
  return (await invokeFunction('checkout/pay-checkout', event)) as { statusCode: number; body: string };
}

/** What keeps a name in its own direction. */
const isolates = /[\u2066-\u2069]/g;

describe('a live stack', () => {
  it('accepts live keys, and answers a test key with an error that names both modes', async () => {
    expect((await api.call('GET /products', { key })).status).toBe(200);
    const answer = await api.call('GET /products', { key: localKey });
    expectProblem(answer, 401, 'WRONG_MODE');
    expect(answer.body.message).toMatch(/test mode.*live mode/);
  });

  it('refuses a test card, and gives the reason in the log only', async () => {
    const { body } = await create({ billing_address: { country: 'DE' } });
    const { sessions } = await import('../../shared/wiring/runtime.ts');
    const { formToken: token } = await sessions().get(body.session_id);
    const buyer = { email: 'buyer@example.com', name: 'A Buyer', country: 'DE' };
    const fields = { token, expected_total: '1999', card: '4242424242424242', ...buyer };
    const answer = await post(`/checkout/${body.session_id}/pay`, fields);
    expect(answer.statusCode).toBe(422);
    expect(api.log.join('\n')).toContain('LIVE_MODE_TEST_CARD');
    const session = await api.call(`GET /checkouts/${body.session_id}`, { key });
    expect(session.body).toMatchObject({ status: 'open', payment_id: null });
  });

  it('sells nothing while no payment processor is connected, and answers the integrator with the reason', async () => {
    const answer = await createUnconnected();
    expectProblem(answer, 403, 'MERCHANT_NOT_LIVE');
    expect(answer.body.message).toBe('This merchant takes no payments yet: no processor is connected.');
  });

  it('completes a free order with and without a payment processor', async () => {
    const free = { ...fieldGuide, price: { ...fieldGuide.price, price: 0 } };
    const { status, body } = await createUnconnected({}, free);
    expect(status).toBe(200);
    const page = await api.call(`GET /checkout/${body.session_id}`, { key: null });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('name="email"')]);
  });

  it.each(locales)(
    'tells the buyer in one sentence that payment is not possible, and shows no form: %s',
    async (locale) => {
      const { body } = await create();
      const { status, text } = await api.call(`GET /checkout/${body.session_id}`, {
        query: `lang=${locale}`,
        key: null,
      });
      expect(status).toBe(403);
      const words = text.replace(isolates, '');
      expect(words).toContain(pageTexts[locale]['unpayable.title']);
      expect(words).toContain(pageTexts[locale]['unpayable.text'].replace('{merchant}', 'Example Books'));
      expect(text).not.toMatch(/<input|method="post"|name="(email|name|country)"/);
    },
  );

  it('shows a checklist in the dashboard of what is missing before it can sell, and ticks off each step', async () => {
    await api.call('POST /products', { body: fieldGuide, key });
    const { cookies } = await browse(api, key);
    const overview = async () =>
      visibleText((await api.call('GET /dashboard', { cookies, key: null })).text).replaceAll('&quot;', '"');
    const before = await overview();
    expect(before).toContain('Before you can sell 3 of 7 steps are done.');
    expect(before).toMatch(/Done: Create a product ?\./);
    expect(before).toContain('Done: Open the API');
    expect(before).toContain('Missing: Name a processor: add "processor": {"name": "stripe"} to the live stage');
    expect(before).toContain('Missing: Store the processor’s key with npm run processor -- set');
    expect(before).toContain('Missing: Receive the first payment');
  });

  it('refuses a return address without https, even on localhost', async () => {
    expect((await create({ return_url: 'https://shop.example/thanks' })).status).toBe(200);
    for (const url of ['http://localhost:3000/thanks', 'http://127.0.0.1:3000/thanks'])
      for (const field of ['return_url', 'cancel_url'])
        expectProblem(await create({ [field]: url }), 422, 'INVALID_REQUEST_BODY', field);
  });
});
