import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { expectAudit } from '../../support/shop/audit.ts';
import { type Caller, callerNames, openCallers } from '../../support/shop/callers.ts';
import { cards } from '../../support/shop/cards.ts';
import { givenKey, waitingGrant } from '../../support/shop/grants.ts';
import { hearDispute, loseDispute } from '../../support/shop/settle.ts';
import { addProduct, fieldGuide, sell } from '../../support/shop/shop.ts';
import { declareByLink } from '../../support/shop/withdrawals.ts';
import { payOutSales } from '../../support/table/paid-out.ts';
import { makeFilesReady } from '../../support/table/ready-files.ts';
import { type Written, watchWrites } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let callers: Map<string, Caller>;
let writes: Written[];
let shop: { paymentId: string; productId: string; webhookId: string; disputeId: string; payoutId: string };

beforeAll(async () => {
  api = await startApi();
  callers = await openCallers(api);
  const webhookId = await newWebhook();
  const disputeId = await hearDispute((await sell(api, { card: cards.disputeLost })).paymentId);
  const sold = await sell(api);
  shop = { ...sold, webhookId, disputeId, payoutId: await payOutSales([sold.paymentId]) };
  writes = watchWrites(table().client);
});
afterAll(() => api.stop());

async function made(request: string, body: object, id = 'id'): Promise<string> {
  const answer = await api.call(request, { body });
  expect([request, answer.status, answer.text]).toEqual([request, 200, expect.anything()]);
  return answer.body[id];
}

const newWebhook = () => made('POST /webhooks', { url: 'https://shop.example/hooks' });
const newCustomer = () =>
  made('POST /customers', { email: `${randomUUID()}@example.com`, name: 'Erika' }, 'customer_id');
const percentage = { type: 'percentage', amount: 1_000 };
const newDiscount = () => made('POST /discounts', percentage, 'discount_id');
const flag = { name: 'Supporter', integration_type: 'feature_flag', integration_config: { feature_id: 'supporter' } };
const codePool = {
  name: 'Game',
  integration_type: 'license_key',
  integration_config: { fulfillment_mode: 'manual', pool: true },
};
const newEntitlement = () => made('POST /entitlements', flag);
/** A licence key that is active on one device. */
async function newLicense() {
  const product_id = await made('POST /products', fieldGuide, 'product_id');
  const body = { customer_id: await newCustomer(), product_id, key: randomUUID() };
  const id = await made('POST /license_keys', body);
  return { body, id, instance: await made('POST /licenses/activate', { license_key: body.key, name: 'Laptop' }) };
}
const downloads = { name: 'Book', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } };
const filesPath = async () => `/entitlements/${await made('POST /entitlements', downloads)}/files`;
const newFilePath = async () => {
  const path = await filesPath();
  return `${path}/${await made(`POST ${path}`, {}, 'file_id')}`;
};
/** The path of a file that counts as arrived. */
async function readyFilePath() {
  const path = await newFilePath();
  await makeFilesReady(path.split('/')[2] ?? '');
  return path;
}
const granted = () => waitingGrant(api);
const removed = (id: string) => api.call(`DELETE /webhooks/${id}`);

let rules = 0;
/** The days of a new tax rule, which no earlier rule of these tests covers. */
function nextDays(): [string, string] {
  rules += 1;
  const at = (day: number) => new Date(Date.UTC(2000, 0, day)).toISOString().slice(0, 10);
  return [at(2 * rules), at(2 * rules + 1)];
}

function registration() {
  // one that has begun cannot be removed
  const [active_from = '', expires_at = ''] = nextDays().map((day) => day.replace('20', '21'));
  return { country: 'SE', scheme: 'standard', active_from, expires_at };
}

function override() {
  const [effective_from, effective_to] = nextDays();
  const components = [{ name: 'Moms', rate: '0.06' }];
  return {
    country: 'SE',
    mode: 'replace',
    taxability: 'taxable',
    components,
    effective_from,
    effective_to,
    reason: 'x',
  };
}

const cart = () => ({ product_cart: [{ product_id: shop.productId, quantity: 1 }] });

async function refundable(): Promise<object> {
  const { paymentId } = await sell(api);
  return { payment_id: paymentId, amount: 100 };
}

async function event(): Promise<string> {
  return (await api.call('GET /webhook-events')).body.items.at(-1).event_id;
}

const pricedByCountry = () => addProduct(api, { pricing_mode: 'by_country' });

async function localizedPrice(): Promise<string> {
  const path = `/products/${await pricedByCountry()}/localized-prices`;
  const { body } = await api.call(`POST ${path}`, { body: { amount: 900, currency: 'EUR', country_code: 'PT' } });
  return `${path}/${body.id}`;
}

/** What a caller who is let in asks, and is answered 200: the path where it has a parameter, and the body. */
interface Sample {
  path?: string;
  query?: string;
  body?: object;
  /** Takes away what there may not be many of. */
  undo?: (answer: { id: string }) => Promise<unknown>;
}

const samples: Readonly<Record<string, () => Sample | Promise<Sample>>> = {
  'POST /products': () => ({ body: fieldGuide }),
  'GET /products': () => ({}),
  'GET /products/{id}': () => ({ path: `/products/${shop.productId}` }),
  'PATCH /products/{id}': () => ({ path: `/products/${shop.productId}`, body: { name: 'Another name' } }),
  'DELETE /products/{id}': async () => ({ path: `/products/${await addProduct(api)}` }),
  'POST /products/{id}/unarchive': async () => {
    const id = await addProduct(api);
    await api.call(`DELETE /products/${id}`);
    return { path: `/products/${id}/unarchive` };
  },
  'POST /products/{id}/localized-prices': async () => ({
    path: `/products/${await pricedByCountry()}/localized-prices`,
    body: { amount: 900, currency: 'EUR', country_code: 'PT' },
  }),
  'GET /products/{id}/localized-prices': () => ({ path: `/products/${shop.productId}/localized-prices` }),
  'GET /products/{id}/localized-prices/{price_id}': async () => ({ path: await localizedPrice() }),
  'PATCH /products/{id}/localized-prices/{price_id}': async () => ({
    path: await localizedPrice(),
    body: { amount: 950 },
  }),
  'DELETE /products/{id}/localized-prices/{price_id}': async () => ({ path: await localizedPrice() }),
  'PUT /products/{id}/files': async () => ({
    path: `/products/${await addProduct(api)}/files`,
    body: { file_name: 'book.pdf' },
  }),
  'PUT /products/{id}/images': () => ({ path: `/products/${shop.productId}/images` }),
  'POST /brands': () => ({ body: { name: 'Second' } }),
  'GET /brands': () => ({}),
  'GET /brands/{id}': async () => ({ path: `/brands/${await primaryBrand()}` }),
  'PATCH /brands/{id}': async () => ({ path: `/brands/${await primaryBrand()}`, body: { name: 'Another name' } }),
  'PUT /brands/{id}/images': async () => ({ path: `/brands/${await primaryBrand()}/images` }),
  'POST /api-keys': () => ({ body: { name: 'More' } }),
  'GET /api-keys': () => ({}),
  'GET /audit-log': () => ({}),
  'DELETE /api-keys/{id}': async () => ({ path: `/api-keys/${await made('POST /api-keys', { name: 'Spare' })}` }),
  'POST /checkout-sessions/create': () => ({ body: cart() }),
  'POST /checkouts/preview': () => ({ body: cart() }),
  'POST /checkout-sessions/{id}/expire': async () => ({
    path: `/checkouts/${await made('POST /checkouts', cart(), 'session_id')}/expire`,
  }),
  'GET /checkout-sessions/{id}': async () => ({
    path: `/checkouts/${await made('POST /checkouts', cart(), 'session_id')}`,
  }),
  'GET /payments': () => ({}),
  'GET /payments/{payment_id}': () => ({ path: `/payments/${shop.paymentId}` }),
  'GET /payments/{payment_id}/line-items': () => ({ path: `/payments/${shop.paymentId}/line-items` }),
  'GET /payments/{payment_id}/calculation': () => ({ path: `/payments/${shop.paymentId}/calculation` }),
  'POST /refunds': async () => ({ body: await refundable() }),
  'POST /refunds/preview': () => ({ body: { payment_id: shop.paymentId } }),
  'GET /refunds': () => ({}),
  'GET /refunds/{refund_id}': async () => ({
    path: `/refunds/${await made('POST /refunds', await refundable(), 'refund_id')}`,
  }),
  'POST /disputes/{dispute_id}/adjustments': async () => ({
    path: `/disputes/${await loseDispute((await sell(api)).paymentId)}/adjustments`,
    body: { ground: 'uncollectible' },
  }),
  'GET /withdrawals': () => ({}),
  'GET /withdrawals/{withdrawal_id}': async () => ({
    path: `/withdrawals/${await declareByLink(api, shop.paymentId)}`,
  }),
  'POST /withdrawals/{withdrawal_id}/decide': async () => ({
    path: `/withdrawals/${await declareByLink(api, (await sell(api)).paymentId)}/decide`,
    body: { outcome: 'refund' },
  }),
  'POST /entitlements': () => ({ body: flag }),
  'GET /entitlements': () => ({}),
  'GET /entitlements/{id}': async () => ({ path: `/entitlements/${await newEntitlement()}` }),
  'POST /entitlements/{id}/codes': async () => ({
    path: `/entitlements/${await made('POST /entitlements', codePool)}/codes`,
    body: { codes: ['EXAMPLE-1'] },
  }),
  'PATCH /entitlements/{id}': async () => ({ path: `/entitlements/${await newEntitlement()}`, body: { name: 'Pro' } }),
  'DELETE /entitlements/{id}': async () => ({ path: `/entitlements/${await newEntitlement()}` }),
  'POST /license_keys': async () => ({ body: { ...(await newLicense()).body, key: randomUUID() } }),
  'GET /license_keys': () => ({}),
  'GET /license_keys/{id}': async () => ({ path: `/license_keys/${(await newLicense()).id}` }),
  'PATCH /license_keys/{id}': async () => ({
    path: `/license_keys/${(await newLicense()).id}`,
    body: { disabled: true },
  }),
  'GET /license_key_instances': () => ({}),
  'GET /license_key_instances/{id}': async () => ({
    path: `/license_key_instances/${(await newLicense()).instance}`,
  }),
  'PATCH /license_key_instances/{id}': async () => ({
    path: `/license_key_instances/${(await newLicense()).instance}`,
    body: { name: 'Desktop' },
  }),
  'POST /entitlements/{id}/files': async () => ({ path: await filesPath(), body: { file_size: 3 } }),
  'GET /entitlements/{id}/files/{file_id}': async () => ({ path: await readyFilePath() }),
  'DELETE /entitlements/{id}/files/{file_id}': async () => ({ path: await newFilePath() }),
  'GET /entitlements/{id}/grants': async () => ({ path: `/entitlements/${await newEntitlement()}/grants` }),
  'DELETE /entitlements/{id}/grants/{grant_id}': async () => {
    const { entitlementId, grantId } = await granted();
    return { path: `/entitlements/${entitlementId}/grants/${grantId}` };
  },
  'POST /entitlements/{id}/grants/{grant_id}/restore': async () => {
    const { entitlementId, grantId } = await granted();
    const path = `/entitlements/${entitlementId}/grants/${grantId}`;
    await api.call(`DELETE ${path}`);
    return { path: `${path}/restore` };
  },
  'POST /license_keys/{id}/reissue': async () => ({
    path: `/license_keys/${await givenKey(api, randomUUID())}/reissue`,
    body: { key: randomUUID() },
  }),
  'POST /grants/{id}/license-key': async () => {
    const { grantId } = await granted();
    return { path: `/grants/${grantId}/license-key`, body: { key: `KEY-${grantId}` } };
  },
  'GET /customers/{customer_id}/entitlements': async () => ({ path: `/customers/${await newCustomer()}/entitlements` }),
  'GET /customers/{customer_id}/entitlement-grants': async () => ({
    path: `/customers/${await newCustomer()}/entitlement-grants`,
  }),
  'POST /discounts': () => ({ body: percentage }),
  'GET /discounts': () => ({}),
  'GET /discounts/{id}': async () => ({ path: `/discounts/${await newDiscount()}` }),
  'PATCH /discounts/{id}': async () => ({ path: `/discounts/${await newDiscount()}`, body: { name: 'Spring' } }),
  'DELETE /discounts/{id}': async () => ({ path: `/discounts/${await newDiscount()}` }),
  'GET /discounts/code/{code}': async () => ({
    path: `/discounts/code/${await made('POST /discounts', percentage, 'code')}`,
  }),
  'GET /discounts/{id}/customers': async () => ({ path: `/discounts/${await newDiscount()}/customers` }),
  'POST /discounts/{id}/customers': async () => ({
    path: `/discounts/${await newDiscount()}/customers`,
    body: { emails: ['reader@example.com'] },
  }),
  'DELETE /discounts/{id}/customers/{customer_id}': async () => ({
    path: `/discounts/${await newDiscount()}/customers/${await newCustomer()}`,
  }),
  'POST /customers': () => ({ body: { email: `${randomUUID()}@example.com`, name: 'Erika' } }),
  'GET /customers': () => ({}),
  'GET /customers/{customer_id}': async () => ({ path: `/customers/${await newCustomer()}` }),
  'PATCH /customers/{customer_id}': async () => ({
    path: `/customers/${await newCustomer()}`,
    body: { name: 'Another name' },
  }),
  'POST /customers/{customer_id}/customer-portal/session': async () => ({
    path: `/customers/${await newCustomer()}/customer-portal/session`,
  }),
  'POST /customers/{customer_id}/erase': async () => ({ path: `/customers/${await newCustomer()}/erase` }),
  'GET /disputes': () => ({}),
  'GET /disputes/{dispute_id}': () => ({ path: `/disputes/${shop.disputeId}` }),
  'GET /payouts': () => ({}),
  'GET /payouts/{payout_id}/breakup': () => ({ path: `/payouts/${shop.payoutId}/breakup` }),
  'POST /webhooks': () => ({ body: { url: 'https://shop.example/more' }, undo: ({ id }) => removed(id) }),
  'GET /webhooks': () => ({}),
  'GET /webhooks/{id}': () => ({ path: `/webhooks/${shop.webhookId}` }),
  'PATCH /webhooks/{id}': () => ({ path: `/webhooks/${shop.webhookId}`, body: { description: 'Books' } }),
  'DELETE /webhooks/{id}': async () => {
    const id = await newWebhook();
    return { path: `/webhooks/${id}`, undo: () => removed(id) };
  },
  'GET /webhooks/{id}/secret': () => ({ path: `/webhooks/${shop.webhookId}/secret` }),
  'POST /webhooks/{id}/rotate': () => ({ path: `/webhooks/${shop.webhookId}/rotate` }),
  'GET /webhooks/{id}/headers': () => ({ path: `/webhooks/${shop.webhookId}/headers` }),
  'PATCH /webhooks/{id}/headers': () => ({
    path: `/webhooks/${shop.webhookId}/headers`,
    body: { headers: { accept: '*/*' } },
  }),
  'POST /webhooks/{id}/test': () => ({ path: `/webhooks/${shop.webhookId}/test`, body: {} }),
  'GET /webhooks/{id}/deliveries': () => ({ path: `/webhooks/${shop.webhookId}/deliveries` }),
  'POST /webhooks/{id}/recover': () => ({
    path: `/webhooks/${shop.webhookId}/recover`,
    body: { since: '2026-01-01T00:00:00Z' },
  }),
  'GET /checkout/supported_countries': () => ({}),
  'GET /webhook-events': () => ({}),
  'GET /webhook-events/{id}': async () => ({ path: `/webhook-events/${await event()}` }),
  'POST /webhook-events/{id}/resend': async () => ({ path: `/webhook-events/${await event()}/resend`, body: {} }),
  'GET /tax/registrations': () => ({}),
  'POST /tax/registrations': () => ({ body: registration() }),
  'PATCH /tax/registrations/{id}': async () => ({
    path: `/tax/registrations/${await made('POST /tax/registrations', registration())}`,
    body: { scheme: 'oss' },
  }),
  'DELETE /tax/registrations/{id}': async () => ({
    path: `/tax/registrations/${await made('POST /tax/registrations', registration())}`,
  }),
  'GET /tax/overrides': () => ({}),
  'POST /tax/overrides': () => ({ body: override() }),
  'DELETE /tax/overrides/{id}': async () => ({
    path: `/tax/overrides/${await made('POST /tax/overrides', override())}`,
  }),
  'GET /invoices/audit': () => ({ query: 'series=INV-2026' }),
};

const primaryBrand = async (): Promise<string> => (await api.call('GET /brands')).body.items[0].brand_id;

const routes = endpoints.flatMap(({ access, method, paths: [path] }) =>
  access === 'public' ? [] : [{ route: `${method} ${path}`, method, access }],
);

/** What writes nothing, or neither moves money nor changes keys or settings: a checkout session and a link to the portal are their own records. */
const unaudited = new Set([
  'PUT /products/{id}/images',
  'PUT /brands/{id}/images',
  'POST /checkout-sessions/create',
  'POST /checkout-sessions/{id}/expire',
  'POST /checkouts/preview',
  'POST /customers/{customer_id}/customer-portal/session',
  'POST /refunds/preview',
  'POST /webhooks/{id}/test',
  'POST /webhooks/{id}/recover',
  'POST /webhook-events/{id}/resend',
]);

const callerNamed = (name: string): Caller => callers.get(name) as Caller;

describe.each(callerNames)('the answer to %s', (callerName) => {
  it.each(routes)('follows the route table: $route needs $access', async ({ route, method, access }) => {
    const sample = samples[route];
    if (!sample) throw new Error(`There is no sample of ${route}.`);
    const { path = route.split(' ')[1], query = '', body, undo } = await sample();
    const { key, refusal } = callerNamed(callerName);
    const expected = key === null ? 401 : refusal(access, route); // members have no key: their sessions open the dashboard alone
    writes.length = 0;
    const answer = await api.call(`${method} ${path}`, { key, query, ...(body && { body }) });
    if (expected === undefined) {
      expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
      expectAudit(writes, method !== 'GET' && !unaudited.has(route));
    } else {
      expectProblem(answer, expected, 'UNAUTHORIZED');
      expect(writes).toEqual([]);
    }
    await undo?.(answer.body);
  });
});

it('The access tests call every route, and only routes for buyers, pages and documents need no key', () => {
  expect(Object.keys(samples).sort()).toEqual(routes.map(({ route }) => route).sort());
  const open = endpoints
    .filter(({ access }) => access === 'public')
    .map(({ method, paths: [path] }) => `${method} ${path}`);
  expect(open.filter((route) => !/ \/dashboard/.test(route))).toEqual([
    'GET /images/{file}',
    'POST /licenses/activate',
    'POST /licenses/deactivate',
    'POST /licenses/validate',
    'GET /invoices/payments/{payment_id}',
    'GET /invoices/refunds/{refund_id}',
    'POST /invoices/payments/{payment_id}',
    'ANY /invoices/payments/{payment_id}/tax-id',
    'GET /checkout/{id}',
    'POST /checkout/{id}/quote',
    'POST /checkout/{id}/pay',
    'POST /processor/stripe',
    'GET /checkout/{id}/return',
    'POST /checkout/{id}/change',
    'ANY /checkout/{id}/step',
    'ANY /checkout/{id}/recover',
    'ANY /orders/{payment_id}',
    'ANY /withdraw',
    'ANY /portal',
    'ANY /downloads/{grant_id}/{file_id}',
    'GET /openapi.json',
    'GET /docs',
    'GET /assets/{file}',
    'GET /policies/{kind}',
    'GET /buy/{id}',
    'POST /buy/{id}',
    'ANY $default',
  ]);
});

describe('A stored answer of an Idempotency-Key', () => {
  const commands = routes.filter(({ method }) => method !== 'GET');

  it.each(commands)('is not shown to a key without the right to this command: $route', async ({ route, access }) => {
    const sample = await (samples[route] as () => Sample | Promise<Sample>)();
    const { path = route.split(' ')[1], body, undo } = sample;
    const ask = { headers: { 'idempotency-key': randomUUID() }, ...(body && { body }) };
    const request = `${route.split(' ')[0]} ${path}`;
    const first = await api.call(request, ask);
    expect(first.status).toBe(200);
    for (const { key, refusal } of callers.values()) {
      const expected = key === null ? 401 : refusal(access, route);
      const again = await api.call(request, { ...ask, key });
      if (expected !== undefined) expectProblem(again, expected, 'UNAUTHORIZED');
      else expect(again.status).toBe(200);
      expect(again.text).not.toMatch(/[sr]k_(test|live)_|whsec_/);
    }
    await undo?.(first.body);
  });

  it('never shows the daily refund limit of another key', async () => {
    const { paymentId } = await sell(api);
    const ask = { headers: { 'idempotency-key': randomUUID() }, body: { payment_id: paymentId, amount: 600 } };
    const key = await api.addKey({ access: 'write', refunds: { perDay: { amount: 512, currency: 'EUR' } } });
    const limited = await api.call('POST /refunds', { ...ask, key });
    expectProblem(limited, 422, 'REFUND_LIMIT_EXCEEDED');
    expect(limited.text).toContain('up to 512 EUR a day');
    const other = await api.call('POST /refunds', { ...ask, key: callerNamed('a write key').key });
    expect([other.status, other.text]).toEqual([200, expect.not.stringContaining('512')]);
    expect(other.headers['idempotent-replayed']).toBeUndefined();
  });
});

describe('a webhook endpoint', () => {
  const path = () => `/webhooks/${shop.webhookId}`;
  const caller = (name: string) => ({ key: callerNamed(name).key });

  it('keeps its address when a key without admin access sends another, and changes it for an admin key', async () => {
    const url = 'https://thief.example/';
    const refused = await api.call(`PATCH ${path()}`, { ...caller('a write key'), body: { url } });
    expectProblem(refused, 403, 'UNAUTHORIZED');
    expect((await api.call(`GET ${path()}`)).body.url).toBe('https://shop.example/hooks');
    const same = await api.call(`PATCH ${path()}`, {
      ...caller('a write key'),
      body: { url: 'https://shop.example/hooks', description: 'Same' },
    });
    expect([same.status, same.body.description]).toEqual([200, 'Same']);
    const moved = await api.call(`PATCH ${path()}`, { ...caller('an admin key'), body: { url } });
    expect([moved.status, moved.body.url]).toEqual([200, url]);
  });

  it('shows only the values of harmless headers to keys with read or write access', async () => {
    const headers = { Accept: 'application/json', 'x-shop': 'a', Authorization: 'Bearer hidden', 'x-pin': '1234' };
    await api.call(`PATCH ${path()}/headers`, { body: { headers: { accept: null, ...headers } } });
    for (const name of ['a read key', 'a write key'])
      expect((await api.call(`GET ${path()}/headers`, caller(name))).body).toEqual({
        headers: { Accept: 'application/json' },
        sensitive: ['Authorization', 'x-pin', 'x-shop'],
      });
    expect((await api.call(`GET ${path()}/headers`, caller('an admin key'))).body).toEqual({
      headers: { Accept: 'application/json', 'x-shop': 'a', 'x-pin': '1234' },
      sensitive: ['Authorization'],
    });
  });
});
