import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { localKey } from '../../infra/local/local-key.ts';
import { startLocalTable } from '../../infra/local/local-table.ts';
import { localNames } from '../../infra/local/sandbox-environment.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';
import { between, seeded, times } from '../support/seeded.ts';
import { moneyContradictions, scanRows } from '../support/shop/books.ts';

/** What a client was told, and where it must be found afterwards. */
interface Answered {
  path: string;
  expected: Record<string, unknown>;
}

interface KillReport {
  kills: number;
  answered: { sessions: number; payments: number; refunds: number };
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

/** Sells and refunds until the sandbox is gone, and notes each answer once it has arrived whole. */
async function trade(url: string, productId: string, answered: Answered[]): Promise<void> {
  for (;;) {
    const session = await ask(url, '/checkouts', { product_cart: [{ product_id: productId, quantity: 1 }] });
    if (!session) return;
    answered.push({ path: `/checkouts/${session['session_id']}`, expected: {} });
    const paid = await ask(url, `/checkout/${session['session_id']}/pay`, { ...buyer, test_card: '4242' });
    if (!paid) return;
    const { payment_id: paymentId, total_amount: total } = paid;
    answered.push({ path: `/payments/${paymentId}`, expected: { status: 'succeeded', total_amount: total ?? 1_999 } });
    const refund = await ask(url, '/refunds', { payment_id: paymentId, amount: 500 });
    if (!refund) return;
    answered.push({ path: `/refunds/${refund['refund_id']}`, expected: { status: refund['status'], amount: 500 } });
  }
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
  entity: z.string(),
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

/** Contradictions between the rows that lie in the folder: a payment without its event, a refund that no payment counts. */
async function contradictionsIn(dataDirectory: string): Promise<string[]> {
  const table = await startLocalTable({ tableName: localNames.table, dataDirectory });
  const { endpoint } = table;
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: localAws.region, credentials: localAws }),
  );
  table.connect(client);
  try {
    const rows = await scanRows(client, localNames.table);
    return withoutDueMails(rows, await moneyContradictions(rows));
  } finally {
    await table.stop();
  }
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
  } finally {
    await kill(sandbox);
  }
  lost.push(...(await contradictionsIn(dataDirectory)));
  rmSync(dataDirectory, { recursive: true, force: true });
  const count = (path: string) => all.filter((answer) => answer.path.startsWith(path)).length;
  const answered = { sessions: count('/checkouts'), payments: count('/payments'), refunds: count('/refunds') };
  return { kills, answered, lost };
}

export const describeKills = ({ kills, answered, lost }: KillReport, seed: number): string =>
  `killed ${kills} times under load, seed ${seed}: ${JSON.stringify(answered)} answered, ${lost.length} lost\n${lost.slice(0, 10).join('\n')}`;
