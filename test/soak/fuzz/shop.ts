import { type Endpoint, endpoints } from '../../../infra/endpoints.ts';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import type { Api, Call } from '../../support/shop/api.ts';
import { loseDispute } from '../../support/shop/settle.ts';
import { addProduct, createSession, sell, support } from '../../support/shop/shop.ts';
import { declareByLink } from '../../support/shop/withdrawals.ts';
import { formsOf, type OfferedForm } from './forms.ts';

/** What is there to be asked for, and how a request that is in order asks for it. */
export interface FuzzShop {
  /** Ids by what a path calls them, with the route's folder before: `products/id`. */
  ids: Readonly<Record<string, readonly string[]>>;
  cookies: string[];
  forms: readonly OfferedForm[];
  readKey: string;
  /** A JSON body by method and canonical path. */
  bodies: Readonly<Record<string, object>>;
}

const address = { country: 'DE', city: 'Berlin', street: 'Hauptstr. 1', zipcode: '10115' };
const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

async function signIn(api: Api): Promise<string[]> {
  const raw = Buffer.from(new URLSearchParams({ key: localKey }).toString());
  const { cookies } = await api.call('POST /dashboard/sign-in', { raw, headers: formHeaders, key: null });
  return cookies.map((cookie) => cookie.split(';')[0] ?? '');
}

/** Asks, and insists on an answer in order: a shop that is not there would be fuzzed in vain. */
const asking =
  (api: Api) =>
  async (request: string, options: Call = {}): Promise<Record<string, string>> => {
    const { status, body, text } = await api.call(request, options);
    if (status !== 200) throw new Error(`${request} answers ${status}: ${text.slice(0, 200)}`);
    return body;
  };

const webhookBody = {
  url: 'https://hook.example.com/events',
  description: 'Orders',
  filter_types: ['payment.succeeded', 'refund.*'],
  headers: { 'x-shop': 'north' },
  metadata: { shop: 'north' },
};
const registrationBody = { country: 'DE', scheme: 'standard', tax_id: 'DE136695976', active_from: '2026-01-01' };
const overrideBody = {
  country: 'DE',
  category: 'e_book',
  mode: 'replace',
  components: [{ name: 'VAT', rate: '0.05', base_fraction: '1' }],
  effective_from: '2026-01-01',
  reason: 'A ruling',
};

/** Opens a shop with one of everything. */
export async function openShop(api: Api): Promise<FuzzShop> {
  await seedLocalKey(api.table);
  const ask = asking(api);
  const product = await addProduct(api);
  const tip = await addProduct(api, support);
  await ask(`PATCH /products/${product}`, { body: { pricing_mode: 'by_currency' } });
  const market = await ask(`POST /products/${product}/localized-prices`, { body: { amount: 1_800, currency: 'GBP' } });
  const cart = [{ product_id: product, quantity: 1 }];
  const session = await createSession(api, [...cart, { product_id: tip, quantity: 2 }]);
  const simple = await createSession(api, cart, { return_url: 'https://shop.example/thanks' });
  const { paymentId: payment, productId: sold } = await sell(api);
  const refund = await ask('POST /refunds', { body: { payment_id: payment, amount: 100 } });
  const { items: webhooks } = await endpointsOf(api, ask);
  const events = await ask('GET /webhook-events');
  const registration = await ask('POST /tax/registrations', { body: registrationBody });
  const override = await ask('POST /tax/overrides', { body: overrideBody }).catch(() => ({
    id: `ovr_${'x'.repeat(21)}`,
  }));
  const discount = await ask('POST /discounts', { body: { type: 'percentage', amount: 100 } });
  const entitlement = await ask('POST /entitlements', {
    body: { name: 'Book', integration_type: 'digital_files', integration_config: { digital_file_ids: [] } },
  });
  const brands = await ask('GET /brands');
  const [brand = ''] = (brands['items'] as unknown as { brand_id: string }[]).map(({ brand_id }) => brand_id);
  const made = await ask('POST /api-keys', { body: { name: 'Fuzz', access: 'read' } });
  const { customer } = (await ask(`GET /payments/${payment}`)) as unknown as { customer: { customer_id: string } };
  const known = {
    product,
    sold,
    tip,
    session,
    payment,
    webhook: webhooks[0] ?? '',
    brand,
    customer: customer.customer_id,
  };
  const ids = {
    products: [product, tip],
    'localized-prices': [market['id'] ?? ''],
    buy: [product],
    policies: ['terms'],
    brands: [brand],
    'api-keys': [made['id'] ?? ''],
    checkouts: [session, simple],
    'checkout-sessions': [session],
    checkout: [session, simple],
    payments: [payment],
    refunds: [refund['refund_id'] ?? ''],
    webhooks,
    'webhook-events': (events['items'] as unknown as { id?: string; event_id?: string }[]).map(
      ({ id, event_id }) => id ?? event_id ?? '',
    ),
    registrations: [registration['id'] ?? ''],
    overrides: [override['id'] ?? ''],
    customers: [customer.customer_id],
    entitlements: [entitlement['id'] ?? ''],
    orders: [payment],
    withdrawals: [await declareByLink(api, payment)],
    disputes: [await loseDispute((await sell(api)).paymentId)],
    discounts: [discount['discount_id'] ?? ''],
    code: [discount['code'] ?? ''],
    exports: ['payments.csv', 'taxes.csv'],
    images: [`${crypto.randomUUID()}-0123456789abcdef.png`],
    assets: ['brand-0b5c58.css'],
  };
  const cookies = await signIn(api);
  const forms = await offeredForms(api, cookies, ids);
  return { ids, cookies, forms, readKey: made['key'] ?? localKey, bodies: bodiesOf(known) };
}

/** One endpoint for webhooks, made if there is none: there may be twenty. */
async function endpointsOf(_: Api, ask: ReturnType<typeof asking>): Promise<{ items: string[] }> {
  const all = (await ask('GET /webhooks')) as unknown as { data: { id: string }[] };
  if (all.data.length < 5) await ask('POST /webhooks', { body: webhookBody });
  const found = (await ask('GET /webhooks')) as unknown as { data: { id: string }[] };
  return { items: found.data.map(({ id }) => id) };
}

type Known = Record<'product' | 'sold' | 'tip' | 'session' | 'payment' | 'webhook' | 'brand' | 'customer', string>;

const bodiesOf = ({ product, sold, tip, payment, webhook, brand, customer }: Known): Record<string, object> => {
  const price = { type: 'one_time_price', currency: 'EUR', price: 1_999, tax_inclusive: true };
  const productBody = {
    name: 'Guide',
    description: 'An example.\nIn two lines.',
    price,
    tax_category: 'e_book',
    brand_id: brand,
    metadata: { sku: 'A-7', stock: 3, digital: true },
    adjustable_quantity: { minimum: 1, maximum: 9 },
    digital_product_delivery: { external_url: 'https://files.shop.example/guide', instructions: 'Open it.' },
  };
  const openPrice = {
    ...price,
    pay_what_you_want: true,
    suggested_price: 2_500,
    maximum_price: 9_900,
    purpose: 'It pays for paper.',
    show_net: true,
  };
  const session = {
    product_cart: [
      { product_id: product, quantity: 2, adjustable_quantity: { minimum: 1, maximum: 9 } },
      { product_id: tip, quantity: 1, amount: 900 },
    ],
    customer: { email: 'ada@example.com', name: 'Ada', phone_number: '+49 30 123456' },
    billing_address: { ...address, state: null },
    return_url: 'https://shop.example/thanks?order=7',
    cancel_url: 'https://shop.example/cart',
    tax_id: 'DE136695976',
    customer_business_name: 'Ada GmbH',
    metadata: { order: 'A-7' },
    billing_currency: 'EUR',
    discount_codes: ['FUZZ-3'],
    feature_flags: { allow_discount_code: true },
  };
  const buyer = {
    customer: { email: 'ada@example.com', name: 'Ada' },
    billing_address: address,
    amounts: { [tip]: 900 },
    quantities: {},
    expected_currency: 'EUR',
    test_card: '4242',
    tax_id: 'DE136695976',
    customer_business_name: 'Ada GmbH',
    discount_codes: [],
  };
  const discountBody = {
    type: 'flat',
    amount: 300,
    code: 'FUZZ-3',
    name: 'Three off',
    currency_options: [{ currency: 'EUR', is_default: true, max_amount_possible: 300, minimum_subtotal: 1_000 }],
    restricted_to: [product],
    usage_limit: 5,
    per_customer_usage_limit: 1,
    starts_at: '2026-01-01T00:00:00Z',
    expires_at: '2035-01-01T00:00:00Z',
    customer_eligibility: 'any',
    metadata: { campaign: 'x' },
    preserve_on_plan_change: false,
    subscription_cycles: null,
    below_minimum: true,
    combinable: true,
  };
  const refund = { payment_id: payment, amount: 1, reason: 'Too long', metadata: { why: 'x' }, tax_inclusive: true };
  return {
    'POST /products': productBody,
    'PATCH /products/{id}': { ...productBody, price: openPrice, image_id: null },
    'POST /brands': {
      name: 'North',
      description: 'x',
      support_email: 'a@example.com',
      url: 'https://north.example',
      color: '#0b5c58',
      search_listing: true,
    },
    'POST /entitlements': {
      name: 'The program',
      description: 'For desktops',
      integration_type: 'license_key',
      integration_config: { activations_limit: 3, duration_count: 1, duration_interval: 'Year', pool: false },
      metadata: { sku: 'L-1' },
    },
    'PATCH /entitlements/{id}': { name: 'The other program', integration_config: { activations_limit: null } },
    'POST /entitlements/{id}/files': { file_name: 'book.pdf', content_type: 'application/pdf', file_size: 1_000 },
    'PUT /products/{id}/files': { file_name: 'book.pdf' },
    'POST /entitlements/{id}/codes': { codes: ['FUZZ-1', 'FUZZ-2'] },
    'POST /grants/{id}/license-key': { key: 'FUZZ-KEY', activations_limit: 1, expires_at: '2035-01-01T00:00:00Z' },
    'POST /licenses/activate': { license_key: 'FUZZ-KEY', name: 'Laptop' },
    'POST /licenses/deactivate': { license_key: 'FUZZ-KEY', license_key_instance_id: `lki_${'x'.repeat(21)}` },
    'POST /licenses/validate': { license_key: 'FUZZ-KEY', license_key_instance_id: null },
    'POST /license_keys': {
      customer_id: customer,
      product_id: product,
      key: 'FUZZ-KEY',
      activations_limit: 3,
      expires_at: '2035-01-01T00:00:00Z',
    },
    'PATCH /license_keys/{id}': { activations_limit: null, expires_at: null, disabled: false },
    'POST /license_keys/{id}/reissue': { key: 'FUZZ-KEY-2' },
    'PATCH /license_key_instances/{id}': { name: 'Desktop' },
    'PATCH /brands/{id}': { name: 'North', image_id: null, color: null },
    'POST /api-keys': { name: 'Till', access: 'read', expires_at: '2035-01-01T00:00:00Z' },
    'POST /checkout-sessions/create': session,
    'POST /checkouts/preview': { ...session, tax_date: '2026-03-01', customer: { customer_id: customer } },
    'POST /customers': {
      email: 'grace@example.com',
      name: 'Grace',
      phone_number: '+49 30 123456',
      metadata: { vip: true },
    },
    'PATCH /customers/{customer_id}': { email: 'ada.b@example.com', name: 'Ada B', phone_number: null, metadata: null },
    'POST /discounts': discountBody,
    'PATCH /discounts/{id}': { ...discountBody, code: null, expires_at: null, below_minimum: false },
    'POST /discounts/{id}/customers': { customer_ids: [customer], emails: ['ada@example.com'] },
    'POST /refunds': refund,
    'POST /disputes/{dispute_id}/adjustments': { ground: 'uncollectible' },
    'POST /withdrawals/{withdrawal_id}/decide': {
      outcome: 'refund',
      lines: [{ line: 0, amount: 5 }],
      reason: null,
      note: 'Gladly.',
    },
    'POST /refunds/preview': { payment_id: payment, items: [{ item_id: sold, amount: 5, tax_inclusive: false }] },
    'POST /webhooks': { ...webhookBody, idempotency_key: 'once' },
    'PATCH /webhooks/{id}': { ...webhookBody, headers: undefined, disabled: true },
    'PATCH /webhooks/{id}/headers': { headers: { 'x-shop': null, 'x-other': 'south' } },
    'POST /webhooks/{id}/test': { type: 'payment.succeeded' },
    'POST /webhooks/{id}/recover': { since: '2026-01-01T00:00:00Z' },
    'POST /webhook-events/{id}/resend': { webhook_id: webhook },
    'POST /tax/registrations': registrationBody,
    'PATCH /tax/registrations/{id}': { scheme: 'oss', expires_at: null, tax_id: null, active_from: '2026-02-01' },
    'POST /tax/overrides': overrideBody,
    'POST /products/{id}/localized-prices': { amount: 900, currency: 'USD', country_code: null, tax_inclusive: true },
    'PATCH /products/{id}/localized-prices/{price_id}': { amount: 950, tax_inclusive: null },
    'POST /checkout/{id}/quote': { ...buyer, test_card: undefined },
    'POST /checkout/{id}/pay': { ...buyer, expected_total: 3_799 },
    'POST /processor/stripe': {
      id: 'evt_1',
      object: 'event',
      type: 'charge.updated',
      data: { object: { id: 'ch_1' } },
    },
  };
};

/** Commands that need nothing but their path. */
const bodiless = [
  'POST /products/{id}/unarchive',
  'PUT /products/{id}/images',
  'PUT /brands/{id}/images',
  'POST /webhooks/{id}/rotate',
  'POST /entitlements/{id}/grants/{grant_id}/restore',
  'POST /invoices/payments/{payment_id}',
  'POST /customers/{customer_id}/customer-portal/session',
  'POST /customers/{customer_id}/erase',
  'POST /checkout-sessions/{id}/expire',
];

/** Forms, which are found on the pages; a few commands have no body. */
const hasForm = ({ paths: [path] }: Endpoint): boolean =>
  /^\/(dashboard|buy)\b|^\/checkout\/\{id\}\/(change|step|recover)$|\/tax-id$|^\/downloads\/|\/?withdraw\b|^\/portal\b|^\/orders\/\{payment_id\}$/.test(
    path,
  ) || path === '$default';

/** Routes with a body for which no generator exists. There must be none, or the campaign would skip them. */
export const routesWithoutBody = (bodies: Readonly<Record<string, object>>): string[] =>
  endpoints
    .filter((endpoint) => !['GET', 'DELETE'].includes(endpoint.method) && !hasForm(endpoint))
    .map(({ method, paths: [path] }) => `${method} ${path}`)
    .filter((route) => !(route in bodies) && !bodiless.includes(route));

/** Reads the pages of the dashboard and of buyers, as the route table names them, and collects what they offer. */
async function offeredForms(api: Api, cookies: string[], ids: FuzzShop['ids']): Promise<OfferedForm[]> {
  const pages = endpoints
    .filter(({ method, paths: [path] }) => method !== 'POST' && /^\/(dashboard|buy|checkout)\b/.test(path))
    .flatMap(({ paths }) => paths)
    .filter((path) => !/\/(quote|pay|return|sign-out)$|exports\//.test(path))
    .flatMap((path) => [path, ...(path.includes('{') ? [path.replace(/\{\w+\}/, 'new')] : [])])
    .map((path) => filled(path, ids));
  const found: OfferedForm[] = [];
  for (const path of new Set(pages)) {
    const { text } = await api.call(`GET ${path}`, { cookies: path.endsWith('sign-in') ? [] : cookies, key: null });
    found.push(...formsOf(text, path));
  }
  return found;
}

/** A path with an id for each parameter, of the kind that its folder is about. */
export function filled(
  path: string,
  ids: FuzzShop['ids'],
  choose: (of: readonly string[]) => string = ([first = 'x']) => first,
): string {
  const folders = path.split('/');
  return folders
    .map((folder, at) => {
      if (!folder.startsWith('{')) return folder;
      return encodeURIComponent(choose(ids[folders[at - 1] ?? ''] ?? ['x']));
    })
    .join('/');
}
