import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sourceGuards } from '../soak/source-guards.ts';

it.each(sourceGuards)('`npm run guards` still finds the line that it removes: $name', ({ file, code, tests }) => {
  expect(readFileSync(file, 'utf8')).toContain(code);
  for (const test of tests) expect(() => readFileSync(test)).not.toThrow();
});
