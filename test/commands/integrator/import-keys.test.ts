import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { type Sandbox, startSandbox } from '../../../infra/local/sandbox.ts';
import { addKey } from '../../support/shop/api.ts';
import { shortenPauses } from '../../support/short-pauses.ts';
import { runWords, temporaryFolder } from './command-line.ts';

let sandbox: Sandbox;
let customer: string;
let product: string;
const folder = temporaryFolder();
const path = join(tmpdir(), `keys-${process.pid}.csv`);

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 60 });
  await seedLocalKey(sandbox.table);
  ({ customer_id: customer } = await json([
    'customers',
    'create',
    '--email',
    'reader@example.com',
    '--name',
    'Reader',
  ]));
  const words = ['--price', '5.00', '--currency', 'EUR', '--category', 'e_book'];
  ({ product_id: product } = await json(['products', 'create', 'App', ...words]));
});
afterAll(async () => {
  await sandbox.stop();
  folder.remove();
  rmSync(path, { force: true });
});

const run = (args: string[], { key = localKey, url = sandbox.url, ...options }: Options = {}) =>
  runWords(args, { environment: { url, key, profilesFile: folder.profilesFile }, ...options });

interface Options extends NonNullable<Parameters<typeof runWords>[1]> {
  key?: string;
  url?: string;
}

async function json(args: string[]) {
  const { out, error } = await run([...args, '--json']);
  expect(error).toBe('');
  return JSON.parse(out);
}

const importing = (text: string, words: string[] = [], options: Options = {}) => {
  writeFileSync(path, text);
  return run(['licence-keys', 'import', path, ...words], options);
};
const report = async (text: string, words: string[] = []) => {
  const { code, out } = await importing(text, [...words, '--json']);
  return { code, ...JSON.parse(out) };
};

/** A file with these keys. */
const fileOf = (keys: readonly string[]) =>
  [
    'key;customer_id;product_id;activations_limit;expires_at',
    ...keys.map((key) => `${key};${customer};${product};2;`),
  ].join('\r\n');
const manyKeys = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name}-2020-LICENCE-${index}`);
/** The imported keys that begin with a word. */
const imported = async (start: string): Promise<string[]> => {
  const items: { key: string }[] = await json(['licence-keys', 'list-license', '--limit', '1000']);
  return items.map(({ key }) => key).filter((key) => key.startsWith(start));
};

describe('licence-keys import', () => {
  it('shows in a dry run what an import would do, and imports nothing', async () => {
    const text = `${fileOf(['FIRST-2020-LICENCE', 'SHORT', 'FIRST-2020-LICENCE'])}\nX;cus_x;${product};;\nSTRANGER-2020-LICENCE;cus_0000000000000000000zz;${product};;`;
    expect(await report(text, ['--dry-run'])).toMatchObject({
      ...{ code: 1, dry_run: true, rows: 5, valid: 2, known: 1, short: [3] },
      faulty: [
        { line: 5, column: 'customer_id' },
        { line: 6, column: 'customer_id' },
      ],
    });
    expect([...(await imported('FIRST')), ...(await imported('SHORT'))]).toEqual([]);
    const said = await importing(fileOf(['SHORT']), ['--dry-run']);
    expect(said).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 rows: 1 valid, 0 known already, 0 faulty.'),
    });
    expect(said.out).toContain('Shorter than 16 characters');
  });

  it('imports each row once, with its terms, and names the lines that it leaves out', async () => {
    const text = `${fileOf(['SECOND-2020-LICENCE'])}\n\nTHIRD-2020-LICENCE;${customer};pdt_0000000000000000000zz;;`;
    const fault = { line: 4, column: 'product_id' };
    expect(await report(text)).toMatchObject({ code: 1, imported: 1, known: 0, faulty: [fault] });
    expect(await report(text)).toMatchObject({ code: 1, imported: 1, known: 0, faulty: [fault] });
    expect(await report(`\uFEFF${text}\n`)).toMatchObject({ code: 1, imported: 0, known: 1, faulty: [fault] });
    const items: { key: string }[] = await json(['licence-keys', 'list-license', '--limit', '1000']);
    const key = items.find((one) => one.key === 'SECOND-2020-LICENCE');
    expect(key).toMatchObject({ activations_limit: 2, source: 'import', expires_at: null });
    expect(await imported('SECOND')).toHaveLength(1);
    expect(await imported('THIRD')).toEqual([]);
    const again = await report(`key,customer_id\nSECOND-2020-LICENCE,${customer}`, ['--product', product, '--dry-run']);
    expect(again).toMatchObject({ code: 0, valid: 0, known: 1 });
  });

  it('shows its progress, stops at Ctrl-C, and imports the remaining rows when it is repeated', async () => {
    const keys = manyKeys('MANY', 250);
    const stopping = new AbortController();
    const onError = (text: string) => text.startsWith('100 of 250') && stopping.abort();
    const first = await importing(fileOf(keys), [], { signal: stopping.signal, onError });
    expect(first.code).toBe(1);
    expect(first.error).toMatch(/^100 of 250 rows\nStopped after 10\d of 250 rows\. Run the same command again/);
    const half = await imported('MANY');
    expect(half.length).toBeGreaterThan(99);
    expect(half.length).toBeLessThan(150);
    const second = await importing(fileOf(keys));
    expect(second).toMatchObject({ code: 0, out: '250 rows: 250 imported, 0 known already, 0 faulty.\n' });
    expect((await imported('MANY')).toSorted()).toEqual(keys.toSorted());
  }, 120_000);

  it('ends with exit code 4 if the API stops answering, and imports the remaining rows when it is repeated', async () => {
    const restore = shortenPauses(100);
    const broken = await passing(sandbox.url, 20);
    const keys = manyKeys('BROKEN', 40);
    const first = await importing(fileOf(keys), [], { url: broken.url });
    expect([first.code, first.error]).toEqual([4, expect.stringContaining('no key is imported twice')]);
    broken.server.close();
    restore();
    expect(await report(fileOf(keys))).toMatchObject({ code: 0, imported: 40, known: 0 });
    expect(await imported('BROKEN')).toHaveLength(40);
  });

  it('ends with exit code 2 for an unreadable file or other columns, and with 3 for a read-only key', async () => {
    expect(await run(['licence-keys', 'import', '/nowhere/keys.csv'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('ENOENT'),
    });
    expect(await importing('key,customer_id\n')).toMatchObject({
      code: 2,
      error: expect.stringContaining('product_id is not there'),
    });
    expect(await importing('key,email\n')).toMatchObject({
      code: 2,
      error: expect.stringContaining('no column email'),
    });
    const key = await addKey({ access: 'read' });
    expect((await importing(fileOf(['THIRD-2020-LICENCE']), [], { key })).code).toBe(3);
    await importing(fileOf(['SEVENTH-2020-LICENCE']));
    const dry = await importing(fileOf(['THIRD-2020-LICENCE']), ['--dry-run'], { key });
    expect(dry).toMatchObject({ code: 1, error: expect.stringContaining('needs an API key that may write') });
  });
});

/** Passes requests on, and hangs up after some of them. */
async function passing(to: string, most: number): Promise<{ server: Server; url: string }> {
  let passed = 0;
  const server = createServer(async (message, response) => {
    passed += 1;
    if (passed > most) return message.socket.destroy();
    const body = Buffer.concat(await message.toArray());
    const headers = message.headers as Record<string, string>;
    const init = { method: message.method ?? 'GET', headers, ...(body.length > 0 && { body }) };
    const answer = await fetch(`${to}${message.url}`, init);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { server, url: `http://localhost:${(server.address() as AddressInfo).port}` };
}
