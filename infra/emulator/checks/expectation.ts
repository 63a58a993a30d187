import { isDeepStrictEqual } from 'node:util';
import { say } from '../say.ts';

/** What was seen not to hold; the run goes on and fails in the end. */
export const failures: string[] = [];

/** Says that something holds, or notes that it does not. */
export function expectThat(claim: string, actual: unknown, expected: unknown): void {
  const holds = isDeepStrictEqual(actual, expected);
  say(`  ${holds ? '✓' : '✗'} ${claim}`);
  if (!holds) failures.push(`${claim}: expected ${JSON.stringify(expected)}, saw ${JSON.stringify(actual)}`);
}
