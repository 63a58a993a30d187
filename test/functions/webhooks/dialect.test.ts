import DodoPayments from 'dodopayments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Api, startApi } from '../../support/shop/api.ts';

let api: Api;
let client: DodoPayments;
beforeAll(async () => {
  api = await startApi();
  client = new DodoPayments({
    bearerToken: localKey,
    baseURL: 'http://localhost:4000',
    maxRetries: 0,
    fetch: overHandlers,
  });
});
afterAll(() => api.stop());

/** The dialect's client on one side, the handlers on the other, no network between them. */
async function overHandlers(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { pathname, search } = new URL(String(input));
  const body = typeof init.body === 'string' ? { raw: Buffer.from(init.body) } : {};
  const headers = Object.fromEntries(new Headers(init.headers));
  const answer = await api.call(`${init.method} ${pathname}`, { ...body, query: search.slice(1), headers, key: null });
  return new Response(answer.text, { status: answer.status, headers: answer.headers });
}

const url = 'https://hook.example.com/tillstack';

describe('the official client, for webhook endpoints,', () => {
  it('creates, retrieves, updates and deletes an endpoint', async () => {
    const made = await client.webhooks.create({ url, filter_types: ['payment.succeeded'], headers: { foo: 'bar' } });
    expect(await client.webhooks.retrieve(made.id)).toMatchObject({
      id: made.id,
      url,
      filter_types: ['payment.succeeded'],
    });
    expect(await client.webhooks.update(made.id, { description: 'new', disabled: true })).toMatchObject({
      description: 'new',
      disabled: true,
    });
    expect((await client.webhooks.retrieveSecret(made.id)).secret).toMatch(/^whsec_/);
    await client.webhooks.headers.update(made.id, { headers: { foo: 'baz' } });
    expect(await client.webhooks.headers.retrieve(made.id)).toEqual({ headers: { foo: 'baz' }, sensitive: [] });
    await client.webhooks.delete(made.id);
    await expect(client.webhooks.retrieve(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it('lists every endpoint once, page by page, and then stops', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await client.webhooks.create({ url })).id);
    const seen: string[] = [];
    for await (const { id } of client.webhooks.list({ limit: 2 })) seen.push(id);
    expect(seen.sort()).toEqual(ids.sort());
    for (const id of ids) await client.webhooks.delete(id);
  });

  it('gets an error when it creates more than twenty endpoints', async () => {
    for (let index = 0; index < 20; index += 1) await client.webhooks.create({ url });
    await expect(client.webhooks.create({ url })).rejects.toMatchObject({
      status: 422,
      error: { code: 'INVALID_REQUEST_PARAMETERS' },
    });
  });
});
