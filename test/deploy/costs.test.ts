import { readFileSync, writeFileSync } from 'node:fs';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../infra/local/invoke.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { script } from '../../shared/pages/assets/asset.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { type Api, startApi } from '../support/shop/api.ts';
import { browse } from '../support/shop/dashboard.ts';
import { createProduct } from '../support/shop/shop.ts';

/** Dollars, in us-east-1, beyond every free tier; a region of Europe asks for up to a quarter more. */
const prices = {
  gatewayRequest: 1.0e-6,
  lambdaRequest: 0.2e-6,
  lambdaGigabyteSecond: 0.0000133334,
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  busEvent: 1.0e-6,
  queueRequest: 0.4e-6,
  logGigabyte: 0.5,
  storedGigabyteMonth: 0.25,
  backedUpGigabyteMonth: 0.2,
};

/** What a call is taken to last on warm arm64, in milliseconds: two or three times what it takes here beside its table. */
const milliseconds = { api: 30, page: 40, worker: 100 };
const gigabytes = { api: 1, page: 1, worker: 0.5 };
/** What Lambda and the gateway write of a call beside our own line. */
const logBytesPerCall = { api: 850, page: 850, worker: 400 };

interface Step {
  name: string;
  kind: keyof typeof milliseconds;
  calls: number;
  writeUnits: number;
  readUnits: number;
  logBytes: number;
  busEvents?: number;
  queueRequests?: number;
}

const steps: Step[] = [];
/** What a merchant does beside the checkouts: no part of their sum. */
const commands: Pick<Step, 'name' | 'writeUnits' | 'readUnits'>[] = [];
let keptBytes = 0;
let api: Api;
let receiver: Receiver;

interface Consumed {
  CapacityUnits?: number;
}

/** Counts capacity as the table reports it. */
function meter(client: DynamoDBDocumentClient) {
  const used = { writeUnits: 0, readUnits: 0 };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const answer = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: 'TOTAL' } });
      const consumed = (answer.output as { ConsumedCapacity?: Consumed | Consumed[] }).ConsumedCapacity ?? [];
      const isWrite = /Write|Put|Update/.test(String(context['commandName']));
      for (const { CapacityUnits = 0 } of [consumed].flat())
        used[isWrite ? 'writeUnits' : 'readUnits'] += CapacityUnits;
      return answer;
    },
    { step: 'initialize', name: 'meter', priority: 'low' },
  );
  return used;
}

/** What the rows of one checkout take, those aside that were there before or go by themselves. */
async function bytesOf({ client, name }: Table): Promise<number> {
  const { Items: rows = [] } = await client.send(new ScanCommand({ TableName: name }));
  const ofCheckout = rows.filter(({ pk }) => /^(SESSION|PAYMENT|EVENT|CUSTOMER|DOCUMENT)#/.test(String(pk)));
  return ofCheckout.reduce((bytes, one) => bytes + Buffer.byteLength(JSON.stringify(one)), 0);
}

let used: ReturnType<typeof meter>;

async function step<Result>(
  name: string,
  kind: Step['kind'],
  act: () => Promise<Result>,
  more: Partial<Step> = {},
): Promise<Result> {
  Object.assign(used, { writeUnits: 0, readUnits: 0 });
  api.log.length = 0;
  const result = await act();
  const own = api.log.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  steps.push({ name, kind, calls: 1, logBytes: own + logBytesPerCall[kind], ...used, ...more });
  return result;
}

async function command(name: string, act: () => Promise<{ status: number }>): Promise<void> {
  Object.assign(used, { writeUnits: 0, readUnits: 0 });
  const { status } = await act();
  expect([name, status]).toEqual([name, 200]);
  commands.push({ name, ...used });
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

/** Buyers come back to a page, correct an address, look twice. */
function repeat(name: string, calls: number): void {
  const found = steps.find((one) => one.name === name);
  if (found) for (const figure of ['writeUnits', 'readUnits', 'logBytes', 'calls'] as const) found[figure] *= calls;
}

const asked = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
  expected_total: 1_999,
};

/** A checkout from the integrator's call to the webhook and the invoice, as most of them go. */
beforeAll(async () => {
  api = await startApi();
  receiver = await startReceiver();
  const { body: webhook } = await api.call('POST /webhooks', { body: { url: receiver.url } });
  receiver.setSecret((await api.call(`GET /webhooks/${webhook.id}/secret`)).body.secret);
  const product = await createProduct(api);
  const { table } = await import('../../shared/runtime.ts');
  used = meter(table().client);
  const headers = { 'idempotency-key': 'one' };
  const body = { product_cart: [{ product_id: product, quantity: 1 }] };
  const { body: session } = await step('the integrator opens a session', 'api', () =>
    api.call('POST /checkouts', { body, headers }),
  );
  const path = `/checkout/${session.session_id}`;
  await step('the page', 'page', () => api.call(`GET ${path}`, { key: null }));
  await step('its script, once', 'page', () => api.call(`GET /assets/${script.name}`, { key: null }));
  await step('a total for the buyer’s place', 'page', () => api.call(`POST ${path}/quote`, { body: asked, key: null }));
  const { body: paid } = await step('the payment', 'page', () =>
    api.call(`POST ${path}/pay`, { body: asked, key: null }),
  );
  const cookies = [`buyer=${paid.payment_id}`];
  await step('the receipt', 'page', () => api.call(`GET ${path}`, { key: null, cookies }));
  const { body: events } = await api.call('GET /events');
  const event = { detail: { event_id: events.items[0].event_id, payment_id: paid.payment_id, data: {} } };
  await step('the event goes on the bus', 'worker', async () => {}, { busEvents: 1 });
  await step('the webhook', 'worker', () => invokeFunction('webhooks/dispatch-webhook', event));
  const succeeded = { ...event, 'detail-type': 'payment.succeeded' };
  const issue = () => invokeFunction('documents/issue-documents', succeeded);
  await step('the invoice, through its queue', 'worker', issue, { queueRequests: 3 });
  await step('the integrator reads the payment', 'api', () => api.call(`GET /payments/${paid.payment_id}`));
  keptBytes = await bytesOf(table());
  await measureCommands(paid.payment_id, product);
  repeat('the page', 2);
  repeat('a total for the buyer’s place', 3);
});
afterAll(async () => {
  await receiver.stop();
  await api.stop();
});

const sum = (figure: (one: Step) => number): number => steps.reduce((total, one) => total + figure(one), 0);
const isCalled = ({ kind }: Step): boolean => kind !== 'worker';

/** To the half, so that the length of an id changes nothing. */
const roughly = (kilobytes: number): number => Math.round(2 * kilobytes) / 2;

/** Dollars for a million checkouts, part by part. */
function bill(): [string, string, number][] {
  const requests = sum((one) => (isCalled(one) ? one.calls : 0));
  const calls = sum(({ calls: count }) => count);
  const seconds = sum(({ kind, calls: count }) => (count * milliseconds[kind] * gigabytes[kind]) / 1_000);
  const [writes, reads] = [sum((one) => one.writeUnits), sum((one) => one.readUnits)];
  const logs = roughly(sum((one) => one.logBytes) / 1_000) * 1_000;
  const [busEvents, queued] = [sum((one) => one.busEvents ?? 0), sum((one) => one.queueRequests ?? 0)];
  const million = 1_000_000;
  return [
    ['API Gateway', `${requests} requests`, requests * prices.gatewayRequest * million],
    ['Lambda, calls', `${calls} calls`, calls * prices.lambdaRequest * million],
    ['Lambda, time', `${seconds.toFixed(2)} GB-s`, seconds * prices.lambdaGigabyteSecond * million],
    ['DynamoDB, writes', `${writes} units`, writes * prices.writeUnit * million],
    ['DynamoDB, reads', `${reads} units`, reads * prices.readUnit * million],
    ['EventBridge', `${busEvents} event`, busEvents * prices.busEvent * million],
    ['SQS', `${queued} requests`, queued * prices.queueRequest * million],
    ['CloudWatch Logs', `${(logs / 1_000).toFixed(1)} kB`, (logs / 1e9) * prices.logGigabyte * million],
  ];
}

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function tables(): string {
  const parts = bill();
  const total = parts.reduce((all, [, , dollars]) => all + dollars, 0);
  const kept = roughly(keptBytes / 1_000);
  return [
    row(['step of a checkout', 'calls', 'write units', 'read units']),
    '|---|---|---|---|',
    ...steps.map((one) => row([one.name, one.calls, one.writeUnits, one.readUnits])),
    row(['**together**', sum(({ calls }) => calls), sum((one) => one.writeUnits), sum((one) => one.readUnits)]),
    '',
    row(['beside the checkouts', 'write units', 'read units']),
    '|---|---|---|',
    ...commands.map((one) => row([one.name, one.writeUnits, one.readUnits])),
    '',
    row(['part', 'per checkout', 'dollars per million checkouts']),
    '|---|---|---|',
    ...parts.map(([part, per, dollars]) => row([part, per, dollars.toFixed(2)])),
    row(['**together**', '', `**${total.toFixed(2)}**`]),
    '',
    row(['a million checkouts in the table', 'gigabytes', 'dollars per month']),
    '|---|---|---|',
    row(['rows', kept.toFixed(1), (kept * prices.storedGigabyteMonth).toFixed(2)]),
    row(['their backup of 35 days', kept.toFixed(1), (kept * prices.backedUpGigabyteMonth).toFixed(2)]),
  ].join('\n');
}

it('docs/costs.md says what a checkout costs, as measured (UPDATE_COSTS=1 writes it anew)', () => {
  const section = /(?<=<!-- costs -->\n)[\s\S]*?(?=\n<!-- \/costs -->)/;
  const costs = readFileSync('docs/costs.md', 'utf8');
  if (process.env['UPDATE_COSTS']) writeFileSync('docs/costs.md', costs.replace(section, tables()));
  else expect(section.exec(costs)?.[0]).toBe(tables());
});

it('every step did what it is named for', () => {
  expect(receiver.deliveries.map(({ type, verified }) => [type, verified])).toEqual([['payment.succeeded', true]]);
  for (const one of steps.filter(({ name }) => !/script|bus/.test(name))) expect(one.readUnits).toBeGreaterThan(0);
});

it('a million checkouts cost less than a tenth of a cent each, of which nothing is a surprise', () => {
  expect(bill().reduce((all, [, , dollars]) => all + dollars, 0)).toBeLessThan(100);
});
