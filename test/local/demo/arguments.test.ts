import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openDirectory, parseArguments } from '../../../infra/local/demo/arguments.ts';
import { UsageError } from '../../../infra/usage-error.ts';

it.each([
  [[], { port: 4000, help: false }],
  [['--port', '5000'], { port: 5000, help: false }],
  [['--port=0', '--data', '.data'], { port: 0, help: false, dataDirectory: resolve('.data') }],
  [['--processor', 'stripe'], { port: 4000, help: false, processor: 'stripe' }],
  [['--empty'], { port: 4000, help: false, empty: true }],
  [['-h'], { port: 4000, help: true }],
])('npm start understands the arguments %j', (args, expected) => {
  expect(parseArguments(args)).toEqual(expected);
});

it.each([
  [['--prot', '1']],
  [['5000']],
  [['--port']],
  [['--port', 'x']],
  [['--port', '65536']],
  [['--port', '-1']],
  [['--port', '4190']],
  [['--data=']],
  [['--processor', 'paypal']],
  [['--processor=']],
  [['--processor', 'stripe', '--data', '.data']],
])('npm start refuses the arguments %j', (args) => {
  expect(() => parseArguments(args)).toThrow(UsageError);
});

it('npm start refuses a data directory that cannot be created, and says what to do', async () => {
  const file = fileURLToPath(import.meta.url);
  await expect(openDirectory(`${file}/shop`)).rejects.toThrow(
    new UsageError(`--data ${file}/shop cannot be written to (ENOTDIR). Choose another directory.`),
  );
});

it.skipIf(process.platform !== 'linux').each(['/proc', '/proc/shop'])(
  'npm start refuses a data directory in which files cannot really be written: %s',
  async (path) => {
    await expect(openDirectory(path)).rejects.toThrow(
      new UsageError(`--data ${path} cannot be written to (ENOENT). Choose another directory.`),
    );
  },
  5_000,
);

it('npm start creates the data directory with its parents, and leaves them empty', async () => {
  const above = mkdtempSync(join(tmpdir(), 'tillstack-data-'));
  await openDirectory(join(above, 'shops', 'books'));
  expect(readdirSync(above, { recursive: true })).toEqual(['shops', join('shops', 'books')]);
  rmSync(above, { recursive: true });
});
