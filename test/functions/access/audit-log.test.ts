import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { apiKeyIdOf } from '../../../shared/domain/access/api-key.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { mostRowBytes } from '../../../shared/store/table/list-row.ts';
import { auditLog } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { onNextCommit } from '../../support/faults/faults.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const latest = async (query = 'page_size=1') => (await api.call('GET /audit-log', { query })).body.items;
const local = apiKeyIdOf({ hash: hashApiKey(localKey) });

describe('GET /audit-log', () => {
  it('200: answers who refunded what, and when', async () => {
    const { paymentId } = await sell(api);
    clock.stopAt('2026-03-01T12:00:00.000Z');
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
    expect(await latest('created_at_gte=2026-03-01T12:00:00Z&created_at_lte=2026-03-01T12:00:00Z')).toEqual([
      {
        id: expect.stringMatching(/^aud_\w{21}$/),
        created_at: '2026-03-01T12:00:00.000Z',
        command: 'refund.create',
        subject_id: refund.refund_id,
        details: { payment_id: paymentId, amount: 500, currency: 'EUR' },
        by: { key_id: local, member_id: null, key_name: 'Local sandbox', via: 'api' },
      },
    ]);
  });

  it('200: lists newest first, by page number and by cursor', async () => {
    for (let nth = 0; nth < 5; nth += 1) await addProduct(api);
    const first = (await api.call('GET /audit-log', { query: 'page_size=3' })).body;
    expect([first.items.length, first.has_more]).toEqual([3, true]);
    const second = (await api.call('GET /audit-log', { query: `page_size=2&cursor=${first.next_cursor}` })).body;
    const times = [...first.items, ...second.items].map(({ created_at }: { created_at: string }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(new Set([...first.items, ...second.items].map(({ id }: { id: string }) => id)).size).toBe(5);
  });

  it('422: refuses an unknown query parameter', async () => {
    expectProblem(await api.call('GET /audit-log', { query: 'key_id=x' }), 422, 'INVALID_QUERY_PARAMS', 'key_id');
  });
});

describe('an entry', () => {
  it('names the key that somebody used to sign in to the dashboard', async () => {
    const key = await api.addKey({ access: 'admin', name: 'Anna' });
    const { cookies, token } = await browse(api, key);
    const form = { token, form_id: 'f', action: 'save', name: 'Second' };
    expect((await postForm(api, '/dashboard/brands', form, cookies)).status).toBe(303);
    const [entry] = await latest();
    const by = { key_id: apiKeyIdOf({ hash: hashApiKey(key) }), member_id: null, key_name: 'Anna', via: 'dashboard' };
    expect(entry).toMatchObject({ command: 'brand.create', by });
    expect((await postForm(api, '/dashboard/brands', form, cookies)).status).toBe(303);
    expect(await latest()).toEqual([entry]);
  });

  it('is written once when a request is repeated with its Idempotency-Key', async () => {
    const ask = { body: { name: 'Once' }, headers: { 'idempotency-key': 'audited once' } };
    await api.call('POST /brands', ask);
    const [entry] = await latest();
    await api.call('POST /brands', ask);
    expect(await latest()).toEqual([entry]);
  });

  it('is written together with its change: both exist or neither does', async () => {
    const before = await latest();
    onNextCommit(() => Promise.reject(Object.assign(new Error('lost'), { name: 'InternalServerError' })));
    onNextCommit(() => Promise.reject(new Error('lost')));
    await api.call('POST /brands', { body: { name: 'Lost' } });
    const { body } = await api.call('GET /brands');
    expect(body.items.some(({ name }: { name: string }) => name === 'Lost')).toBe(false);
    expect(await latest()).toEqual(before);
  });

  it('shows which fields of a webhook changed, but no address, header or secret', async () => {
    const url = 'https://shop.example/hooks?token=hidden';
    const { body } = await api.call('POST /webhooks', { body: { url, headers: { 'x-pin': 'hidden' } } });
    await api.call(`PATCH /webhooks/${body.id}`, { body: { url: `${url}2`, description: 'hidden' } });
    await api.call(`PATCH /webhooks/${body.id}/headers`, { body: { headers: { 'x-pin': 'hidden', accept: '*/*' } } });
    await api.call(`POST /webhooks/${body.id}/rotate`, { body: {} });
    const entries = await latest('page_size=4');
    expect(entries.map(({ command, details }: { command: string; details: object }) => [command, details])).toEqual([
      ['webhook.rotate_secret', {}],
      ['webhook.update_headers', { changed: 'accept, x-pin' }],
      ['webhook.update', { changed: 'description, url', moved: true }],
      ['webhook.create', {}],
    ]);
  });

  it('shows the rights of a created key, and how many keys were revoked with a revoked key', async () => {
    const fields = { name: 'Root', access: 'admin', daily_refund_limit: { amount: 500, currency: 'EUR' } };
    const { body: root } = await api.call('POST /api-keys', { body: fields });
    await api.call('POST /api-keys', { key: root.key, body: { name: 'Child' } });
    await api.call(`DELETE /api-keys/${root.id}`, { query: 'descendants=true' });
    const [revoked, , made] = await latest('page_size=3');
    expect(made).toMatchObject({
      command: 'api_key.create',
      subject_id: root.id,
      details: { access: 'admin', may_refund: true, refunds_per_day: '500 EUR' },
    });
    expect(revoked).toMatchObject({ command: 'api_key.revoke', subject_id: root.id, details: { descendants: 1 } });
  });
});

it('The longest audit entry costs one write unit in the table and one in its index', async () => {
  const { body } = await api.call('POST /webhooks', { body: { url: 'https://shop.example/' } });
  const key = await api.addKey({ access: 'admin', name: '🌍'.repeat(100) });
  const headers = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x-${n}`.padEnd(100, 'x'), 'hidden']));
  expect((await api.call(`PATCH /webhooks/${body.id}/headers`, { key, body: { headers } })).status).toBe(200);
  const { items } = await auditLog().list({}, { size: 1, skip: 0, after: undefined });
  expect(items[0]?.command).toBe('webhook.update_headers');
  expect(Buffer.byteLength(JSON.stringify(items[0]))).toBeLessThan(mostRowBytes);
});

it('The audit log holds no key, no secret and no data about buyers', async () => {
  const { items } = await auditLog().list({}, { size: 500, skip: 0, after: undefined });
  expect(items.length).toBeGreaterThan(10);
  expect(JSON.stringify(items)).not.toMatch(/sk_test|whsec_|hidden|buyer@|A Buyer|https?:/);
});

describe('the dashboard', () => {
  it('shows the audit log page by page', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    for (let nth = 0; nth < 21; nth += 1) await addProduct(api);
    const { status, text } = await api.call('GET /dashboard/audit-log', { cookies, key: null });
    expect([status, text.match(/product create/g)?.length]).toEqual([200, 20]);
    const older = /href="(\/dashboard\/audit-log\?after=[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const [path = '', query = ''] = older.split('?');
    expect((await api.call(`GET ${path}`, { cookies, key: null, query })).text).toContain('product create');
  });

  it('exports the audit log of a period', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    clock.stopAt('2026-05-01T23:59:59.999Z');
    const productId = await addProduct(api, { name: '=1+1' });
    clock.run();
    const file = async (day: string) => {
      const query = `from=${day}&to=${day}`;
      return (await api.call('GET /dashboard/exports/audit-log.csv', { cookies, key: null, query })).text
        .trim()
        .split('\r\n');
    };
    const [head, ...lines] = await file('2026-05-01');
    expect(head).toContain('at,key_id,key_name,via,command,subject_id,details,id');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`2026-05-01T23:59:59.999Z,${local},Local sandbox,api,product.create,${productId},`);
    expect(await file('2026-05-02')).toHaveLength(1);
  });
});
