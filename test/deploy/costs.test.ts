import { readFileSync, writeFileSync } from 'node:fs';
import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { env } from '../../shared/env.ts';
import { hashApiKey } from '../../shared/http/api-key.ts';
import { eventBus } from '../../shared/outside/bus/event-bus.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { expireCheckout } from '../../shared/use-cases/checkout/expire-checkout.ts';
import { events, payments, portals } from '../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../shared/wiring/selling.ts';
import { clock } from '../support/clock.ts';
import { settlingGrants } from '../support/schedules/grant-race.ts';
import { type Api, startApiThroughSdk, testMerchant } from '../support/shop/api.ts';
import { browse } from '../support/shop/dashboard.ts';
import { expiring } from '../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../support/shop/shop.ts';
import { makeFilesReady } from '../support/table/ready-files.ts';
import {
  batch,
  billOf,
  type Counted,
  figureOf,
  gigabyteSecondsOf,
  megabytesOf,
  millisecondsOf,
  prices,
  processorMsOf,
  sizes,
  totalOf,
} from './bill.ts';
import { deliverWebhooks, issueInvoices, type SoldBook, type Step, walkApi, walkPages } from './journeys.ts';
import { tableMeter, unused } from './table-meter.ts';

/** What a merchant does beside the checkouts: no part of their sum. */
const commands: Pick<Counted, 'name' | 'writeUnits' | 'readUnits'>[] = [];
const journeys: Record<'pages' | 'api' | 'alone', Counted[]> = { pages: [], api: [], alone: [] };
let keptBytes = 0;
let api: Api;
let receiver: Receiver;

const meter = tableMeter();

/** What the rows of one checkout take, those aside that were there before or go by themselves. */
async function bytesOf({ client, name }: Table, paymentId: string): Promise<number> {
  const { Items: rows = [] } = await client.send(new ScanCommand({ TableName: name }));
  const ofCheckout = rows.filter(
    (row) =>
      /^(SESSION|PAYMENT|EVENT|CUSTOMER|DOCUMENT)#/.test(String(row['pk'])) && JSON.stringify(row).includes(paymentId),
  );
  const sizes = ofCheckout.flatMap((one) => Object.entries(one).map(([name, value]) => name.length + sizeOf(value)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Packed bytes are stored as they are; written as JSON they would be eight times as long, and another length each time. */
const sizeOf = (value: unknown): number =>
  value instanceof Uint8Array ? value.byteLength : Buffer.byteLength(JSON.stringify(value));

const workers = ['the webhook', 'the invoice, through its queue'] as const;
const isWorker = (name: string): boolean => workers.some((one) => one === name);

/** Buyers come back to a page, correct an address, look twice. */
const repeated: Readonly<Record<string, number>> = { 'the page': 2, 'a total for the buyer’s place': 3 };

const counting =
  (counted: Counted[], of = 1): Step =>
  async (name, act) => {
    meter.reset();
    api.log.length = 0;
    const result = await act();
    const isRequest = !isWorker(name);
    const one = {
      name,
      times: repeated[name] ?? 1,
      batch: of,
      isRequest,
      logLines: [...api.log],
      ...meter.used(),
    };
    const at = counted.findIndex((earlier) => earlier.name === name);
    if (at < 0) counted.push(one);
    else counted[at] = one;
    return result;
  };

/** The relay puts the events of sales on the bus, which counts each 64 kB of an entry as one. */
async function onTheBus(sold: readonly SoldBook[]): Promise<Counted> {
  const entries: string[] = [];
  const put = async ({ input }: PutEventsCommand) => {
    entries.push(...(input.Entries ?? []).map(({ Detail = '' }) => Detail));
    return { Entries: input.Entries?.map((_, place) => ({ EventId: String(place) })) };
  };
  const recorded = await Promise.all(sold.map(({ event }) => events().get(event.detail.event_id)));
  await eventBus('payments', { send: put as EventBridgeClient['send'] }).publish(recorded, 'together');
  const busEvents = entries.reduce((sum, detail) => sum + Math.ceil(Buffer.byteLength(detail) / 65_536), 0);
  const name = 'the event goes on the bus';
  return { name, times: 1, batch: sold.length, isRequest: false, ...unused(), logLines: [], busEvents };
}

/** What the workers do with sales that they find at once. */
async function work(sold: readonly SoldBook[], counted: Counted[]): Promise<void> {
  counted.push(await onTheBus(sold));
  await counting(counted, sold.length)('the webhook', () => deliverWebhooks(sold));
  await counting(counted, sold.length)('the invoice, through its queue', () => issueInvoices(sold));
}

/** As many checkouts as a batch holds: the steps of the last one count, and the workers find all of them at once. */
async function walkAll(walk: typeof walkPages, product: string, counted: Counted[]): Promise<SoldBook[]> {
  const sold: SoldBook[] = [];
  const step = counting(counted);
  for (let round = 0; round < batch; round += 1)
    sold.push(await walk(api, { product, round: sold.length + journeys.pages.length * 1_000 }, step));
  await work(sold, counted);
  for (const { paymentId } of sold)
    await step('the integrator reads the payment', () => api.call(`GET /payments/${paymentId}`));
  return sold;
}

/** A batch is sent, received and deleted at once. */
const queued = (steps: Counted[]): Counted[] =>
  steps.map((one) => (one.name === workers[1] ? { ...one, queueRequests: 3 } : one));

async function command(name: string, act: () => Promise<{ status: number }>): Promise<void> {
  meter.reset();
  const { status } = await act();
  expect([name, status]).toEqual([name, 200]);
  commands.push({ name, ...meter.used() });
}

/** A refund with an idempotency key, and one under a ceiling; a change that the audit log keeps; a page that reads the session. */
async function measureCommands(payment_id: string, product: string): Promise<void> {
  const limited = await api.addKey({ access: 'write', refunds: { perDay: { amount: 5_000, currency: 'EUR' } } });
  const { cookies } = await browse(api, limited);
  const refund = (key: string) => ({ key, body: { payment_id, amount: 100 }, headers: { 'idempotency-key': key } });
  await command('a refund', () => api.call('POST /refunds', refund(localKey)));
  await command('a refund under a ceiling', () => api.call('POST /refunds', refund(limited)));
  await command('a change of a product', () => api.call(`PATCH /products/${product}`, { body: { name: 'Atlas' } }));
  await command('the dashboard’s list of keys', () => api.call('GET /dashboard/keys', { cookies, key: null }));
}

/** A payment that its buyer makes on the processor's page: begun, open there, and ended when the buyer comes back. */
async function measurePaymentElsewhere(product: string): Promise<void> {
  const id = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const body = {
    customer: { email: 'buyer@example.com', name: 'A Buyer' },
    billing_address: { country: 'DE' },
    test_card: '3063',
  };
  meter.reset();
  const { status } = await api.call(`POST /checkout/${id}/pay`, { key: null, body });
  const back = await api.call(`GET /checkout/${id}/return`, { key: null, query: 'step=confirmed' });
  expect([status, back.status]).toEqual([200, 303]);
  commands.push({ name: 'a payment on the processor’s page, and the return', ...meter.used() });
}

/** Measures a checkout with an e-mail address, paid and never paid, in a stack with events of expired checkouts and in one without. */
async function measureExpiry(product: string): Promise<void> {
  const { merchant } = env;
  const open = async (isTold: boolean) => {
    env.merchant = () => ({ ...testMerchant, expiredCheckoutEvents: isTold });
    return createSession(api, [{ product_id: product, quantity: 1 }], { customer: { email: 'buyer@example.com' } });
  };
  const unitsOfSale = async (isTold: boolean) => {
    meter.reset();
    await pay(await open(isTold), { expectedTotal: 1_999 });
    return meter.used();
  };
  const [without, told] = [await unitsOfSale(false), await unitsOfSale(true)];
  const more = (of: 'writeUnits' | 'readUnits') => told[of] - without[of];
  const name = 'a checkout with an address, where expired ones are told of: more than another';
  commands.push({ name, writeUnits: more('writeUnits'), readUnits: more('readUnits') });
  const unpaid = await open(true);
  meter.reset();
  clock.forward({ hours: 24 });
  await expireCheckout(expiring(), unpaid);
  clock.run();
  commands.push({ name: 'an expired checkout that is told of', ...meter.used() });
  env.merchant = merchant;
}

/** A sale with a code that has a limit, and one with a code that has none. */
async function measureLimitedCode(product: string): Promise<void> {
  const unitsWith = async (terms: object) => {
    const body = { type: 'percentage', amount: 5_000, ...terms };
    const { code } = (await api.call('POST /discounts', { body })).body;
    for (const _ of [1, 2]) {
      const session = await createSession(api, [{ product_id: product, quantity: 1 }], { discount_codes: [code] });
      meter.reset(); // the first payment divides the limit among the shards
      await pay(session, { expectedTotal: null, place: { browser: 'one', network: 'one' } });
    }
    return meter.used();
  };
  const [without, limited] = [await unitsWith({}), await unitsWith({ usage_limit: 80 })];
  const more = (of: 'writeUnits' | 'readUnits') => limited[of] - without[of];
  const name = 'a checkout with a code that has a limit: more than with another code';
  commands.push({ name, writeUnits: more('writeUnits'), readUnits: more('readUnits') });
}

/** A sale of a product that gives a file and a licence key, the work of the sweep, and the buyer's look at the order. */
async function measureGrants(plain: string): Promise<void> {
  const create = async (integration_type: string) =>
    (await api.call('POST /entitlements', { body: { name: 'Atlas', integration_type, integration_config: {} } })).body
      .id;
  const [files, license] = [await create('digital_files'), await create('license_key')];
  await api.call(`POST /entitlements/${files}/files`, { body: { file_name: 'Atlas.pdf', file_size: 3 } });
  await makeFilesReady(files);
  const entitlements = [files, license].map((entitlement_id) => ({ entitlement_id }));
  const giving = await addProduct(api, { entitlements });
  const unitsOfSale = async (product: string) => {
    meter.reset();
    const { id } = await pay(await createSession(api, [{ product_id: product, quantity: 1 }]), {
      expectedTotal: 1_999,
    });
    return { id, ...meter.used() };
  };
  const [without, sold] = [await unitsOfSale(plain), await unitsOfSale(giving)];
  const more = (of: 'writeUnits' | 'readUnits') => sold[of] - without[of];
  const name = 'a checkout that gives a file and a licence key: more than another';
  commands.push({ name, writeUnits: more('writeUnits'), readUnits: more('readUnits') });
  meter.reset();
  await settlingGrants(sold.id)();
  commands.push({ name: 'the sweep gives both, with their five events', ...meter.used() });
  const { pathname, search } = new URL(await orderUrlOf(await payments().get(sold.id)));
  const { cookies } = await api.call(`GET ${pathname}`, { key: null, query: search.slice(1) });
  meter.reset();
  await api.call(`GET ${pathname}`, { key: null, cookies: cookies.map((cookie) => cookie.split(';')[0] ?? '') });
  commands.push({ name: 'the page of such an order', ...meter.used() });
  await measurePortal();
}

/** A buyer opens the list of their orders with a session. */
async function measurePortal(): Promise<void> {
  const token = 'p'.repeat(43);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const session = { email: 'buyer@example.com', customerId: null, returnUrl: null, expiresAt, endedAt: null };
  await portals().saveSession({ ...session, hash: hashApiKey(token) });
  meter.reset();
  const { text } = await api.call('GET /portal', { key: null, cookies: [`portal=${token}`] });
  expect(text).toContain('/portal/orders/pay_');
  commands.push({ name: 'a visit of the portal, with its ten latest orders', ...meter.used() });
}

/** Checkouts from the integrator's call to the webhook and the invoice, as most of them go. */
beforeAll(async () => {
  api = await startApiThroughSdk();
  await browse(api, localKey); // no session of an earlier version is about
  receiver = await startReceiver();
  const { body: webhook } = await api.call('POST /webhooks', { body: { url: receiver.url } });
  receiver.setSecret((await api.call(`GET /webhooks/${webhook.id}/secret`)).body.secret);
  const product = await addProduct(api);
  const { table } = await import('../../shared/wiring/runtime.ts');
  meter.read(table().client);
  const [first] = await walkAll(walkPages, product, journeys.pages);
  await walkAll(walkApi, product, journeys.api);
  const sale = await walkPages(api, { product, round: 9_999 }, (_, act) => act());
  await work([sale], journeys.alone);
  for (const name of ['pages', 'api', 'alone'] as const) journeys[name] = queued(journeys[name]);
  keptBytes = await bytesOf(table(), first?.paymentId ?? '');
  await measureCommands(first?.paymentId ?? '', product);
  await measurePaymentElsewhere(product);
  await measureExpiry(product);
  await measureGrants(product);
  await measureLimitedCode(product);
});
afterAll(async () => {
  await receiver.stop();
  await api.stop();
});

/** The same steps where a worker finds one event at a time. */
const oneByOne = (steps: readonly Counted[]): Counted[] => [
  ...steps.filter((one) => one.batch === 1),
  ...journeys.alone,
];

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const each = (one: Counted, figure: number): number => (figure * one.times) / one.batch;
const sum = (steps: readonly Counted[], figure: (one: Counted) => number): string =>
  figureOf(steps.reduce((total, one) => total + each(one, figure(one)), 0));

const stepTable = (title: string, steps: readonly Counted[]): string[] => [
  row([title, 'calls', 'write units', 'read units']),
  '|---|---|---|---|',
  ...steps.map((one) =>
    row([one.name, figureOf(each(one, 1)), figureOf(each(one, one.writeUnits)), figureOf(each(one, one.readUnits))]),
  ),
  row(['**together**', sum(steps, () => 1), sum(steps, (one) => one.writeUnits), sum(steps, (one) => one.readUnits)]),
];

const partTable = (steps: readonly Counted[]): string[] => [
  row(['part', 'per checkout', 'dollars per million checkouts']),
  '|---|---|---|',
  ...billOf(steps).map(([part, per, dollars]) => row([part, per, dollars.toFixed(2)])),
  row(['**together**', '', `**${totalOf(steps).toFixed(2)}**`]),
  row(['the same, where the workers find one event at a time', '', totalOf(oneByOne(steps)).toFixed(2)]),
];

const sizeTable = (): string[] => [
  row(['a warm call', 'processor', ...sizes.map((megabytes) => `${megabytes} MB`), 'chosen']),
  row(['---', '---', ...sizes.map(() => '---'), '---']),
  ...journeys.pages.map((one) =>
    row([
      one.batch > 1 ? `${one.name}, ${one.batch} at once` : one.name,
      `${processorMsOf(one)} ms`,
      ...sizes.map((megabytes) => {
        const dollars = 1_000_000 * prices.lambdaGigabyteSecond * gigabyteSecondsOf(one, megabytes);
        return `${millisecondsOf(one, megabytes).toFixed(0)} ms, ${dollars.toFixed(2)}`;
      }),
      `${megabytesOf(one.name)} MB`,
    ]),
  ),
];

function tables(): string {
  const kept = Math.round((4 * keptBytes) / 1_000) / 4; // packed rows differ by some bytes each time
  return [
    ...stepTable('step of a checkout by its pages', journeys.pages),
    '',
    ...partTable(journeys.pages),
    '',
    ...stepTable('step of a checkout by API', journeys.api),
    '',
    ...partTable(journeys.api),
    '',
    row(['beside the checkouts', 'write units', 'read units']),
    '|---|---|---|',
    ...commands.map((one) => row([one.name, one.writeUnits, one.readUnits])),
    '',
    row(['a million checkouts in the table', 'gigabytes', 'dollars per month']),
    '|---|---|---|',
    row(['rows', kept.toFixed(1), (kept * prices.storedGigabyteMonth).toFixed(2)]),
    row(['their backup of 35 days', kept.toFixed(1), (kept * prices.backedUpGigabyteMonth).toFixed(2)]),
    '',
    ...sizeTable(),
  ].join('\n');
}

it('docs/costs.md states the measured costs of a checkout (UPDATE_COSTS=1 rewrites it)', () => {
  const section = /(?<=<!-- costs -->\n)[\s\S]*?(?=\n<!-- \/costs -->)/;
  const costs = readFileSync('docs/costs.md', 'utf8');
  if (process.env['UPDATE_COSTS']) writeFileSync('docs/costs.md', costs.replace(section, tables()));
  else expect(section.exec(costs)?.[0]).toBe(tables());
});

it('every step of the cost measurement does the work that its name says', () => {
  const told = receiver.deliveries.map(({ type, verified }) => [type, verified]);
  expect(told).toEqual(Array.from({ length: 2 * batch + 1 }, () => ['payment.succeeded', true]));
  for (const one of [...journeys.pages, ...journeys.api].filter(({ name }) => !/script|bus/.test(name)))
    expect([one.name, one.readUnits > 0]).toEqual([one.name, true]);
  for (const one of journeys.pages)
    expect([one.name, millisecondsOf(one, megabytesOf(one.name))]).not.toContain(Number.NaN);
});

it('a million checkouts cost at most 38 dollars on the page, and 23 by API', () => {
  expect(totalOf(journeys.pages)).toBeLessThanOrEqual(38);
  expect(totalOf(journeys.api)).toBeLessThanOrEqual(23);
});
