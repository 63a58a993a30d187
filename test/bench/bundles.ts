import { globSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, stop } from 'esbuild';
import { bundleRecipe } from '../../infra/constructs/function-bundles.ts';
import { functionNames } from '../../infra/function-names.ts';
import { makeSite } from '../../infra/reference/make-site.ts';
import { type KeptResults, keptResults } from '../support/kept-results.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Below `node_modules`, where a bundle finds what it leaves out, as it does in Lambda's own image. */
export const bundleFolder = join(root, 'node_modules/.cache/cold-start');

/** How the CDK bundles by default for this runtime: nothing minified, the SDK left to the runtime. */
export const defaultRecipe = {
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
  /** Which of our files in it import another one of ours only when they need it. */
  defers: readonly string[];
}

/** Files that a bundle depends on beside the modules in it: the recipe, the packages and the texts. */
const basis = [
  'package.json',
  'tsconfig.json',
  'node_modules/.package-lock.json',
  'infra/constructs/function-bundles.ts',
  'test/bench/bundles.ts',
  ...globSync(['infra/constructs/bundling/*.ts', 'shared/texts/**/*.json'], { cwd: root }),
].map((file) => join(root, file));

/** Every function as it is deployed. What an earlier run found out about a bundle is used while its files are the same. */
export async function bundlesOf(names: readonly string[] = functionNames): Promise<Bundle[]> {
  makeSite();
  const bundles = keptResults<Examined>(join(root, 'node_modules/.cache/bundles'), basis);
  const missing = names.filter((name) => !bundles.find(name));
  if (missing.length > 0) await examineAll(missing, bundles);
  return names.map((name) => {
    const { packages, ...bundle } = bundles.find(name) ?? lost(name);
    return { ...bundle, packages: new Set(packages) };
  });
}

type Examined = Omit<Bundle, 'packages'> & { packages: readonly string[] };

async function examineAll(names: readonly string[], { keep }: KeptResults<Examined>): Promise<void> {
  const recipe = { ...bundleRecipe, sourcemap: false } as const; // a fifth of the work, and no part of a bundle's size
  const { outputs: built, inputs } = await writeBundles(names, recipe, { outdir: bundleFolder, write: false });
  const folder = relative(root, bundleFolder);
  for (const name of names) {
    const sources = modulesOf(`functions/${name}.ts`, inputs).map((file) => join(root, file));
    keep(name, examine(name, built[posix.join(folder, `${name}.js`)] ?? lost(name), inputs), sources);
  }
}

function examine(name: string, output: Metafile['outputs'][string], sources: Metafile['inputs']): Examined {
  const { bytes, inputs, imports } = output;
  const files = Object.keys(inputs).filter((file) => (inputs[file]?.bytesInOutput ?? 0) > 0);
  const packages = new Set(files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []));
  const missing = imports.filter(({ path, external }) => external && !path.startsWith('node:')).map(({ path }) => path);
  const defers = files.filter((file) =>
    sources[file]?.imports.some(({ kind, path }) => kind === 'dynamic-import' && path.startsWith('shared/')),
  );
  return { name, bytes, packages: [...packages], missing, inputs: files, defers };
}

/** Our modules that a module imports, directly or indirectly, whether or not they end up in its bundle. */
function modulesOf(entry: string, sources: Metafile['inputs']): string[] {
  const modules = new Set([entry]);
  for (const module of modules)
    for (const { path, external } of sources[module]?.imports ?? [])
      if (!external && !/^texts:|(?:^|\/)node_modules\//.test(path)) modules.add(path);
  return [...modules];
}

function lost(name: string): never {
  throw new Error(`There is no bundle of ${name}.`);
}

/** esbuild holds all bundles of a run in memory: forty take one gigabyte, all of them three. */
const mostAtOnce = 40;

/** Bundles functions by a recipe, each to `<outdir>/<name>.js`. */
export async function writeBundles(
  names: readonly string[],
  recipe: BuildOptions,
  { outdir, write }: { outdir: string; write: boolean },
): Promise<Metafile> {
  makeSite();
  const entryPoints = names.map((name) => ({ in: join(root, 'functions', `${name}.ts`), out: name }));
  const fixed = { absWorkingDir: root, outdir, write, metafile: true, logLevel: 'silent' } as const;
  const whole: Metafile = { inputs: {}, outputs: {} };
  for (let start = 0; start < entryPoints.length; start += mostAtOnce) {
    const some = { ...recipe, ...fixed, entryPoints: entryPoints.slice(start, start + mostAtOnce) };
    const { inputs, outputs } = (await withoutCollection(() => build(some))).metafile;
    Object.assign(whole.inputs, inputs);
    Object.assign(whole.outputs, outputs);
  }
  return whole;
}

/**
 * Runs esbuild in a process that collects no garbage, which would take a third of its time: the process ends after the run. It reads
 * the environment when it starts.
 */
async function withoutCollection<T>(run: () => Promise<T>): Promise<T> {
  const { GOGC: before } = process.env;
  await stop();
  process.env['GOGC'] = 'off';
  try {
    return await run();
  } finally {
    await stop();
    if (before === undefined) delete process.env['GOGC'];
    else process.env['GOGC'] = before;
  }
}
