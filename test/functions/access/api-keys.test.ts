import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runKeys } from '../../../infra/commands/keys.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { createLocalTable } from '../../../infra/local/local-table.ts';
import { callDynamo } from '../../../infra/local-aws/stream/dynamo-wire.ts';
import { formatApiKey, stageOfKey } from '../../../shared/http/api-key.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { typed, typedInShell } from '../../support/wire/command.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(() => api.stop());

const members = [
  ...['id', 'name', 'access', 'may_refund', 'daily_refund_limit', 'created_by'],
  ...['last_four', 'created_at', 'expires_at', 'revoked_at'],
];

const create = async (fields: object = {}) =>
  (await api.call('POST /api-keys', { body: { name: 'Shop', access: 'write', ...fields } })).body;

/** Everything that the table holds, as text. */
const dump = async (): Promise<string> =>
  JSON.stringify(await callDynamo(api.endpoint, 'DynamoDB', 'Scan', { TableName: api.tableName }));

describe('POST /api-keys', () => {
  it('200: creates a working key, which is shown once and nowhere else', async () => {
    const { status, body, headers } = await api.call('POST /api-keys', { body: { name: 'Shop', access: 'write' } });
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: [...members, 'key'] });
    expect(body).toMatchObject({ id: expect.stringMatching(/^key_[0-9a-f]{21}$/), last_four: body.key.slice(-4) });
    expect(stageOfKey(body.key)).toBe('sandbox');
    expect(headers['cache-control']).toBe('no-store');
    expect((await api.call('GET /products', { key: body.key })).status).toBe(200);
    expect(await dump()).not.toContain(body.key);
    expect(api.log.join()).not.toContain(body.key);
  });

  it('200: creates a key that can only read unless the request asks for more', async () => {
    const { key, access } = await create({ access: undefined });
    expect(access).toBe('read');
    expect((await api.call('GET /products', { key })).status).toBe(200);
    expectProblem(await api.call('POST /products', { key, body: {} }), 403, 'UNAUTHORIZED');
  });

  it('200: creates one key per Idempotency-Key, shows it in the first answer only and stores it nowhere', async () => {
    const ask = { body: { name: 'Twice' }, headers: { 'idempotency-key': 'same' } };
    const [first, second] = [await api.call('POST /api-keys', ask), await api.call('POST /api-keys', ask)];
    const { key, ...record } = first.body;
    expect(second.body).toEqual({ ...record, key: null, note: expect.stringContaining('shown once') });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect((await api.call('GET /products', { key })).status).toBe(200);
    expect(await dump()).not.toContain(key);
    const { body } = await api.call('GET /api-keys');
    expect(body.items.filter(({ name }: { name: string }) => name === 'Twice')).toHaveLength(1);
    const other = { ...ask, body: { name: 'Twice', access: 'write' } };
    expectProblem(await api.call('POST /api-keys', other), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('200: creates one key when the same Idempotency-Key arrives twice at once', async () => {
    const ask = { body: { name: 'At once' }, headers: { 'idempotency-key': 'at once' } };
    const answers = await Promise.all([api.call('POST /api-keys', ask), api.call('POST /api-keys', ask)]);
    expect(answers.filter(({ body }) => typeof body.key === 'string')).toHaveLength(1);
    const { body } = await api.call('GET /api-keys');
    expect(body.items.filter(({ name }: { name: string }) => name === 'At once')).toHaveLength(1);
  });

  it('200: creates a key with an expiry, and it stops working then', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const { key } = await create({ expires_at: '2026-03-01T14:00:00+01:00' });
    clock.stopAt('2026-03-01T12:59:59.999Z');
    expect((await api.call('GET /products', { key })).status).toBe(200);
    clock.stopAt('2026-03-01T13:00:00Z');
    expectProblem(await api.call('GET /products', { key }), 401, 'UNAUTHORIZED');
    clock.run();
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ access: 'all' }, 'access'],
    [{ may_refund: 'yes' }, 'may_refund'],
    [{ daily_refund_limit: { amount: 0, currency: 'EUR' } }, 'daily_refund_limit.amount'],
    [{ daily_refund_limit: { amount: 1.5, currency: 'EUR' } }, 'daily_refund_limit.amount'],
    [{ may_refund: false, daily_refund_limit: { amount: 1, currency: 'EUR' } }, 'daily_refund_limit'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ hash: 'x' }, 'hash'],
    [{ key: 'sk_test_mine' }, 'key'],
  ])('422: refuses %j', async (fields, param) => {
    const answer = await api.call('POST /api-keys', { body: { name: 'Shop', ...fields } });
    expectProblem(answer, 422, 'INVALID_REQUEST_BODY', param);
  });

  it('422: refuses an expiry that is in the past', async () => {
    const answer = await api.call('POST /api-keys', { body: { name: 'Late', expires_at: '2020-01-01T00:00:00Z' } });
    expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', 'expires_at');
  });

  it.each(['read', 'write'])('401, 403: refuses a call without a key or with %s access', async (access) => {
    const { key } = await create({ access });
    expectProblem(await api.call('POST /api-keys', { key: null, body: {} }), 401, 'UNAUTHORIZED');
    expectProblem(
      await api.call('POST /api-keys', { key, body: { name: 'More', access: 'write' } }),
      403,
      'UNAUTHORIZED',
    );
  });
});

describe('the right to refund', () => {
  it.each([
    [{ access: 'read' }, { may_refund: false, daily_refund_limit: null }],
    [{ access: 'write' }, { may_refund: true, daily_refund_limit: null }],
    [{ access: 'admin' }, { may_refund: true, daily_refund_limit: null }],
    [
      { access: 'write', may_refund: false },
      { may_refund: false, daily_refund_limit: null },
    ],
    [
      { access: 'read', may_refund: true },
      { may_refund: true, daily_refund_limit: null },
    ],
    [
      { access: 'read', daily_refund_limit: { amount: 5_000, currency: 'EUR' } },
      { may_refund: true, daily_refund_limit: { amount: 5_000, currency: 'EUR' } },
    ],
  ])('in the request %j becomes %j in the key', async (fields, right) => {
    expect(await create(fields)).toMatchObject(right);
  });

  it.each([
    { name: 'none', refunds: null },
    { name: 'one with a ceiling', refunds: { perDay: { amount: 1, currency: 'EUR' } } },
  ])('403: cannot be given by an admin key whose own refund right is $name', async ({ refunds }) => {
    const key = await api.addKey({ access: 'admin', refunds });
    const ask = (fields: object) => api.call('POST /api-keys', { key, body: { name: 'More', ...fields } });
    for (const fields of [
      { access: 'write' },
      { may_refund: true },
      { daily_refund_limit: { amount: 1, currency: 'EUR' } },
    ])
      expectProblem(await ask(fields), 403, 'UNAUTHORIZED');
    expect((await ask({ access: 'write', may_refund: false })).status).toBe(200);
  });
});

describe('an admin key with an expiry', () => {
  const ends = '2026-03-10T12:00:00.000Z';
  const sooner = '2026-03-05T00:00:00.000Z';
  const admin = (expiresAt: string) => api.addKey({ access: 'admin', refunds: { perDay: null }, expiresAt });
  const make = (key: string, fields: object) =>
    api.call('POST /api-keys', { key, body: { name: 'Child', access: 'admin', ...fields } });

  beforeEach(() => clock.stopAt('2026-03-01T12:00:00Z'));
  afterEach(() => clock.run());

  it.each([
    ['none', {}, ends],
    ['null', { expires_at: null }, ends],
    ['the same', { expires_at: '2026-03-10T13:00:00+01:00' }, ends],
    ['a sooner one', { expires_at: sooner }, sooner],
  ])('200: creates keys that expire with it or sooner; requested expiry: %s', async (_, fields, expires_at) => {
    const { status, body } = await make(await admin(ends), fields);
    expect({ status, body }).toMatchObject({ status: 200, body: { expires_at } });
    clock.stopAt(expires_at);
    expectProblem(await api.call('GET /products', { key: body.key }), 401, 'UNAUTHORIZED');
  });

  it('422: cannot create a key that expires later, and the answer says by when it must expire', async () => {
    for (const expires_at of ['2026-03-10T12:00:00.001Z', '2126-01-01T00:00:00Z']) {
      const answer = await make(await admin(ends), { expires_at });
      expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', 'expires_at');
      expect(answer.body.message).toContain(`by ${ends}`);
    }
  });

  it('also limits keys that are created by the keys that it creates', async () => {
    const child = (await make(await admin(ends), { expires_at: sooner })).body.key;
    expect((await make(child, {})).body.expires_at).toBe(sooner);
    expectProblem(await make(child, { expires_at: ends }), 422, 'INVALID_REQUEST_PARAMETERS', 'expires_at');
  });

  it('differs from a key without an expiry, which creates keys with and without an expiry', async () => {
    expect([await create(), await create({ expires_at: ends })]).toMatchObject([
      { expires_at: null },
      { expires_at: ends },
    ]);
  });
});

describe('GET /api-keys', () => {
  it('200: lists all keys, newest first, without any secret', async () => {
    const { id, key } = await create({ name: 'Newest' });
    const { status, body, text } = await api.call('GET /api-keys');
    expect({ status, first: body.items[0].id, keys: Object.keys(body.items[0]) }).toEqual({
      status: 200,
      first: id,
      keys: members,
    });
    expect(body.items.at(-1)).toBeDefined();
    expect(text).not.toContain(key);
    expect(text).not.toMatch(/sk_|hash/);
  });
});

describe('DELETE /api-keys/{id}', () => {
  it('100 of 100 revoked keys are refused on their next call', async () => {
    const keys = [];
    for (let count = 0; count < 100; count += 1) {
      const { id, key } = await create();
      const { status, text } = await api.call(`DELETE /api-keys/${id}`);
      expect({ status, text }).toEqual({ status: 200, text: '{}' });
      keys.push(key);
    }
    const answers = await Promise.all(keys.map((key) => api.call('GET /products', { key })));
    expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(401));
  });

  it('200: lets a key revoke itself, and a second call changes nothing', async () => {
    const { id, key } = await create({ access: 'admin' });
    expect((await api.call(`DELETE /api-keys/${id}`, { key })).status).toBe(200);
    const { body } = await api.call('GET /api-keys');
    const revokedAt = body.items.find((item: { id: string }) => item.id === id).revoked_at;
    expect((await api.call(`DELETE /api-keys/${id}`)).status).toBe(200);
    const again = (await api.call('GET /api-keys')).body.items.find((item: { id: string }) => item.id === id);
    expect(again.revoked_at).toBe(revokedAt);
  });

  it('200: repeats its answer for the same Idempotency-Key', async () => {
    const { id } = await create();
    const ask = { headers: { 'idempotency-key': 'revoke' } };
    await api.call(`DELETE /api-keys/${id}`, ask);
    expect((await api.call(`DELETE /api-keys/${id}`, ask)).headers['idempotent-replayed']).toBe('true');
  });

  it('200: finds each of four keys that were created at the same time', async () => {
    const created = await Promise.all(Array.from({ length: 4 }, () => create()));
    const { body } = await api.call('GET /api-keys');
    const ids = body.items.map((item: { id: string }) => item.id);
    expect(ids).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
  });

  it('404: refuses an unknown key id', async () => {
    expectProblem(await api.call('DELETE /api-keys/key_000000000000000000000'), 404, 'NOT_FOUND');
  });
});

describe('npm run keys', () => {
  const stack = 'tillstack-demo-sandbox-DataTable1A2B3C4D-EXAMPLE';
  const keys = (...args: string[]) => typed(runKeys, args);
  const demo = ['--merchant', 'demo', '--stage', 'sandbox'];

  beforeAll(async () => {
    for (const name of [stack, `${stack}-restored`]) await createLocalTable(api.table.call, name);
  });

  it('creates the first key in the stack’s table and prints only this key, once', async () => {
    const { code, out } = await typedInShell(
      'infra/commands/keys.ts',
      ['create', ...demo, '--name', 'First'],
      api.endpoint,
    );
    expect([code, stageOfKey(out.trim())]).toEqual([0, 'sandbox']);
    const listed = await keys('list', ...demo);
    expect(listed.out).toMatch(/^key_[0-9a-f]{21} {2}write {2}….{4} {2}in use {3}First\n$/);
    expect(listed.out).not.toContain(out.trim());
  });

  it('creates a key that the stack accepts, and revokes it', async () => {
    const table = ['--table', api.tableName];
    const { out } = await keys('create', ...demo, ...table, '--name', 'Reader', '--access', 'read');
    const key = out.trim();
    expect((await api.call('GET /products', { key })).status).toBe(200);
    expectProblem(await api.call('POST /products', { key, body: {} }), 403, 'UNAUTHORIZED');
    const { body } = await api.call('GET /api-keys');
    const { id } = body.items.find((item: { name: string }) => item.name === 'Reader');
    await keys('revoke', ...table, '--id', id);
    expectProblem(await api.call('GET /products', { key }), 401, 'UNAUTHORIZED');
  });

  it.each([
    [['nothing'], /npm run keys -- --help/, 2],
    [['create', '--stage', 'sandbox', '--name', 'x'], /--merchant is required/, 2],
    [['create', ...demo], /--name is required/, 2],
    [['create', '--merchant', 'demo', '--stage', 'beta', '--name', 'x'], /--stage must be one of sandbox, live/, 2],
    [['create', ...demo, '--name', 'x', '--access', 'all'], /--access must be one of read, write, admin/, 2],
    [['create', ...demo, '--name', 'x', '--refunds', '500'], /--refunds must be no, yes, or a daily limit/, 2],
    [['create', '--merchant', 'nobody', '--stage', 'live', '--name', 'x'], /0 tables/, 1],
    [['revoke', ...demo, '--id', 'key_0'], /no API key key_0/, 1],
  ])('says what is wrong with the arguments %j', async (args, message, code) => {
    expect(await keys(...args)).toEqual({ code, out: '', error: expect.stringMatching(message) });
  });
});

it('10,000 keys are all different, and a changed letter in a key is always noticed', () => {
  const text = (length: number) => Array.from({ length }, () => 'AZaz09bY'[Math.floor(Math.random() * 8)]).join('');
  expect(new Set(Array.from({ length: 10_000 }, () => formatApiKey('sandbox', text(32)))).size).toBe(10_000);
  for (let at = 8; at < localKey.length; at += 1)
    for (const letter of '0aZ') {
      const changed = localKey.slice(0, at) + letter + localKey.slice(at + 1);
      if (changed !== localKey) expect(stageOfKey(changed)).toBeUndefined();
    }
});
