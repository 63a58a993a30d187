import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type StripeClientOptions,
  StripeRefusal,
  stripeClient,
} from '../../../../shared/outside/processor/stripe/client.ts';

let stop = (): Promise<unknown> => Promise.resolve();
afterEach(() => stop());

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** A server that answers with one status after the other, the last one for ever; 0 cuts the connection. */
async function answering(statuses: number[], { headers = {}, error = {} }: { headers?: object; error?: object } = {}) {
  const seen: Seen[] = [];
  const answer: RequestListener = async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    const status = statuses[Math.min(seen.length, statuses.length) - 1] ?? 200;
    if (status === 0) return void request.socket.destroy();
    if (status === -1) return;
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_7', ...headers });
    response.end(
      JSON.stringify(status === 200 ? { ok: true } : { error: { type: 'invalid_request_error', ...error } }),
    );
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    });
  return { seen, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const clientAt = (baseUrl: string, options: Partial<StripeClientOptions> = {}) =>
  stripeClient({ key: async () => 'rk_test_secret', baseUrl, timeoutMs: 500, random: () => 0, ...options });

const failureOf = (call: Promise<unknown>): Promise<StripeRefusal> =>
  call.then(
    () => Promise.reject(new Error('It went well.')),
    (error) => error,
  );

describe('the Stripe client', () => {
  it('sends the API version, the account’s key, the idempotency key and a form', async () => {
    const { seen, baseUrl } = await answering([200]);
    expect(await clientAt(baseUrl).post('refunds', { amount: 500, metadata: { refund_id: 'ref_1' } }, 'ref_1')).toEqual(
      { ok: true },
    );
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/v1/refunds',
        headers: expect.objectContaining({
          authorization: 'Bearer rk_test_secret',
          'stripe-version': '2026-10-28.endive',
          'idempotency-key': 'ref_1',
          'content-type': 'application/x-www-form-urlencoded',
        }),
        body: 'amount=500&metadata[refund_id]=ref_1',
      },
    ]);
  });

  it('sends a GET with its parameters in the address and without an idempotency key', async () => {
    const { seen, baseUrl } = await answering([200]);
    await clientAt(baseUrl).get('refunds', { limit: 1, expand: ['data.charge'] });
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/v1/refunds?limit=1&expand[0]=data.charge', body: '' });
    expect(seen[0]?.headers['idempotency-key']).toBeUndefined();
  });

  it.each([
    { name: 'a lost connection', status: 0 },
    { name: 'a conflict over the key', status: 409 },
    { name: 'too many requests', status: 429 },
    { name: 'a server that breaks', status: 500 },
    { name: 'a gateway that breaks', status: 503 },
  ])('repeats with the same key after $name', async ({ status }) => {
    const { seen, baseUrl } = await answering([status, 200]);
    expect(await clientAt(baseUrl).post('refunds', { amount: 1 }, 'ref_1')).toEqual({ ok: true });
    expect(seen.map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual(
      Array(2).fill(['ref_1', 'amount=1']),
    );
  });

  it.each([400, 402, 403, 404])('does not repeat a request that is refused with %i', async (status) => {
    const { seen, baseUrl } = await answering([status]);
    const error = await failureOf(clientAt(baseUrl).post('refunds', {}, 'ref_1'));
    expect({ calls: seen.length, status: error.status }).toEqual({ calls: status === 403 ? 2 : 1, status });
  });

  it.each([
    { status: 409, advice: 'false', calls: 1 },
    { status: 400, advice: 'true', calls: 3 },
  ])(
    'repeats a request after the status $status if Stripe’s header says so: $advice',
    async ({ status, advice, calls }) => {
      const { seen, baseUrl } = await answering([status], { headers: { 'stripe-should-retry': advice } });
      await failureOf(clientAt(baseUrl).get('refunds'));
      expect(seen.length).toBe(calls);
    },
  );

  it('gives up after three attempts, and reports the state as unknown', async () => {
    const { seen, baseUrl } = await answering([0]);
    expect(await failureOf(clientAt(baseUrl).get('refunds'))).toMatchObject({
      name: 'ProcessorError',
      kind: 'unavailable',
    });
    expect(seen.length).toBe(3);
  });

  it('stops waiting after its timeout, and repeats', async () => {
    const { seen, baseUrl } = await answering([-1, 200]);
    expect(await clientAt(baseUrl, { timeoutMs: 100 }).get('refunds')).toEqual({ ok: true });
    expect(seen.length).toBe(2);
  });

  it('starts no new attempt after its total time limit', async () => {
    const { seen, baseUrl } = await answering([503]);
    await failureOf(clientAt(baseUrl, { patienceMs: 100 }).get('refunds'));
    expect(seen.length).toBe(1);
  });

  it('reads its key again, once, when Stripe refuses it', async () => {
    const { seen, baseUrl } = await answering([401, 200]);
    const key = async (again: boolean) => (again ? 'rk_test_new' : 'rk_test_old');
    expect(await clientAt(baseUrl, { key }).get('refunds')).toEqual({ ok: true });
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual(['Bearer rk_test_old', 'Bearer rk_test_new']);
  });

  it('puts the code, the request id and Stripe’s reason into its errors, but never the key', async () => {
    const error = {
      type: 'invalid_request_error',
      code: 'api_key_expired',
      message: 'Invalid API Key provided: rk_test_secret',
    };
    const { baseUrl } = await answering([401], { error });
    const failure = await failureOf(clientAt(baseUrl).get('refunds'));
    expect(failure).toBeInstanceOf(StripeRefusal);
    expect(failure).toMatchObject({ kind: 'unauthorized', code: 'api_key_expired', status: 401 });
    expect(failure.message).toBe('Stripe answered 401 api_key_expired (req_7). Invalid API Key provided: [key]');
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('rk_test_secret');
  });

  it.each([
    { email: 'a..b@example.com', message: 'Invalid email address: a..b@example.com' },
    { email: 'no address', message: 'Invalid email address: no address' },
    { email: 'buyer@example.com', message: `${'long '.repeat(98)}buyer@example.com ${'long '.repeat(98)}` },
  ])('removes the buyer’s address $email from Stripe’s reason', async ({ email, message }) => {
    const { baseUrl } = await answering([400], { error: { code: 'email_invalid', param: 'customer_email', message } });
    const failure = await failureOf(clientAt(baseUrl).post('checkout/sessions', { customer_email: email }, 'pay_1'));
    expect(JSON.stringify([failure.message, failure.refusal])).not.toContain(email);
    expect(failure.refusal).toMatchObject({ code: 'email_invalid', param: 'customer_email', requestId: 'req_7' });
    expect(failure.refusal.message).toContain('[e-mail]');
    expect(failure.refusal.message.length).toBeLessThanOrEqual(500);
  });

  it.each([
    { statuses: [400], isFirst: true },
    { statuses: [401, 400], isFirst: true },
    { statuses: [403, 403], isFirst: true },
    { statuses: [0, 400], isFirst: false },
    { statuses: [500, 401, 403], isFirst: false },
    { statuses: [409, 400], isFirst: false },
    { statuses: [429, 400], isFirst: false },
  ])('says whether an earlier attempt may have had an effect: $statuses', async ({ statuses, isFirst }) => {
    const { baseUrl } = await answering(statuses);
    expect(await failureOf(clientAt(baseUrl).post('refunds', {}, 'ref_1'))).toMatchObject({ isFirst });
  });
});
