import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

interface Contract {
  paths: Record<string, Partial<Record<string, { parameters: { name?: string }[] }>>>;
}

/** Every list that is walked by cursor. The audit of invoices is none: its `cursor` is a place in a series. */
const { paths }: Contract = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const lists = Object.entries(paths)
  .filter(([path, { get }]) => path !== '/invoices/audit' && get?.parameters.some(({ name }) => name === 'cursor'))
  .map(([path]) => path);

let api: Api;
let ids: Record<string, string>;

beforeAll(async () => {
  api = await startApi();
  await sell(api);
  await sell(api);
  const made = (path: string, body: object) => api.call(`POST ${path}`, { body });
  const discount = (await made('/discounts', { type: 'percentage', amount: 1_000 })).body.discount_id;
  const webhook = (await made('/webhooks', { url: 'https://shop.example/hooks' })).body.id;
  ids = { '/discounts/{id}/customers': discount, '/webhooks/{id}/deliveries': webhook };
});
afterAll(() => api.stop());

const get = (path: string, query: Record<string, string>) =>
  api.call(`GET ${path.replace('{id}', ids[path] ?? '')}`, { query: new URLSearchParams(query).toString() });
/** Where the first page of one object ends. */
async function cursorOf(path: string, filter: Record<string, string> = {}): Promise<string> {
  const { body } = await get(path, { ...filter, cursor: 'start', page_size: '1' });
  expect([path, body.next_cursor]).toEqual([path, expect.any(String)]);
  return body.next_cursor;
}

describe('a cursor', () => {
  it('is known to ten lists', () => expect(lists).toHaveLength(10));

  it.each(lists)('of another list is refused by GET %s', async (path) => {
    const cursor = await cursorOf(path === '/products' ? '/payments' : '/products');
    expectProblem(await get(path, { cursor }), 422, 'INVALID_QUERY_PARAMS', 'cursor');
  });

  it('is good for the filters that it was made with, in any order, and for any page size', async () => {
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
    for (const other of others)
      expectProblem(await get('/payments', { ...other, cursor }), 422, 'INVALID_QUERY_PARAMS', 'cursor');
  });

  it('of one list of the dashboard opens no other', async () => {
    const { cookies } = await browse(api, localKey);
    const products = await cursorOf('/products');
    for (const path of ['/dashboard/audit-log', '/dashboard/products'])
      expect((await api.call(`GET ${path}`, { cookies, key: null, query: `after=${products}` })).status).toBe(422);
  });
});
