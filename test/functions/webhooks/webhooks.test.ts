import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { countRows } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  const { body } = await api.call('GET /webhooks', { query: 'limit=100' });
  for (const { id } of body.data) await api.call(`DELETE /webhooks/${id}`);
});
afterEach(() => clock.run());

const url = 'https://hook.example.com/tillstack';
const unknown = `whk_${'x'.repeat(21)}`;
const create = (fields: object = {}, headers: Record<string, string> = {}) =>
  api.call('POST /webhooks', { body: { url, ...fields }, headers });
const created = async (fields: object = {}): Promise<string> => (await create(fields)).body.id;

/** WebhookDetails of the dialect, and the two fields of our own. */
const details = [
  'id',
  'url',
  'description',
  'metadata',
  'created_at',
  'updated_at',
  'disabled',
  'disabled_reason',
  'disabled_at',
  'filter_types',
  'rate_limit',
];

describe('POST /webhooks', () => {
  it('200: answers every documented field, with default values for fields that were not sent', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([...details].sort());
    expect(body).toMatchObject({
      url,
      description: '',
      metadata: {},
      disabled: false,
      filter_types: null,
      rate_limit: null,
    });
    expect(body.id).toMatch(/^whk_[A-Za-z0-9]{21}$/);
  });

  it('200: stores the fields that are sent', async () => {
    const fields = {
      description: 'Shop',
      metadata: { team: 'a' },
      disabled: true,
      filter_types: ['payment.*', 'dispute.opened'],
    };
    const { body } = await create({ ...fields, headers: { 'x-shop': '1' } });
    expect(body).toMatchObject({ ...fields, disabled_reason: 'merchant' });
    expect((await api.call(`GET /webhooks/${body.id}`)).body).toEqual(body);
  });

  it('200: creates nothing when an idempotency key is repeated, in the header or in the body', async () => {
    const first = await create({}, { 'idempotency-key': 'hook-1' });
    const again = await create({ idempotency_key: 'hook-1' });
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await api.call('GET /webhooks')).body.data).toHaveLength(1);
  });

  it('200: prefers the idempotency key in the header over the one in the body', async () => {
    const first = await create({ idempotency_key: 'body' }, { 'idempotency-key': 'header-1' });
    const second = await create({ idempotency_key: 'body' }, { 'idempotency-key': 'header-2' });
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each([
    { fault: 'no url', fields: { url: undefined }, param: 'url' },
    { fault: 'http', fields: { url: 'http://hook.example.com' }, param: 'url' },
    { fault: 'a private address', fields: { url: 'https://10.0.0.1/' }, param: 'url' },
    { fault: 'a disguised address', fields: { url: 'https://2130706433/' }, param: 'url' },
    { fault: 'an unknown type', fields: { filter_types: ['payment.paid'] }, param: 'filter_types[0]' },
    { fault: 'an unknown family', fields: { filter_types: ['order.*'] }, param: 'filter_types[0]' },
    { fault: 'an empty filter', fields: { filter_types: [] }, param: 'filter_types' },
    { fault: 'a header of ours', fields: { headers: { 'webhook-id': 'x' } }, param: 'headers.webhook-id' },
    { fault: 'a header of the protocol', fields: { headers: { Host: 'x' } }, param: 'headers.Host' },
    { fault: 'a header with a line break', fields: { headers: { 'x-a': 'b\r\nc: d' } }, param: 'headers.x-a' },
    { fault: 'metadata that is no string', fields: { metadata: { a: 1 } }, param: 'metadata.a' },
    { fault: 'a field that is not known', fields: { secret: 'whsec_AAAA' }, param: 'secret' },
    { fault: 'a field of the server', fields: { id: unknown }, param: 'id' },
  ])('422: refuses $fault, and creates nothing', async ({ fields, param }) => {
    const before = await countRows(api);
    expectProblem(await create(fields), 422, 'INVALID_REQUEST_BODY', param);
    expect(await countRows(api)).toEqual(before);
  });

  it('422: refuses the 21st endpoint, even when thirty requests arrive at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => create()));
    const refused = answers.filter(({ status }) => status !== 200);
    const { body } = await api.call('GET /webhooks', { query: 'limit=100' });
    expect(body.data.length).toBeLessThanOrEqual(20);
    expect(body.data.length).toBe(30 - refused.length);
    while ((await create()).status === 200);
    expectProblem(await create(), 422, 'INVALID_REQUEST_PARAMETERS');
    expect((await api.call('GET /webhooks', { query: 'limit=100' })).body.data).toHaveLength(20);
    await api.call(`DELETE /webhooks/${body.data[0].id}`);
    expect((await create()).status).toBe(200);
  });

  it('401, 403: needs a key with write access', async () => {
    expectProblem(await api.call('POST /webhooks', { body: { url }, key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expectProblem(await api.call('POST /webhooks', { body: { url }, key }), 403, 'UNAUTHORIZED');
  });
});

describe('GET /webhooks', () => {
  it('200: answers an iterator for the next page, except on the last page', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push(await created());
    const pages: string[][] = [];
    let iterator: string | null = '';
    while (iterator !== null) {
      const { body }: { body: { data: { id: string }[]; iterator: string | null; done: boolean } } = await api.call(
        'GET /webhooks',
        { query: `limit=2&iterator=${iterator}` },
      );
      pages.push(body.data.map(({ id }) => id));
      iterator = body.iterator;
      expect(body.done).toBe(iterator === null);
    }
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat().sort()).toEqual([...ids].sort());
  });

  it('200: answers prev_iterator, which leads to the previous page', async () => {
    for (let index = 0; index < 5; index += 1) await created();
    const first = (await api.call('GET /webhooks', { query: 'limit=2' })).body;
    const second = (await api.call('GET /webhooks', { query: `limit=2&iterator=${first.iterator}` })).body;
    const back = (await api.call('GET /webhooks', { query: `limit=2&iterator=${second.prev_iterator}` })).body;
    expect(first.prev_iterator).toBeNull();
    expect(back.data).toEqual(first.data);
  });

  it('422: refuses a limit out of range and an iterator of another list', async () => {
    expectProblem(await api.call('GET /webhooks', { query: 'limit=0' }), 422, 'INVALID_QUERY_PARAMS', 'limit');
    expectProblem(await api.call('GET /webhooks', { query: 'limit=101' }), 422, 'INVALID_QUERY_PARAMS', 'limit');
    expectProblem(await api.call('GET /webhooks', { query: 'iterator=x' }), 422, 'INVALID_QUERY_PARAMS', 'iterator');
  });
});

describe('PATCH /webhooks/{id}', () => {
  it('200: changes only the fields that are sent', async () => {
    const id = await created({ description: 'A', metadata: { a: 'b' }, filter_types: ['refund.*'] });
    const before = (await api.call(`GET /webhooks/${id}`)).body;
    clock.forward({ minutes: 1 });
    const { status, body } = await api.call(`PATCH /webhooks/${id}`, { body: { description: 'B' } });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, description: 'B', updated_at: body.updated_at });
    expect(body.updated_at > before.updated_at).toBe(true);
  });

  it('200: clears an optional field for null', async () => {
    const id = await created({ description: 'A', metadata: { a: 'b' }, filter_types: ['refund.*'] });
    const nothing = {
      url: null,
      description: null,
      metadata: null,
      filter_types: null,
      rate_limit: null,
      disabled: null,
    };
    const { body } = await api.call(`PATCH /webhooks/${id}`, { body: nothing });
    expect(body).toMatchObject({
      url,
      description: '',
      metadata: {},
      filter_types: null,
      rate_limit: null,
      disabled: false,
    });
  });

  it('200: disables and enables an endpoint', async () => {
    const id = await created();
    const off = await api.call(`PATCH /webhooks/${id}`, { body: { disabled: true } });
    expect(off.body).toMatchObject({ disabled: true, disabled_reason: 'merchant' });
    const on = await api.call(`PATCH /webhooks/${id}`, { body: { disabled: false } });
    expect(on.body).toMatchObject({ disabled: false, disabled_reason: null, disabled_at: null });
  });

  it('422, 404: refuses a URL into a private network and an unknown endpoint', async () => {
    const id = await created();
    expectProblem(
      await api.call(`PATCH /webhooks/${id}`, { body: { url: 'https://[::1]/' } }),
      422,
      'INVALID_REQUEST_BODY',
      'url',
    );
    expectProblem(
      await api.call(`PATCH /webhooks/${id}`, { body: { headers: {} } }),
      422,
      'INVALID_REQUEST_BODY',
      'headers',
    );
    expectProblem(await api.call(`PATCH /webhooks/${unknown}`, { body: {} }), 404, 'NOT_FOUND');
  });

  it('keeps every field of changes that arrive at once', async () => {
    const id = await created();
    const changes = [{ description: 'B' }, { filter_types: ['payment.*'] }, { metadata: { a: 'b' } }];
    const answers = await Promise.all(changes.map((body) => api.call(`PATCH /webhooks/${id}`, { body })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await api.call(`GET /webhooks/${id}`)).body).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('the headers of an endpoint', () => {
  it('200: can be added and replaced, and values of sensitive headers are never shown', async () => {
    const id = await created({ headers: { 'X-Shop': '1' } });
    const body = { headers: { 'x-shop': '2', Authorization: 'Bearer hidden', 'X-Api-Key': 'hidden' } };
    expect((await api.call(`PATCH /webhooks/${id}/headers`, { body })).text).toBe('{}');
    const { body: shown, text } = await api.call(`GET /webhooks/${id}/headers`);
    expect(shown).toEqual({ headers: { 'x-shop': '2' }, sensitive: ['Authorization', 'X-Api-Key'] });
    expect(text).not.toContain('hidden');
    await api.call(`PATCH /webhooks/${id}/headers`, { body: { headers: { 'x-shop': null } } });
    expect((await api.call(`GET /webhooks/${id}/headers`)).body.headers).toEqual({});
  });

  it('422, 404: are refused if they are too many or reserved, or if the endpoint is unknown', async () => {
    const id = await created();
    const headers = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'a']));
    expectProblem(
      await api.call(`PATCH /webhooks/${id}/headers`, { body: { headers } }),
      422,
      'INVALID_REQUEST_PARAMETERS',
    );
    const reserved = { headers: { 'Content-Type': 'text/html' } };
    expectProblem(await api.call(`PATCH /webhooks/${id}/headers`, { body: reserved }), 422, 'INVALID_REQUEST_BODY');
    expectProblem(await api.call(`GET /webhooks/${unknown}/headers`), 404, 'NOT_FOUND');
  });
});

describe('the secret of an endpoint', () => {
  it('200: is shown only by its own route, and is in no other answer, stored answer or log line', async () => {
    const { body, text } = await create({}, { 'idempotency-key': 'secret' });
    const {
      body: { secret },
    } = await api.call(`GET /webhooks/${body.id}/secret`);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const others = await Promise.all(
      [`GET /webhooks/${body.id}`, 'GET /webhooks', `GET /webhooks/${body.id}/headers`].map((call) => api.call(call)),
    );
    for (const shown of [text, ...others.map((answer) => answer.text), ...api.log])
      expect(shown).not.toContain('whsec_');
  });

  it('403: needs a key with write access', async () => {
    const id = await created();
    const key = await api.addKey({ access: 'read' });
    expectProblem(await api.call(`GET /webhooks/${id}/secret`, { key }), 403, 'UNAUTHORIZED');
  });

  it('200: changes with a rotation, once per Idempotency-Key', async () => {
    const id = await created();
    const secretOf = async () => (await api.call(`GET /webhooks/${id}/secret`)).body.secret;
    const first = await secretOf();
    const rotate = () => api.call(`POST /webhooks/${id}/rotate`, { headers: { 'idempotency-key': `rotate-${id}` } });
    const { status, text } = await rotate();
    const second = await secretOf();
    await rotate();
    expect(status).toBe(200);
    expect(text).not.toContain('whsec_');
    expect(second).not.toBe(first);
    expect(await secretOf()).toBe(second);
    expectProblem(await api.call(`POST /webhooks/${unknown}/rotate`), 404, 'NOT_FOUND');
  });
});

describe('POST /webhooks/{id}/rotate', () => {
  it('409: is refused while three earlier secrets still sign, and the secret stays', async () => {
    const id = await created();
    for (const _ of [1, 2, 3]) expect((await api.call(`POST /webhooks/${id}/rotate`)).status).toBe(200);
    const { secret } = (await api.call(`GET /webhooks/${id}/secret`)).body;
    expectProblem(await api.call(`POST /webhooks/${id}/rotate`), 409, 'CONFLICT');
    expect((await api.call(`GET /webhooks/${id}/secret`)).body.secret).toBe(secret);
  });
});

describe('DELETE /webhooks/{id}', () => {
  it('200: deletes the endpoint and its secret', async () => {
    const id = await created();
    expect((await api.call(`DELETE /webhooks/${id}`)).text).toBe('{}');
    for (const path of ['', '/secret', '/headers', '/deliveries']) {
      expectProblem(await api.call(`GET /webhooks/${id}${path}`), 404, 'NOT_FOUND');
    }
    expectProblem(await api.call(`DELETE /webhooks/${id}`), 404, 'NOT_FOUND');
    expect((await api.call('GET /webhooks')).body.data).toEqual([]);
  });

  it('200: deletes it once when twenty requests arrive at once, and counts it once', async () => {
    const id = await created();
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.call(`DELETE /webhooks/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (let index = 0; index < 20; index += 1) expect((await create()).status).toBe(200);
    expect((await create()).status).toBe(422);
  });
});
