import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { bundleRecipe } from '../../infra/constructs/function-bundles.ts';
import { functionNames } from '../../infra/function-names.ts';
import { bundleFolder, bundlesOf, defaultRecipe, writeBundles } from './bundles.ts';
import { type ColdCase, startColdCases } from './cold-cases.ts';
import { median, report } from './measure.ts';

/** One process: reads a bundle, answers one request, and reports both times and the answer. */
const sample = `
const begun = process.hrtime.bigint();
const cpu = process.cpuUsage();
const { handler } = require(process.argv[1]);
const read = process.hrtime.bigint();
const milliseconds = (until) => Number(until - begun) / 1e6;
const say = (answer) => {
  const first = milliseconds(process.hrtime.bigint());
  const { user, system } = process.cpuUsage(cpu);
  process.stdout.write(JSON.stringify({ init: milliseconds(read), first, cpu: (user + system) / 1e3, answer }));
};
if (process.argv[2] === 'init') say();
else handler(JSON.parse(process.argv[2])).then(say);
`;

interface Times {
  /** Milliseconds until the bundle is read. */
  init: number;
  /** Milliseconds until the first answer. */
  first: number;
  /** Milliseconds of processor time until the first answer, all threads together. */
  cpu: number;
}

interface Answer {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
  isBase64Encoded?: boolean;
}

async function take(file: string, event: object | 'init', env: Record<string, string>) {
  const argument = event === 'init' ? event : JSON.stringify(event);
  const child = spawn(process.execPath, ['-e', sample, file, argument], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const line = said.slice(said.lastIndexOf('{"init"'));
  if (code !== 0 || !line.startsWith('{"init"')) throw new Error(`${file} ended with ${code}: ${said}`);
  return JSON.parse(line) as Times & { answer?: Answer };
}

/** Takes a case's time; an answer without the table's row is an error, because refusing is faster than answering. */
async function takeCase(file: string, { event, shows }: ColdCase, env: Record<string, string>): Promise<Times> {
  const { answer, ...times } = await take(file, event, env);
  const body = answer ? bodyOf(answer) : '';
  if (answer?.statusCode !== 200 || !body.includes(shows)) throw new Error(`${file}: ${answer?.statusCode} ${body}`);
  return times;
}

function bodyOf({ body = '', headers = {}, isBase64Encoded = false }: Answer): string {
  if (!isBase64Encoded) return body;
  const bytes = Buffer.from(body, 'base64');
  return String(headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes);
}

/**
 * Measures the contenders in turn, several times, and takes the medians. So a busy machine disturbs all of them alike.
 */
async function measureCold(
  contenders: ReadonlyMap<string, () => Promise<Times>>,
  rounds: number,
): Promise<Map<string, Times>> {
  const samples = new Map([...contenders.keys()].map((name): [string, Times[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, run] of contenders) samples.get(name)?.push(await run());
  return new Map([...samples].map(([name, times]) => [name, medians(times)]));
}

const medians = (times: readonly Times[]): Times => ({
  init: median(times.map(({ init }) => init)),
  first: median(times.map(({ first }) => first)),
  cpu: median(times.map(({ cpu }) => cpu)),
});

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
  DOCUMENT_QUEUE_URL: `${url}/000000000000/cold`,
  PUBLIC_URL: 'https://cold.example.com',
  EXCHANGE_RATES_URL: `${url}/rates.xml`,
  STAGE: 'sandbox',
  MERCHANT: JSON.stringify({ id: 'demo', name: 'Example Books', country: 'DE', collectPolicy: 'everywhere' }),
});

const ours = (name: string): string => join(bundleFolder, 'ours', `${name}.js`);
const byDefault = (name: string): string => join(bundleFolder, 'default', `${name}.js`);
const bare = join(bundleFolder, 'bare/handler.js');

/** Writes every function by our recipe, the cases' functions by the CDK's, and a handler that does nothing. */
async function writeContenders(cases: readonly ColdCase[]): Promise<void> {
  rmSync(bundleFolder, { recursive: true, force: true });
  await writeBundles(
    functionNames,
    { ...bundleRecipe, sourcemap: false },
    { outdir: join(bundleFolder, 'ours'), write: true },
  );
  const measured = cases.map(({ function: name }) => name);
  await writeBundles(measured, defaultRecipe, { outdir: join(bundleFolder, 'default'), write: true });
  mkdirSync(dirname(bare), { recursive: true });
  writeFileSync(bare, 'exports.handler = async () => ({ statusCode: 200 });');
  writeFileSync(join(bundleFolder, 'package.json'), '{"type":"commonjs"}');
}

/** What a cold start costs: three requests beside a bare handler and the CDK's default bundling, and the reading of each bundle. */
export async function benchColdStart({ rounds = 15, roundsEach = 3 } = {}): Promise<void> {
  const { table, cases } = await startColdCases();
  const env = environmentFor(table.url);
  await writeContenders(cases);
  const contenders = cases.flatMap((one): [string, () => Promise<Times>][] => [
    [`${one.name}: ours`, () => takeCase(ours(one.function), one, env)],
    [`${one.name}: the CDK's default`, () => takeCase(byDefault(one.function), one, env)],
  ]);
  const bareHandler = (): Promise<Times> => take(bare, {}, env);
  const cold = await measureCold(new Map([['a bare handler', bareHandler], ...contenders]), rounds);
  const each = await measureCold(
    new Map(functionNames.map((name) => [name, () => take(ours(name), 'init', env)])),
    roundsEach,
  );
  table.stop();
  reportCold(cold, cases);
  await reportEach(each);
}

const milliseconds = (time: number): string => `${time.toFixed(1).padStart(6)} ms`;
const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(0).padStart(5)} kB`;

const described = ({ init, first, cpu }: Times): string =>
  `${milliseconds(init)} to read it, ${milliseconds(first)} with its first answer (${milliseconds(cpu)} of processor time)`;

function reportCold(cold: ReadonlyMap<string, Times>, cases: readonly ColdCase[]): void {
  const ratios = cases.map(({ name }): [string, string] => {
    const [own, theirs] = [cold.get(`${name}: ours`), cold.get(`${name}: the CDK's default`)];
    const ratio = (pick: 'first' | 'cpu') => ((own?.[pick] ?? 0) / (theirs?.[pick] ?? 1)).toFixed(2);
    return [`${name}: ratio`, `  ${ratio('first')}  (goal: at most 0.70), ${ratio('cpu')} of processor time`];
  });
  const rows = [...cold].map(([name, times]): [string, string] => [name, described(times)]);
  report('Cold start with a first 200, a fresh process each', [...rows, ...ratios]);
}

async function reportEach(each: ReadonlyMap<string, Times>): Promise<void> {
  const sizes = new Map((await bundlesOf()).map(({ name, bytes }) => [name, bytes]));
  const rows = [...each].map(([name, { init }]): [string, string] => [
    name,
    `${kilobytes(sizes.get(name) ?? 0)}  ${milliseconds(init)}`,
  ]);
  report('Every function: its bundle, and how long Node reads it', rows);
}
