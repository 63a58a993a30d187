import { isDeepStrictEqual } from 'node:util';
import { say } from '../say.ts';

/** The expectations that failed. The run continues after each one, and fails at its end. */
export const failures: string[] = [];

/** Prints that a condition holds, or records the failure. */
export function expectThat(claim: string, actual: unknown, expected: unknown): void {
  const holds = isDeepStrictEqual(actual, expected);
  say(`  ${holds ? '✓' : '✗'} ${claim}`);
  if (!holds) failures.push(`${claim}: expected ${JSON.stringify(expected)}, saw ${JSON.stringify(actual)}`);
}
