import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { type Send, sendThrough } from '../../support/table/send-through.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let restore = () => {};
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => restore());
afterAll(() => api.stop());

/** What a function may answer with, as Lambda counts it. */
const mostBytes = 6_000_000;
const sent = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** Fifty notes of five hundred owls: about 100 kB. */
const owls = Object.fromEntries(times(50).map((index) => [`note${index}`.padEnd(40, '_'), '🦉'.repeat(500)]));

const runtime = () => import('../../../shared/wiring/runtime.ts');

/** A list of the API, a page at a time, as the official client walks it: by number, until a page is empty. */
async function walkByNumber(path: string, size: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; ; number += 1) {
    const query = number === 1 ? `page_size=${size}` : `page_size=${size}&page_number=${number}`;
    const { status, body, text } = await api.call(`GET ${path}`, { query });
    expect([status, sent(text) < mostBytes]).toEqual([200, true]);
    if (body.items.length === 0) return ids;
    ids.push(...body.items.map(idOf));
  }
}

async function walkByCursor(path: string, filter = ''): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor = 'start';
  for (let pages = 1; ; pages += 1) {
    const { status, body, text } = await api.call(`GET ${path}`, { query: `page_size=100&cursor=${cursor}${filter}` });
    expect([status, sent(text) < mostBytes]).toEqual([200, true]);
    ids.push(...body.items.map(idOf));
    if (!body.has_more) return { ids, pages };
    cursor = body.next_cursor;
  }
}

const idOf = (item: Record<string, string>): string | undefined =>
  item['product_id'] ?? item['refund_id'] ?? item['event_id'] ?? item['payment_id'];

describe('GET /products when all products have as much metadata as is allowed', () => {
  let ids: string[];
  beforeAll(async () => {
    const product = await addProduct(api);
    const { products, newId } = await runtime();
    const base = await products().get(product);
    ids = [product];
    for (const index of times(100)) {
      const id = newId('pdt');
      const createdAt = new Date(Date.parse(base.createdAt) + index + 1).toISOString();
      await products().save({ ...base, id, createdAt, metadata: owls, version: 0 }, []);
      ids.unshift(id);
    }
  });

  it('422: names a page size that fits, and with it every product is listed once by page number', async () => {
    const answer = await api.call('GET /products', { query: 'page_size=100' });
    expectProblem(answer, 422, 'INVALID_QUERY_PARAMS');
    expect(answer.body.param).toBe('page_size');
    const [, most] = /page_size ≤ (\d+)/.exec(answer.body.detail) ?? [];
    expect(Number(most)).toBeGreaterThanOrEqual(20);
    expect(await walkByNumber('/products', Number(most))).toEqual(ids);
  });

  it('200: ends a page early with cursors, and every product is listed once', async () => {
    const { ids: found, pages } = await walkByCursor('/products');
    expect(found).toEqual(ids);
    expect(pages).toBe(3);
  });

  it('200: answers the metadata of each product, though the list’s index does not contain it', async () => {
    const { body } = await api.call('GET /products', { query: 'page_size=3' });
    expect(body.items.map(({ metadata }: { metadata: object }) => metadata)).toEqual([owls, owls, owls]);
  });

  it('200: shows all products in the dashboard, and a new product starts with their currency', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'write' }));
    const list = await api.call('GET /dashboard/products', { cookies, key: null });
    expect([list.status, list.text.includes(ids[0] ?? '')]).toEqual([200, true]);
    expect((await api.call('GET /dashboard/products/new', { cookies, key: null })).status).toBe(200);
  });
});

describe('payments and refunds with long metadata', () => {
  let paymentId: string;
  let customerId: string;
  const reason = 'It was the wrong size. '.repeat(130).trim();
  const name = '𝕬 very long name '.repeat(15).trim();

  beforeAll(async () => {
    const product = await addProduct(api);
    const sessionId = await createSession(api, [{ product_id: product, quantity: 1 }], { metadata: owls });
    const payment = await pay(sessionId, { expectedTotal: 1_999, name });
    paymentId = payment.id;
    customerId = payment.customer.id;
    const refund = { payment_id: paymentId, amount: 100, reason };
    expect((await api.call('POST /refunds', { body: refund })).status).toBe(200);
  });

  it('200: are listed with all their fields, for all customers and for one', async () => {
    for (const query of ['', `customer_id=${customerId}`]) {
      const payments = (await api.call('GET /payments', { query })).body.items;
      expect(payments).toMatchObject([
        { payment_id: paymentId, metadata: owls, customer: { name }, card_last_four: '4242', total_amount: 1_999 },
      ]);
      expect(payments[0]).toEqual(expect.objectContaining({ refund_status: 'partial' }));
      const refunds = (await api.call('GET /refunds', { query })).body.items;
      expect(refunds).toMatchObject([{ payment_id: paymentId, reason, amount: 100 }]);
    }
  });

  it('200: show their buyer in the dashboard, and the buyer’s next session has the full name', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    for (const path of ['payments', 'customers', `customers/${customerId}`]) {
      const { status, text } = await api.call(`GET /dashboard/${path}`, { cookies, key: null });
      expect([path, status, text.includes(name)]).toEqual([path, 200, true]);
    }
    const product = await addProduct(api);
    const sessionId = await createSession(api, [{ product_id: product, quantity: 1 }], {
      customer: { customer_id: customerId },
    });
    expect((await (await runtime()).sessions().get(sessionId)).customer.name).toBe(name);
  });

  it('200: appear in the export and the overview without their metadata', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const day = new Date().toISOString().slice(0, 10);
    const query = `from=${day}&to=${day}`;
    const { status, text } = await api.call('GET /dashboard/exports/payments.csv', { cookies, key: null, query });
    expect([status, text.includes(paymentId), text.includes('🦉')]).toEqual([200, true, false]);
    expect((await api.call('GET /dashboard', { cookies, key: null })).status).toBe(200);
  });
});

const total = 1_000_000;
const keyOf = (number: number): string => `2026-01-01T00:00:00.000Z#${String(number).padStart(7, '0')}`;

/** An index of a million rows, made when they are read; counts the calls. */
async function millionRows(rowOf: (number: number) => object): Promise<{ calls: number }> {
  const counted = { calls: 0 };
  const { table } = await runtime();
  const query: Send = async ({ input }) => {
    counted.calls += 1;
    const { ':to': to } = input['ExpressionAttributeValues'] as Record<string, string>;
    const first = to?.endsWith('~') ? total : Number(to?.slice(-7));
    const count = Math.min(Number(input['Limit']), first);
    const Items = times(count).map((index) => ({ listSk: keyOf(first - index), row: rowOf(first - index) }));
    return { Items, ...(count < first && { LastEvaluatedKey: { listSk: keyOf(first - count + 1) } }) };
  };
  restore = sendThrough(table().client, (send) => (command) => {
    const { IndexName: index, ExpressionAttributeValues: values } = command.input;
    const { ':partition': partition = '' } = (values ?? {}) as Record<string, string>;
    const isElsewhere =
      ['PRODUCT', 'DISPUTE', 'WITHDRAWAL', 'PORTAL'].includes(partition) ||
      (partition === 'REFUND' && rowOf !== refundOf);
    const isHere = index === 'list' && !isElsewhere;
    return isHere ? query(command) : send(command);
  });
  return counted;
}

const paymentOf = (number: number) => ({
  ...{ id: `pay_${number}`, brandId: 'brnd_1', status: 'succeeded', gross: 100, refunded: 0 },
  currency: number === total - 60_000 ? 'SEK' : 'EUR',
  customer: { id: 'cus_1', email: 'a@example.com', name: 'A', phone: null },
  ...{ processor: 'sandbox', card: null, metadata: {}, createdAt: '2026-01-01T00:00:00.000Z', productIds: ['pdt_1'] },
  ...{ taxDate: '2026-01-01', documentSecret: 'doc_1' },
});
const refundOf = (number: number) => ({
  ...{ id: `ref_${number}`, paymentId: 'pay_1', status: 'succeeded', isPartial: true, amount: 1, currency: 'EUR' },
  ...{ reason: null, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
});
const eventOf = (number: number) => ({
  ...{ id: `evt_${number}`, type: 'payment.succeeded', occurredAt: '2026-01-01T00:00:00.000Z' },
  ...{ paymentId: 'pay_1', sequence: 1 },
});

describe('a filter that matches almost nothing in a million rows', () => {
  it.each([
    { list: '/payments', filter: 'currency=SEK', rowOf: paymentOf, narrow: 'customer_id' },
    { list: '/payments', filter: 'product_id=pdt_000000000000000000000', rowOf: paymentOf, narrow: 'created_at_gte' },
    { list: '/refunds', filter: 'status=failed', rowOf: refundOf, narrow: 'customer_id' },
    { list: '/webhook-events', filter: 'payment_id=pay_2', rowOf: eventOf, narrow: 'created_at_lte' },
  ])(
    '422: stops $list?$filter by page number after 25 queries, and suggests the filter $narrow',
    async ({ list, filter, rowOf, narrow }) => {
      for (const number of ['', '&page_number=1', '&page_number=7']) {
        const counted = await millionRows(rowOf);
        const answer = await api.call(`GET ${list}`, { query: filter + number });
        expectProblem(answer, 422, 'INVALID_QUERY_PARAMS');
        expect(answer.body.detail).toContain(narrow);
        expect(answer.body.detail).toContain('cursor=start');
        expect(counted.calls).toBe(25);
        restore();
      }
    },
  );

  it('200: ends each answer of a list with cursors after 25 queries, and later cursors find the match', async () => {
    const counted = await millionRows(paymentOf);
    let cursor = 'start';
    const found: string[] = [];
    for (let pages = 1; found.length === 0; pages += 1) {
      const { status, body } = await api.call('GET /payments', { query: `currency=SEK&cursor=${cursor}` });
      expect([status, body.has_more]).toEqual([200, true]);
      expect(counted.calls).toBeLessThanOrEqual(25 * pages);
      found.push(...body.items.map(idOf));
      cursor = body.next_cursor;
    }
    expect(found).toEqual([`pay_${total - 60_000}`]);
    expect(counted.calls).toBe(75);
  });

  it('200: shows in the dashboard how far the search has come, with a link to continue', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const counted = await millionRows(paymentOf);
    const { status, text } = await api.call('GET /dashboard/payments', { cookies, key: null, query: 'currency=SEK' });
    expect(status).toBe(200);
    expect(text).toContain('Nothing found yet');
    expect(text).toMatch(/href="\/dashboard\/payments\?currency=SEK&amp;after=[^"]+"/);
    expect(text).toContain('0 found. Looked through 1,997 payments, back to 1 Jan 2026.');
    expect(counted.calls).toBe(3); // two for the step, and one for the filters that are worth a choice
    const [, after = ''] = /after=([^"&]+)"/.exec(text) ?? [];
    await api.call('GET /dashboard/payments', { cookies, key: null, query: `currency=SEK&after=${after}` });
    expect(counted.calls).toBe(6);
  });

  it('200: needs only one query per page when there is no filter, even for the last allowed page', async () => {
    const counted = await millionRows(paymentOf);
    const { body } = await api.call('GET /payments', { query: 'page_size=100' });
    expect([body.items.length, counted.calls]).toEqual([100, 1]);
    const far = await api.call('GET /payments', { query: 'page_size=100&page_number=100' });
    expect([far.status, far.body.items.length]).toEqual([200, 100]);
    expect(counted.calls).toBeLessThanOrEqual(1 + 11);
  });

  it('200: also limits the queries of dashboard pages that sum up rows', async () => {
    const { cookies } = await browse(api, await api.addKey({ access: 'read' }));
    const failed = (number: number) => ({ ...paymentOf(number), status: 'failed' });
    for (const [path, most] of [
      ['/dashboard', 54], // twice 25 for the sales, and one each for the latest payments, what needs attention, the way to live and the law
      ['/dashboard/customers', 25],
    ] as const) {
      const counted = await millionRows(failed);
      const { status } = await api.call(`GET ${path}`, { cookies, key: null });
      expect([path, status]).toEqual([path, 200]);
      expect(counted.calls).toBeLessThanOrEqual(most);
      restore();
    }
  });
});
