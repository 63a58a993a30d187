import type { Emulator } from './emulator.ts';
import { expectThat } from './expectation.ts';
import type { DeployedStack } from './stack.ts';

interface LogGroups {
  logGroups: { logGroupName: string }[];
  nextToken?: string;
}

interface LogEvents {
  events: { message: string }[];
  nextToken?: string;
}

/** Every line that the stack's functions have logged. */
export async function linesOf(emulator: Emulator, { name }: DeployedStack): Promise<string[]> {
  const groups = await pages<LogGroups>(emulator, 'describe_log_groups', {});
  const names = groups.flatMap(({ logGroups }) => logGroups.map(({ logGroupName }) => logGroupName));
  const lines: string[] = [];
  for (const logGroupName of names.filter((group) => group.includes(`/${name}/`))) {
    const found = await pages<LogEvents>(emulator, 'filter_log_events', { logGroupName });
    lines.push(...found.flatMap(({ events }) => events.map(({ message }) => message)));
  }
  return lines;
}

async function pages<Page extends { nextToken?: string }>(
  emulator: Emulator,
  operation: string,
  input: object,
): Promise<Page[]> {
  const all: Page[] = [];
  let nextToken: string | undefined;
  do {
    const page = (await emulator.call('logs', operation, { ...input, ...(nextToken && { nextToken }) })) as Page;
    all.push(page);
    nextToken = page.nextToken;
  } while (nextToken);
  return all;
}

/** What must not stand in a log: keys and secrets, and who bought. */
const confidential = /sk_test_\w{6}|whsec_\w{6}|buyer@example\.com|An Example Buyer|4242424242424242/;

/** The logs are lines of JSON with the request's id, from which nobody learns a secret or a name. */
export function expectCleanLogs(lines: readonly string[]): void {
  const requests = lines.filter((line) => line.includes('"message":"request"'));
  expectThat(
    'each request is logged with its id',
    [requests.length > 5, requests.every((line) => /"request_id":"[^"]+"/.test(line))],
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
}
