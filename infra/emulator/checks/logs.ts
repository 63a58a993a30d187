import * as z from 'zod';
import type { Emulator } from '../emulator.ts';
import { type DeployedStack, run } from '../stack.ts';
import { expectThat } from './expectation.ts';

/** All lines that the stack's functions have logged. */
export async function linesOf(emulator: Emulator, { name }: DeployedStack): Promise<string[]> {
  const lines: unknown = await emulator.python('logs.py', [`/${name}`]);
  return z.array(z.string()).parse(lines);
}

const ReadLines = z.array(z.object({ at: z.iso.datetime(), source: z.string(), message: z.string() }));

/**
 * Finds the log lines of a payment with the operator's command. Expects them in order, each with the function that
 * wrote it.
 */
export async function expectFollowed(emulator: Emulator, { name }: DeployedStack, paymentId: string): Promise<void> {
  const [, merchant, stage] = name.split('-');
  const ops = async (words: string) =>
    ReadLines.parse(
      JSON.parse(
        await run(emulator, `npm run --silent ops -- ${words} --merchant ${merchant} --stage ${stage} --json`),
      ),
    );
  const lines = await ops(`follow ${paymentId}`);
  const sources = new Set(lines.map(({ source }) => source));
  const wanted = ['webhooks/dispatch-webhook', 'documents/issue-documents'];
  expectThat(
    'following a payment shows who wrote of it',
    wanted.filter((source) => !sources.has(source)),
    [],
  );
  const times = lines.map(({ at }) => at);
  expectThat('its lines are in the order of their times', times, times.toSorted());
  const issued = await ops('logs --function issue-documents');
  expectThat(
    'the log of one function has its lines only',
    [...new Set(issued.map(({ source }) => source))],
    ['documents/issue-documents'],
  );
}

/** Texts that must not appear in a log: keys, secrets, and buyers' data. */
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
    'a document is issued, through the queue',
    lines.some((line) => line.includes('"message":"document"')),
    true,
  );
}
