import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, version as esbuildVersion } from 'esbuild';

const root = join(import.meta.dirname, '../../..');

/** What a test can load of a released version: its functions with all that they use, and its route table. */
const sources = ['functions', 'shared', 'infra/endpoints.ts', 'docs/openapi.json'];

/** Whether the repository's history has a commit: a shallow clone and an archive have none but the newest. */
export function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A bundle is kept for all later runs, until this file or esbuild changes. */
function bundleOf(commit: string): string {
  const recipe = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(esbuildVersion)
    .digest('hex');
  return join(root, 'node_modules/.cache/released', `${commit}-${recipe.slice(0, 12)}.mjs`);
}

/** Unpacks the sources of a commit into a folder. */
function unpack(commit: string, folder: string): void {
  const archive = join(folder, 'sources.tar');
  execFileSync('git', ['archive', `--output=${archive}`, commit, ...sources], { cwd: root });
  execFileSync('tar', ['-xf', archive, '-C', folder]);
}

/** A module that exports how each module is loaded. They lie in one file, so that a second import of it is a second instance of all. */
function entryOf(folder: string): string {
  const paths = globSync('**/*.ts', { cwd: folder }).map((path) => path.replaceAll('\\', '/'));
  const lines = paths.sort().map((path) => `  ${JSON.stringify(path)}: () => import(${JSON.stringify(`./${path}`)}),`);
  return `export const modules = {\n${lines.join('\n')}\n};\n`;
}

async function write(commit: string, outfile: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tillstack-release-'));
  const unfinished = `${outfile}.${randomUUID()}`;
  try {
    unpack(commit, folder);
    mkdirSync(dirname(outfile), { recursive: true });
    await build({
      stdin: { contents: entryOf(folder), resolveDir: folder, sourcefile: 'modules.ts', loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      packages: 'external',
      outfile: unfinished,
      logLevel: 'error',
    });
    renameSync(unfinished, outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The functions of a commit of this repository as one file of JavaScript, which is made when it is first asked for. */
export async function bundleRelease(commit: string): Promise<string> {
  const outfile = bundleOf(commit);
  if (!existsSync(outfile)) await write(commit, outfile);
  return outfile;
}
