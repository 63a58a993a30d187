import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { localKey, seedLocalKey } from '../../../infra/local/local-key.ts';
import { startSandbox } from '../../../infra/local/sandbox.ts';
import { pythonTools } from '../tools/python.ts';

const run = promisify(execFile);
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const contract = here('../../../docs/openapi.json');

/** Pinned, and installed aside: openapi-typescript needs the compiler of TypeScript 5. */
const packages = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@24.19.2'];

/** What each client must have seen: 24.00 paid, 10.00 of it refunded. */
const expected = { paid: 'succeeded', total: 2_400, refunded: 1_000, left: 1_400 };

interface Place {
  folder: string;
  environment: Record<string, string | undefined>;
}

/** Makes the types, compiles the purchase with them, and runs it. */
async function typescript({ folder, environment }: Place): Promise<string> {
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages], { cwd: folder });
  const program = (name: string): string => join(folder, 'node_modules/.bin', name);
  await run(program('openapi-typescript'), [contract, '--default-non-nullable=false', '-o', join(folder, 'api.d.ts')], {
    cwd: folder,
  });
  copyFileSync(here('purchase.ts'), join(folder, 'purchase.ts'));
  const strict = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--module', 'nodenext', '--target', 'es2022'];
  await run(program('tsc'), [...strict, '--types', 'node', 'purchase.ts'], { cwd: folder });
  return (await run(process.execPath, [join(folder, 'purchase.ts')], { cwd: folder, env: environment })).stdout;
}

/** Makes the package, and runs the purchase with it; undefined without Python. */
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
  await run(join(tools, 'openapi-python-client'), made, { cwd: folder, env });
  return (await run(join(tools, 'python'), [here('purchase.py')], { cwd: folder, env })).stdout;
}

const makers = { 'openapi-typescript': typescript, 'openapi-python-client': python } as const;

/** Lets two generators make clients from the contract, which buy and refund in a sandbox. */
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
      say(
        seen === undefined ? `${name}: skipped, it needs Python 3.11 or later with venv.` : `${name}: ${seen.trim()}`,
      );
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
