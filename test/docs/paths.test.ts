import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Every file and folder of the tree that a document names: `shared/log.ts`. */
const named = (text: string): string[] =>
  [...text.matchAll(/`((?:shared|functions|infra|test|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path);

const missing = (text: string): string[] => named(text).filter((path) => !existsSync(path));

const documents = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];

describe('a document', () => {
  it('is found by this test, with the file names in it', () => {
    expect(documents.length).toBeGreaterThan(10);
    expect(documents.flatMap((file) => named(readFileSync(file, 'utf8'))).length).toBeGreaterThan(40);
  });

  it.each(documents)('%s names only files that exist', (file) => {
    expect(missing(readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('with the name of a deleted file is reported by this test', () => {
    expect(missing('`shared/log.ts` and `shared/gone.ts`, `infra/` and `infra/gone/`')).toEqual([
      'shared/gone.ts',
      'infra/gone/',
    ]);
  });
});

it('each decision has its own number, the same in file name and title', () => {
  const numbers = globSync('docs/decisions/*.md').map((file) => {
    const [, title] = /^# (\d+)\./.exec(readFileSync(file, 'utf8')) ?? [];
    return { file: Number(/\/(\d{4})-/.exec(file)?.[1]), title: Number(title) };
  });
  expect(numbers.filter(({ file, title }) => file !== title)).toEqual([]);
  expect(new Set(numbers.map(({ file }) => file)).size).toBe(numbers.length);
});
