import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { keptResults } from '../../support/kept-results.ts';
import { modulesBehind } from '../../support/vitest/kept-modules.ts';

const root = join(import.meta.dirname, '../../..');

/** The files that a stack is made of: its modules, what they read, the merchant and the packages. */
const basis = [
  ...modulesBehind('infra/stacks.ts'),
  'infra/constructs/busy/choose-origin.js',
  'infra/merchants/demo.json',
  'node_modules/.package-lock.json',
];

/** Makes a result for a question. */
type Answer<Result> = (question: unknown, make: () => Result) => Result;

/** Keeps what tests learn from stacks until a file of the stacks, or one of the test's own, changes. */
export function keptStacks<Result>(kind: string, ...ownFiles: readonly string[]): Answer<Result> {
  const files = [...basis, ...ownFiles].map((file) => join(root, file));
  const { find, keep } = keptResults<Result>(join(root, 'node_modules/.cache/stacks', kind), files);
  return (question, make) => {
    const name = createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 16);
    return find(name) ?? keep(name, make());
  };
}
