import type { Examples } from '../../../infra/contract/document.ts';
import type { Example } from '../../../infra/contract/operation-object.ts';
import { endpoints } from '../../../infra/endpoints.ts';
import { findRouteIn } from '../../../infra/local/local-gateway.ts';
import { clock } from '../clock.ts';
import type { Api, Call } from '../shop/api.ts';
import { cards } from '../shop/cards.ts';
import { sweep } from '../shop/settle.ts';
import { declareByLink } from '../shop/withdrawals.ts';
import { payOutSales } from '../table/paid-out.ts';
import { makeFilesReady } from '../table/ready-files.ts';

const match = findRouteIn(endpoints);

/** Shortens the signature of an upload address, because it depends on the real time. */
const withoutSignature = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/\?X-Amz-[^"]*/g, '?X-Amz-Signature=example'));

/** Calls the API and keeps the first request and answer of each function. */
function recorder(api: Pick<Api, 'call'>) {
  const operations: Record<string, Example> = {};
  // biome-ignore lint/suspicious/noExplicitAny: an answer of any route
  const ask = async (request: string, call: Call = {}): Promise<any> => {
    const { status, body, text } = await api.call(request, call);
    if (status !== 200) throw new Error(`${request}: ${status} ${text}`);
    const [method = '', path = ''] = request.split(' ');
    const name = match(method, path)?.function ?? '';
    const sent = call.body === undefined ? {} : { request: call.body };
    operations[name] ??= { path, ...sent, answer: withoutSignature(body) };
    return body;
  };
  return { operations, ask };
}

type Ask = ReturnType<typeof recorder>['ask'];

const books = {
  name: 'Star Atlas',
  description: 'All stars that a pair of binoculars shows.',
  price: { type: 'one_time_price', currency: 'EUR', price: 2_400, tax_inclusive: true },
  tax_category: 'e_book',
  metadata: { shelf: 'astronomy' },
};

const gift = {
  name: 'Support our work',
  description: 'Choose what it is worth to you.',
  price: { type: 'one_time_price', currency: 'EUR', price: 500, pay_what_you_want: true, suggested_price: 1_500 },
  tax_inclusive: true,
  tax_category: 'digital_products',
};

const buyer = { customer: { email: 'ada@example.com', name: 'Ada Buyer' }, billing_address: { country: 'DE' } };

async function catalogue(ask: Ask) {
  const { product_id: atlas } = await ask('POST /products', { body: books });
  const { product_id: support } = await ask('POST /products', { body: gift });
  await ask(`GET /products/${atlas}`);
  await ask(`PATCH /products/${atlas}`, { body: { price: { ...books.price, price: 2_500 } } });
  await ask(`PUT /products/${atlas}/images`);
  await markets(ask);
  await ask('GET /products', { query: 'page_size=2' });
  await ask(`DELETE /products/${atlas}`);
  await ask(`POST /products/${atlas}/unarchive`);
  const { brand_id: brand } = await ask('POST /brands', { body: { name: 'Night Sky Press', color: '#0b5c58' } });
  await ask(`GET /brands/${brand}`);
  await ask(`PATCH /brands/${brand}`, { body: { support_email: 'help@example.com' } });
  await ask(`PUT /brands/${brand}/images`);
  await ask('GET /brands');
  return { atlas, support };
}

async function discounts(ask: Ask, atlas: string) {
  const euros = { currency: 'EUR', max_amount_possible: 500, minimum_subtotal: 2_000 };
  const flat = { type: 'flat', amount: 500, code: 'STARS', currency_options: [euros], restricted_to: [atlas] };
  const { discount_id: id } = await ask('POST /discounts', { body: { ...flat, usage_limit: 100 } });
  await ask('POST /discounts', { body: { type: 'percentage', amount: 1_500, code: 'SPRING' } });
  await ask(`GET /discounts/${id}`);
  await ask(`PATCH /discounts/${id}`, { body: { customer_eligibility: 'specific' } });
  await ask('GET /discounts', { query: 'page_size=2' });
  await ask('GET /discounts/code/spring');
  const { customer_ids: guests } = await ask(`POST /discounts/${id}/customers`, {
    body: { emails: ['grace@example.com'] },
  });
  await ask(`GET /discounts/${id}/customers`);
  await ask(`DELETE /discounts/${id}/customers/${guests[0]}`);
  await ask(`DELETE /discounts/${id}`);
}

async function entitlements(ask: Ask) {
  const keys = { activations_limit: 3, duration_count: 1, duration_interval: 'Year' };
  const body = { name: 'Star Atlas for desktops', integration_type: 'license_key', integration_config: keys };
  const { id } = await ask('POST /entitlements', { body });
  await ask(`GET /entitlements/${id}`);
  await ask('GET /entitlements', { query: 'page_size=2' });
  await ask(`PATCH /entitlements/${id}`, { body: { integration_config: { activations_limit: 5 } } });
  const manual = { ...body, name: 'Star charts', integration_config: { fulfillment_mode: 'manual' } };
  const { id: charts } = await ask('POST /entitlements', { body: manual });
  const pooled = { ...manual, name: 'Star Game', integration_config: { fulfillment_mode: 'manual', pool: true } };
  const { id: game } = await ask('POST /entitlements', { body: pooled });
  await ask(`POST /entitlements/${game}/codes`, { body: { codes: ['STAR-GAME-EXAMPLE-1', 'STAR-GAME-EXAMPLE-2'] } });
  await granted(ask, charts);
  await ask(`DELETE /entitlements/${id}`);
  const files = {
    name: 'Field guide',
    integration_type: 'digital_files',
    integration_config: { digital_file_ids: [] },
  };
  const { id: filesId } = await ask('POST /entitlements', { body: files });
  const file = { file_name: 'field-guide.epub', content_type: 'application/epub+zip', file_size: 4_096 };
  const { file_id } = await ask(`POST /entitlements/${filesId}/files`, { body: file });
  await makeFilesReady(filesId);
  await ask(`GET /entitlements/${filesId}/files/${file_id}`);
  await ask(`DELETE /entitlements/${filesId}/files/${file_id}`);
}

/** A sale that gives a licence key of the merchant's own code. */
async function granted(ask: Ask, entitlement: string): Promise<void> {
  const product = { ...books, name: 'Star Charts', entitlements: [{ entitlement_id: entitlement }] };
  const { product_id: charts } = await ask('POST /products', { body: product });
  const cart = [{ product_id: charts, quantity: 1 }];
  const { session_id: session } = await ask('POST /checkouts', { body: { product_cart: cart } });
  await ask(`POST /checkout/${session}/pay`, { body: { ...buyer, test_card: '4242' }, key: null });
  await sweep();
  const { items } = await ask(`GET /entitlements/${entitlement}/grants`);
  const [{ id, customer_id: customer }] = items;
  const { license_key: given } = await ask(`POST /grants/${id}/license-key`, { body: { key: 'CHARTS-2026-ADA' } });
  await ask(`POST /license_keys/${given.id}/reissue`, { body: { key: 'CHARTS-2026-ADA-2' } });
  await ask(`GET /customers/${customer}/entitlements`);
  await ask(`GET /customers/${customer}/entitlement-grants`);
  await ask(`DELETE /entitlements/${entitlement}/grants/${id}`);
  await ask(`POST /entitlements/${entitlement}/grants/${id}/restore`);
}

/** A product with a price for the United States. */
async function markets(ask: Ask) {
  const product = { ...books, name: 'Moon Atlas', pricing_mode: 'by_country' };
  const { product_id: moon } = await ask('POST /products', { body: product });
  const path = `/products/${moon}/localized-prices`;
  const { id } = await ask(`POST ${path}`, { body: { amount: 1_900, currency: 'USD', country_code: 'US' } });
  await ask(`PATCH ${path}/${id}`, { body: { amount: 2_100 } });
  await ask(`GET ${path}/${id}`);
  await ask(`GET ${path}`);
  await ask(`DELETE ${path}/${id}`);
  await ask(`PUT /products/${moon}/files`, { body: { file_name: 'moon-atlas.pdf' } });
}

/** A key of an earlier system, which a program activates. */
async function licenses(ask: Ask, customer_id: string, product_id: string) {
  const key = 'ATLAS-2024-0001-EXAMPLE';
  const { id } = await ask('POST /license_keys', { body: { customer_id, product_id, key, activations_limit: 3 } });
  await ask(`GET /license_keys/${id}`);
  await ask(`PATCH /license_keys/${id}`, { body: { activations_limit: 5 } });
  await ask('GET /license_keys', { query: 'page_size=2' });
  const program = { license_key: key };
  const { id: device } = await ask('POST /licenses/activate', {
    body: { ...program, name: 'Ada’s laptop' },
    key: null,
  });
  const onDevice = { ...program, license_key_instance_id: device };
  await ask('POST /licenses/validate', { body: onDevice, key: null });
  await ask(`GET /license_key_instances/${device}`);
  await ask(`PATCH /license_key_instances/${device}`, { body: { name: 'Ada’s desktop' } });
  await ask('GET /license_key_instances', { query: `license_key_id=${id}` });
  await ask('POST /licenses/deactivate', { body: onDevice, key: null });
}

async function customers(ask: Ask, atlas: string) {
  const grace = { email: 'grace@example.com', name: 'Grace Buyer', phone_number: '+49 30 1234567' };
  const { customer_id: id } = await ask('POST /customers', { body: grace });
  await ask(`PATCH /customers/${id}`, { body: { metadata: { club: 'stargazers' } } });
  await ask(`GET /customers/${id}`);
  await ask(`POST /customers/${id}/customer-portal/session`, {
    query: 'return_url=https%3A%2F%2Fshop.example%2Faccount',
  });
  await ask('GET /customers', { query: 'page_size=2' });
  await licenses(ask, id, atlas);
  await ask(`POST /customers/${id}/erase`);
}

interface Goods {
  atlas: string;
  support: string;
}

async function checkout(ask: Ask, { atlas, support }: Goods): Promise<string> {
  const cart = [
    { product_id: atlas, quantity: 1 },
    { product_id: support, quantity: 1, amount: 1_500 },
  ];
  await ask('POST /checkouts/preview', { body: { product_cart: cart, billing_address: { country: 'DE' } } });
  const body = { product_cart: cart, ...buyer, return_url: 'https://shop.example.com/thanks' };
  const { session_id: session } = await ask('POST /checkouts', { body });
  await ask('GET /checkout/supported_countries', { query: 'tax_category=e_book' });
  await ask(`POST /checkout/${session}/quote`, { body: { billing_address: { country: 'DE' } }, key: null });
  const { payment_id } = await ask(`POST /checkout/${session}/pay`, {
    body: { ...buyer, test_card: '4242', expected_total: 4_000 },
    key: null,
  });
  await ask(`GET /checkouts/${session}`);
  return payment_id;
}

async function money(api: Pick<Api, 'call'>, ask: Ask, payment: string, { atlas }: Goods): Promise<void> {
  await ask(`GET /payments/${payment}/calculation`);
  const part = { payment_id: payment, items: [{ item_id: atlas, amount: 1_000 }], reason: 'Came late.' };
  await ask('POST /refunds/preview', { body: part });
  const { refund_id: refund } = await ask('POST /refunds', { body: part });
  clock.forward({ milliseconds: 6_000 });
  await sweep();
  await ask(`GET /refunds/${refund}`);
  await ask('GET /refunds');
  const withdrawal = await declareByLink(api, payment);
  await ask(`GET /withdrawals/${withdrawal}`);
  await ask(`POST /withdrawals/${withdrawal}/decide`, {
    body: { outcome: 'refund', note: 'We are sorry to see you go.' },
  });
  await ask('GET /withdrawals');
  await ask(`GET /payments/${payment}`);
  await ask(`GET /payments/${payment}/line-items`);
  await ask('GET /payments', { query: 'page_size=1' });
  const payout = await payOutSales([payment]);
  await ask('GET /payouts');
  await ask(`GET /payouts/${payout}/breakup`);
  const json = { headers: { accept: 'application/json' } };
  await ask(`GET /invoices/payments/${payment}`, json);
  await ask(`GET /invoices/refunds/${refund}`, json);
  await ask('GET /invoices/audit', { query: 'series=INV-2026' });
}

/** Makes one payment that a bank disputes, and one that fails. */
async function troubles(ask: Ask, { atlas }: Goods): Promise<void> {
  for (const card of [cards.disputeLost, cards.declined]) {
    const { session_id: session } = await ask('POST /checkouts', {
      body: { product_cart: [{ product_id: atlas, quantity: 1 }] },
    });
    await ask(`POST /checkout/${session}/pay`, { body: { ...buyer, test_card: card.slice(-4) }, key: null });
    clock.forward({ milliseconds: 6_000 });
    await sweep();
  }
  const { items } = await ask('GET /disputes');
  await ask(`GET /disputes/${items[0].dispute_id}`);
  clock.forward({ minutes: 5 });
  await sweep();
  await ask(`POST /disputes/${items[0].dispute_id}/adjustments`, { body: { ground: 'uncollectible' } });
}

async function webhooks(ask: Ask): Promise<void> {
  const url = 'https://hook.example.com/tillstack';
  const { id } = await ask('POST /webhooks', { body: { url, filter_types: ['payment.*', 'refund.*'] } });
  await ask(`GET /webhooks/${id}`);
  await ask(`PATCH /webhooks/${id}`, { body: { description: 'The shop' } });
  await ask(`PATCH /webhooks/${id}/headers`, { body: { headers: { 'X-Shop': 'night-sky' } } });
  await ask(`GET /webhooks/${id}/headers`);
  await ask(`GET /webhooks/${id}/secret`);
  await ask(`POST /webhooks/${id}/rotate`);
  await ask('GET /webhooks');
  const { items } = await ask('GET /webhook-events', { query: 'type=payment.succeeded' });
  await ask(`POST /webhook-events/${items[0].event_id}/resend`, { body: { webhook_id: id } });
  await ask(`GET /webhook-events/${items[0].event_id}`);
  await ask(`GET /webhooks/${id}/deliveries`);
  await ask(`POST /webhooks/${id}/test`, { body: { type: 'refund.succeeded' } });
  await ask(`POST /webhooks/${id}/recover`, { body: { since: '2026-03-01T00:00:00Z' } });
  await ask(`DELETE /webhooks/${id}`);
}

async function settings(ask: Ask): Promise<void> {
  const { id: key } = await ask('POST /api-keys', { body: { name: 'Shop', access: 'write' } });
  await ask('GET /api-keys');
  await ask(`DELETE /api-keys/${key}`, { query: 'descendants=true' });
  const registered = { country: 'DE', tax_id: 'DE123456788', active_from: '2126-01-01' };
  const { id: registration } = await ask('POST /tax/registrations', { body: registered });
  await ask(`PATCH /tax/registrations/${registration}`, { body: { expires_at: '2127-01-01' } });
  await ask('GET /tax/registrations');
  await ask(`DELETE /tax/registrations/${registration}`);
  const override = {
    country: 'DE',
    category: 'e_book',
    mode: 'replace',
    components: [{ name: 'VAT', rate: '0.07' }],
    effective_from: '2026-07-01',
    reason: 'Ruling of the tax office, file 12/345',
  };
  const { id } = await ask('POST /tax/overrides', { body: override });
  await ask('GET /tax/overrides');
  await ask(`DELETE /tax/overrides/${id}`);
  await ask('GET /audit-log', { query: 'page_size=3' });
}

/** The newest event of each type that has happened, as endpoints receive it. */
async function bodiesOf(ask: Ask): Promise<Record<string, unknown>> {
  const { items } = await ask('GET /webhook-events', { query: 'page_size=100' });
  const bodies: Record<string, unknown> = {};
  for (const { event_id, type } of items) bodies[type] ??= (await ask(`GET /webhook-events/${event_id}`)).body;
  return bodies;
}

/** A checkout that the merchant ends. */
async function endedCheckout(ask: Ask, { atlas }: Goods): Promise<void> {
  const { session_id: id } = await ask('POST /checkouts', {
    body: { product_cart: [{ product_id: atlas, quantity: 1 }] },
  });
  await ask(`POST /checkouts/${id}/expire`);
}

/** Calls every operation on a new shop. The answers become the examples in the contract. */
export async function takeExamples(api: Pick<Api, 'call'>): Promise<Examples> {
  const { operations, ask } = recorder(api);
  const goods = await catalogue(ask);
  const payment = await checkout(ask, goods);
  await money(api, ask, payment, goods);
  await troubles(ask, goods);
  await webhooks(ask);
  await discounts(ask, goods.atlas);
  await customers(ask, goods.atlas);
  await settings(ask);
  await entitlements(ask);
  await endedCheckout(ask, goods);
  return { operations, events: await bodiesOf(ask) };
}
