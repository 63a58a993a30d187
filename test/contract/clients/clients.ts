import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { startSandbox } from '../../../infra/local/sandbox.ts';
import { installPackages } from '../tools/npm.ts';
import { pythonTools } from '../tools/python.ts';

const execute = promisify(execFile);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const contract = here('../../../docs/openapi.json');

/** What each client must have seen: 24.00 paid, 10.00 of it refunded. */
const expected = { paid: 'succeeded', total: 2_400, refunded: 1_000, left: 1_400 };

interface Place {
  folder: string;
  environment: Record<string, string | undefined>;
}

/** Runs a program in the client's folder, and returns what it prints. */
const run = async (program: string, args: string[], { folder, environment }: Place): Promise<string> =>
  (await execute(program, args, { cwd: folder, env: environment, maxBuffer: 10_000_000 })).stdout;

/** Pinned, and installed aside: the generators need the compiler of TypeScript 5. */
const compiler = ['typescript@5.9.3', '@types/node@24.19.2'];
const strict = ['--strict', '--noUncheckedIndexedAccess', '--noImplicitOverride', '--noImplicitReturns'];
const modules = ['--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2022'];

/** Compiles a purchase with its client under strict settings, and runs it. */
async function compileAndBuy(purchase: string, program: (name: string) => string, place: Place): Promise<string> {
  copyFileSync(here(purchase), join(place.folder, purchase));
  await run(program('tsc'), [...strict, ...modules, '--types', 'node', purchase], place);
  return run(process.execPath, [purchase], place);
}

async function openapiTypescript(place: Place): Promise<string> {
  const program = await installPackages(place.folder, [
    'openapi-typescript@7.13.0',
    'openapi-fetch@0.17.0',
    ...compiler,
  ]);
  await run(program('openapi-typescript'), [contract, '--default-non-nullable=false', '-o', 'api.d.ts'], place);
  return compileAndBuy('purchase.ts', program, place);
}

/** Each request and answer is also validated by zod. */
async function heyApi(place: Place): Promise<string> {
  const program = await installPackages(place.folder, ['@hey-api/openapi-ts@0.99.0', 'zod@4.6.7', ...compiler]);
  copyFileSync(here('openapi-ts.config.mjs'), join(place.folder, 'openapi-ts.config.mjs'));
  const environment = { ...place.environment, CONTRACT: contract };
  await run(program('openapi-ts'), ['-f', 'openapi-ts.config.mjs'], { ...place, environment });
  return compileAndBuy('purchase-validated.ts', program, place);
}

async function python({ folder, environment }: Place): Promise<string | undefined> {
  const tools = await pythonTools();
  if (tools === undefined) return undefined;
  const output = join(folder, 'client');
  const env = {
    ...environment,
    CLIENT_FOLDER: output,
    PATH: `${tools}:${environment['PATH']}`,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const made = ['generate', '--path', contract, '--output-path', output, '--overwrite', '--fail-on-warning'];
  await run(join(tools, 'openapi-python-client'), made, { folder, environment: env });
  return run(join(tools, 'python'), [here('purchase.py')], { folder, environment: env });
}

/** Go keeps what it has fetched and compiled, so a second run is short. */
async function go(place: Place): Promise<string | undefined> {
  const { folder, environment } = place;
  const hasGo = await run('go', ['version'], place).then(
    () => true,
    () => false,
  );
  if (!hasGo) return undefined;
  const env = { ...environment, GOFLAGS: '-mod=mod', GOBIN: join(folder, 'bin') };
  const goPlace = { folder, environment: env };
  mkdirSync(join(folder, 'tillstack'));
  writeFileSync(join(folder, 'go.mod'), 'module example.com/purchase\n\ngo 1.24\n');
  copyFileSync(here('purchase.go'), join(folder, 'main.go'));
  await run('go', ['install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'], goPlace);
  await run(join(folder, 'bin/oapi-codegen'), ['-config', here('oapi-codegen.yaml'), contract], goPlace);
  await run('go', ['mod', 'tidy'], goPlace);
  await run('go', ['vet', '.'], goPlace);
  return run('go', ['run', '.'], goPlace);
}

const makers = {
  'openapi-typescript': openapiTypescript,
  'hey-api with zod': heyApi,
  'openapi-python-client': python,
  'oapi-codegen': go,
} as const;

/** Lets generators make clients from the contract, which compile strictly, and buy and refund in a sandbox. */
export async function tryClients(say: (line: string) => void): Promise<boolean> {
  const sandbox = await startSandbox({ port: 0, quiet: true });
  await seedLocalKey(sandbox.table);
  const environment = { ...process.env, API_URL: sandbox.url, API_KEY: localKey };
  let isWhole = true;
  for (const [name, make] of Object.entries(makers)) {
    const folder = mkdtempSync(join(tmpdir(), 'tillstack-client-'));
    try {
      const seen = await make({ folder, environment });
      const isRight = seen === undefined || JSON.stringify(JSON.parse(seen)) === JSON.stringify(expected);
      say(seen === undefined ? `${name}: skipped, its language is not on this machine.` : `${name}: ${seen.trim()}`);
      isWhole &&= isRight;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      say(`${name} FAILED: ${error instanceof Error ? error.message : error}\n${stdout}${stderr}`);
      isWhole = false;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  await sandbox.stop();
  return isWhole;
}
