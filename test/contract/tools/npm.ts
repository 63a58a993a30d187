import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Installs pinned packages into a folder outside of the repository. Returns where their programs are. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<(name: string) => string> {
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  const quiet = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', folder];
  await run('npm', [...quiet, ...packages], { cwd: folder, maxBuffer: 10_000_000 });
  return (name) => join(folder, 'node_modules/.bin', name);
}
