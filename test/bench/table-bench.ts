import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { report } from './measure.ts';

const entries = {
  'look-up': "export { lookUpRate } from './shared/tax/rates/rate-lookup.ts'",
  'look-up with the texts of all sources':
    "export { lookUpRate } from './shared/tax/rates/rate-lookup.ts'; export { explainRow } from './shared/tax/explain.ts'",
  'treatment and calendar':
    "export { taxTreatment } from './shared/tax/treatment.ts'; export { localDate } from './shared/tax/places/local-date.ts'",
};

/** What the tax table adds to a function, minified. */
export async function benchTable(): Promise<void> {
  const rows = await Promise.all(
    Object.entries(entries).map(async ([name, contents]): Promise<[string, string]> => [name, await sizeOf(contents)]),
  );
  report('Bundle of the tax table', rows);
}

async function sizeOf(contents: string): Promise<string> {
  const resolveDir = fileURLToPath(new URL('../..', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    ...{ bundle: true, minify: true, write: false, format: 'cjs', platform: 'node' },
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  return `${kilobytes(bytes.length)} minified, ${kilobytes(gzipSync(bytes).length)} compressed`;
}

const kilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1).padStart(6)} kB`;
