import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { bundleRecipe } from '../../infra/constructs/function-bundles.ts';
import { functionNames } from '../../infra/merchant-stack.ts';
import { certificates } from '../webhooks/certificates.ts';
import { median, report } from './measure.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Below `node_modules`, where what a bundle leaves out is found as it is in Lambda's own image. */
const outputs = join(root, 'node_modules/.cache/cold-start');

/** How the CDK bundles by itself for this runtime: nothing minified, the SDK left to the runtime. */
const defaultRecipe = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  external: ['@aws-sdk/*', '@smithy/*'],
} as const satisfies BuildOptions;

/** A bundle of a function. */
export interface Bundle {
  name: string;
  bytes: number;
  /** The packages that are in it. */
  packages: ReadonlySet<string>;
  /** What it would still look for beside Node's own modules. */
  missing: readonly string[];
  /** The files that it was made of. */
  inputs: readonly string[];
}

/** Every function as it is deployed. */
export function bundlesOf(names: readonly string[] = functionNames): Bundle[] {
  const { outputs: built } = bundle(names, bundleRecipe, outputs, false);
  const folder = relative(root, outputs);
  return names.map((name) => {
    const { bytes, inputs, imports } = built[posix.join(folder, `${name}.js`)] ?? lost(name);
    const files = Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0);
    const packages = new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
    const missing = imports
      .filter(({ path, external }) => external && !path.startsWith('node:'))
      .map(({ path }) => path);
    return { name, bytes, packages, missing, inputs: files };
  });
}

function lost(name: string): never {
  throw new Error(`There is no bundle of ${name}.`);
}

function bundle(names: readonly string[], recipe: BuildOptions, outdir: string, write: boolean): Metafile {
  const entryPoints = names.map((name) => ({ in: join(root, 'functions', `${name}.ts`), out: name }));
  const fixed = { absWorkingDir: root, outdir, write, metafile: true, logLevel: 'silent' } as const;
  return buildSync({ ...recipe, ...fixed, entryPoints }).metafile;
}

/** One process: reads a bundle, answers one request whose key nobody knows, and says when. */
const sample = `
const begun = process.hrtime.bigint();
const { handler } = require(process.argv[1]);
const read = process.hrtime.bigint();
const milliseconds = (until) => Number(until - begun) / 1e6;
const say = () => process.stdout.write(JSON.stringify({ init: milliseconds(read), first: milliseconds(process.hrtime.bigint()) }));
if (process.argv[2] === 'init') say();
else handler(JSON.parse(process.argv[2])).then(say);
`;

interface Times {
  init: number;
  first: number;
}

async function take(file: string, event: object | 'init', env: Record<string, string>): Promise<Times> {
  const argument = event === 'init' ? event : JSON.stringify(event);
  const child = spawn(process.execPath, ['-e', sample, file, argument], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, 'close');
  const text = Buffer.concat(said).toString();
  const line = text.slice(text.lastIndexOf('{"init"'));
  if (code !== 0 || !line) throw new Error(`${file} ended with ${code}: ${text}`);
  return JSON.parse(line) as Times;
}

/** Medians of rounds in which every contender has its turn, so that a busy machine disturbs all alike. */
async function measureCold(
  contenders: ReadonlyMap<string, () => Promise<Times>>,
  rounds: number,
): Promise<Map<string, Times>> {
  const samples = new Map([...contenders.keys()].map((name): [string, Times[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of contenders) samples.get(name)?.push(await run());
  return new Map(
    [...samples].map(([name, times]) => [
      name,
      { init: median(times.map(({ init }) => init)), first: median(times.map(({ first }) => first)) },
    ]),
  );
}

const key = 'sk_test_LocalSandboxKeyWorksNowhereElse04O5HgB';
const measured = 'payments/get-payment';
const event = {
  version: '2.0',
  routeKey: 'GET /payments/{payment_id}',
  rawPath: '/payments/pay_1',
  rawQueryString: '',
  headers: { authorization: `Bearer ${key}` },
  pathParameters: { payment_id: 'pay_1' },
  requestContext: { requestId: 'cold', http: { method: 'GET', path: '/payments/pay_1' } },
  isBase64Encoded: false,
};

/** A table that knows nothing, over TLS. */
async function startTable(): Promise<{ url: string; stop: () => void }> {
  const server = createServer(certificates.selfSigned, (request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() };
}

const environmentFor = (url: string): Record<string, string> => ({
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'cold',
  AWS_SECRET_ACCESS_KEY: 'cold',
  AWS_ENDPOINT_URL: url,
  NODE_TLS_REJECT_UNAUTHORIZED: '0',
  NODE_NO_WARNINGS: '1',
  TABLE_NAME: 'cold',
  BUCKET_NAME: 'cold',
  BUS_NAME: 'cold',
  PUBLIC_URL: 'https://cold.example.com',
  STAGE: 'sandbox',
  MERCHANT: JSON.stringify({ id: 'demo', name: 'Example Books', country: 'DE' }),
});

const milliseconds = (time: number): string => `${time.toFixed(1).padStart(6)} ms`;
const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(0).padStart(5)} kB`;

/** What a cold start costs: each function's bundle and its reading; one request beside a bare handler and the CDK's own bundling. */
export async function benchColdStart({ rounds = 9, roundsEach = 3 } = {}): Promise<void> {
  rmSync(outputs, { recursive: true, force: true });
  const sizes = new Map(bundlesOf().map(({ name, bytes }) => [name, bytes]));
  bundle(functionNames, { ...bundleRecipe, sourcemap: false }, join(outputs, 'ours'), true);
  const byDefault = bundle([measured], defaultRecipe, join(outputs, 'default'), true);
  const bare = join(outputs, 'bare/handler.js');
  mkdirSync(dirname(bare), { recursive: true });
  writeFileSync(bare, 'exports.handler = async () => ({ statusCode: 200 });');
  writeFileSync(join(outputs, 'package.json'), '{"type":"commonjs"}');
  const table = await startTable();
  const env = environmentFor(table.url);
  const ours = (name: string) => join(outputs, 'ours', `${name}.js`);
  const contenders = new Map([
    ['a bare handler', () => take(bare, event, env)],
    ['this recipe', () => take(ours(measured), event, env)],
    ['the CDK by itself', () => take(join(outputs, 'default', `${measured}.js`), event, env)],
  ]);
  const cold = await measureCold(contenders, rounds);
  const each = await measureCold(
    new Map(functionNames.map((name) => [name, () => take(ours(name), 'init', env)])),
    roundsEach,
  );
  table.stop();
  reportCold(cold, sizes.get(measured) ?? 0, Object.values(byDefault.outputs)[0]?.bytes ?? 0);
  reportEach(each, sizes);
}

function reportCold(cold: ReadonlyMap<string, Times>, ours: number, byDefault: number): void {
  const bytes: Record<string, number> = { 'this recipe': ours, 'the CDK by itself': byDefault };
  const rows = [...cold].map(([name, { init, first }]): [string, string] => [
    name,
    `${milliseconds(init)} to read it, ${milliseconds(first)} with a first request  ${kilobytes(bytes[name] ?? 60)}`,
  ]);
  const [, own, theirs] = [...cold.values()];
  const ratio = (own?.first ?? 0) / (theirs?.first ?? 1);
  report(`Cold start of ${measured}, a fresh process each`, [
    ...rows,
    ['ratio', `${ratio.toFixed(2)}  (goal: at most 0.75)`],
  ]);
}

function reportEach(each: ReadonlyMap<string, Times>, sizes: ReadonlyMap<string, number>): void {
  const rows = [...each].map(([name, { init }]): [string, string] => [
    name,
    `${kilobytes(sizes.get(name) ?? 0)}  ${milliseconds(init)}`,
  ]);
  report('Every function: its bundle, and how long Node reads it', rows);
}
