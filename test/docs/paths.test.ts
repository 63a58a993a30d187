import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Every file and folder of the tree that a document names: `shared/log.ts`. */
const named = (text: string): string[] =>
  [...text.matchAll(/`((?:shared|functions|infra|test|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path);

const missing = (text: string): string[] => named(text).filter((path) => !existsSync(path));

const documents = ['README.md', ...globSync('docs/**/*.md')];

describe('a document', () => {
  it('is read, and names files', () => {
    expect(documents.length).toBeGreaterThan(10);
    expect(documents.flatMap((file) => named(readFileSync(file, 'utf8'))).length).toBeGreaterThan(40);
  });

  it.each(documents)('%s names only files that exist', (file) => {
    expect(missing(readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('is seen to name a file that is gone', () => {
    expect(missing('`shared/log.ts` and `shared/gone.ts`, `infra/` and `infra/gone/`')).toEqual([
      'shared/gone.ts',
      'infra/gone/',
    ]);
  });
});
