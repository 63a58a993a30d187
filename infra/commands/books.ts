import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { loadMerchantConfig } from '../merchant-config.ts';
import { UsageError } from '../usage-error.ts';
import { AccountNotAsked, compareAccount } from './books/compare-account.ts';
import { type Checked, findContradictions } from './books/contradictions.ts';
import { issueMissing } from './books/issue-missing.ts';
import { scanPages } from './books/read-books.ts';
import { restoreRows } from './books/restore-rows.ts';
import { assertThere, copyTable, dropCopy } from './books/table-copy.ts';
import { commandOf, findTable, required, stageOf, tableOptions } from './find-table.ts';
import { answerCommandLine, type ExitCode, type Terminal, terminal } from './kit/terminal.ts';

const usage = `Checks and repairs the books of a deployed stack. It reads and writes the table directly.

  npm run books -- check   --merchant demo --stage live
  npm run books -- issue   --merchant demo --stage live
  npm run books -- copy    --merchant demo --stage live [--at 2026-01-31T12:00:00Z]
  npm run books -- restore --merchant demo --stage live --from <copy> [--replace PAYMENT#pay_… …]
  npm run books -- drop    --from <copy>

check reads every row and collects related rows on this machine's disk, so it works for tables of any size. It names every contradiction
in payments, refunds, disputes, sessions and events, every document or delivery that is missing, and every document, number or mail without its
payment or refund. Where the stage names a processor, it compares charges of the last 3 days and refunds, disputes and fees of
the last 40 with the processor's account, both ways, and says what to do about each difference. It fails if it finds one. Rows that change during the check can look wrong: check again.
issue creates the missing document of each succeeded payment and refund that check names. A document that had a number keeps it.
issue sends no mail.
--table names another table, such as a restored one. --merchants names another directory of merchants.
--processor-url is where this machine plays the processor.
copy restores the table to a second of the last 35 days, into a new one, and prints its name. drop removes such a copy, and no other table.
restore adds the missing rows and overwrites the rows named by --replace. It does not restore stored responses of idempotent requests.
Documents come back with their numbers, and the counter of a series moves up to its highest number.
AWS credentials and region come from the environment, as for the AWS CLI.`;

const options = {
  ...tableOptions,
  from: { type: 'string' },
  replace: { type: 'string', multiple: true },
  merchants: { type: 'string' },
  'processor-url': { type: 'string' },
  at: { type: 'string' },
} as const;

type Typed = ReturnType<typeof parse>['values'];

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

/** What a command needs to run. */
interface Desk {
  client: DynamoDBClient;
  documents: DynamoDBDocumentClient;
  terminal: Terminal;
}

/** The stack's table, or the named one, which must be there. */
async function tableOf({ client }: Desk, typed: Typed): Promise<string> {
  const name = await findTable(client, typed);
  await assertThere(client, name);
  return name;
}

const say = ({ terminal }: Desk, line: string): void => terminal.out(`${line}\n`);

async function check(desk: Desk, typed: Typed): Promise<boolean> {
  const checked: Checked = { counts: {} };
  let found = 0;
  const pages = scanPages(desk.documents, await tableOf(desk, typed));
  for await (const { fault } of findContradictions(pages, { now: new Date(), checked })) {
    say(desk, fault);
    found += 1;
  }
  const unasked = await compareWithAccount(desk, typed, (line) => {
    say(desk, line);
    found += 1;
  });
  const count = (entity: string, name: string) => `${checked.counts[entity] ?? 0} ${name}`;
  const counts = [
    count('PAYMENT', 'payments'),
    count('REFUND', 'refunds'),
    count('DISPUTE', 'disputes'),
    count('DOCUMENT', 'documents'),
    count('SESSION', 'sessions'),
    count('EVENT', 'events'),
  ];
  const balance = unasked === undefined ? 'the books balance' : 'the table balances';
  say(desk, `${counts.join(', ')}: ${found === 0 ? balance : `${found} contradictions`}.`);
  if (unasked !== undefined) say(desk, `They were not compared with the processor's account. ${unasked}`);
  return found === 0 && unasked === undefined;
}

/** Tells each difference with the processor's account, and returns why it could not be asked. */
async function compareWithAccount(desk: Desk, typed: Typed, tell: (line: string) => void): Promise<string | undefined> {
  try {
    for await (const line of differencesWithAccount(desk, typed)) tell(line);
    return undefined;
  } catch (error) {
    if (error instanceof AccountNotAsked) return error.message;
    throw error;
  }
}

/** Where the stage takes payments by a processor, its account says the same as the table. */
async function* differencesWithAccount(desk: Desk, typed: Typed): AsyncGenerator<string> {
  if (!typed.merchant || !typed.stage) return;
  const stage = stageOf(typed);
  const { merchant, stages } = loadMerchantConfig(typed.merchant, typed.merchants);
  const { processor } = stages[stage];
  if (!processor) return;
  const table = { name: await findTable(desk.client, typed), client: desk.documents };
  const account = {
    merchantId: merchant.id,
    stage,
    processor: processor.name,
    processorUrl: typed['processor-url'],
  };
  yield* compareAccount(table, account, new Date());
}

async function issue(desk: Desk, typed: Typed): Promise<boolean> {
  const { merchant } = loadMerchantConfig(required(typed, 'merchant'), typed.merchants);
  const table = { name: await findTable(desk.client, typed), client: desk.documents };
  const findings = findContradictions(scanPages(desk.documents, table.name), { now: new Date() });
  const issuing = { merchant, awaitsRates: typed.stage === 'live' };
  say(desk, `${await issueMissing(table, issuing, findings)} documents issued.`);
  return check(desk, typed);
}

async function restore(desk: Desk, typed: Typed): Promise<boolean> {
  const [from, to] = [required(typed, 'from'), await tableOf(desk, typed)];
  if (from === to) throw new UsageError('--from must be another table than the one that is restored.');
  await assertThere(desk.client, from);
  const restored = await restoreRows(desk.documents, {
    from,
    to,
    replace: new Set(typed.replace ?? []),
    now: new Date(),
    onProgress: (read) => desk.terminal.error(`${read} rows read\r`),
  });
  say(desk, `${restored.read} rows read, ${restored.added} added, ${restored.replaced} replaced.`);
  if (restored.raised > 0) say(desk, `${restored.raised} counters of documents moved up to their highest number.`);
  return check(desk, typed);
}

async function copy(desk: Desk, typed: Typed): Promise<boolean> {
  const source = await tableOf(desk, typed);
  desk.terminal.error('Restoring takes minutes to hours. It goes on if you stop waiting.\n');
  say(desk, await copyTable(desk.client, { source, at: typed.at, now: new Date() }));
  return true;
}

async function drop(desk: Desk, typed: Typed): Promise<boolean> {
  const name = required(typed, 'from');
  await dropCopy(desk.client, name);
  say(desk, `${name} is removed.`);
  return true;
}

const commands: Record<string, (desk: Desk, typed: Typed) => Promise<boolean>> = { check, issue, restore, copy, drop };

async function run(args: string[], to: Terminal): Promise<boolean> {
  const { positionals, values } = parse(args);
  const command = commandOf(commands, positionals, usage);
  const client = new DynamoDBClient();
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const desk = { client, documents, terminal: to };
  return command(desk, values);
}

/** Runs `npm run books -- …` and returns its exit code. */
export const runBooks = (args: string[], to: Terminal): Promise<ExitCode> =>
  answerCommandLine({ args, usage, to }, () => run(args, to));

if (import.meta.main) process.exitCode = await runBooks(process.argv.slice(2), terminal);
