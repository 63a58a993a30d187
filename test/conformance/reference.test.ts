import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../infra/local/local-key.ts';
import { startSandbox } from '../../infra/local/sandbox.ts';
import { accessOf, examplePath, operations, requestContent } from '../../infra/reference/contract.ts';
import { exampleLanguages, preambles, snippetOf } from '../../infra/reference/snippets.ts';

/** What a snippet sent. */
interface Sent {
  request: string;
  key: string | undefined;
  body: unknown;
}

let server: Server;
let url: string;
let sent: Sent[] = [];

async function note(message: IncomingMessage): Promise<void> {
  const body = await text(message);
  const { method, url: path, headers } = message;
  const key = headers.authorization?.replace('Bearer ', '');
  sent.push({ request: `${method} ${path}`, key, body: body === '' ? undefined : JSON.parse(body) });
}

beforeAll(async () => {
  server = createServer((message, response) => {
    note(message).then(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const runners = {
  sh: {
    command: 'bash',
    args: ['-euo', 'pipefail', '-c'],
    of: (code: string) => code.replace(/^API=.*$/m, `API=${url}`),
  },
  ts: { command: process.execPath, args: ['--input-type=module', '-e'], of: stripTypeScriptTypes },
  python: { command: 'python3', args: ['-c'], of: (code: string) => code },
};

const expected = operations.map((operation) => ({
  request: `${operation.method} ${examplePath(operation)}`,
  body: requestContent(operation)?.example,
}));

describe.each(exampleLanguages)('the examples of the reference in $name', ({ fence }) => {
  const { command, args, of } = runners[fence];

  it.skipIf(spawnSync(command, ['--version']).status !== 0)(
    'send each example request of the contract once',
    async () => {
      sent = [];
      const code = [preambles[fence], ...operations.map((operation) => snippetOf[fence](operation))].join('\n');
      const env = { ...process.env, TILLSTACK_URL: url, TILLSTACK_KEY: localKey };
      await promisify(execFile)(command, [...args, of(code)], { env, maxBuffer: 10_000_000 });
      expect(sent.map(({ request, body }) => ({ request, body }))).toEqual(expected);
      const withoutKey = operations.filter((operation) => accessOf(operation) !== undefined);
      expect(sent.filter(({ key }) => key === localKey).length).toBeGreaterThanOrEqual(withoutKey.length);
    },
  );
});

it('A stack serves GET /docs cached, compressed and with a content security policy', async () => {
  const sandbox = await startSandbox({ port: 0, quiet: true });
  const first = await fetch(`${sandbox.url}/docs/refunds`);
  const policy = first.headers.get('content-security-policy') ?? '';
  expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
  expect(first.headers.get('content-encoding')).toMatch(/^(br|gzip)$/);
  expect(policy).toMatch(/style-src 'sha256-[^ ;]+';/);
  expect(policy).not.toContain('unsafe');
  expect(await first.text()).toContain('<h1>Refunds</h1>');
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  expect((await fetch(`${sandbox.url}/docs/refunds`, { headers })).status).toBe(304);
  expect((await fetch(`${sandbox.url}/docs`)).status).toBe(200);
  const markdown = await fetch(`${sandbox.url}/docs/refunds.md`);
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await markdown.text()).toMatch(/^# Refunds/);
  const list = await fetch(`${sandbox.url}/llms.txt`);
  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await list.text()).toContain(`(${sandbox.url}/docs/refunds.md)`);
  expect((await fetch(`${sandbox.url}/docs/nothing.md`)).status).toBe(404);
  expect((await fetch(`${sandbox.url}/docs/nothing`)).status).toBe(404);
  expect((await fetch(`${sandbox.url}/docs/__proto__`)).status).toBe(404);
  await sandbox.stop();
});
