import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../../../infra/endpoints.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { formatApiKey, hashApiKey } from '../../../shared/http/api-key.ts';
import { countries } from '../../../shared/tax/places/countries.ts';
import { type Api, type ApiAnswer, type Call, startApiThroughSdk } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { givenKey, waitingGrant } from '../../support/shop/grants.ts';
import { hearDispute, loseDispute } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, sell } from '../../support/shop/shop.ts';
import { declareByLink } from '../../support/shop/withdrawals.ts';
import { payOutSales } from '../../support/table/paid-out.ts';
import { makeFilesReady } from '../../support/table/ready-files.ts';
import { roundsOf } from '../../support/table/table-calls.ts';

/** What the requests below are about. */
interface Shop {
  discount: string;
  product: string;
  session: string;
  payment: string;
  refund: string;
  dispute: string;
  payout: string;
  customer: string;
  webhook: string;
  event: string;
  brand: string;
  registration: string;
}

let api: Api;
let shop: Shop;
beforeAll(async () => {
  api = await startApiThroughSdk();
  await browse(api, await api.addKey({ access: 'read' })); // beforehand: no session of an earlier version is about
  await makeSecret();
  const { paymentId } = await sell(api);
  shop = {
    product: await addProduct(api, { pricing_mode: 'by_country' }),
    session: await newSession(),
    payment: paymentId,
    refund: (await created('POST /refunds', { payment_id: paymentId, amount: 100 })).refund_id,
    dispute: await hearDispute((await sell(api, { card: cards.disputeLost })).paymentId),
    payout: await payOutSales([paymentId]),
    customer: (await api.call(`GET /payments/${paymentId}`)).body.customer.customer_id,
    webhook: await newWebhook(),
    event: await newEvent(),
    brand: (await created('POST /brands', { name: 'Second' })).brand_id,
    registration: await newRegistration(),
    discount: (await newDiscount()).discount_id,
  };
});
afterAll(() => api.stop());

const created = async (request: string, body: object) => (await api.call(request, { body })).body;
const newSession = async () => createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
const newArchived = async () => {
  const id = await addProduct(api);
  await api.call(`DELETE /products/${id}`);
  return id;
};
const freeCountries = [...countries];
const newMarket = () => ({ amount: 900, currency: 'EUR', country_code: freeCountries.pop() });
const newLocalized = async () => ({
  id: shop.product,
  price_id: (await created(`POST /products/${shop.product}/localized-prices`, newMarket())).id,
});
const newCustomer = async () =>
  (await created('POST /customers', { email: `${randomUUID()}@example.com`, name: 'Erika' })).customer_id;
const newWebhook = async () => (await created('POST /webhooks', { url: 'https://example.com/hook' })).id;
const newKey = async () => (await created('POST /api-keys', { name: 'another', access: 'read' })).id;
const newRegistration = async () =>
  (await created('POST /tax/registrations', { country: 'FR', active_from: '2126-01-01' })).id;
const newEvent = async () => {
  await sell(api);
  return (await api.call('GET /webhook-events')).body.items[0].event_id;
};
const newDiscount = () => created('POST /discounts', { type: 'percentage', amount: 1_000 });
const flag = { name: 'Pro', integration_type: 'feature_flag', integration_config: { feature_id: 'pro' } };
const files = { name: 'Book', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } };
const newEntitlement = async (body: object) => (await created('POST /entitlements', body)).id;
async function newFile() {
  const id = await newEntitlement(files);
  return { id, file_id: (await created(`POST /entitlements/${id}/files`, {})).file_id };
}
async function newGrant() {
  const { entitlementId, grantId } = await waitingGrant(api);
  return { id: entitlementId, grant_id: grantId };
}
async function revokedGrant() {
  const place = await newGrant();
  await api.call(`DELETE /entitlements/${place.id}/grants/${place.grant_id}`);
  return place;
}
async function newReadyFile() {
  const place = await newFile();
  await makeFilesReady(place.id);
  return place;
}
const pool = {
  name: 'Game',
  integration_type: 'license_key',
  integration_config: { fulfillment_mode: 'manual', pool: true },
};
const keyImport = () => ({ customer_id: shop.customer, product_id: shop.product, key: randomUUID() });
const newLicenseKey = async () => (await created('POST /license_keys', keyImport())).id;
async function newInstance() {
  const body = keyImport();
  await created('POST /license_keys', body);
  return (await created('POST /licenses/activate', { license_key: body.key, name: 'Laptop' })).id;
}
const newOverride = async () => (await created('POST /tax/overrides', overrideOfAYear())).id;

let year = 2000;

/** No two hold at the same time. */
function overrideOfAYear() {
  year += 1;
  const days = { effective_from: `${year}-01-01`, effective_to: `${year}-12-31` };
  return { country: 'FR', mode: 'replace', components: [{ name: 'VAT', rate: '0.055' }], reason: 'A test', ...days };
}

/** Everything is asked for at once, and that is all. */
const oneRead = 'read';
/** The same, and one write. */
const readAndWrite = 'read, write';

type Sent = Call & { path?: Record<string, string> };

interface Case {
  /** As in the route table. */
  endpoint: string;
  rounds: string;
  call: () => Sent | Promise<Sent>;
}

const on = (endpoint: string, rounds: string, call: Case['call'] = () => ({})): Case => ({ endpoint, rounds, call });

// biome-ignore format: one line is one endpoint
const cases: Case[] = [
  on('POST /products', readAndWrite, () => ({ body: { ...fieldGuide, brand_id: shop.brand } })),
  on('GET /products', 'read, query'),
  on('GET /products/{id}', oneRead, () => ({ path: { id: shop.product } })),
  on('PATCH /products/{id}', readAndWrite, () => ({ path: { id: shop.product }, body: { name: 'Another', brand_id: shop.brand } })),
  on('DELETE /products/{id}', readAndWrite, async () => ({ path: { id: await addProduct(api) } })),
  on('POST /products/{id}/unarchive', readAndWrite, async () => ({ path: { id: await newArchived() } })),
  on('POST /products/{id}/localized-prices', readAndWrite, () => ({ path: { id: shop.product }, body: newMarket() })),
  on('GET /products/{id}/localized-prices', oneRead, () => ({ path: { id: shop.product } })),
  on('GET /products/{id}/localized-prices/{price_id}', oneRead, async () => ({ path: await newLocalized() })),
  on('PATCH /products/{id}/localized-prices/{price_id}', readAndWrite, async () => ({ path: await newLocalized(), body: { amount: 950 } })),
  on('DELETE /products/{id}/localized-prices/{price_id}', readAndWrite, async () => ({ path: await newLocalized() })),
  on('PUT /products/{id}/files', readAndWrite, async () => ({ path: { id: await addProduct(api) }, body: { file_name: 'book.pdf' } })),
  on('PUT /products/{id}/images', oneRead, () => ({ path: { id: shop.product } })),
  on('POST /brands', readAndWrite, () => ({ body: { name: 'Third' } })),
  on('GET /brands', oneRead),
  on('GET /brands/{id}', oneRead, () => ({ path: { id: shop.brand } })),
  on('PATCH /brands/{id}', readAndWrite, () => ({ path: { id: shop.brand }, body: { name: 'Renamed' } })),
  on('PUT /brands/{id}/images', oneRead, () => ({ path: { id: shop.brand } })),
  on('POST /discounts', 'read, read, write', () => ({ body: { type: 'percentage', amount: 1_000, restricted_to: [shop.product] } })),
  on('GET /discounts', 'read, query, read'),
  on('GET /discounts/{id}', 'read, read', () => ({ path: { id: shop.discount } })),
  on('PATCH /discounts/{id}', 'read, read, write', () => ({ path: { id: shop.discount }, body: { name: 'Another' } })),
  on('DELETE /discounts/{id}', 'read, read, read, write', async () => ({ path: { id: (await newDiscount()).discount_id } })),
  on('GET /discounts/code/{code}', 'read, read, read, read', async () => ({ path: { code: (await newDiscount()).code } })),
  on('GET /discounts/{id}/customers', 'read, query', () => ({ path: { id: shop.discount } })),
  on('POST /discounts/{id}/customers', readAndWrite, () => ({ path: { id: shop.discount }, body: { customer_ids: [shop.customer] } })),
  on('DELETE /discounts/{id}/customers/{customer_id}', readAndWrite, () => ({ path: { id: shop.discount, customer_id: shop.customer } })),
  on('POST /entitlements', readAndWrite, () => ({ body: flag })),
  on('GET /entitlements', 'read, query, read'),
  on('GET /entitlements/{id}', oneRead, async () => ({ path: { id: await newEntitlement(flag) } })),
  on('PATCH /entitlements/{id}', readAndWrite, async () => ({ path: { id: await newEntitlement(flag) }, body: { name: 'Pro' } })),
  on('DELETE /entitlements/{id}', readAndWrite, async () => ({ path: { id: await newEntitlement(flag) } })),
  on('POST /entitlements/{id}/codes', 'read, read, write, read', async () => ({ path: { id: await newEntitlement(pool) }, body: { codes: ['EXAMPLE-1'] } })),
  on('POST /license_keys', 'read, query+query, write', () => ({ body: keyImport() })),
  on('GET /license_keys', 'read, query'),
  on('GET /license_keys/{id}', oneRead, async () => ({ path: { id: await newLicenseKey() } })),
  on('PATCH /license_keys/{id}', readAndWrite, async () => ({ path: { id: await newLicenseKey() }, body: { disabled: true } })),
  on('POST /license_keys/{id}/reissue', 'read, read+read+query, read, write', async () => ({ path: { id: await givenKey(api, randomUUID()) }, body: { key: randomUUID() } })),
  on('GET /license_key_instances', 'read, query'),
  on('GET /license_key_instances/{id}', oneRead, async () => ({ path: { id: await newInstance() } })),
  on('PATCH /license_key_instances/{id}', readAndWrite, async () => ({ path: { id: await newInstance() }, body: { name: 'Desktop' } })),
  on('GET /entitlements/{id}/grants', 'read, query', async () => ({ path: { id: await newEntitlement(flag) } })),
  on('DELETE /entitlements/{id}/grants/{grant_id}', 'read, write', async () => ({ path: await newGrant() })),
  on('POST /entitlements/{id}/grants/{grant_id}/restore', 'read, read, write', async () => ({ path: await revokedGrant() })),
  on('POST /grants/{id}/license-key', 'read, read+read, write', async () => ({ path: { id: (await newGrant()).grant_id }, body: { key: `KEY-${randomUUID()}` } })),
  on('GET /customers/{customer_id}/entitlements', 'read, query, read', () => ({ path: { customer_id: shop.customer } })),
  on('GET /customers/{customer_id}/entitlement-grants', 'read, query, read, read+read+read+read', () => ({ path: { customer_id: shop.customer } })),
  on('POST /entitlements/{id}/files', readAndWrite, async () => ({ path: { id: await newEntitlement(files) }, body: {} })),
  on('GET /entitlements/{id}/files/{file_id}', oneRead, async () => ({ path: await newReadyFile() })),
  on('DELETE /entitlements/{id}/files/{file_id}', readAndWrite, async () => ({ path: await newFile() })),
  on('POST /api-keys', readAndWrite, () => ({ body: { name: 'third', access: 'read' } })),
  on('GET /api-keys', oneRead),
  on('DELETE /api-keys/{id}', readAndWrite, async () => ({ path: { id: await newKey() } })),
  on('GET /audit-log', 'read, query'),
  on('POST /checkouts', readAndWrite, async () => ({ body: { product_cart: [{ product_id: await addProduct(api), quantity: 1 }] } })),
  on('POST /checkouts/preview', oneRead, () => ({ body: { product_cart: [{ product_id: shop.product, quantity: 1 }], billing_address: { country: 'DE' } } })),
  on('POST /checkouts/{id}/expire', readAndWrite, async () => ({ path: { id: await newSession() } })),
  on('GET /checkouts/{id}', oneRead, () => ({ path: { id: shop.session } })),
  on('GET /payments', 'read, query'),
  on('GET /payments/{payment_id}', oneRead, () => ({ path: { payment_id: shop.payment } })),
  on('GET /payments/{payment_id}/line-items', oneRead, () => ({ path: { payment_id: shop.payment } })),
  on('GET /payments/{payment_id}/calculation', oneRead, () => ({ path: { payment_id: shop.payment } })),
  on('POST /refunds', 'read, write, write, write', () => ({ body: { payment_id: shop.payment, amount: 100 } })),
  on('POST /refunds/preview', oneRead, () => ({ body: { payment_id: shop.payment, amount: 100 } })),
  on('GET /refunds', 'read, query'),
  on('GET /refunds/{refund_id}', oneRead, () => ({ path: { refund_id: shop.refund } })),
  on('GET /withdrawals', 'read, query'),
  on('GET /withdrawals/{withdrawal_id}', 'read, read+read, read, read', async () => ({ path: { withdrawal_id: await declareByLink(api, shop.payment) } })),
  on('POST /withdrawals/{withdrawal_id}/decide', 'read, read+read, read, read, read+read, write, write, read+read', async () => ({ path: { withdrawal_id: await declareByLink(api, (await sell(api)).paymentId) }, body: { outcome: 'refund' } })),
  on('GET /checkout/supported_countries', oneRead),
  on('POST /customers', 'read, read+query+query, write', () => ({ body: { email: 'new@example.com', name: 'Erika' } })),
  on('GET /customers', 'read, query+query, read+query+query+query+read, query+query'),
  on('GET /customers/{customer_id}', 'read, query+query', () => ({ path: { customer_id: shop.customer } })),
  on('PATCH /customers/{customer_id}', 'read, query+query, write', () => ({ path: { customer_id: shop.customer }, body: { name: 'Erika' } })),
  on('POST /customers/{customer_id}/customer-portal/session', 'read, query+query, write', () => ({ path: { customer_id: shop.customer } })),
  on('POST /customers/{customer_id}/erase', 'read, read+query+query, query+query+query, write, update', async () => ({ path: { customer_id: await newCustomer() } })),
  on('GET /disputes', 'read, query'),
  on('GET /disputes/{dispute_id}', oneRead, () => ({ path: { dispute_id: shop.dispute } })),
  on('POST /disputes/{dispute_id}/adjustments', 'read, read, write', async () => ({ path: { dispute_id: await loseDispute((await sell(api)).paymentId) }, body: { ground: 'rescinded' } })),
  on('GET /payouts', 'read, query'),
  on('GET /payouts/{payout_id}/breakup', oneRead, () => ({ path: { payout_id: shop.payout } })),
  on('POST /webhooks', readAndWrite, () => ({ body: { url: 'https://example.com/other' } })),
  on('GET /webhooks', 'read, query'),
  on('GET /webhooks/{id}', oneRead, () => ({ path: { id: shop.webhook } })),
  on('PATCH /webhooks/{id}', readAndWrite, () => ({ path: { id: shop.webhook }, body: { description: 'Orders' } })),
  on('GET /webhooks/{id}/secret', oneRead, () => ({ path: { id: shop.webhook } })),
  on('POST /webhooks/{id}/rotate', readAndWrite, () => ({ path: { id: shop.webhook } })),
  on('GET /webhooks/{id}/headers', oneRead, () => ({ path: { id: shop.webhook } })),
  on('PATCH /webhooks/{id}/headers', readAndWrite, () => ({ path: { id: shop.webhook }, body: { headers: { 'x-shop': 'one' } } })),
  on('POST /webhooks/{id}/test', readAndWrite, () => ({ path: { id: shop.webhook }, body: {} })),
  on('GET /webhooks/{id}/deliveries', 'read, query', () => ({ path: { id: shop.webhook } })),
  on('POST /webhooks/{id}/recover', 'read, query+query', () => ({ path: { id: shop.webhook }, body: { since: '2090-01-01T00:00:00Z' } })),
  on('GET /webhook-events', 'read, query'),
  on('GET /webhook-events/{id}', 'read, query', () => ({ path: { id: shop.event } })),
  on('POST /webhook-events/{id}/resend', readAndWrite, async () => ({ path: { id: await newEvent() }, body: { webhook_id: shop.webhook } })),
  on('GET /tax/registrations', oneRead),
  on('POST /tax/registrations', readAndWrite, () => ({ body: { country: 'PL', active_from: '2026-01-01' } })),
  on('PATCH /tax/registrations/{id}', readAndWrite, () => ({ path: { id: shop.registration }, body: { tax_id: 'FR83404833048' } })),
  on('DELETE /tax/registrations/{id}', readAndWrite, async () => ({ path: { id: await newRegistration() } })),
  on('GET /tax/overrides', oneRead),
  on('POST /tax/overrides', readAndWrite, () => ({ body: overrideOfAYear() })),
  on('DELETE /tax/overrides/{id}', readAndWrite, async () => ({ path: { id: await newOverride() } })),
  on('GET /invoices/audit', 'read, read, query, query', () => ({ query: 'series=INV-2026' })),
  on('DELETE /webhooks/{id}', readAndWrite, async () => ({ path: { id: await newWebhook() } })),
];

/** The first session under a key makes the secret of the stack, which each process reads once. */
async function makeSecret(): Promise<void> {
  const body = { product_cart: [{ product_id: await addProduct(api), quantity: 1 }] };
  await api.call('POST /checkouts', { body, headers: { 'idempotency-key': 'secret' } });
}

const pathOf = (endpoint: string, path: Record<string, string> = {}): string =>
  endpoint.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');

describe('the number of rounds of parallel table requests that an API call needs', () => {
  it.each(cases)('is for $endpoint: $rounds', async ({ endpoint, rounds, call }) => {
    const { path, ...options } = await call();
    const { result, rounds: counted } = await roundsOf(() => api.call(pathOf(endpoint, path), options));
    expect([result.status, counted], result.text).toEqual([200, rounds]);
  });

  const keepsAnswers = ({ endpoint }: Case): boolean =>
    endpoints.some(
      ({ method, paths, table }) =>
        paths.some((path) => endpoint === `${method} ${path}`) && table.get?.includes('IDEM'),
    );

  /** A session, and a link to the portal, are their own records: a repetition reads what has become of them. */
  const keepsItsRecord = (endpoint: string) =>
    ['POST /checkouts', 'POST /customers/{customer_id}/customer-portal/session'].includes(endpoint);

  it.each(cases.filter(keepsAnswers))(
    'stays the same for $endpoint with an Idempotency-Key, and is one or two for a repeated request',
    async ({ endpoint, rounds, call }) => {
      const { path, ...options } = await call();
      const headers = { 'idempotency-key': endpoint };
      const send = () => roundsOf(() => api.call(pathOf(endpoint, path), { ...options, headers }));
      const first = await send();
      const written = rounds.includes('write') ? rounds : `${rounds}, write`;
      expect([first.result.status, first.rounds]).toEqual([200, written]);
      const again = await send();
      const repeated = keepsItsRecord(endpoint) ? `${oneRead}, ${oneRead}` : oneRead;
      expect([again.result.headers['idempotent-replayed'], again.rounds]).toEqual(['true', repeated]);
    },
  );

  it('is higher by one read for POST /checkouts with localized prices, and by one write if they are new', async () => {
    const product_id = await addProduct(api, { pricing_mode: 'by_country' });
    for (const country_code of ['FR', 'PL'])
      await created(`POST /products/${product_id}/localized-prices`, { ...newMarket(), country_code });
    const body = { product_cart: [{ product_id, quantity: 1 }] };
    const open = async () => (await roundsOf(() => api.call('POST /checkouts', { body }))).rounds;
    expect([await open(), await open(), await open()]).toEqual([
      'read, read, write, write',
      'read, read, write',
      'read, read, write',
    ]);
  });

  it('is tested for every endpoint that needs a key', () => {
    const counted = new Set(cases.map(({ endpoint }) => endpoint));
    const keyed = endpoints.filter(({ access }) => access !== 'public');
    const others = keyed.filter(({ method, paths }) => !paths.some((path) => counted.has(`${method} ${path}`)));
    expect(others.map(({ function: name }) => name)).toEqual([]);
  });
});

describe('an invalid request', () => {
  const wrong: { of: string; request: string; options: Call; status: number }[] = [
    { of: 'a body that is no JSON', request: 'POST /refunds', options: { raw: Buffer.from('{') }, status: 400 },
    { of: 'a body that is not valid', request: 'POST /refunds', options: { body: { payment_id: 1 } }, status: 422 },
    { of: 'no JSON at all', request: 'POST /refunds', options: { headers: { 'content-type': 'a/b' } }, status: 415 },
    { of: 'an id that cannot be one', request: 'GET /payments/a%20b', options: {}, status: 404 },
    { of: 'an id of 2,100 characters', request: `GET /payments/${'a'.repeat(2_100)}`, options: {}, status: 404 },
    { of: 'a query that is not valid', request: 'GET /payments', options: { query: 'page_size=x' }, status: 422 },
    {
      of: 'a key that is no Idempotency-Key',
      request: 'DELETE /products/pdt_1',
      options: { headers: { 'idempotency-key': 'ä' } },
      status: 422,
    },
  ];

  it.each(wrong)(
    'by $of gets its error only with a valid key, and without one only the key’s row is read',
    async ({ request, options, status }) => {
      const revoked = await api.addKey({ revokedAt: '2026-01-01T00:00:00.000Z' });
      const stranger = formatApiKey('sandbox', 'x'.repeat(32));
      for (const key of [revoked, stranger]) {
        const rows: string[] = [];
        const { result } = await roundsOf(() => api.call(request, { ...options, key }), rows);
        expect([result.status, rows]).toEqual([401, [`KEY#${hashApiKey(key)}`]]);
      }
      for (const key of [null, 'sk_test_nothing']) {
        const { result, rounds } = await roundsOf(() => api.call(request, { ...options, key }));
        expect([result.status, rounds]).toEqual([401, '']);
      }
      if (!request.startsWith('GET')) {
        const key = await api.addKey({ access: 'read' });
        expect((await api.call(request, { ...options, key })).status).toBe(403);
      }
      expect((await api.call(request, options)).status).toBe(status);
    },
  );
});

const buyer = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};

describe('the number of table requests of the checkout page', () => {
  const call = (request: string, options: Call = {}): Promise<ApiAnswer> =>
    api.call(request, { key: null, ...options });

  it('is one round for the page and one for its total, and one write more after a tax change', async () => {
    const path = `/checkout/${await newSession()}`;
    expect((await roundsOf(() => call(`GET ${path}`))).rounds).toBe(oneRead);
    const quote = () => roundsOf(() => call(`POST ${path}/quote`, { body: buyer }));
    expect((await quote()).rounds).toBe(oneRead);
    await newOverride();
    expect((await quote()).rounds).toBe(readAndWrite);
    expect((await quote()).rounds).toBe(oneRead);
  });

  it('is three rounds of requests for a payment, one for its receipt, and two for its receipt in another browser', async () => {
    const path = `/checkout/${await newSession()}`;
    const paid = await roundsOf(() => call(`POST ${path}/pay`, { body: buyer }));
    expect([paid.result.status, paid.rounds]).toEqual([200, `${readAndWrite}, write`]);
    const cookies = [`buyer=${paid.result.body.payment_id}`];
    expect((await roundsOf(() => call(`GET ${path}`, { cookies }))).rounds).toBe(oneRead);
    expect((await roundsOf(() => call(`GET ${path}`))).rounds).toBe('read, read');
  });

  it('grows by one row and by the stored answer for a payment with an Idempotency-Key; a repetition only reads', async () => {
    const pay = async (headers: Record<string, string>, path: string) => {
      const written: string[] = [];
      const { result, rounds } = await roundsOf(() => call(`POST ${path}/pay`, { body: buyer, headers }), [], written);
      return { status: result.status, rounds, written: written.map((pk) => pk.replace(/#.*/, '')) };
    };
    const [path, other] = [`/checkout/${await newSession()}`, `/checkout/${await newSession()}`];
    const before = {
      status: 200,
      rounds: `${readAndWrite}, write`,
      written: ['SESSION', 'PAYMENT', 'PAYMENT', 'EVENT'],
    };
    expect(await pay({}, other)).toEqual(before);
    const key = { 'idempotency-key': 'one' };
    const written = ['IDEM', ...before.written, 'IDEM'];
    expect(await pay(key, path)).toEqual({ status: 200, rounds: `${readAndWrite}, write, write`, written });
    expect(await pay(key, path)).toEqual({ status: 200, rounds: 'read, read', written: [] });
  });

  it('does not grow when a form is sent, because the session is read once', async () => {
    const id = await newSession();
    const page = await call(`GET /checkout/${id}`);
    const token = /name="token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const post = (action: string, fields: object) =>
      roundsOf(() =>
        call(`POST /checkout/${id}/${action}`, {
          headers,
          raw: Buffer.from(String(new URLSearchParams({ token, ...fields }))),
        }),
      );
    const filled = { email: 'buyer@example.com', name: 'A Buyer', country: 'DE', card: '4242424242424242' };
    const quoted = await post('quote', filled);
    expect([quoted.result.status, quoted.rounds]).toEqual([200, oneRead]);
    const paid = await post('pay', { ...filled, expected_total: '1999' });
    expect([paid.result.status, paid.rounds]).toEqual([303, `${readAndWrite}, write`]);
  });

  it('is one read while the page waits for a payment, and one read for a product’s page', async () => {
    const headers = { 'hx-request': 'true' };
    expect((await roundsOf(() => call(`GET /checkout/${shop.session}`, { headers }))).rounds).toBe(oneRead);
    expect((await roundsOf(() => call(`GET /buy/${shop.product}`))).rounds).toBe(oneRead);
  });
});

describe('the dashboard', () => {
  it.each([
    ['/dashboard/sign-in', 'read', 303],
    ['/dashboard/tax', 'read', 200],
    ['/dashboard/brands', 'read', 200],
    ['/dashboard/keys', 'read, query', 200],
    ['/dashboard/products', 'read, query, …', 200],
    ['/dashboard/products/{product}', 'read, query', 200],
    ['/dashboard/discounts', 'read, query, …', 200],
    ['/dashboard/payments/{payment}', 'read, query, …', 200],
    ['/dashboard/webhooks/{webhook}', 'read, query, …', 200],
  ])('reads the viewer’s session and the page’s data in the same round: %s: %s', async (path, rounds, status) => {
    const filled = path.replace(/\{(\w+)\}/, (_, name: string) => shop[name as keyof Shop]);
    const { cookies } = await browse(api, localKey);
    const { result, rounds: counted } = await roundsOf(() => api.call(`GET ${filled}`, { key: null, cookies }));
    const asFar = rounds.replace(', …', '');
    expect([result.status, rounds === asFar ? counted : counted.slice(0, asFar.length)]).toEqual([status, asFar]);
  });
});
