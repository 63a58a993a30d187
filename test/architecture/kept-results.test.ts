import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { keptResults } from '../support/kept-results.ts';
import { modulesBehind } from '../support/vitest/kept-modules.ts';

const root = mkdtempSync(join(tmpdir(), 'kept-'));
afterAll(() => rmSync(root, { recursive: true }));

const file = (name: string): string => join(root, name);
const change = (name: string): void => writeFileSync(file(name), crypto.randomUUID());

let folder: string;
/** The results as a new process finds them. */
const found = (basis = ['recipe']) => keptResults<number>(folder, basis.map(file));

beforeEach(() => {
  folder = mkdtempSync(join(root, 'results-'));
  for (const name of ['recipe', 'shared', 'a', 'b']) change(name);
  for (const [at, name] of ['a', 'b'].entries()) found().keep(`some/${name}`, at, [file('shared'), file(name)]);
});

const known = (basis?: string[]) => [found(basis).find('some/a'), found(basis).find('some/b')];

describe('results that are kept for later runs', () => {
  it('are found while no file changes, and only by their names', () => {
    expect([...known(), found().find('some/c')]).toEqual([0, 1, undefined]);
  });

  it.each([
    { changed: 'recipe', left: [undefined, undefined] },
    { changed: 'shared', left: [undefined, undefined] },
    { changed: 'b', left: [0, undefined] },
  ])('are not found if they depend on the changed file $changed', ({ changed, left }) => {
    change(changed);
    expect(known()).toEqual(left);
  });

  it('are not kept if a file of their basis has changed since the work began', () => {
    const { keep } = found();
    change('recipe');
    expect(keep('some/c', 2)).toBe(2);
    expect(found().find('some/c')).toBeUndefined();
  });

  it('are not found if a file is gone, or if their basis has one more file', () => {
    expect(known(['recipe', 'another'])).toEqual([undefined, undefined]);
    rmSync(file('a'));
    expect(known()).toEqual([undefined, 1]);
  });
});

it('the modules behind a module are those whose values it imports, directly or indirectly', () => {
  const tree = {
    'infra/a.ts': "import { b } from './b.ts';\nimport type { D } from './d.ts';",
    'infra/b.ts': "export const c = () => import('../shared/c.ts');",
    'infra/d.ts': '',
    'shared/c.ts': "import { a } from '../infra/a.ts';",
  };
  expect(modulesBehind('infra/a.ts', tree)).toEqual(['infra/a.ts', 'infra/b.ts', 'shared/c.ts']);
});
