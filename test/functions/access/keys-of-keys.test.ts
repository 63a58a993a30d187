import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { ApiKey, apiKeyIdOf } from '../../../shared/domain/access/api-key.ts';
import { type ApiKeyList, descendantsOf, withApiKey } from '../../../shared/domain/access/api-key-list.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { revokeApiKey } from '../../../shared/use-cases/access/revoke-api-key.ts';
import { afterNextRead } from '../../support/faults/faults.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
});

afterAll(() => api.stop());

const create = async (fields: object = {}) =>
  (await api.call('POST /api-keys', { body: { name: 'Shop', access: 'write', ...fields } })).body;

/** Hashes whose ids differ. */
const hashOf = (n: number): string => `${1_000 + n}`.padEnd(64, '0');

describe('the keys that a key has made', () => {
  const admin = { access: 'admin' };
  const make = async (key: string, fields: object = admin) =>
    (await api.call('POST /api-keys', { key, body: { name: 'Child', ...fields } })).body;
  const isRefused = async (key: string) => (await api.call('GET /products', { key })).status === 401;

  async function family() {
    const root = await create(admin);
    const child = await make(root.key);
    const grandchild = await make(child.key, { access: 'read' });
    const stranger = await create(admin);
    return { root, child, grandchild, stranger };
  }

  it('name that key as their creator', async () => {
    const { root, child, grandchild } = await family();
    expect([child.created_by, grandchild.created_by]).toEqual([root.id, child.id]);
  });

  it('stay valid when only that key is revoked, and are revoked with it on request', async () => {
    const { root, child, grandchild, stranger } = await family();
    await api.call(`DELETE /api-keys/${root.id}`);
    expect(await Promise.all([root, child, grandchild, stranger].map(({ key }) => isRefused(key)))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect((await api.call(`DELETE /api-keys/${root.id}`, { query: 'descendants=true' })).status).toBe(200);
    expect(await Promise.all([root, child, grandchild, stranger].map(({ key }) => isRefused(key)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('stay valid when the same Idempotency-Key is sent with a different body', async () => {
    const { root } = await family();
    const headers = { 'idempotency-key': 'revoke a family' };
    expect((await api.call(`DELETE /api-keys/${root.id}`, { headers })).status).toBe(200);
    const more = await api.call(`DELETE /api-keys/${root.id}`, { headers, query: 'descendants=true' });
    expectProblem(more, 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('are revoked with it even if a key between them is already revoked', async () => {
    const { root, child, grandchild } = await family();
    await api.call(`DELETE /api-keys/${child.id}`);
    await api.call(`DELETE /api-keys/${root.id}`, { query: 'descendants=true' });
    expect(await isRefused(grandchild.key)).toBe(true);
  });

  it('are all revoked with it, even a key that it creates during the revocation', async () => {
    const { root } = await family();
    const revoke = () => api.call(`DELETE /api-keys/${root.id}`, { query: 'descendants=true' });
    let late: { key?: string; status?: number } = {};
    afterNextRead(`KEY#${hashApiKey(localKey)}`, async () =>
      afterNextRead('KEY', async () => {
        late = await make(root.key);
      }),
    );
    expect((await revoke()).status).toBe(200);
    expect(await isRefused(late.key ?? '')).toBe(true);
    const other = await create(admin);
    let refused = 0;
    afterNextRead(`KEY#${hashApiKey(other.key)}`, async () => {
      await api.call(`DELETE /api-keys/${other.id}`);
    });
    refused = (await api.call('POST /api-keys', { key: other.key, body: { name: 'Late' } })).status;
    expect(refused).toBe(401);
  });

  it('are all revoked together, even more keys than fit in one transaction', async () => {
    const keys = Array.from({ length: 95 }, (_, n) =>
      ApiKey.parse({
        hash: hashOf(n),
        name: `Key ${n}`,
        lastFour: '0000',
        access: 'admin',
        createdAt: `2026-01-01T00:00:${String(n % 60).padStart(2, '0')}.${n}Z`,
        expiresAt: null,
        refunds: null,
        revokedAt: null,
        createdBy: n === 0 ? null : apiKeyIdOf({ hash: hashOf(n - 1) }),
      }),
    );
    const saved: number[] = [];
    let list = { keys, version: 1 };
    const apiKeys = {
      list: async () => list,
      saveAll: async (before: typeof list, changed: readonly ApiKey[]) => {
        saved.push(changed.length);
        list = {
          version: list.version + 1,
          keys: changed.reduce((known, key) => withApiKey(known, key, key.revokedAt ?? ''), before).keys,
        };
      },
    };
    const id = apiKeyIdOf(keys[0] as ApiKey);
    let claims = 0;
    await revokeApiKey({ apiKeys, now: () => new Date() }, { id, withDescendants: true }, () => {
      claims += 1;
      return [];
    });
    expect({ saved, claims, inUse: list.keys.filter(({ revokedAt }) => revokedAt === null).length }).toEqual({
      saved: [80, 16],
      claims: 1,
      inUse: 0,
    });
  });
});

it('A key whose creator is no longer listed is shown under the nearest earlier creator that is listed', () => {
  const key = (n: number, revokedAt: string | null) =>
    ApiKey.parse({
      hash: hashOf(n),
      name: 'Key',
      lastFour: '0000',
      access: 'admin',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
      expiresAt: null,
      refunds: null,
      revokedAt,
      createdBy: n === 0 ? null : apiKeyIdOf({ hash: hashOf(n - 1) }),
    });
  const at = '2026-02-01T00:00:00.000Z';
  let list: ApiKeyList = { keys: [], version: 0 };
  list = withApiKey(list, key(0, null), at);
  for (let n = 1; n <= 150; n += 1) {
    list = withApiKey(list, key(n, null), at);
    if (n > 1) list = withApiKey(list, key(n - 1, at), at);
  }
  const root = apiKeyIdOf(key(0, null));
  expect(descendantsOf(list, root, at).map(apiKeyIdOf)).toEqual([apiKeyIdOf(key(150, null))]);
});
