import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const requirements = new URL('requirements.txt', import.meta.url);

/** Whether this machine has a Python that makes virtual environments and is new enough for the tools. */
async function hasPython(): Promise<boolean> {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  return run('python3', ['-c', check]).then(
    () => true,
    () => false,
  );
}

/**
 * The folder with the programs of the pinned Python tools, installed once for each list of versions, outside of the
 * repository. Undefined where there is no Python 3.11 or later with `venv`.
 */
export async function pythonTools(): Promise<string | undefined> {
  if (!(await hasPython())) return undefined;
  const version = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), `tillstack-python-${version}`);
  const programs = join(folder, 'bin');
  const receipt = join(folder, 'installed');
  if (existsSync(receipt)) return programs;
  await run('python3', ['-m', 'venv', '--clear', folder]);
  const quiet = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  await run(join(programs, 'python'), [...quiet, '-r', fileURLToPath(requirements)], { maxBuffer: 10_000_000 });
  writeFileSync(receipt, version);
  return programs;
}
