import * as z from 'zod';
import type { Emulator } from '../emulator.ts';
import type { DeployedStack } from '../stack.ts';
import { expectThat } from './expectation.ts';

/** Every line that the stack's functions have logged. */
export async function linesOf(emulator: Emulator, { name }: DeployedStack): Promise<string[]> {
  const lines: unknown = await emulator.python('logs.py', [`/${name}`]);
  return z.array(z.string()).parse(lines);
}

/** What must not stand in a log: keys and secrets, and who bought. */
const confidential = /[sr]k_test_\w{6}|whsec_\w{6}|buyer@example\.com|An Example Buyer|4242424242424242/;

/** Expects log lines of JSON with the request's id, without secrets or names. */
export function expectCleanLogs(lines: readonly string[]): void {
  const requests = lines.filter((line) => line.includes('"message":"request"'));
  expectThat(
    'each refusal is logged with its id',
    [requests.length > 0, requests.every((line) => /"request_id":"[^"]+"/.test(line))],
    [true, true],
  );
  expectThat(
    'no line holds a secret, a card number or a buyer',
    lines.filter((line) => confidential.test(line)),
    [],
  );
  const errors = lines.filter((line) => line.includes('"level":"error"'));
  expectThat('nothing failed', errors, []);
  expectThat(
    'the sweep says what it measured',
    lines.some((line) => line.includes('"OldestDueEventAgeSeconds":')),
    true,
  );
  expectThat(
    'a document is issued, through the queue',
    lines.some((line) => line.includes('"message":"document"')),
    true,
  );
}
