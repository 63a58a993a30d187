import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../infra/commands/books/read-books.ts';
import { dispatchRule, type Endpoint, endpoints, queueConsumer, sweepSchedule } from '../../infra/endpoints.ts';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { localNames } from '../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../infra/local-aws/bucket.ts';
import { type LocalBus, startEventBus } from '../../infra/local-aws/bus/event-bus.ts';
import { wrapEvent } from '../../infra/local-aws/bus/event-envelope.ts';
import { type QueueServer, startQueueServer } from '../../infra/local-aws/bus/queue-server.ts';
import { loadMerchantConfig } from '../../infra/merchant-config.ts';
import { customerIdOf } from '../../shared/domain/ids.ts';
import { table, world } from '../../shared/wiring/runtime.ts';
import { clock } from '../support/clock.ts';
import { type Api, type ApiAnswer, type Call, startApi } from '../support/shop/api.ts';
import { contradictions } from '../support/shop/books.ts';
import { loadOldImages, loadOldTable, oldRows, oldTable } from '../support/table/old-table.ts';

const { keys, products, sessions, payments, refunds, hooks, brand, tax } = oldTable;

let api: Api;
let bucket: Bucket;
let bus: LocalBus;
let queue: QueueServer;
let receiver: Receiver;
/** Takes nothing, as it never learns a secret. */
let deaf: Receiver;
/** Opens what 0.1's keys no longer do. */
let strongKey: string;
let cookies: string[];
const underWay: Promise<unknown>[] = [];

beforeAll(async () => {
  clock.stopAt(oldTable.dumpedAt);
  clock.forward({ minutes: 3 });
  api = await startApi(loadMerchantConfig('demo').merchant);
  bucket = await startBucket({ bucketName: localNames.bucket });
  const invoke = (name: string, event: unknown) => {
    const running = invokeFunction(name, event);
    underWay.push(running);
    return running;
  };
  bus = await startEventBus({ busName: localNames.bus, rules: [dispatchRule], invoke });
  queue = await startQueueServer({ consumer: queueConsumer, invoke });
  receiver = await startReceiver();
  deaf = await startReceiver();
  process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;
  process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = bus.url;
  process.env['DOCUMENT_QUEUE_URL'] = queue.url;
  await loadOldTable();
  await loadOldImages(bucket.url);
  strongKey = await api.addKey({ access: 'admin' });
  const form = { key: keys['write'] ?? '' };
  const signedIn = await post('/dashboard/sign-in', form, []);
  expect(signedIn.status).toBe(303);
  cookies = signedIn.cookies.map((cookie) => cookie.split(';')[0] ?? '');
});

afterAll(async () => {
  clock.run();
  await Promise.all([receiver.stop(), deaf.stop()]);
  await bus.stop();
  await queue.stop();
  await bucket.stop();
  await api.stop();
});

function post(path: string, fields: Record<string, string>, sent: string[] = cookies): Promise<ApiAnswer> {
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    origin: 'http://localhost:4000',
  };
  const raw = Buffer.from(new URLSearchParams(fields).toString());
  return api.call(`POST ${path}`, { raw, headers, cookies: sent, key: null });
}

/** The old keys, but where they have lost a right. */
const keyFor = ({ access }: Pick<Endpoint, 'access'>): string =>
  (access === 'admin' ? strongKey : access === 'read' ? keys['read'] : keys['write']) ?? '';

const events = (): string[] =>
  oldRows().flatMap(({ pk, entity }) => (entity?.S === 'EVENT' ? [pk?.S?.slice('EVENT#'.length) ?? ''] : []));

/** What a path parameter may be, by the first word of the path. */
const idsOf: Record<string, readonly string[]> = {
  '/products': Object.values(products),
  '/buy': Object.values(products),
  '/brands': [brand],
  '/checkouts': Object.values(sessions),
  '/checkout': Object.values(sessions),
  '/checkout-sessions': Object.values(sessions),
  '/payments': Object.values(payments),
  '/refunds': Object.values(refunds),
  '/webhooks': Object.values(hooks),
  '/webhook-events': events(),
  '/tax/registrations': [tax.registration],
  '/tax/overrides': [tax.override],
  '/invoices/payments': Object.values(payments),
  '/invoices/refunds': Object.values(refunds),
  '/images': Object.keys(oldTable.images),
  '/assets': ['checkout.css'],
  '/docs': ['products'],
  '/dashboard/products': ['new', ...Object.values(products)],
  '/dashboard/payments': Object.values(payments),
  '/customers': [customerIdOf('demo', 'buyer@example.com')],
  '/dashboard/customers': ['cus_000000000000000000000'],
  '/dashboard/webhooks': ['new', ...Object.values(hooks)],
  '/dashboard/brands': ['new', brand],
  '/dashboard/exports': ['payments.csv', 'taxes.csv'],
};

/** What is asked for where a path alone says too little. */
const queryOf = (path: string): string =>
  path === '/invoices/audit' ? 'series=INV-2026' : path.endsWith('.csv') ? 'from=2026-02-01&to=2026-03-02' : '';

/** The paths that a route can have over the old table; a place that this test does not know is asked for something unknown. */
function pathsOf(path: string): string[] {
  const [before = '', after, rest] = path.split(/\/\{\w+\}/);
  if (after === undefined) return path === '$default' ? ['/nowhere'] : [path];
  const below = rest === undefined ? after : `${after}/unknown_1${rest}`;
  return (idsOf[before] ?? ['unknown_1']).map((id) => `${before}/${id}${below}`);
}

/** Routes that 0.1 did not have. */
const asksForNew = new Set([
  '$default',
  '/discounts/{id}',
  '/discounts/{id}/customers',
  '/discounts/code/{code}',
  '/dashboard/customers/{id}',
  '/dashboard/discounts/{id}',
  '/dashboard/members/{id}',
  '/disputes/{dispute_id}',
  '/invoices/payments/{payment_id}/tax-id',
  '/policies/{kind}',
  '/products/{id}/localized-prices/{price_id}',
]);

/** Coming back from the processor asks what became of the payment, and stores it. */
const isComingBack = ({ function: name }: Endpoint): boolean => name === 'checkout/return-checkout';

const isForLooking = (endpoint: Endpoint): boolean =>
  (endpoint.method === 'GET' || endpoint.method === 'ANY') && !isComingBack(endpoint);
const options = (endpoint: Endpoint): Call =>
  /^(dashboard|members)\//.test(endpoint.function) && endpoint.function !== 'dashboard/open-offer'
    ? { key: null, cookies }
    : { key: keyFor(endpoint) };

const json = { accept: 'application/json' };
const get = async (path: string, query = '') =>
  (await api.call(`GET ${path}`, { key: keys['read'] ?? '', headers: json, query })).body;

describe('what is looked at', () => {
  const looked = endpoints
    .filter(isForLooking)
    .flatMap((endpoint) => endpoint.paths.map((path) => ({ route: `${endpoint.method} ${path}`, path, endpoint })));

  it.each(looked)('$route answers over the rows of 0.1', async ({ path, endpoint }) => {
    const statuses = new Map<string, number>();
    for (const asked of pathsOf(path)) {
      const { status, text } = await api.call(`GET ${asked}`, { ...options(endpoint), query: queryOf(asked) });
      expect(status, `${asked}: ${text}`).toBeLessThan(500);
      statuses.set(asked, status);
    }
    const isThere = [...statuses.values()].some((status) => status < 400);
    expect(isThere || asksForNew.has(path) || path.startsWith('/assets'), path).toBe(true);
  });

  it('every payment is there, with the figures that it had', async () => {
    const { items } = await get('/payments', 'page_size=100');
    expect(items).toHaveLength(Object.keys(payments).length);
    expect(await get(`/payments/${payments['first']}`)).toMatchObject({
      status: 'succeeded',
      total_amount: 1_999,
      tax: 131,
    });
    const whole = await get(`/payments/${payments['whole']}`);
    expect(whole).toMatchObject({ status: 'succeeded', refund_status: 'full' });
    const partial = await get(`/payments/${payments['partial']}`);
    expect(partial.refunds.map(({ amount }: { amount: number }) => amount).sort()).toEqual([500, 749]);
    const statuses = Map.groupBy(items as { status: string }[], ({ status }) => status);
    expect([...statuses].map(([status, all]) => [status, all.length]).sort()).toEqual([
      ['failed', 5],
      ['processing', 1],
      ['succeeded', 14],
    ]);
  });

  it('every refund is there, in its state', async () => {
    const { items } = await get('/refunds', 'page_size=100');
    const statuses = Map.groupBy(items as { status: string }[], ({ status }) => status);
    expect([...statuses].map(([status, all]) => [status, all.length]).sort()).toEqual([
      ['failed', 2],
      ['pending', 1],
      ['succeeded', 5],
    ]);
  });

  it('products, endpoints, tax rules and brands are there', async () => {
    expect((await get('/products', 'page_size=100')).items).toHaveLength(5);
    expect((await get('/products', 'page_size=100&archived=true')).items).toHaveLength(1);
    expect((await get('/webhooks')).data).toHaveLength(4);
    expect((await get('/tax/registrations')).items).toHaveLength(3);
    expect((await get('/tax/overrides')).items).toHaveLength(1);
    expect((await get('/brands')).items).toHaveLength(2);
    expect((await get('/api-keys')).items.length).toBeGreaterThanOrEqual(4);
  });

  it('an invoice is not opened by its id any more, and is by a key', async () => {
    const address = `/invoices/payments/${payments['first']}`;
    expect((await api.call(`GET ${address}`, { key: null })).status).toBe(404);
    expect((await api.call(`GET ${address}`, { key: keys['read'] ?? '' })).status).toBe(200);
    expect(await get(`/payments/${payments['first']}`)).toMatchObject({
      invoice_url: `http://localhost:4000${address}`,
    });
  });

  it('an invoice is opened from the dashboard, under a secret that it gets then', async () => {
    const id = payments['first'] ?? '';
    const look = () => api.call(`GET /dashboard/payments/${id}`, { key: null, cookies, query: `document=${id}` });
    const { status, headers } = await look();
    const { pathname, search } = new URL(headers['location'] ?? '');
    expect([status, pathname, search]).toEqual([
      303,
      `/invoices/payments/${id}`,
      expect.stringMatching(/^\?secret=doc_\w{21}$/),
    ]);
    expect((await look()).headers['location']).toBe(headers['location']);
    const asXml = await api.call(`GET /dashboard/payments/${id}`, {
      key: null,
      cookies,
      query: `document=${id}&format=xml`,
    });
    expect(asXml.headers['location']).toBe(`${headers['location']}&format=xml`);
    expect((await api.call(`GET ${pathname}`, { key: null, query: search.slice(1) })).status).toBe(200);
    const strange = { key: null, cookies, query: `document=${payments['business']}` };
    expect((await api.call(`GET /dashboard/payments/${id}`, strange)).status).toBe(404);
  });

  it('documents have the numbers that they had, without a gap', async () => {
    const invoice = await get(`/invoices/payments/${payments['first']}`);
    expect(invoice).toMatchObject({ number: 'INV-2026-000001' });
    const html = await api.call(`GET /invoices/payments/${payments['first']}`, {
      key: keys['read'] ?? '',
      headers: { accept: 'text/html' },
    });
    expect(html.text).toContain('INV-2026-000001');
    const pdf = await api.call(`GET /invoices/payments/${payments['business']}`, {
      key: keys['read'] ?? '',
      headers: { accept: 'application/pdf' },
    });
    expect(Buffer.from(pdf.text, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('images are there', async () => {
    for (const [file, bytes] of Object.entries(oldTable.images)) {
      const { status, text } = await api.call(`GET /images/${file}`, { key: null });
      expect([status, text]).toEqual([200, bytes]);
    }
  });

  it('keys open what they opened, and nothing that they did not', async () => {
    const statusOf = async (key: string | undefined) => (await api.call('GET /payments', { key: key ?? '' })).status;
    expect(await Promise.all(['write', 'read', 'revoked', 'expired'].map((name) => statusOf(keys[name])))).toEqual([
      200, 200, 401, 401,
    ]);
    const refund = { payment_id: payments['last'], amount: 1 };
    expect((await api.call('POST /refunds', { key: keys['read'] ?? '', body: refund })).status).toBe(403);
  });

  it('the dashboard shows what was sold, and to whom', async () => {
    const { text } = await api.call(`GET /dashboard/payments/${payments['business']}`, { key: null, cookies });
    expect(text).toContain('office@example.com');
    const period = { query: 'from=2026-02-01&to=2026-03-02', key: null, cookies };
    const csv = await api.call('GET /dashboard/exports/payments.csv', period);
    for (const name of ['first', 'partial', 'texan']) expect(csv.text).toContain(payments[name]);
  });
});

describe('what is done', () => {
  it('an answer that was kept is replayed', async () => {
    const again = await api.call('POST /checkouts', {
      key: keys['write'] ?? '',
      body: { product_cart: [{ product_id: products['atlas'], quantity: 1 }] },
      headers: { 'idempotency-key': 'session-kept' },
    });
    expect([again.status, again.body.session_id]).toEqual([200, sessions['kept']]);
  });

  it('an old payment is refunded to the last cent', async () => {
    const answer = await api.call('POST /refunds', {
      key: keys['write'] ?? '',
      body: { payment_id: payments['partial'] },
    });
    expect(answer.status).toBe(200);
    const after = await get(`/payments/${payments['partial']}`);
    expect(after).toMatchObject({ refund_status: 'full' });
    const returned = after.refunds.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0);
    expect(returned).toBe(after.total_amount);
  });

  it('an old session is paid, at the price that it was opened with', async () => {
    const body = {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      billing_address: { country: 'DE' },
      test_card: '4242',
    };
    await api.call(`PATCH /products/${products['guide']}`, {
      key: keys['write'] ?? '',
      body: { price: { type: 'one_time_price', currency: 'EUR', price: 9_900, tax_inclusive: true } },
    });
    const paid = await api.call(`POST /checkout/${sessions['open']}/pay`, { key: null, body });
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 1_999 });
    const amounts = { [products['support'] ?? '']: 2_500 };
    const chosen = await api.call(`POST /checkout/${sessions['openChosen']}/pay`, {
      key: null,
      body: { ...body, amounts },
    });
    expect(chosen.body).toMatchObject({ status: 'succeeded', total_amount: 2_500 });
  });

  it('what was due is finished by the sweep: an event, a payment, deliveries with their old secret', async () => {
    const { body } = await api.call(`GET /webhooks/${hooks['takes']}/secret`, { key: strongKey });
    receiver.setSecret(body.secret);
    for (const [name, url] of [['takes', receiver.url] as const, ['fails', deaf.url] as const]) {
      const moved = await api.call(`PATCH /webhooks/${hooks[name]}`, { key: strongKey, body: { url } });
      expect(moved.status).toBe(200);
    }
    const wakes = wrapEvent({ source: 'aws.events', detailType: 'Scheduled Event', detail: {} });
    for (let minutes = 0; minutes < 5; minutes += 1) {
      clock.forward({ minutes: 2 });
      await invokeFunction(sweepSchedule.function, wakes);
      while (underWay.length > 0) await Promise.allSettled(underWay.splice(0));
    }
    expect((await get(`/payments/${payments['processing']}`)).status).toBe('succeeded');
    const told = receiver.deliveries.map(({ body: sent }) => JSON.parse(sent).data.payment_id);
    expect(told).toEqual(expect.arrayContaining([payments['due'], payments['processing']]));
    expect(receiver.deliveries.filter(({ reason }) => reason?.includes('no signature matches'))).toEqual([]);
    expect(await get(`/invoices/payments/${payments['due']}`)).toMatchObject({
      number: expect.stringMatching(/^INV-2026-/),
    });
  });

  it.each(endpoints.filter(isComingBack))(
    '$method $paths.0 leads on, or says that there is nothing',
    async ({ paths }) => {
      for (const path of paths.flatMap(pathsOf)) {
        const { status, text } = await api.call(`GET ${path}`, { key: null });
        expect([200, 303, 404], `${path}: ${text}`).toContain(status);
      }
    },
  );

  it.each(endpoints.filter(({ method }) => !['GET', 'ANY'].includes(method)))(
    '$method $paths.0 answers to an empty request',
    async (endpoint) => {
      for (const path of endpoint.paths.flatMap(pathsOf).slice(0, 3)) {
        const { status, text } = await api.call(`${endpoint.method} ${path}`, { ...options(endpoint), body: {} });
        expect(status, `${path}: ${text}`).toBeLessThan(500);
      }
    },
  );

  it.each(endpoints.filter(({ method, function: name }) => method === 'ANY' && name.startsWith('dashboard/manage')))(
    'POST $paths.0 answers to every command',
    async ({ paths, ...endpoint }) => {
      const page = await api.call(`GET ${pathsOf(paths[0])[0]}`, { key: null, cookies });
      const token = /name="token"[^>]*value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      for (const action of ['', ...Object.keys(endpoint.commands ?? {})])
        for (const path of paths.flatMap(pathsOf).slice(0, 3)) {
          const { status, text } = await post(path, { token, action, form_id: `form of ${action}` });
          expect(status, `${path} ${action}: ${text}`).toBeLessThan(500);
        }
    },
  );

  it('and the books balance', async () => {
    const { client, name } = table();
    const rows: Row[] = [];
    for await (const { Items = [] } of paginateScan({ client }, { TableName: name })) rows.push(...Items);
    expect(await contradictions(rows)).toEqual([]);
    const before = oldRows().map(({ pk, sk }) => `${pk?.S} ${sk?.S}`);
    const after = new Set(rows.map(({ pk, sk }) => `${pk} ${sk}`));
    expect(before.filter((key) => !after.has(key))).toEqual([]);
    expect(world.now().toISOString() > oldTable.dumpedAt).toBe(true);
  });
});
