import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Row } from '../../infra/commands/books/read-books.ts';
import { localKey } from '../../infra/local/local-key.ts';
import { startLocalTable } from '../../infra/local/local-table.ts';
import { localNames } from '../../infra/local/sandbox-environment.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';
import { grantBooksOf, grantContradictions } from '../support/schedules/grant-books.ts';
import { between, seeded, tally, times } from '../support/seeded.ts';
import { moneyContradictions, scanRows } from '../support/shop/books.ts';

/** An answer that a client got, and the path where its facts must be found afterwards. */
interface Answered {
  path: string;
  expected: Record<string, unknown>;
}

interface KillReport {
  kills: number;
  answered: { sessions: number; payments: number; refunds: number; activations: number };
  /** What the payments gave, by kind, and how many of the pool's codes were given. */
  given: Record<string, number>;
  /** What was answered and is not there, or not as it was answered. */
  lost: string[];
}

interface RunningSandbox {
  child: ChildProcess;
  url: string;
}

const clients = 6;
const startMs = 180_000;

/** `npm start -- --data DIR` without npm, so that the signal reaches the process that holds the table. */
async function startSandbox(dataDirectory: string): Promise<RunningSandbox> {
  const args = ['infra/local/demo/start.ts', '--port', '0', '--data', dataDirectory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const deadline = Date.now() + startMs;
  while (!said.includes('Webhooks appear here:') && child.exitCode === null && Date.now() < deadline) await pause(20);
  const url = /runs at (\S+)\. /.exec(said)?.[1];
  if (url) return { child, url };
  child.kill('SIGKILL');
  throw new Error(`The sandbox did not start: ${said}`);
}

async function kill({ child }: RunningSandbox): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** The body of an answer of 200; undefined for any other answer, or for none. */
async function ask(url: string, path: string, body?: object): Promise<Record<string, unknown> | undefined> {
  const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
  try {
    const response = await fetch(url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    const text = await response.text();
    return response.ok ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };

/** Sells, refunds and activates until the sandbox is gone, and notes each answer once it has arrived whole. */
async function trade(url: string, productId: string, answered: Answered[]): Promise<void> {
  for (let sales = 1; ; sales += 1) {
    const session = await ask(url, '/checkouts', { product_cart: [{ product_id: productId, quantity: 1 }] });
    if (!session) return;
    answered.push({ path: `/checkouts/${session['session_id']}`, expected: {} });
    const paid = await ask(url, `/checkout/${session['session_id']}/pay`, { ...buyer, test_card: '4242' });
    if (!paid) return;
    const { payment_id: paymentId, total_amount: total } = paid;
    answered.push({ path: `/payments/${paymentId}`, expected: { status: 'succeeded', total_amount: total ?? 1_999 } });
    const amount = sales % 2 === 0 ? 500 : Number(total ?? 1_999);
    const refund = await ask(url, '/refunds', { payment_id: paymentId, amount });
    if (!refund) return;
    answered.push({ path: `/refunds/${refund['refund_id']}`, expected: { status: refund['status'], amount } });
    const instance = await activateSome(url);
    if (instance)
      answered.push({ path: `/license_key_instances/${instance['id']}`, expected: { name: instance['name'] } });
  }
}

interface KeyRow {
  key: string;
  status: string;
}

/** Activates one of the newest licence keys, which other clients activate too. */
async function activateSome(url: string): Promise<Record<string, unknown> | undefined> {
  const { items = [] } = ((await ask(url, '/license_keys?page_size=10')) ?? {}) as { items?: KeyRow[] };
  const known = items.find(({ key, status }) => status === 'active' && !key.startsWith(codePrefix));
  return known && ask(url, '/licenses/activate', { license_key: known.key, name: 'A device' });
}

const codePrefix = 'GAME-';
/** Enough codes that no sale waits for one. */
const codesOfPool = 1_000;
const poolImports = 5;

/** Adds a pool of codes and a flag to the files and the licence key that the demo's product gives. */
async function giveMore(url: string, productId: string): Promise<void> {
  const create = async (integration_type: string, integration_config: object) =>
    (await ask(url, '/entitlements', { name: 'More', integration_type, integration_config }))?.['id'];
  const pool = await create('license_key', { fulfillment_mode: 'manual', pool: true });
  const flag = await create('feature_flag', { feature_id: 'pro' });
  for (const part of times(poolImports)) {
    const codes = times(codesOfPool).map((index) => `${codePrefix}${part}-${index}`);
    await ask(url, `/entitlements/${pool}/codes`, { codes });
  }
  const product = await ask(url, `/products/${productId}`);
  const given = (product?.['entitlements'] ?? []) as { id: string }[];
  const entitlements = [...given.map(({ id }) => id), pool, flag].map((entitlement_id) => ({ entitlement_id }));
  const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
  const { ok } = await fetch(`${url}/products/${productId}`, {
    ...{ method: 'PATCH', headers, body: JSON.stringify({ entitlements }) },
  });
  if (!ok || given.length === 0) throw new Error('The product of the demo gives nothing.');
}

/** What is not found as it was answered. */
async function missing(url: string, answered: readonly Answered[]): Promise<string[]> {
  const lost: string[] = [];
  for (const { path, expected } of answered) {
    const found = await ask(url, path);
    const isSame = found && Object.entries(expected).every(([name, value]) => found[name] === value);
    if (!isSame) lost.push(`${path}: ${JSON.stringify(found)}`);
  }
  return lost;
}

const RowFacts = z.object({
  entity: z.string().optional(),
  undocumented: z.boolean().optional(),
  paymentId: z.string().optional(),
});
const RefundRow = z.object({ entity: z.literal('REFUND'), data: z.object({ id: z.string(), paymentId: z.string() }) });

/**
 * Drops a mail that is missing while its event is still open: the last death may come between a document and its mail, and the
 * sweep sends it minutes later. A missing mail whose event has ended is lost.
 */
export function withoutDueMails(rows: readonly Record<string, unknown>[], faults: readonly string[]): string[] {
  const facts = rows.map((row) => RowFacts.parse(row));
  const open = new Set(facts.filter((row) => row.entity === 'EVENT' && row.undocumented).map((row) => row.paymentId));
  const refunds = rows.flatMap((row) => RefundRow.safeParse(row).data?.data ?? []);
  const paymentOf = new Map(refunds.map(({ id, paymentId }) => [id, paymentId]));
  return faults.filter((fault) => {
    const [subject = ''] = fault.split(':');
    return !fault.endsWith('was not mailed') || !open.has(paymentOf.get(subject) ?? subject);
  });
}

/** How long the sandbox may take to do the duties that the last death has left. It sweeps every two seconds. */
const duties = { tries: 60, ms: 1_000 };

/** Reads the rows of the folder while no sandbox holds it. */
async function rowsIn(dataDirectory: string): Promise<Row[]> {
  const table = await startLocalTable({ tableName: localNames.table, dataDirectory });
  const { endpoint } = table;
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: localAws.region, credentials: localAws }),
  );
  table.connect(client);
  try {
    return await scanRows(client, localNames.table);
  } finally {
    await table.stop();
  }
}

/** Contradictions between rows: a payment without its event, a refund that no payment counts, a paid line without its grant. */
const contradictionsIn = async (rows: readonly Row[]): Promise<string[]> => [
  ...withoutDueMails(rows, await moneyContradictions(rows)),
  ...grantContradictions(rows),
];

/** Waits until a sandbox that nobody uses has issued what the payments give. */
async function settled(url: string, paid: readonly Answered[]): Promise<void> {
  const last = paid.findLast(({ path }) => path.startsWith('/payments/'));
  if (!last) return;
  for (const _ of times(duties.tries)) {
    const told = (await ask(url, '/webhook-events?page_size=100')) as {
      items?: { payment_id: string; type: string }[];
    };
    const own = told?.items?.filter(({ payment_id: id }) => `/payments/${id}` === last.path) ?? [];
    if (own.some(({ type }) => type.startsWith('entitlement_grant.'))) break;
    await pause(duties.ms);
  }
  await pause(5 * duties.ms);
}

/** The product of the demo that has a price. */
async function productIn(url: string): Promise<string> {
  const page = await ask(url, '/products?page_size=100');
  const products = (page?.['items'] ?? []) as { product_id: string; name: string }[];
  return products.find(({ name }) => name.startsWith('Field'))?.product_id ?? '';
}

/** A moment in the middle of the load, however slow the machine is. */
async function midst(random: () => number, answered: readonly Answered[]): Promise<void> {
  const least = between(random, 8, 30);
  const deadline = Date.now() + startMs;
  while (answered.length < least && Date.now() < deadline) await pause(5);
  await pause(between(random, 0, 200));
}

/** Kills the sandbox under load again and again, and looks each time for all that was answered since the last time. */
export async function killUnderLoad({ seed, kills }: { seed: number; kills: number }): Promise<KillReport> {
  const random = seeded(seed);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tillstack-kills-'));
  const all: Answered[] = [];
  const lost: string[] = [];
  let sandbox = await startSandbox(dataDirectory);
  try {
    await giveMore(sandbox.url, await productIn(sandbox.url));
    for (const _ of times(kills)) {
      const answered: Answered[] = [];
      const { url } = sandbox;
      const productId = await productIn(url);
      const trading = times(clients).map(() => trade(url, productId, answered));
      await midst(random, answered);
      await kill(sandbox);
      await Promise.all(trading);
      sandbox = await startSandbox(dataDirectory);
      lost.push(...(await missing(sandbox.url, answered)));
      all.push(...answered);
    }
    lost.push(...(await missing(sandbox.url, all)));
    await settled(sandbox.url, all);
  } finally {
    await kill(sandbox);
  }
  const rows = await rowsIn(dataDirectory);
  lost.push(...(await contradictionsIn(rows)));
  rmSync(dataDirectory, { recursive: true, force: true });
  const { grants, codes } = grantBooksOf(rows);
  const taken = codes.filter(({ grantId }) => grantId !== null).length;
  const count = (path: string) => all.filter((answer) => answer.path.startsWith(path)).length;
  const answered = {
    sessions: count('/checkouts'),
    payments: count('/payments'),
    refunds: count('/refunds'),
    activations: count('/license_key_instances'),
  };
  const given = { ...tally([...grants.values()].map(({ type, status }) => `${type} ${status}`)), codes: taken };
  return { kills, answered, given, lost };
}

export const describeKills = ({ kills, answered, given, lost }: KillReport, seed: number): string =>
  `killed ${kills} times under load, seed ${seed}: ${JSON.stringify(answered)} answered, ${JSON.stringify(given)} given, ${lost.length} lost\n${lost.slice(0, 10).join('\n')}`;
