import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The version of a folder, such as `0.2.0+97cf8f7a`. It ends with `.dirty` if a file differs from the commit. New files
 * do not count, because a merchant's own file is one. Without git, or outside a repository, it is only the package's
 * version.
 */
export function sourceVersionOf(folder: string = root): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const commit = askGit(folder, ['rev-parse', '--short=8', 'HEAD']);
  if (commit === undefined) return version;
  const changes = askGit(folder, ['status', '--porcelain', '--untracked-files=no']);
  return `${version}+${commit}${changes ? '.dirty' : ''}`;
}

/** The output of git. Git looks only at the repository of this folder, and not at one that contains the folder. */
function askGit(folder: string, args: string[]): string | undefined {
  const repository = join(folder, '.git');
  if (!existsSync(repository)) return undefined;
  const place = [`--git-dir=${repository}`, `--work-tree=${folder}`];
  const { status, stdout } = spawnSync('git', [...place, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}
