import { describe, expect, it } from 'vitest';
import { runBooks } from '../../infra/commands/books.ts';
import { runKeys } from '../../infra/commands/keys.ts';
import { fullName } from '../../infra/commands/kit/option-names.ts';
import { runOps } from '../../infra/commands/ops.ts';
import { runProcessor } from '../../infra/commands/processor.ts';
import { runChanges } from '../../infra/commands/stack-changes.ts';
import { runTax } from '../../infra/commands/tax.ts';
import { typed } from '../support/wire/command.ts';

const secret = () => Promise.reject(new Error('A secret was asked for.'));

/** The programs of operators that have several commands. */
const programs = [
  { name: 'keys', run: runKeys },
  { name: 'books', run: runBooks },
  { name: 'ops', run: runOps },
  {
    name: 'processor',
    run: (args: string[], to: Parameters<typeof runKeys>[1]) => runProcessor(args, { ...to, secret }),
  },
];

describe.each(programs)('npm run $name', ({ name, run }) => {
  it('explains each of its commands, and completes their names', async () => {
    const { out } = await typed(run, ['complete', '']);
    const words = out
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '');
    expect(words.length).toBeGreaterThan(3);
    for (const word of words) {
      const said = await typed(run, [word, '--help']);
      expect(said).toEqual({ code: 0, out: expect.stringContaining(`Usage: npm run ${name} -- ${word}`), error: '' });
    }
  });

  it('lists its commands when it is called without arguments', async () => {
    expect(await typed(run, [])).toEqual({ code: 0, out: expect.stringContaining(`npm run ${name} --`), error: '' });
  });

  it.each(['bash', 'zsh', 'fish'])(
    'prints a completion script for %s without a connection to a stack',
    async (shell) => {
      const said = await typed(run, ['completion', shell]);
      expect(said).toMatchObject({ code: 0, out: expect.stringContaining(`tillstack-${name} complete`) });
    },
  );

  it('refuses an option that the command does not have', async () => {
    const said = await typed(run, ['completion', 'bash', '--colour']);
    expect(said).toMatchObject({ code: 2, error: expect.stringContaining("Unknown option '--colour'") });
  });
});

it.each([
  { name: 'tax', run: runTax },
  { name: 'changes', run: runChanges },
])('npm run $name has a single command and prints its help', async ({ name, run }) => {
  expect(await typed(run, ['--help'])).toMatchObject({
    code: 0,
    out: expect.stringContaining(`Usage: npm run ${name} -- <`),
  });
});

it('npm run tax -- … --json prints the tax treatment as JSON', async () => {
  const { code, out } = await typed(runTax, ['DE', 'e_book', '2026-03-01', '--json']);
  expect([code, JSON.parse(out)]).toMatchObject([0, { components: [{ name: 'VAT', rate: '0.07' }] }]);
});

describe('the short name of an option', () => {
  const names = [
    'price.price',
    'price.currency',
    'price.suggested-price',
    'customer-id',
    'tax-category',
    'tax-inclusive',
  ];

  it.each([
    ['price', 'price.price'],
    ['currency', 'price.currency'],
    ['suggested', 'price.suggested-price'],
    ['customer', 'customer-id'],
    ['category', 'tax-category'],
    ['cat', 'cat'],
  ])('can be typed as %s for %s', (short, full) => {
    expect(fullName(short, names)).toBe(full);
  });

  it('is refused if it fits two options', () => {
    expect(() => fullName('tax', names)).toThrow('--tax can be --tax-category or --tax-inclusive.');
  });
});
