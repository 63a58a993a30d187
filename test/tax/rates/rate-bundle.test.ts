import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const maxBytes = 90_000;

/** Bundled as a function is, minified. */
async function bundle(...exported: string[]) {
  const contents = exported.map((file) => `export * from './${file}';`).join('\n');
  const stdin = { contents, resolveDir: process.cwd(), loader: 'ts' } as const;
  const options = {
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
  } as const;
  const { outputFiles, metafile } = await build({
    stdin,
    ...options,
    mainFields: ['module', 'main'],
    target: 'node24',
  });
  return { bytes: outputFiles[0]!.contents.length, text: outputFiles[0]!.text, inputs: Object.keys(metafile.inputs) };
}

describe('the bundle of the rate table', () => {
  it('is at most 90 kB with the lookup and all sources of the facts', async () => {
    const { bytes } = await bundle('shared/tax/rates/rate-lookup.ts', 'shared/tax/rates/sources.ts');
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  });

  it('is at most 90 kB with all code that decides a sale, without the texts of the sources', async () => {
    const { bytes } = await bundle('shared/tax/treatment.ts', 'shared/tax/places/local-date.ts');
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  });

  it('reads no file, uses no network, and contains neither zod nor jsvat', async () => {
    const { inputs, text } = await bundle(
      'shared/tax/treatment.ts',
      'shared/tax/places/local-date.ts',
      'shared/tax/rates/sources.ts',
    );
    expect(inputs.filter((input) => input.includes('node_modules'))).toEqual([]);
    expect(text).not.toMatch(/\brequire\(|\bfetch\(|\bimport\(/);
  });
});
