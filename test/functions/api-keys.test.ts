import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callDynamo } from '../../infra/local/dynamo-wire.ts';
import { localAws } from '../../infra/local/local-aws.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { createTable } from '../../infra/local/table.ts';
import { formatApiKey, stageOfKey } from '../../shared/http/api-key.ts';
import { type Api, startApi } from '../support/api.ts';
import { clock } from '../support/clock.ts';
import { expectProblem } from '../support/problem.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(() => api.stop());

const members = ['id', 'name', 'access', 'last_four', 'created_at', 'expires_at', 'revoked_at'];

const create = async (fields: object = {}) =>
  (await api.call('POST /api-keys', { body: { name: 'Shop', access: 'write', ...fields } })).body;

/** Everything that the table holds, as text. */
const dump = async (): Promise<string> =>
  JSON.stringify(await callDynamo(api.endpoint, 'DynamoDB', 'Scan', { TableName: api.tableName }));

describe('POST /api-keys', () => {
  it('200: a key that works, shown once, and nowhere else', async () => {
    const { status, body, headers } = await api.call('POST /api-keys', { body: { name: 'Shop', access: 'write' } });
    expect({ status, keys: Object.keys(body) }).toEqual({ status: 200, keys: [...members, 'key'] });
    expect(body).toMatchObject({ id: expect.stringMatching(/^key_[0-9a-f]{21}$/), last_four: body.key.slice(-4) });
    expect(stageOfKey(body.key)).toBe('sandbox');
    expect(headers['cache-control']).toBe('no-store');
    expect((await api.call('GET /products', { key: body.key })).status).toBe(200);
    expect(await dump()).not.toContain(body.key);
    expect(api.log.join()).not.toContain(body.key);
  });

  it('200: may only read, unless somebody says more', async () => {
    const { key, access } = await create({ access: undefined });
    expect(access).toBe('read');
    expect((await api.call('GET /products', { key })).status).toBe(200);
    expectProblem(await api.call('POST /products', { key, body: {} }), 403, 'UNAUTHORIZED');
  });

  it('200: two keys for one Idempotency-Key, because no answer with a key in it is kept', async () => {
    const ask = { body: { name: 'Twice' }, headers: { 'idempotency-key': 'same' } };
    const [first, second] = [await api.call('POST /api-keys', ask), await api.call('POST /api-keys', ask)];
    expect(second.body.key).not.toBe(first.body.key);
  });

  it('200: one that expires does', async () => {
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
    [{ access: 'admin' }, 'access'],
    [{ expires_at: 'tomorrow' }, 'expires_at'],
    [{ hash: 'x' }, 'hash'],
    [{ key: 'sk_test_mine' }, 'key'],
  ])('422: %j', async (fields, param) => {
    const answer = await api.call('POST /api-keys', { body: { name: 'Shop', ...fields } });
    expectProblem(answer, 422, 'INVALID_REQUEST_BODY', param);
  });

  it('422: one that has expired already', async () => {
    const answer = await api.call('POST /api-keys', { body: { name: 'Late', expires_at: '2020-01-01T00:00:00Z' } });
    expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', 'expires_at');
  });

  it('401, 403: no key, a key that may only read', async () => {
    const { key } = await create({ access: 'read' });
    expectProblem(await api.call('POST /api-keys', { key: null, body: {} }), 401, 'UNAUTHORIZED');
    expectProblem(
      await api.call('POST /api-keys', { key, body: { name: 'More', access: 'write' } }),
      403,
      'UNAUTHORIZED',
    );
  });
});

describe('GET /api-keys', () => {
  it('200: all keys, the newest first, none of them readable', async () => {
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
  it('E4: 100 of 100 revoked keys are refused by their next call', async () => {
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

  it('200: a key revokes itself, and that again changes nothing', async () => {
    const { id, key } = await create();
    expect((await api.call(`DELETE /api-keys/${id}`, { key })).status).toBe(200);
    const { body } = await api.call('GET /api-keys');
    const revokedAt = body.items.find((item: { id: string }) => item.id === id).revoked_at;
    expect((await api.call(`DELETE /api-keys/${id}`)).status).toBe(200);
    const again = (await api.call('GET /api-keys')).body.items.find((item: { id: string }) => item.id === id);
    expect(again.revoked_at).toBe(revokedAt);
  });

  it('200: replayed under its Idempotency-Key', async () => {
    const { id } = await create();
    const ask = { headers: { 'idempotency-key': 'revoke' } };
    await api.call(`DELETE /api-keys/${id}`, ask);
    expect((await api.call(`DELETE /api-keys/${id}`, ask)).headers['idempotent-replayed']).toBe('true');
  });

  it('200: four created at once are all there', async () => {
    const created = await Promise.all(Array.from({ length: 4 }, () => create()));
    const { body } = await api.call('GET /api-keys');
    const ids = body.items.map((item: { id: string }) => item.id);
    expect(ids).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
  });

  it('404: no such key', async () => {
    expectProblem(await api.call('DELETE /api-keys/key_000000000000000000000'), 404, 'NOT_FOUND');
  });
});

describe('npm run keys', () => {
  const stack = 'tillstack-demo-sandbox-DataTable1A2B3C4D-EXAMPLE';
  const run = promisify(execFile);
  const keys = (...args: string[]) =>
    run(process.execPath, ['infra/keys.ts', ...args], {
      env: {
        ...process.env,
        AWS_ENDPOINT_URL_DYNAMODB: api.endpoint,
        AWS_REGION: localAws.region,
        AWS_ACCESS_KEY_ID: localAws.accessKeyId,
        AWS_SECRET_ACCESS_KEY: localAws.secretAccessKey,
      },
    });
  const demo = ['--merchant', 'demo', '--stage', 'sandbox'];

  beforeAll(async () => {
    for (const name of [stack, `${stack}-restored`]) await createTable(api.table.call, name);
  });

  it('E6: creates a first key in the table of the stack, prints it once and nothing else', async () => {
    const { stdout } = await keys('create', ...demo, '--name', 'First');
    expect(stageOfKey(stdout.trim())).toBe('sandbox');
    const listed = await keys('list', ...demo);
    expect(listed.stdout).toMatch(/^key_[0-9a-f]{21} {2}write {2}….{4} {2}in use {3}First\n$/);
    expect(listed.stdout).not.toContain(stdout.trim());
  });

  it('creates a key that the stack takes, and revokes it', async () => {
    const table = ['--table', api.tableName];
    const { stdout } = await keys('create', ...demo, ...table, '--name', 'Reader', '--access', 'read');
    const key = stdout.trim();
    expect((await api.call('GET /products', { key })).status).toBe(200);
    expectProblem(await api.call('POST /products', { key, body: {} }), 403, 'UNAUTHORIZED');
    const { body } = await api.call('GET /api-keys');
    const { id } = body.items.find((item: { name: string }) => item.name === 'Reader');
    await keys('revoke', ...table, '--id', id);
    expectProblem(await api.call('GET /products', { key }), 401, 'UNAUTHORIZED');
  });

  it.each([
    [['create', '--stage', 'sandbox', '--name', 'x'], /--merchant is missing/],
    [['create', ...demo], /--name is missing/],
    [['create', '--merchant', 'demo', '--stage', 'beta', '--name', 'x'], /--stage is one of sandbox, live/],
    [['create', ...demo, '--name', 'x', '--access', 'all'], /--access is one of read, write/],
    [['create', '--merchant', 'nobody', '--stage', 'live', '--name', 'x'], /0 tables/],
    [['revoke', ...demo, '--id', 'key_0'], /no API key key_0/],
  ])('says what is wrong with %j', async (args, message) => {
    await expect(keys(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
  });
});

it('E1: 10,000 keys are all different, and no change of a letter goes unnoticed', () => {
  const text = (length: number) => Array.from({ length }, () => 'AZaz09bY'[Math.floor(Math.random() * 8)]).join('');
  expect(new Set(Array.from({ length: 10_000 }, () => formatApiKey('sandbox', text(32)))).size).toBe(10_000);
  for (let at = 8; at < localKey.length; at += 1)
    for (const letter of '0aZ') {
      const changed = localKey.slice(0, at) + letter + localKey.slice(at + 1);
      if (changed !== localKey) expect(stageOfKey(changed)).toBeUndefined();
    }
});
