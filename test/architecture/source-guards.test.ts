import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceGuards } from '../soak/source-guards.ts';

it.each(sourceGuards)('the line that `npm run guards` removes exists in the source: $name', ({ file, code, tests }) => {
  expect(readFileSync(file, 'utf8')).toContain(code);
  for (const test of tests) expect(() => readFileSync(test)).not.toThrow();
});
