import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { localKey, seedLocalKey } from '../../infra/local/local-key.ts';
import { startSandbox } from '../../infra/local/sandbox.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('drive.py', import.meta.url));
const table = new URL('../../docs/dialect.md', import.meta.url);

const hasPython = (): Promise<boolean> =>
  run('python3', ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 9))']).then(
    () => true,
    () => false,
  );

/** The operations that docs/dialect.md says work, such as `GET /payments/{}`. */
const working = (): string[] =>
  [...readFileSync(table, 'utf8').matchAll(/^\| (\w+) \| `([^`]+)` \| yes \|/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );

/** Whether a call was one of an operation: `{}` stands for one id. */
function isCallOf(operation: string, call: string): boolean {
  const wanted = operation.split('/');
  const got = call.split('/');
  return wanted.length === got.length && wanted.every((part, index) => part === '{}' || part === got[index]);
}

interface Line {
  call?: string;
  status?: number;
  library?: string;
}

/** Says what was driven, and which working operation never was. */
function judge(output: string, say: (line: string) => void): boolean {
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const calls = lines.flatMap(({ call, status = 0 }) => (call && status < 300 ? [call] : []));
  const wanted = working();
  const missed = wanted.filter((operation) => !calls.some((call) => isCallOf(operation, call)));
  for (const operation of missed) say(`NOT DRIVEN  ${operation}`);
  const { library } = lines.at(-1) ?? {};
  say(
    `dodopayments ${library} for Python: ${calls.length} calls, ${wanted.length - missed.length} of ${wanted.length} working operations.`,
  );
  return missed.length === 0 && wanted.length > 0;
}

async function drive(folder: string, say: (line: string) => void): Promise<boolean> {
  await run('python3', ['-m', 'venv', folder]);
  const python = join(folder, 'bin/python');
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'dodopayments[webhooks]'];
  await run(python, install, { maxBuffer: 10_000_000 });
  const sandbox = await startSandbox({ port: 0, quiet: true, sweepSeconds: 0.25 });
  try {
    await seedLocalKey(sandbox.table);
    const env = { ...process.env, API_URL: sandbox.url, API_KEY: localKey, PYTHONDONTWRITEBYTECODE: '1' };
    return judge((await run(python, [script], { env, timeout: 180_000 })).stdout, say);
  } finally {
    await sandbox.stop();
  }
}

/** Installs the newest library for Python into a temporary folder and drives a sandbox with it; true if all went well. */
export async function drivePython(say: (line: string) => void): Promise<boolean> {
  if (!(await hasPython())) {
    say('Skipped: the library for Python needs Python 3.9 or later with venv.');
    return true;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-drift-'));
  try {
    return await drive(folder, say);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    say(`FAILED after ${stdout.trim().split('\n').at(-1)}\n${stderr || error}`);
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
