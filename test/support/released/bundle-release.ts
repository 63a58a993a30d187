import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, version as esbuildVersion } from 'esbuild';

const root = join(import.meta.dirname, '../../..');

/** The parts of a released version that a test can load: its functions with all their modules, and its route table. */
const sources = ['functions', 'shared', 'infra/endpoints.ts', 'docs/openapi.json'];

/** Says whether the repository's history has a commit. A shallow clone and an archive have only the newest one. */
export function isInHistory(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The bundle is stored for later runs, until this file or esbuild changes. */
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

/**
 * A module that exports a loader for each module. All modules are in one file, so importing it twice gives two separate
 * instances.
 */
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

/** Bundles the functions of a commit of this repository into one JavaScript file, on the first request. */
export async function bundleRelease(commit: string): Promise<string> {
  const outfile = bundleOf(commit);
  if (!existsSync(outfile)) await write(commit, outfile);
  return outfile;
}
