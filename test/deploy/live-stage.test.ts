import { afterAll, beforeAll, expect, it } from 'vitest';
import { localKey } from '../../infra/local/local-key.ts';
import { formatApiKey, hashApiKey } from '../../shared/http/api-key.ts';
import { type Api, startApiThroughSdk, testMerchant } from '../support/shop/api.ts';
import { addProduct, createSession, fieldGuide, pay } from '../support/shop/shop.ts';
import { expectProblem } from '../support/wire/problem.ts';

const liveKey = formatApiKey('live', 'L'.repeat(32));
let api: Api;

const liveApi = (): Api => ({ ...api, call: (request, options) => api.call(request, { key: liveKey, ...options }) });

beforeAll(async () => {
  api = await startApiThroughSdk({ ...testMerchant, live: true });
  const { apiKeys } = await import('../../shared/wiring/runtime.ts');
  const rights = { access: 'admin' as const, refunds: { perDay: null }, createdBy: null };
  const times = { createdAt: '2026-01-01T00:00:00.000Z', expiresAt: null, revokedAt: null };
  await apiKeys().save({ hash: hashApiKey(liveKey), name: 'Live', lastFour: '', ...rights, ...times });
});
afterAll(() => api.stop());

it.each([
  { stage: 'sandbox', taken: localKey, refused: liveKey, modes: /live mode.*test mode/ },
  { stage: 'live', taken: liveKey, refused: localKey, modes: /test mode.*live mode/ },
])(
  'a $stage stage accepts only its own keys, and says which key it needs',
  async ({ stage, taken, refused, modes }) => {
    process.env['STAGE'] = stage;
    expect((await api.call('GET /products', { key: taken })).status).toBe(200);
    const answer = await api.call('GET /products', { key: refused });
    expectProblem(answer, 401, 'WRONG_MODE');
    expect(answer.body.message).toMatch(modes);
  },
);

it('a live stage refuses test cards, even if the request bypasses the page', async () => {
  process.env['STAGE'] = 'live';
  const productId = await addProduct(liveApi());
  process.env['PROCESSOR'] = 'stripe';
  const sessionId = await createSession(liveApi(), [{ product_id: productId, quantity: 1 }]);
  delete process.env['PROCESSOR'];
  await expect(pay(sessionId, { expectedTotal: fieldGuide.price.price })).rejects.toMatchObject({
    code: 'LIVE_MODE_TEST_CARD',
    message: 'Only a sandbox without a processor takes test cards. Leave it out.',
  });
  await expect(pay(sessionId, { expectedTotal: fieldGuide.price.price, card: '' })).rejects.toMatchObject({
    code: 'MERCHANT_NOT_LIVE',
  });
  const { body } = await liveApi().call(`GET /checkouts/${sessionId}`);
  expect(body).toMatchObject({ status: 'open', payment_id: null });
});

it.each(['http://shop.example/thanks', 'http://localhost:3000/thanks'])(
  'a live stage refuses the return address %s',
  async (url) => {
    process.env['STAGE'] = 'live';
    const product_cart = [{ product_id: await addProduct(liveApi()), quantity: 1 }];
    const answer = await liveApi().call('POST /checkouts', { body: { product_cart, return_url: url } });
    expectProblem(answer, 422, 'INVALID_REQUEST_BODY', 'return_url');
  },
);
