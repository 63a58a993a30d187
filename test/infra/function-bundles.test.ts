import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { boolean, int, string } from '../../infra/constructs/bundling/shared-schemas.ts';
import { bundleFunctions } from '../../infra/constructs/function-bundles.ts';
import { ServiceFunction } from '../../infra/constructs/service-function.ts';

const sources = 'test/infra/fixtures/functions';
const outputs = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(outputs, { recursive: true }));

const code = await bundleFunctions({ functions: ['things/read-thing', 'things/store-thing'], sources, outputs });
const file = join(outputs, 'things/read-thing/index.js');
const bundle = readFileSync(file, 'utf8');

/** Loads a bundle, which parses the merchant, and prints how often `new Function` was called. */
const countCompilations = `
let count = 0;
globalThis.Function = new Proxy(Function, { construct: (...all) => { count += 1; return Reflect.construct(...all); } });
require(process.argv[1]);
process.stdout.write(String(count));`;

describe('a bundle', () => {
  it('contains the minified SDK in 250 kB, without the credential provider chain and profile files', () => {
    expect(bundle).not.toMatch(
      /require\("@aws-sdk|fromSSO|fromTokenFile|instance-data|AWS_CONFIG_FILE|AWS_SHARED_CREDENTIALS_FILE/,
    );
    expect(bundle.split('\n').length).toBeLessThan(100);
    expect(statSync(file).size).toBeLessThan(250_000);
  });

  it('signs a request with the credentials from Lambda’s environment', async () => {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      response.setHeader('content-type', 'application/x-amz-json-1.0').end('{"Item":{"pk":{"S":"a"}}}');
    }).listen(0);
    const { port } = server.address() as AddressInfo;
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDFROMLAMBDA');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_SESSION_TOKEN', 'session');
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
    const { Item } = await createRequire(file)(file).handler({ pk: 'a', sk: 'b' });
    server.close();
    vi.unstubAllEnvs();
    expect(Item).toEqual({ pk: 'a' });
    expect(asked[0]?.headers.authorization).toContain('Credential=AKIDFROMLAMBDA/');
    expect(asked[0]?.headers['x-amz-security-token']).toBe('session');
  });

  it('imports nothing but Node’s own modules, with S3’s client too', async () => {
    const asked: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      asked.push(request);
      request.resume().once('end', () => response.end());
    }).listen(0);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDFROMLAMBDA');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const stored = join(mkdtempSync(join(tmpdir(), 'deployed-')), 'index.js');
    copyFileSync(join(outputs, 'things/store-thing/index.js'), stored);
    await createRequire(stored)(stored).handler({ name: 'a', bytes: 'b' });
    server.close();
    vi.unstubAllEnvs();
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(['PUT /things/a?x-id=PutObject']);
  });

  it('compiles no schema to code while it loads, because interpreting it is faster in a new process', async () => {
    const functionName = 'payments/get-payment';
    await bundleFunctions({ functions: [functionName], outputs });
    const merchant = JSON.stringify({ id: 'demo', name: 'Example Books', country: 'DE' });
    const env = { TABLE_NAME: 'any', PUBLIC_URL: 'https://pay.example.com', STAGE: 'sandbox', MERCHANT: merchant };
    const bundled = join(outputs, functionName, 'index.js');
    expect(execFileSync(process.execPath, ['-e', countCompilations, bundled], { env, encoding: 'utf8' })).toBe('0');
  });

  it.each(['string', 'boolean', 'int'] as const)(
    'shares the simple schema of a %s, and builds a new one only for a rule',
    (kind) => {
      const shared = { string, boolean, int };
      const own = { string: '', boolean: true, int: 0 }[kind];
      const plain = shared[kind]();
      expect(shared[kind]()).toBe(plain);
      expect(shared[kind]().optional()).toBe(plain.optional());
      expect(shared[kind]().nullable()).toBe(plain.nullable());
      expect(shared[kind]({ error: 'wrong' }).safeParse(null).error?.issues[0]?.message).toBe('wrong');
      const accepted = [plain, plain.optional(), plain.nullable()].map((schema) =>
        ['', true, 0, 0.5, undefined, null].filter((value) => schema.safeParse(value).success),
      );
      expect(accepted).toEqual([[own], [own, undefined], [own, null]]);
    },
  );

  it('is deployed without its source map, which stays next to it on disk', () => {
    const app = new App({ outdir: join(outputs, 'cdk.out') });
    const stack = new Stack(app, 'Test');
    new ServiceFunction(stack, 'ReadThing', {
      description: 'reads a thing',
      code: code('things/read-thing'),
      timeout: Duration.seconds(1),
      memoryMegabytes: 512,
      environment: {},
      logGroup: new LogGroup(stack, 'Logs'),
      tracing: false,
    });
    const staged = readdirSync(app.synth().directory, { recursive: true, encoding: 'utf8' });
    expect(staged.filter((name) => name.startsWith('asset.') && /\.\w+$/.test(name.replace('asset.', '')))).toEqual([
      expect.stringMatching(/^asset\.\w+\/index\.js$/),
    ]);
    expect(existsSync(`${file}.map`)).toBe(true);
    expect(bundle).not.toContain('sourceMappingURL');
  });
});

it('a function of the route table without a file causes an error that names it', async () => {
  await expect(bundleFunctions({ functions: ['things/lost-thing'], sources, outputs })).rejects.toThrow(
    /names the function things\/lost-thing, but there is no .*things\/lost-thing\.ts/,
  );
});

it('a bundle that works here but not in Lambda causes an error', async () => {
  await expect(bundleFunctions({ functions: ['things/find-itself'], sources, outputs })).rejects.toThrow(
    /find-itself\.ts:2: .*import\.meta/,
  );
});

it('the package files that a function reads are copied next to its bundle, and a missing file causes an error', async () => {
  const functions = ['things/read-thing'];
  await bundleFunctions({ functions, sources, outputs, filesOf: () => ['htmx.org/dist/htmx.min.js'] });
  expect(existsSync(`${outputs}/things/read-thing/node_modules/htmx.org/dist/htmx.min.js`)).toBe(true);
  await expect(
    bundleFunctions({ functions, sources, outputs, filesOf: () => ['htmx.org/nothing.js'] }),
  ).rejects.toThrow(/No file of a package fits htmx\.org\/nothing\.js/);
});
