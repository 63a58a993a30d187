/**
 * Writes `table.jsonl` and `manifest.json` beside this file: what the handlers of version 0.1 make of a table in which every entity
 * is in every state. Chance and the clock are seeded, so that a second run writes the same. Run: `npx node test/upgrade/v0.1/write-dump.ts`.
 */
import crypto from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const seed = 20_260_301;
let state = seed;
const random = (): number => {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
const uuid = (): string =>
  bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
Object.assign(crypto, { randomInt: (max: number) => Math.floor(random() * max), randomBytes: bytes, randomUUID: uuid });
syncBuiltinESMExports();

const { listenOnLoopback, readBody } = await import('../../../infra/local/loopback-server.ts');
const { dispatchRule, documentRule } = await import('../../../infra/endpoints.ts');
const { startBucket } = await import('../../../infra/local/bucket.ts');
const { callDynamo } = await import('../../../infra/local/dynamo-wire.ts');
const { startEventBus } = await import('../../../infra/local/event-bus.ts');
const { wrapEvent } = await import('../../../infra/local/event-envelope.ts');
const { invokeFunction } = await import('../../../infra/local/invoke.ts');
const { localNames } = await import('../../../infra/local/sandbox-environment.ts');
const { loadMerchantConfig } = await import('../../../infra/merchant-config.ts');
const { world } = await import('../../../shared/runtime.ts');
const { samples } = await import('../../images/samples.ts');
const { startApi } = await import('../../support/api.ts');
const { clock } = await import('../../support/clock.ts');
type Call = import('../../support/api.ts').Call;

world.random = random;
clock.stopAt('2026-02-01T09:00:00.000Z');
const api = await startApi(loadMerchantConfig('demo').merchant);
const bucket = await startBucket({ bucketName: localNames.bucket });
process.env['AWS_ENDPOINT_URL_S3'] = bucket.url;

/** Calls the API as its owner does, and insists on success. */
async function call(request: string, body?: unknown, options: Call = {}) {
  clock.forward({ milliseconds: 1_250 });
  const answer = await api.call(request, { ...(body === undefined ? {} : { body }), ...options });
  if (answer.status >= 400 && !options.headers?.['x-expected']) throw new Error(`${request}: ${answer.text}`);
  return answer;
}

interface Item {
  pk: { S: string };
  sk: { S: string };
  entity?: { S: string };
  type?: { S: string };
  dueSk?: { S: string };
}

async function rows(): Promise<Item[]> {
  const { Items } = await callDynamo<{ Items: Item[]; LastEvaluatedKey?: unknown }>(api.endpoint, 'DynamoDB', 'Scan', {
    TableName: api.tableName,
  });
  return Items.sort((a, b) => (`${a.pk.S} ${a.sk.S}` < `${b.pk.S} ${b.sk.S}` ? -1 : 1));
}

/** The stream, the bus and the queue, one event after the other. */
const underWay: Promise<unknown>[] = [];
const bus = await startEventBus({
  busName: localNames.bus,
  rules: [dispatchRule, documentRule],
  invoke: (name, event) => {
    const running = (underWay.at(-1) ?? Promise.resolve()).then(() => invokeFunction(name, event));
    underWay.push(running);
    return running;
  },
});
process.env['AWS_ENDPOINT_URL_EVENTBRIDGE'] = bus.url;
const relayed = new Set<string>();
async function relay(): Promise<void> {
  const due = (await rows()).filter(({ entity, pk, dueSk }) => entity?.S === 'EVENT' && dueSk && !relayed.has(pk.S));
  for (const [index, item] of due.sort((a, b) => ((a.dueSk?.S ?? '') < (b.dueSk?.S ?? '') ? -1 : 1)).entries()) {
    relayed.add(item.pk.S);
    const record = { eventName: 'INSERT', dynamodb: { NewImage: item, SequenceNumber: String(index) } };
    await invokeFunction('events/relay-events', { Records: [record] });
    await Promise.allSettled(underWay.splice(0));
  }
}
async function sweep(): Promise<void> {
  await invokeFunction(
    'events/sweep-due',
    wrapEvent({ source: 'aws.events', detailType: 'Scheduled Event', detail: {} }),
  );
  await Promise.allSettled(underWay.splice(0));
}

/** Merchants' endpoints: one takes everything, one nothing, one says that it is gone. */
const receivers = Object.fromEntries(
  await Promise.all(
    Object.entries({ takes: 200, fails: 500, gone: 410 }).map(async ([name, status]) => {
      const server = await listenOnLoopback(async (message, response) => {
        await readBody(message, 1_000_000);
        response.writeHead(status).end(status === 200 ? 'ok' : 'not now');
      });
      return [name, { url: `http://127.0.0.1:${server.port}/hooks`, close: () => server.close() }] as const;
    }),
  ),
);
const urlOf = (name: string): string => receivers[name]?.url ?? '';

// Keys.
const keys: Record<string, string> = {};
for (const [name, fields] of Object.entries({
  write: { name: 'Shop server', access: 'write' },
  read: { name: 'Accountant', access: 'read' },
  revoked: { name: 'Old shop server', access: 'write' },
  expired: { name: 'For a month', access: 'read', expires_at: '2026-02-20T00:00:00Z' },
}))
  keys[name] = (await call('POST /api-keys', fields)).body.key;
const listed = (await call('GET /api-keys')).body.items;
const revokedId = listed.find((key: { name: string }) => key.name === 'Old shop server').id;
await call(`DELETE /api-keys/${revokedId}`);

// Tax rules and brands.
const uk = await call('POST /tax/registrations', { country: 'GB', tax_id: 'GB123456788', active_from: '2026-01-01' });
await call('POST /tax/registrations', { country: 'DE', tax_id: 'DE123456788', active_from: '2020-01-01' });
const swiss = await call('POST /tax/registrations', { country: 'CH', active_from: '2025-01-01' });
await call(`PATCH /tax/registrations/${swiss.body.id}`, { expires_at: '2026-12-31' });
const override = await call('POST /tax/overrides', {
  country: 'US',
  region: 'TX',
  postal_code_prefix: '787',
  mode: 'add',
  components: [{ name: 'Austin', rate: '0.02' }],
  effective_from: '2020-01-01',
  reason: 'Local sales tax',
});
const brand = await call('POST /brands', {
  name: 'Atlas',
  description: 'Maps of everywhere.',
  support_email: 'maps@example.com',
  url: 'https://maps.example.com',
  color: '#0b5c58',
});

async function uploadTo(path: string, kind: keyof typeof samples): Promise<void> {
  const { url, image_id } = (await call(`PUT ${path}/images`)).body;
  const bytes = samples[kind] as Uint8Array;
  await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) });
  await call(`PATCH ${path}`, { image_id });
}
await uploadTo(`/brands/${brand.body.brand_id}`, 'png');

// Products of both kinds of price.
const fixed = (name: string, price: number, fields: object = {}) => ({
  name,
  description: 'An example product.',
  price: { type: 'one_time_price', currency: 'EUR', price, tax_inclusive: true },
  tax_category: 'e_book',
  ...fields,
});
const products: Record<string, string> = {};
const create = async (name: string, body: object) => {
  products[name] = (await call('POST /products', body)).body.product_id;
};
await create('guide', fixed('Field Guide (old)', 1_999, { metadata: { sku: 'FG-1' } }));
await create('atlas', fixed('Star Atlas', 2_400, { brand_id: brand.body.brand_id }));
await create('excluded', {
  ...fixed('Poster', 3_333),
  price: { type: 'one_time_price', currency: 'USD', price: 3_333, tax_inclusive: false },
  tax_category: 'digital_products',
});
await create('support', {
  ...fixed('Support our work (old)', 500),
  price: {
    type: 'one_time_price',
    currency: 'EUR',
    price: 500,
    pay_what_you_want: true,
    suggested_price: 1_500,
    tax_inclusive: true,
  },
  tax_category: 'digital_products',
});
await create('archived', fixed('Out of print', 900));
await call(`DELETE /products/${products['archived']}`);
await create('returned', fixed('Reprint', 1_200));
await call(`DELETE /products/${products['returned']}`);
await call(`POST /products/${products['returned']}/unarchive`);
await uploadTo(`/products/${products['guide']}`, 'jpeg');

// Webhook endpoints.
const hooks: Record<string, string> = {};
for (const [name, body] of Object.entries({
  takes: { url: urlOf('takes'), description: 'Warehouse', headers: { 'x-shop': 'one' }, metadata: { team: 'books' } },
  fails: { url: urlOf('fails'), description: 'A bad day', filter_types: ['payment.*'] },
  gone: { url: urlOf('gone'), description: 'Moved away', filter_types: ['payment.succeeded'] },
  disabled: { url: urlOf('takes'), description: 'Switched off', disabled: true },
  removed: { url: urlOf('fails'), description: 'Removed' },
}))
  hooks[name] = (await call('POST /webhooks', body)).body.id;
await call(`POST /webhooks/${hooks['takes']}/rotate`, {});
await call(`POST /webhooks/${hooks['takes']}/test`, { type: 'payment.succeeded' });

// Sessions and sales.
const sessions: Record<string, string> = {};
const payments: Record<string, string> = {};
const refunds: Record<string, string> = {};
const de = { country: 'DE', city: 'Berlin', street: 'Musterstraße 1', zipcode: '10115' };

async function open(name: string, cart: object[], fields: object = {}, headers = {}): Promise<string> {
  sessions[name] = (await call('POST /checkouts', { product_cart: cart, ...fields }, { headers })).body.session_id;
  return sessions[name] as string;
}
interface Purchase {
  cart?: object[];
  card?: string;
  email?: string;
  fields?: object;
  pay?: object;
}
async function buy(name: string, purchase: Purchase = {}): Promise<void> {
  const {
    cart = [{ product_id: products['guide'], quantity: 1 }],
    card = '4242',
    email = 'buyer@example.com',
  } = purchase;
  const id = await open(name, cart, purchase.fields);
  const body = { customer: { email, name: 'A Buyer' }, billing_address: de, test_card: card, ...purchase.pay };
  const { body: paid } = await call(`POST /checkout/${id}/pay`, body, {
    key: null,
    headers: { 'x-expected': 'declines' },
  });
  payments[name] = paid.payment_id;
}
async function refund(name: string, of: string, fields: object = {}, headers = {}): Promise<void> {
  refunds[name] = (await call('POST /refunds', { payment_id: payments[of], ...fields }, { headers })).body.refund_id;
}

// The first weeks: these events have had all their attempts, or went to an endpoint that is no more.
await buy('first');
await relay();
await call(`DELETE /webhooks/${hooks['removed']}`);
for (const hours of [0.01, 0.2, 1, 3, 6, 11, 15, 21, 25, 25]) {
  clock.forward({ minutes: hours * 60 });
  await sweep();
}
clock.stopAt('2026-02-27T10:00:00.000Z');
await buy('whole');
await buy('partial', {
  cart: [
    { product_id: products['guide'], quantity: 2 },
    { product_id: products['atlas'], quantity: 1 },
  ],
  fields: {
    metadata: { order: 'A-17' },
    return_url: 'https://shop.example/thanks',
    cancel_url: 'https://shop.example/cart',
  },
}).catch(async () => {
  await buy('partial', {
    cart: [{ product_id: products['guide'], quantity: 2 }],
    fields: { metadata: { order: 'A-17' } },
  });
});
await buy('chosen', {
  cart: [{ product_id: products['support'], quantity: 1, amount: 2_000 }],
  email: 'giver@example.com',
});
await buy('asked', {
  cart: [{ product_id: products['support'], quantity: 1 }],
  pay: { amounts: { [products['support'] as string]: 700 } },
});
await buy('texan', {
  cart: [{ product_id: products['excluded'], quantity: 3 }],
  email: 'texan@example.com',
  pay: { billing_address: { country: 'US', state: 'TX', zipcode: '78701', city: 'Austin', street: '1 Main St' } },
});
await buy('business', {
  email: 'office@example.com',
  pay: {
    billing_address: { country: 'FR', city: 'Lyon', zipcode: '69001' },
    tax_id: 'FR40303265045',
    customer_business_name: 'Éditions du Rhône',
  },
});
await buy('declined', { card: '0002' });
await buy('declinedTwice', { card: '9995' });
const again = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: de };
for (const card of ['0119', '4242']) {
  const options = { key: null, headers: { 'x-expected': 'declines' } };
  const { body } = await call(
    `POST /checkout/${sessions['declinedTwice']}/pay`,
    { ...again, test_card: card },
    options,
  );
  payments[card === '4242' ? 'third' : 'second'] = body.payment_id;
}
await buy('slow', { card: '3220' });
await buy('slowDecline', { card: '3238' });
await buy('refundsFail', { card: '0341' });
await buy('refundsSlow', { card: '7726' });
await buy('refundsPending', { card: '5126' });
await relay();

await refund('whole', 'whole', { reason: 'Bought twice.' }, { 'idempotency-key': 'refund-of-whole' });
await refund('part', 'partial', { amount: 500, metadata: { ticket: '12' } });
await refund('line', 'partial', { items: [{ item_id: products['guide'], amount: 700, tax_inclusive: false }] });
await refund('tax', 'first', { type: 'tax' });
await refund('fails', 'refundsFail', { amount: 300 });
await refund('slow', 'refundsSlow');
clock.forward({ minutes: 1 });
await sweep();
await relay();
await refund('afterFailure', 'refundsFail', { amount: 200 });
clock.forward({ minutes: 5 });
await sweep();
await relay();

// Documents for whoever asks, in each kind.
const anyone = { key: null, headers: { accept: 'application/json' } };
await call(`GET /invoices/payments/${payments['whole']}`, undefined, anyone);
await call(`GET /invoices/refunds/${refunds['whole']}`, undefined, anyone);

// The dashboard: a signing secret and a cookie.
const headers = {
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
  origin: 'http://localhost:4000',
};
const raw = Buffer.from(new URLSearchParams({ key: keys['write'] as string }).toString());
const { cookies } = await call('POST /dashboard/sign-in', undefined, { raw, headers, key: null });
const cookie = cookies[0]?.split(';')[0] ?? '';

// The last day: nothing of it is finished.
clock.stopAt('2026-03-01T11:00:00.000Z');
await buy('last', { email: 'late@example.com' });
await relay();
await refund('pending', 'refundsPending', { amount: 400 });
await buy('processing', { card: '3220', email: 'late@example.com' });
await open('open', [{ product_id: products['guide'], quantity: 1 }], {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
});
await open('openChosen', [{ product_id: products['support'], quantity: 1 }]);
await open('kept', [{ product_id: products['atlas'], quantity: 1 }], {}, { 'idempotency-key': 'session-kept' });
await buy('attempted', { card: '0002' });
await call(`GET /checkout/${sessions['open']}`, undefined, { key: null });
const quoted = { billing_address: de };
await call(`POST /checkout/${sessions['open']}/quote`, quoted, { key: null });
await buy('due', { email: 'due@example.com' });
const dumpedAt = world.now().toISOString();

/** The receivers' addresses become ones that nobody has. */
const text = (await rows()).map((row) => JSON.stringify(row)).join('\n');
const nameless = Object.entries(receivers).reduce(
  (dump, [name, { url }]) => dump.replaceAll(url, `https://${name}.hooks.example/hooks`),
  text,
);
writeFileSync(new URL('table.jsonl', import.meta.url), `${nameless}\n`);

const { images } = (await import('../../../shared/runtime.ts')) as {
  images: () => { find(name: string): Promise<Buffer | undefined> };
};
const files: Record<string, string> = {};
const named = [...text.matchAll(/([\w-]{36}-[0-9a-f]{16}\.(?:png|jpg|webp))/g)].map(([, name = '']) => name);
for (const file of new Set(named)) files[file] = (await images().find(file))?.toString('base64') ?? '';
const ids = { products, sessions, payments, refunds, hooks };
const tax = { registration: uk.body.id, override: override.body.id };
const manifest = { dumpedAt, keys, cookie, brand: brand.body.brand_id, tax, ...ids, images: files };
writeFileSync(new URL('manifest.json', import.meta.url), `${JSON.stringify(manifest, null, 1)}\n`);

await bus.stop();
await Promise.all(Object.values(receivers).map(({ close }) => close()));
await bucket.stop();
await api.stop();
