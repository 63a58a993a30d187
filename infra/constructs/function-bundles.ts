import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Matches a read of a section of texts, such as `dashboardTexts('frame')`. */
const sectionRead = /\b(buyer|dashboard)Texts\('(\w+)'\)/g;

const foldersOfTexts: Readonly<Record<string, string>> = { buyer: 'buyers', dashboard: 'dashboard' };

/**
 * The source code of a module with one section of texts in every language, such as `dashboard/frame`. A function reads
 * few languages, so each is parsed when it is first read. The keys are there once.
 */
function moduleOfSection(path: string): string {
  const [face = '', name = ''] = path.split('/');
  const folder = join(root, 'shared/texts', foldersOfTexts[face] ?? '');
  const sectionIn = (language: string): Record<string, string> =>
    JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))[name];
  const keys = Object.keys(sectionIn('en'));
  const languages = globSync('*.json', { cwd: folder }).map((file) => basename(file, '.json'));
  const readers = languages.map((language) => {
    const section = sectionIn(language);
    const texts = JSON.stringify(keys.map((key) => section[key]));
    return `get "${language}"() { return read("${language}", ${JSON.stringify(texts)}) }`;
  });
  return `const keys = ${JSON.stringify(keys)}; const parsed = {};
    const read = (language, texts) => parsed[language] ??= named(JSON.parse(texts));
    const named = (texts) => Object.fromEntries(keys.map((key, index) => [key, texts[index]]));
    export default { ${readers.join()} };`;
}

/**
 * Puts only those sections of texts into a bundle that its function reads. esbuild keeps or removes a JSON file as a
 * whole. So each read of a section becomes an import of a module with only this section.
 */
const keepReadSections: Plugin = {
  name: 'keep-read-sections',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /\/shared\/.+\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const reads = new Set(Array.from(source.matchAll(sectionRead), ([, face, section]) => `${face}/${section}`));
      if (reads.size === 0) return undefined;
      const imports = [...reads].map((read) => `import ${read.replace('/', '_')} from 'texts:${read}';`);
      return { contents: imports.join(' ') + source.replace(sectionRead, '$1_$2'), loader: 'ts' };
    });
    onResolve({ filter: /^texts:/ }, ({ path }) => ({
      path: path.slice('texts:'.length),
      namespace: 'texts',
      sideEffects: false,
    }));
    onLoad({ filter: /./, namespace: 'texts' }, ({ path }) => ({ contents: moduleOfSection(path), loader: 'js' }));
  },
};

/** The bundling options of every function. Tests and benchmarks use the same ones. */
export const bundleRecipe = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  charset: 'utf8',
  legalComments: 'none',
  sourcemap: 'external',
  sourcesContent: false,
  plugins: [keepReadSections],
  /**
   * The settings of zod, which must be set before zod is loaded. In a new process, compiling schemas to code is slower
   * than interpreting them.
   */
  banner: { js: 'globalThis.__zod_globalConfig={jitless:true};' },
  alias: {
    '@aws-sdk/credential-provider-node': join(root, 'infra/constructs/bundling/lambda-credentials.ts'),
    '@aws-sdk/middleware-endpoint-discovery': join(root, 'infra/constructs/bundling/no-endpoint-discovery.ts'),
    '@smithy/core/config': join(root, 'infra/constructs/bundling/environment-config.ts'),
    '@smithy/core/event-streams': join(root, 'infra/constructs/bundling/no-event-streams.ts'),
    zod: join(root, 'infra/constructs/bundling/shared-schemas.ts'),
    /**
     * Packages whose CommonJS build is used. Their ESM build reads its own address when it is loaded, and a CommonJS
     * bundle has no such address.
     */
    pdfkit: join(root, 'node_modules/pdfkit/js/pdfkit.js'),
    fontkit: join(root, 'node_modules/fontkit/dist/main.cjs'),
  },
} as const satisfies BuildOptions;

/** Returns the code of a function by its name in the route table. */
export type FunctionCode = (name: string) => Code;

interface FunctionBundlesProps {
  /** The names of the functions to bundle, as in the route table: `refunds/create-refund`. */
  functions: readonly string[];
  /**
   * Files of packages that are put beside a function's bundle, as patterns in `node_modules`. By default, there are
   * none.
   */
  filesOf?: (name: string) => readonly string[];
  /** The folder of the sources. By default, it is `functions` in the repository. */
  sources?: string;
  /** The folder for `<name>/index.js` and its source map. By default, it is `cdk.out/functions`. */
  outputs?: string;
}

/**
 * Bundles all functions in one run of esbuild, which reads every shared module once. Each bundle has its own
 * directory. Its source map is next to it and is not deployed.
 */
export async function bundleFunctions(props: FunctionBundlesProps): Promise<FunctionCode> {
  const sources = props.sources ?? join(root, 'functions');
  const outputs = props.outputs ?? join(root, 'cdk.out/functions');
  const entryPoints = props.functions.map((name) => ({ in: sourceOf(name, sources), out: join(name, 'index') }));
  for (const file of await bundled(entryPoints, outputs)) write(file);
  write({ path: join(outputs, 'package.json'), contents: Buffer.from('{"type":"commonjs"}\n') });
  for (const name of props.functions) copyFiles(props.filesOf?.(name) ?? [], join(outputs, name));
  return (name) => Code.fromAsset(join(outputs, name), { exclude: ['*.map'] });
}

/**
 * Copies files of packages. A pattern that matches no file is an error, because otherwise the function would fail only
 * when it runs.
 */
function copyFiles(patterns: readonly string[], directory: string): void {
  rmSync(join(directory, 'node_modules'), { recursive: true, force: true });
  for (const pattern of patterns) {
    const files = globSync(pattern, { cwd: join(root, 'node_modules') });
    if (files.length === 0) throw new Error(`No file of a package fits ${pattern}: run "npm ci".`);
    for (const file of files) cpSync(join(root, 'node_modules', file), join(directory, 'node_modules', file));
  }
}

function sourceOf(name: string, sources: string): string {
  const file = join(sources, `${name}.ts`);
  if (!existsSync(file)) throw new Error(`The route table names the function ${name}, but there is no ${file}.`);
  return file;
}

/**
 * Bundles the functions. A warning is an error, because esbuild warns about code that would fail only in Lambda, such
 * as `import.meta.url`.
 */
async function bundled(entryPoints: { in: string; out: string }[], outdir: string): Promise<OutputFile[]> {
  const options = {
    ...bundleRecipe,
    entryPoints,
    outdir,
    absWorkingDir: root,
    write: false,
    logLevel: 'silent',
  } as const;
  const { warnings, outputFiles } = await build(options);
  const faults = warnings.map(({ text, location }) => `${location?.file}:${location?.line}: ${text}`);
  if (faults.length > 0) throw new Error(`The bundles have warnings:\n${faults.join('\n')}`);
  return outputFiles;
}

function write({ path, contents }: Pick<OutputFile, 'path' | 'contents'>): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}
