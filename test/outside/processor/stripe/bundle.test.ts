import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

/** What the files of a bundle weigh in it, minified, by path. */
async function weigh(entryPoints: string[]): Promise<[path: string, bytes: number][]> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    outdir: 'unwritten',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    metafile: true,
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).map(([path, { bytesInOutput }]): [string, number] => [path, bytesInOutput]),
  );
}

const isOurs = (path: string): boolean => path.startsWith('shared/outside/processor/');
const weightOf = (files: [string, number][]): number =>
  files.reduce((sum, [path, bytes]) => sum + (isOurs(path) ? bytes : 0), 0);

describe('Stripe in a bundle', () => {
  it.each([
    { part: 'charges', entries: ['shared/outside/processor/stripe/stripe-charges.ts'] },
    { part: 'refunds', entries: ['shared/outside/processor/stripe/stripe-refunds.ts'] },
    { part: 'disputes', entries: ['shared/outside/processor/stripe/stripe-disputes.ts'] },
    { part: 'notifications', entries: ['shared/outside/processor/stripe/notification.ts'] },
  ])('has at most 13 kB, with the client: $part', async ({ part, entries }) => {
    const bytes = weightOf(await weigh(entries));
    console.log(`Stripe in a bundle, ${part}: ${bytes} bytes.`);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(13_000);
  });

  it('reads its key with 3 kB of code, while the official client of the parameter store has 78 kB', async () => {
    const files = await weigh([
      'shared/outside/parameters/secret.ts',
      'shared/outside/processor/stripe/account/account-key.ts',
    ]);
    const bytes = files.reduce((sum, [path, own]) => sum + (path.startsWith('shared/') ? own : 0), 0);
    console.log(`Reading the key in a bundle: ${bytes} bytes.`);
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThanOrEqual(3_100);
  });

  it('contains only our code and zod, and no code of the stripe package', async () => {
    const files = await weigh(['shared/outside/processor/registry.ts']);
    console.log(`Stripe in a bundle, all of it: ${weightOf(files)} bytes.`);
    const strangers = files
      .map(([path]) => path)
      .filter((path) => !isOurs(path) && !path.startsWith('shared/domain/') && !path.includes('/zod/'));
    expect(strangers).toEqual([]);
  });
});
