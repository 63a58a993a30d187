import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Call, startApi } from '../../support/shop/api.ts';
import { fieldGuide } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let cart: object[];
beforeAll(async () => {
  api = await startApi();
  const { product_id } = (await api.call('POST /products', { body: fieldGuide })).body;
  cart = [{ product_id, quantity: 1 }];
});
afterAll(() => api.stop());

const session = (fields: object) => api.call('POST /checkouts', { body: { product_cart: cart, ...fields } });

describe('a request in the style of other payment systems', () => {
  it.each<[string, Call, string, string]>([
    ['GET /payments', { query: 'limit=5' }, 'limit', 'page_size'],
    ['GET /payments', { query: 'starting_after=pay_1' }, 'starting_after', 'cursor'],
    ['POST /products', { body: { ...fieldGuide, unit_amount: 5 } }, 'unit_amount', 'price.price'],
    ['POST /refunds', { body: { payment_id: 'pay_000000000000000000001', charge: 'ch_1' } }, 'charge', 'payment_id'],
  ])('422: %s with %j is answered with the name of the field to use', async (request, call, field, instead) => {
    const answer = await api.call(request, call);
    expect([answer.status, answer.body.message]).toEqual([422, `${field}: is not a known field; use ${instead}`]);
  });

  it('422: is refused with a parameter that is sent twice, because systems may read different values', async () => {
    const answer = await api.call('GET /payments', { query: 'status=succeeded&status=failed' });
    expectProblem(answer, 422, 'INVALID_QUERY_PARAMS', 'status');
  });

  it.each([
    ['active_from', 'POST /tax/registrations', { country: 'DE' }, 'is required'],
    ['effective_from', 'POST /tax/overrides', { country: 'US', mode: 'add', reason: 'x' }, 'is required'],
  ])('422: gets a precise error for the field %s of %s %j', async (field, request, body, message) => {
    expect((await api.call(request, { body })).body.errors).toContainEqual({ path: field, message });
  });

  it('422: gets an error that names the missing test card if the session is open', async () => {
    const { session_id } = (await session({})).body;
    const { body } = await api.call(`POST /checkout/${session_id}/pay`, { body: {} });
    expect(body.errors).toContainEqual({ path: 'test_card', message: 'is required' });
  });

  it('422: gets only one fault for a page_size that is not a number', async () => {
    const { body } = await api.call('GET /payments', { query: 'page_size=abc' });
    expect(body.errors).toEqual([{ path: 'page_size', message: 'must be between 1 and 100' }]);
  });

  it.each(['1'.repeat(18), '123', '++49 30 1234567', '030-CALL-NOW'])(
    '422: is refused with the phone number %s',
    async (phone) => {
      const answer = await session({ customer: { email: 'a@example.com', phone_number: phone } });
      expectProblem(answer, 422, 'INVALID_REQUEST_BODY', 'customer.phone_number');
    },
  );

  it('415: is refused with a compressed body because of its content encoding', async () => {
    const raw = Buffer.from([0x1f, 0x8b, 8, 0]);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const answer = await api.call('POST /products', { raw, headers });
    expectProblem(answer, 415, 'UNSUPPORTED_MEDIA_TYPE');
    expect(answer.body.message).toContain('gzip');
  });

  it.each([
    ['application/json', 'application/problem+json'],
    ['text/html,application/json', 'text/html; charset=utf-8'],
    [undefined, 'text/html; charset=utf-8'],
  ])('404: for an unknown page with the Accept header %s is answered as %s', async (accept, type) => {
    const headers: Record<string, string> = accept ? { accept } : {};
    const answer = await api.call('GET /checkout/cks_000000000000000000001', { headers, key: null });
    expect([answer.status, answer.headers['content-type']]).toEqual([404, type]);
  });
});

describe('metadata: null', () => {
  it('is the same as no metadata in every request that can have metadata', async () => {
    const product = await api.call('POST /products', { body: { ...fieldGuide, metadata: null } });
    expect([product.status, product.body.metadata]).toEqual([200, {}]);
    expect((await session({ metadata: null })).status).toBe(200);
    const { session_id } = (await session({})).body;
    const buyer = { customer: { email: 'a@example.com', name: 'A' }, billing_address: { country: 'DE' } };
    const { payment_id } = (
      await api.call(`POST /checkout/${session_id}/pay`, { body: { ...buyer, test_card: '4242' } })
    ).body;
    const refund = await api.call('POST /refunds', { body: { payment_id, metadata: null } });
    expect([refund.status, refund.body.metadata]).toEqual([200, {}]);
  });
});

describe('customers of a session', () => {
  it('200: can have an e-mail address with an international domain, stored in the form for mail servers', async () => {
    const { session_id } = (await session({ customer: { email: 'ada@müller.example', name: 'Ada' } })).body;
    expect((await api.call(`GET /checkouts/${session_id}`)).body.customer_email).toBe('ada@xn--mller-kva.example');
  });

  it.each(['hello', '+49', '12 34 <b>', 'x'.repeat(41)])(
    '422: cannot have the phone number %s',
    async (phone_number) => {
      const answer = await session({ customer: { email: 'a@example.com', phone_number } });
      expectProblem(answer, 422, 'INVALID_REQUEST_BODY', 'customer.phone_number');
    },
  );

  it.each(['+49 30 1234567', '(030) 123-4567', '0815.47 11/3'])(
    '200: can have the phone number %s',
    async (phone_number) => {
      expect((await session({ customer: { email: 'a@example.com', phone_number } })).status).toBe(200);
    },
  );
});
