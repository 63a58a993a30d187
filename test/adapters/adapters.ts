import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { userEnvironment } from '../../infra/commands/integrator/environment.ts';
import { runTillstack } from '../../infra/commands/integrator/tillstack.ts';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';

const execute = promisify(execFile);
const guide = readFileSync(new URL('../../docs/guides/adapters.md', import.meta.url), 'utf8');
const say = (line: string): void => console.log(line);

/** A block of code in the guide. The line before it names the file that it is; commands have no name. */
interface Block {
  file: string | undefined;
  language: string;
  code: string;
}

/** The part of the guide below a heading. */
const sectionOf = (heading: string): string => guide.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';

const blocksOf = (section: string): Block[] =>
  [...section.matchAll(/(?:^`([\w./-]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, file, language = '', code = '']) => ({ file, language, code }),
  );

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  return port;
}

function writeBlock(folder: string, { file = '', code }: Block, sandbox: Sandbox): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code.replaceAll('http://localhost:4000', sandbox.url));
}

/** A running app, and what it has printed. */
interface App {
  url: string;
  printed(): string;
  stop(): void;
}

/** Follows the section of a framework word for word: the files, the commands that install, and the ones that start. */
async function startApp(framework: string, folder: string, sandbox: Sandbox): Promise<App> {
  const shared = [...blocksOf(sectionOf('Settings')), ...blocksOf(sectionOf('The lines that replace'))];
  const blocks = blocksOf(sectionOf(framework));
  const [install, start] = blocks.filter(({ language }) => language === 'sh').map(({ code }) => code);
  for (const block of [...shared, ...blocks]) if (block.file) writeBlock(folder, block, sandbox);
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' };
  await execute('bash', ['-euc', install ?? ''], { cwd: folder, env, maxBuffer: 10_000_000 });
  const child = spawn('bash', ['-euc', start ?? ''], { cwd: folder, env, detached: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const stop = () => stopGroup(child);
  const app = { url: `http://localhost:${port}`, printed: () => printed, stop };
  await until(
    () => fetch(`${app.url}/portal`),
    () => `${framework} does not start:\n${printed}`,
  );
  return app;
}

function stopGroup(child: ChildProcess): void {
  if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
}

/** Tries until it neither fails nor answers undefined, for at most three minutes. */
async function until<Result>(
  attempt: () => Result | Promise<Result>,
  problem: () => string,
): Promise<NonNullable<Result>> {
  for (let tried = 0; tried < 360; tried += 1) {
    const result = await Promise.resolve()
      .then(attempt)
      .catch(() => undefined);
    if (result !== undefined && result !== null) return result;
    await pause(500);
  }
  throw new Error(problem());
}

async function post<Answer>(url: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${localKey}` };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

/** Checks that a checkout is at the stack, and pays there. */
async function payAt({ checkout_url: address }: { checkout_url: string }, { url }: Sandbox): Promise<string> {
  assert.ok(address.startsWith(`${url}/checkout/`), `The buyer ends at ${address}.`);
  const paid = await post<{ payment_id: string }>(`${address}/pay`, {
    customer: { email: 'buyer@example.com', name: 'A Buyer' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  });
  return paid.payment_id;
}

/** Buys in each way that the guide has, and waits until the app has been told of each payment. */
async function tryApp(app: App, sandbox: Sandbox): Promise<string> {
  const product = await post<{ product_id: string }>(`${sandbox.url}/products`, {
    name: 'Field Guide',
    description: 'Birds of the northern forests.',
    tax_category: 'e_book',
    price: { type: 'one_time_price', currency: 'EUR', price: 1_999, tax_inclusive: true },
  });
  const cart = { product_cart: [{ product_id: product.product_id, quantity: 1 }] };
  const billing = { city: 'Berlin', country: 'DE', state: 'BE', street: 'Weg 1', zipcode: '10115' };
  const link = `${app.url}/buy?productId=${product.product_id}&quantity=2&email=a@example.com&country=DE`;
  const linked = (await (await fetch(link)).json()) as { checkout_url: string };
  const payments = [
    await payAt(await post(`${app.url}/checkout`, cart), sandbox),
    await payAt(linked, sandbox),
    await payAt(await post(`${app.url}/buy`, { ...cart, billing, customer: { email: 'b@example.com' } }), sandbox),
  ];
  for (const id of payments)
    await until(
      () => app.printed().includes(`paid ${id}`) || undefined,
      () => `No webhook of ${id}:\n${app.printed()}`,
    );
  const headers = { authorization: `Bearer ${localKey}` };
  const read = await fetch(`${sandbox.url}/payments/${payments[1]}`, { headers });
  const { customer, total_amount: total } = (await read.json()) as {
    customer: { customer_id: string };
    total_amount: number;
  };
  // The link asked for two.
  assert.equal(total, 2 * 1_999);
  const portal = await fetch(`${app.url}/portal?customer_id=${customer.customer_id}`, { redirect: 'manual' });
  const where = portal.headers.get('location') ?? '';
  assert.ok(where.startsWith(sandbox.url), `The portal is at ${where}.`);
  return `${payments.length} orders paid at the stack, each told by a webhook; the portal is there too`;
}

/** Forwards webhooks to the app with the secret of the guide, as its last section says. */
async function listening(app: App, sandbox: Sandbox, act: () => Promise<string>): Promise<string> {
  const [, secret] = /TILLSTACK_LISTEN_SECRET=(\S+)/.exec(guide) ?? [];
  const stop = new AbortController();
  const environment = { ...userEnvironment({}), url: sandbox.url, key: localKey, listenSecret: secret };
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const terminal = { out: () => begin(), error: say, secret: async () => '', confirm: async () => undefined };
  const words = ['listen', '--forward-to', `${app.url}/webhooks`, '--interval', '1'];
  const listener = runTillstack(words, { terminal, environment, signal: stop.signal });
  await begun;
  return act().finally(async () => {
    stop.abort();
    await listener;
  });
}

async function tryFramework(framework: string, sandbox: Sandbox): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-adapter-'));
  let app: App | undefined;
  try {
    const started = await startApp(framework, folder, sandbox);
    app = started;
    say(`${framework}: ${await listening(started, sandbox, () => tryApp(started, sandbox))}.`);
    return true;
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED/.test(stderr)) {
      say(`${framework}: skipped, the registry of npm cannot be reached.`);
      return true;
    }
    say(`${framework} FAILED: ${error instanceof Error ? error.message : error}\n${stderr}${app?.printed() ?? ''}`);
    return false;
  } finally {
    app?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `npm run adapters [-- FRAMEWORK]`: follows docs/guides/adapters.md from an empty folder, and buys. */
const sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.5 });
await seedLocalKey(sandbox.table);
const frameworks = ['Hono', 'Express', 'Next.js'].filter((name) => name.startsWith(process.argv[2] ?? ''));
let isWhole = true;
for (const framework of frameworks) isWhole = (await tryFramework(framework, sandbox)) && isWhole;
await sandbox.stop();
process.exit(isWhole ? 0 : 1);
