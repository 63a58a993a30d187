import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The key that the fake origin accepts. */
export const originKey = 'dodo-key-that-reads';

export interface Origin {
  url: string;
  /** The requests so far, as method and path with the query. */
  requests: string[];
  stop(): void;
}

type Lists = Readonly<Record<string, readonly Record<string, unknown>[]>>;

const oneTime = (more: object) => ({
  type: 'one_time_price',
  currency: 'EUR',
  price: 1_999,
  discount: 0,
  discount_bps: 0,
  purchasing_power_parity: false,
  pay_what_you_want: false,
  suggested_price: null,
  tax_inclusive: true,
  ...more,
});

/** A product as the origin answers it. */
const productOf = (id: string, more: object) => ({
  product_id: id,
  business_id: 'bus_1',
  brand_id: 'bus_1',
  name: 'Field Guide',
  description: 'Birds of the northern forests.',
  image: null,
  price: oneTime({}),
  tax_category: 'e_book',
  is_recurring: false,
  license_key_enabled: false,
  license_key_activations_limit: null,
  license_key_activation_message: null,
  license_key_duration: null,
  digital_product_delivery: null,
  entitlements: [],
  credit_entitlements: [],
  addons: null,
  metadata: {},
  pricing_mode: null,
  product_collection_id: null,
  created_at: '2025-01-01T00:00:00Z',
  updated_at: '2025-01-01T00:00:00Z',
  ...more,
});

const entitlementOf = (type: string, config: object) => ({
  id: `ent_${type}`,
  name: type,
  description: null,
  integration_type: type,
  integration_config: config,
});

const discountOf = (id: string, more: object) => ({
  discount_id: id,
  business_id: 'bus_1',
  type: 'percentage',
  amount: 1_000,
  name: null,
  restricted_to: [],
  currency_options: [],
  customer_eligibility: 'any',
  usage_limit: null,
  per_customer_usage_limit: null,
  times_used: 0,
  starts_at: null,
  expires_at: null,
  subscription_cycles: null,
  preserve_on_plan_change: false,
  metadata: {},
  created_at: '2025-01-01T00:00:00Z',
  ...more,
});

const customerOf = (id: string, email: string, more: object = {}) => ({
  customer_id: id,
  business_id: 'bus_1',
  email,
  name: 'A Buyer',
  phone_number: null,
  metadata: {},
  created_at: '2025-01-01T00:00:00Z',
  ...more,
});

const keyOf = (id: string, more: object) => ({
  id,
  business_id: 'bus_1',
  brand_id: 'bus_1',
  status: 'active',
  source: 'auto',
  activations_limit: 3,
  expires_at: null,
  instances_count: 0,
  payment_id: 'pay_1',
  subscription_id: null,
  created_at: '2025-01-01T00:00:00Z',
  ...more,
});

/** A whole shop of the origin. Ids, addresses, codes and keys contain the name, so that two shops share nothing. */
export function dodoShop(name: string) {
  const at = (local: string) => `${local}.${name}@example.com`;
  const [app, old, monthly, metered, cut] = ['app', 'old', 'monthly', 'metered', 'cut'].map(
    (one) => `pdt_${one}_${name}`,
  );
  const [anna, ben] = [`cus_anna_${name}`, `cus_ben_${name}`];
  const [appId = '', oldId = '', monthlyId = '', meteredId = '', cutId = ''] = [app, old, monthly, metered, cut];
  const products = [
    productOf(appId, {
      name: 'App',
      image: 'https://images.example.com/app.png',
      pricing_mode: 'by_currency',
      entitlements: [
        entitlementOf('license_key', {
          activations_limit: 3,
          activation_message: 'Thank you.',
          duration_count: 1,
          duration_interval: 'Year',
        }),
        entitlementOf('discord', { guild_id: '1' }),
      ],
      digital_product_delivery: { external_url: 'https://example.com/app', instructions: null, files: [{}, {}] },
      metadata: { shelf: 'tools' },
    }),
    productOf(monthlyId, { name: 'Monthly', is_recurring: true, price: oneTime({ type: 'recurring_price' }) }),
    productOf(meteredId, { name: 'Metered', price: oneTime({ type: 'usage_based_price' }) }),
    productOf(cutId, { name: 'Cut', price: oneTime({ discount: 10, discount_bps: 1_000 }) }),
  ];
  const archived = [productOf(oldId, { name: 'Old App', description: null })];
  return {
    products,
    archived,
    prices: {
      [appId]: [{ id: `lp_${name}`, amount: 2_400, currency: 'USD', mode: 'by_currency', country_code: null }],
    },
    discounts: [
      discountOf(`dsc_a_${name}`, {
        code: `SAVE${name}`,
        restricted_to: [appId, monthlyId],
        usage_limit: 100,
        times_used: 40,
      }),
      discountOf(`dsc_b_${name}`, { code: `MONTH${name}`, restricted_to: [monthlyId] }),
      discountOf(`dsc_c_${name}`, { code: `GONE${name}`, expires_at: '2025-02-01T00:00:00Z' }),
    ],
    customers: [
      customerOf(anna ?? '', at('anna'), { metadata: { tier: 'gold' } }),
      customerOf(ben ?? '', at('ben'), { name: '', phone_number: 'call me' }),
      customerOf(`cus_twin_${name}`, at('ANNA')),
    ],
    keys: [
      keyOf(`lic_a_${name}`, {
        key: `APP-KEY-OF-ANNA-${name}`,
        product_id: appId,
        customer_id: anna,
        instances_count: 2,
      }),
      keyOf(`lic_b_${name}`, {
        key: `OLD-KEY-OF-BEN-${name}`,
        product_id: oldId,
        customer_id: ben,
        status: 'disabled',
      }),
      keyOf(`lic_c_${name}`, { key: `MONTHLY-KEY-${name}`, product_id: monthlyId, customer_id: anna }),
    ],
  };
}
export type DodoShop = ReturnType<typeof dodoShop>;

/** The requests that create or change something when the shop of `dodoShop` is imported. */
export const writesOfShop = 2 + 1 + 1 + 2 + 2 + /* disable, archive */ 2;

/**
 * Plays the origin's API over HTTP: pages are numbered from 0, an empty one is the last. Every request whose number is
 * divisible by `busyEvery` is answered with 429.
 */
export async function startOrigin(shop: DodoShop, { busyEvery = 0, pageSize = 2 } = {}): Promise<Origin> {
  const requests: string[] = [];
  const lists: Lists = { '/discounts': shop.discounts, '/customers': shop.customers, '/license_keys': shop.keys };
  const listed = (url: URL) =>
    url.pathname === '/products'
      ? url.searchParams.get('archived') === 'true'
        ? shop.archived
        : shop.products
      : lists[url.pathname];
  const answerTo = (url: URL): object | undefined => {
    const items = listed(url);
    const from = Number(url.searchParams.get('page_number') ?? 0) * pageSize;
    if (items) return { items: items.slice(from, from + pageSize) };
    const [, productId = '', more] = /^\/products\/([^/]+)(\/localized-prices)?$/.exec(url.pathname) ?? [];
    if (more) return { items: shop.prices[productId] ?? [] };
    return [...shop.products, ...shop.archived].find(({ product_id: id }) => id === productId);
  };
  const statusOf = ({ headers, method }: IncomingMessage, answer: object | undefined) => {
    if (method !== 'GET') return 405;
    if (headers.authorization !== `Bearer ${originKey}`) return 401;
    if (busyEvery > 0 && requests.length % busyEvery === 0) return 429;
    return answer ? 200 : 404;
  };
  const server = createServer((message, response) => {
    requests.push(`${message.method} ${message.url}`);
    const answer = answerTo(new URL(message.url ?? '/', 'http://origin'));
    const status = statusOf(message, answer);
    const body = status === 200 ? answer : { code: 'REFUSED', message: `refused with ${status}` };
    response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 && { 'retry-after': '7' }) });
    response.end(JSON.stringify(body));
  });
  const url = await listening(server);
  return { url, requests, stop: () => closed(server) };
}

export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function closed(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/**
 * Passes requests on to a stack, until so many of them have written. Then the connection is cut for good: before the
 * last write reaches the stack, or after it, so that its answer is lost.
 */
export async function cutAfter(to: string, writes: number, lost: 'request' | 'answer') {
  let written = 0;
  const server = createServer(async (message, response) => {
    const isWrite = message.method !== 'GET';
    if (isWrite) written += 1;
    const isLast = isWrite && written === writes;
    if (written > writes || (isLast && lost === 'request')) return message.socket.destroy();
    const body = Buffer.concat(await message.toArray());
    const headers = message.headers as Record<string, string>;
    const init = { method: message.method ?? 'GET', headers, ...(body.length > 0 && { body }) };
    const answer = await fetch(`${to}${message.url}`, init);
    const text = await answer.text();
    if (isLast) return message.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  return { url: await listening(server), stop: () => closed(server) };
}
