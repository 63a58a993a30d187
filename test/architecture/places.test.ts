import { describe, expect, it } from 'vitest';
import { examples, filesTouched, sourceTree } from './places.ts';

describe('the places that one change touches', () => {
  const tree = sourceTree();

  it.each(examples)('are in at most $most files for $change', ({ most, ...example }) => {
    const places = filesTouched(example, tree);
    expect(places.length, places.join('\n')).toBeLessThanOrEqual(most);
  });

  it.each(examples)('are in at least two files for $change, so the searched word still exists', (example) => {
    expect(filesTouched(example, tree).length).toBeGreaterThanOrEqual(2);
  });

  it.each(examples.flatMap(({ word, untouched = [] }) => untouched.map(({ of }) => ({ word, of }))))(
    'do not include $of, a folder that has the word in another meaning',
    ({ word, of }) => {
      expect(filesTouched({ word }, tree).some((path) => path.startsWith(of))).toBe(true);
    },
  );
});

/** A guard is trusted after it has been seen to fail. */
describe('the count of places', () => {
  const tree = { 'shared/a.ts': "t('mail')", 'shared/b.json': '{"mail":1}', 'shared/c.ts': '', 'infra/d/e.ts': 'Mail' };

  it('includes every file that has the word, except in the excluded folders', () => {
    expect(filesTouched({ word: 'mail' }, tree)).toEqual(['infra/d/e.ts', 'shared/a.ts', 'shared/b.json']);
    expect(filesTouched({ word: 'mail', untouched: [{ of: 'infra/d', because: 'is another' }] }, tree)).toEqual([
      'shared/a.ts',
      'shared/b.json',
    ]);
  });
});
