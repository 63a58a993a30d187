import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../infra/local/sandbox.ts';
import { signatureHeader } from '../../shared/outside/webhooks/signature.ts';

const guides = new URL('../../docs/guides/', import.meta.url);
/** Below node_modules, so that the snippets find the packages that they import. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
let folder: string;
let sandbox: Sandbox;
beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  folder = mkdtempSync(join(cache, 'guides-'));
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.25 });
  await seedLocalKey(sandbox.table);
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true });
});

/** The code of a guide in a language, one block after the other. */
function codeOf(guide: string, language: string): string {
  const text = readFileSync(new URL(guide, guides), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code]) => code)
    .join('\n');
}

/**
 * The guides whose code other tests execute: `npm run adapters` in empty apps, and the tests of the command line. Both
 * need more than a stack.
 */
const elsewhere = ['adapters.md', 'move-a-shop.md'];
const names = readdirSync(guides).filter((name) => name.endsWith('.md'));
const guidesWith = (language: string): string[] =>
  names.filter((name) => !elsewhere.includes(name) && codeOf(name, language) !== '');

const execute = promisify(execFile);
const environment = () => ({ ...process.env, TILLSTACK_URL: sandbox.url, TILLSTACK_KEY: localKey });

it('the guides use only languages whose snippets are executed', () => {
  const all = names.map((name) => readFileSync(new URL(name, guides), 'utf8')).join('\n');
  const languages = new Set([...all.matchAll(/^```(\w+)\n/gm)].map(([, language]) => language));
  expect([...languages].sort()).toEqual(['csv', 'go', 'js', 'json', 'python', 'sh', 'ts']);
});

describe('a snippet in TypeScript', () => {
  it.each(guidesWith('ts').filter((name) => name !== 'verify-webhooks.md'))(
    'of the guide %s runs and does what the guide says',
    async (name) => {
      const file = join(folder, name.replace('.md', '.mjs'));
      writeFileSync(file, stripTypeScriptTypes(codeOf(name, 'ts')));
      await execute(process.execPath, [file], { env: environment() });
    },
  );
});

describe('a snippet for the shell', () => {
  it.each(guidesWith('sh'))('of the guide %s runs and does what the guide says', async (name) => {
    const script = codeOf(name, 'sh').replace(/^API=.*$/m, `API=${sandbox.url}`);
    expect(script).toContain(`API=${sandbox.url}`);
    expect(script).toContain(`KEY=${localKey}`);
    const { stdout } = await execute('bash', ['-euo', 'pipefail', '-c', script], { env: environment() });
    expect(stdout).toMatch(/"net_amount":1868/);
    expect(stdout).toMatch(/"tax":131/);
    expect(stdout.trim().split('\n').at(-1)).toBe('succeeded');
  });
});

describe('an error in the JSON of the guides', () => {
  it('has the same members as an error that the API answers', async () => {
    const shown = JSON.parse(codeOf('errors.md', 'json'));
    const headers = { authorization: `Bearer ${localKey}`, 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.url}/refunds`, { method: 'POST', headers, body: '{}' });
    expect(Object.keys((await answer.json()) as object)).toEqual(expect.arrayContaining(Object.keys(shown)));
  });
});

/** How a server of each language is started, and whether it can be here. */
const servers = [
  { language: 'ts', file: 'server.mjs', command: process.execPath, args: [], version: '--version' },
  { language: 'python', file: 'server.py', command: 'python3', args: [], version: '--version' },
  { language: 'go', file: 'main.go', command: 'go', args: ['run'], version: 'version' },
];
const isHere = ({ command, version }: (typeof servers)[number]): boolean => spawnSync(command, [version]).status === 0;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await once(server.close(), 'close');
  return port;
}

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const oldSecret = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;

function sent(body: string, { ageSeconds = 0, secrets = [secret] } = {}) {
  const signed = {
    id: 'evt_1',
    timestampSeconds: Math.floor(Date.now() / 1_000) - ageSeconds,
    body: Buffer.from(body),
  };
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestampSeconds),
    'webhook-signature': signatureHeader(signed, secrets),
  };
}

const payload = JSON.stringify({ type: 'payment.succeeded', data: { payment_id: 'pay_1', name: 'Ü' } });

describe.each(servers)('the server of verify-webhooks.md in $language', (server) => {
  it.skipIf(!isHere(server))('accepts a webhook with a valid signature and refuses all others', async () => {
    const [port, file] = [await freePort(), join(folder, server.file)];
    const code = codeOf('verify-webhooks.md', server.language);
    writeFileSync(file, server.language === 'ts' ? stripTypeScriptTypes(code) : code);
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
    const child: ChildProcess = spawn(server.command, [...server.args, file], { env, detached: true });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        printed += chunk;
      });
    const post = async (headers: Record<string, string>, body = payload): Promise<number> =>
      (await fetch(`http://localhost:${port}/`, { method: 'POST', headers, body })).status;
    try {
      await vi.waitFor(() => post({}).catch((cause) => Promise.reject(new Error(printed, { cause }))), {
        timeout: 90_000,
        interval: 200,
      });
      expect(await post(sent(payload))).toBe(204);
      expect(await post(sent(payload, { secrets: [oldSecret, secret] }))).toBe(204);
      await vi.waitFor(() => expect(printed.match(/payment\.succeeded evt_1/g)).toHaveLength(2));
      expect(await post({})).toBe(401);
      expect(await post(sent(payload), payload.replace('pay_1', 'pay_2'))).toBe(401);
      expect(await post(sent(payload, { ageSeconds: 400 }))).toBe(401);
      expect(await post(sent(payload, { secrets: [oldSecret] }))).toBe(401);
      expect(await post({ ...sent(payload), 'webhook-id': 'evt_2' })).toBe(401);
    } finally {
      if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    }
  });
});
