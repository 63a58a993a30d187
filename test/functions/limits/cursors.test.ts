import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { sealCursor } from '../../../shared/wire/cursor.ts';
import { cursorSecret, stackSecret } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

interface Contract {
  paths: Record<string, Partial<Record<string, { parameters: { name?: string }[] }>>>;
}

/** Every route that takes a cursor. */
const { paths }: Contract = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const walked = endpoints
  .filter(({ method }) => method === 'GET')
  .map((endpoint) => endpoint.paths[0])
  .filter((path) => paths[path]?.get?.parameters.some(({ name }) => name === 'cursor'));
const audit = '/invoices/audit';
const lists = walked.filter((path) => path !== audit);

let api: Api;
let ids: Record<string, string>;
let stackKey: string | undefined;

beforeAll(async () => {
  api = await startApi();
  await stackSecret();
  stackKey = await cursorSecret();
  const { paymentId } = await sell(api);
  await sell(api);
  const made = (path: string, body: object) => api.call(`POST ${path}`, { body });
  const discount = (await made('/discounts', { type: 'percentage', amount: 1_000 })).body.discount_id;
  const webhook = (await made('/webhooks', { url: 'https://shop.example/hooks' })).body.id;
  const customer = (await api.call(`GET /payments/${paymentId}`)).body.customer.customer_id;
  const flag = { name: 'Pro', integration_type: 'feature_flag', integration_config: { feature_id: 'pro' } };
  const entitlement = (await made('/entitlements', flag)).body.id;
  ids = { discounts: discount, webhooks: webhook, customers: customer, entitlements: entitlement };
});
afterAll(() => api.stop());

const addressOf = (path: string): string =>
  path.replace(/([a-z]+)\/\{(?:customer_)?id\}/, (_, noun: string) => `${noun}/${ids[noun]}`);
const queryOf = (path: string): Record<string, string> => (path === audit ? { series: 'INV-2026' } : {});
const get = (path: string, query: Record<string, string>) =>
  api.call(`GET ${addressOf(path)}`, { query: new URLSearchParams({ ...queryOf(path), ...query }).toString() });
const refused = async (path: string, query: Record<string, string>) =>
  expectProblem(await get(path, query), 422, 'INVALID_QUERY_PARAMS', 'cursor');

/** Where the first page of one object ends. */
async function cursorOf(path: string, filter: Record<string, string> = {}): Promise<string> {
  const { body } = await get(path, { ...filter, cursor: 'start', page_size: '1' });
  expect([path, body.next_cursor]).toEqual([path, expect.any(String)]);
  return body.next_cursor;
}

const someSortKey = '2026-03-01T12:00:00.000Z#x_AbCdEfGhIjKlMnOpQrStU';
const placeIn = (path: string): string => (path === audit ? `subjects.${someSortKey}` : someSortKey);
const hash = hashApiKey(localKey);
/** A cursor of a list without filters, as this stack makes it. */
const sealed = (path: string, other: { list?: string; stackKey?: string; hash?: string } = {}): string =>
  sealCursor(placeIn(path), { hash, stackKey, list: addressOf(path), filters: queryOf(path), ...other });
/** What the key's owner can compute: version 0.2.0 signed cursors with nothing else. */
const forged = (place: string, more = ''): string => {
  const text = Buffer.from(place).toString('base64url') + more;
  return `${text}.${createHmac('sha256', hash).update(text).digest().subarray(0, 16).toString('base64url')}`;
};
const nonsense = ['', '~', '\u0000', '0', 'x'.repeat(250), '2026-13-41T12:00:00.000Z#pay_1', 'numbers.x', 'subjects.x'];

describe('a cursor', () => {
  it('is used by seventeen lists and one audit route', () => expect(walked).toHaveLength(18));

  it.each(walked)('that this stack has signed is accepted by GET %s', async (path) =>
    expect((await get(path, { cursor: sealed(path) })).status).toBe(200),
  );

  it.each(walked)('that a client has forged is refused by GET %s', async (path) => {
    for (const place of nonsense) await refused(path, { cursor: forged(place) });
    for (const signature of ['', 'A'.repeat(22), 'A'.repeat(23)])
      await refused(path, { cursor: forged(placeIn(path), `=${signature}`) });
  });

  it.each(walked)('that was cut short or extended is refused by GET %s', async (path) => {
    const whole = sealed(path);
    const [text = '', byStack = '', byKey = ''] = whole.split(/[=.]/);
    const cut = [whole.slice(0, -1), whole.slice(1), text, `${text}=${byStack}`, `${text}.${byKey}`, `${whole}A`];
    for (const cursor of cut) await refused(path, { cursor });
  });

  it.each(walked)('of another list, stack or key is refused by GET %s', async (path) => {
    const [list, other] = [path === '/products' ? '/payments' : '/products', 'b'.repeat(64)];
    await refused(path, { cursor: await cursorOf(list) });
    for (const changed of [{ list }, { stackKey: other }, { hash: other }])
      await refused(path, { cursor: sealed(path, changed) });
  });

  it.each(lists)('of version 0.2.0 is accepted by GET %s until the next release', async (path) =>
    expect((await get(path, { cursor: forged(someSortKey) })).status).toBe(200),
  );

  it('is signed by the stack in the answers of lists and of the audit', async () => {
    const [text = ''] = (await cursorOf('/payments')).split('=');
    const walk = { hash, stackKey, list: '/payments', filters: {} };
    expect(await cursorOf('/payments')).toBe(sealCursor(Buffer.from(text, 'base64url').toString(), walk));
    await refused(audit, { cursor: sealed(audit), series: 'INV-2025' });
  });

  it('of the invoice audit of version 0.2.0 is accepted only if it names a valid position', async () => {
    for (const cursor of ['numbers.0', 'numbers.500', 'subjects.', `subjects.${someSortKey}`])
      expect([cursor, (await get(audit, { cursor })).status]).toEqual([cursor, 200]);
    for (const cursor of [
      'numbers.',
      'numbers.x',
      'subjects.x',
      'subjects.2026',
      'subjects.2026-13-41T12:00:00.000Z#pay_1',
    ])
      await refused(audit, { cursor });
  });

  it('is valid only with the same filters, in any order, and with any page size', async () => {
    const filter = { currency: 'EUR', status: 'succeeded' };
    const cursor = await cursorOf('/payments', filter);
    for (const page_size of ['1', '2'])
      expect(
        (await get('/payments', { page_size, cursor, status: 'succeeded', currency: 'EUR' })).body.items,
      ).toHaveLength(1);
    const others: Record<string, string>[] = [
      {},
      { currency: 'EUR' },
      { ...filter, currency: 'USD' },
      { ...filter, created_at_gte: '2026-01-01T00:00:00Z' },
    ];
    for (const other of others) await refused('/payments', { ...other, cursor });
  });

  it('that is forged or belongs to another list is refused by the lists of the dashboard', async () => {
    const { cookies } = await browse(api, localKey);
    const view = async (path: string, after: string) =>
      (
        await api.call(`GET ${addressOf(path)}`, {
          cookies,
          key: null,
          query: new URLSearchParams({ after }).toString(),
        })
      ).status;
    const products = await cursorOf('/products');
    const wrong = [products, ...nonsense.slice(1).map((place) => forged(place)), forged(someSortKey, '=A')];
    const pages = [
      'audit-log',
      'products',
      'payments',
      'discounts',
      'disputes',
      'payouts',
      'withdrawals',
      'discounts/{id}',
      'customers/{id}',
      'webhooks/{id}',
    ];
    for (const page of pages.map((name) => `/dashboard/${name}`)) {
      for (const cursor of wrong) expect([page, cursor, await view(page, cursor)]).toEqual([page, cursor, 422]);
      expect([page, await view(page, sealed(page))]).toEqual([page, 200]);
    }
  });
});
