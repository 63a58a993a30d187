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
import { findTable, merchantsOption, processorUrlOption, stageOf, tableOptions } from './find-table.ts';
import type { ProgramCommand, TypedWords } from './kit/command.ts';
import { type Program, programOf, runProgram, type Surroundings } from './kit/program.ts';
import { type Spoken, spoken, spokenOn } from './kit/spoken.ts';
import { type Terminal, terminal } from './kit/terminal.ts';

/** The clients and the terminal that a command uses. */
interface BooksContext {
  client: DynamoDBClient;
  documents: DynamoDBDocumentClient;
  terminal: Terminal;
  spoken: Spoken;
}

/** The name of the stack's table, or the table that the operator named. Throws if it does not exist. */
async function tableOf({ client }: BooksContext, typed: TypedWords): Promise<string> {
  const name = await findTable(client, typed);
  await assertThere(client, name);
  return name;
}

const say = (context: BooksContext, line: string): void => context.spoken.say(line);

async function check(context: BooksContext, typed: TypedWords): Promise<boolean> {
  const checked: Checked = { counts: {} };
  let found = 0;
  const pages = scanPages(context.documents, await tableOf(context, typed));
  for await (const { fault } of findContradictions(pages, { now: new Date(), checked })) {
    say(context, fault);
    found += 1;
  }
  const unasked = await compareWithAccount(context, typed, (line) => {
    say(context, line);
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
  say(context, `${counts.join(', ')}: ${found === 0 ? balance : `${found} contradictions`}.`);
  if (unasked !== undefined) say(context, `They were not compared with the processor's account. ${unasked}`);
  return found === 0 && unasked === undefined;
}

/**
 * Prints each difference between the processor's account and the table. If the account could not be read, returns the
 * reason.
 */
async function compareWithAccount(
  context: BooksContext,
  typed: TypedWords,
  tell: (line: string) => void,
): Promise<string | undefined> {
  try {
    for await (const line of differencesWithAccount(context, typed)) tell(line);
    return undefined;
  } catch (error) {
    if (error instanceof AccountNotAsked) return error.message;
    throw error;
  }
}

/** The differences to the processor's account, if the stage has a processor. */
async function* differencesWithAccount(context: BooksContext, typed: TypedWords): AsyncGenerator<string> {
  const merchantName = typed.text('merchant');
  if (!merchantName || !typed.text('stage')) return;
  const stage = stageOf(typed);
  const { merchant, stages } = loadMerchantConfig(merchantName, typed.text('merchants'));
  const { processor } = stages[stage];
  if (!processor) return;
  const table = { name: await findTable(context.client, typed), client: context.documents };
  const account = {
    merchantId: merchant.id,
    stage,
    processor: processor.name,
    processorUrl: typed.text('processor-url'),
  };
  yield* compareAccount(table, account, new Date());
}

async function issue(context: BooksContext, typed: TypedWords): Promise<boolean> {
  const { merchant } = loadMerchantConfig(typed.needed('merchant'), typed.text('merchants'));
  const table = { name: await findTable(context.client, typed), client: context.documents };
  const findings = findContradictions(scanPages(context.documents, table.name), { now: new Date() });
  const issuing = { merchant, awaitsRates: typed.text('stage') === 'live' };
  say(context, `${await issueMissing(table, issuing, findings)} documents issued.`);
  return check(context, typed);
}

async function restore(context: BooksContext, typed: TypedWords): Promise<boolean> {
  const [from, to] = [typed.needed('from'), await tableOf(context, typed)];
  if (from === to) throw new UsageError('--from must be another table than the one that is restored.');
  await assertThere(context.client, from);
  const restored = await restoreRows(context.documents, {
    from,
    to,
    replace: new Set(typed.all('replace')),
    now: new Date(),
    onProgress: (read) => context.terminal.error(`${read} rows read\r`),
  });
  say(context, `${restored.read} rows read, ${restored.added} added, ${restored.replaced} replaced.`);
  if (restored.raised > 0) say(context, `${restored.raised} counters of documents moved up to their highest number.`);
  return check(context, typed);
}

async function copy(context: BooksContext, typed: TypedWords): Promise<boolean> {
  const source = await tableOf(context, typed);
  context.terminal.error('Restoring takes minutes to hours. It goes on if you stop waiting.\n');
  say(context, await copyTable(context.client, { source, at: typed.text('at'), now: new Date() }));
  return true;
}

async function drop(context: BooksContext, typed: TypedWords): Promise<boolean> {
  const name = typed.needed('from');
  await dropCopy(context.client, name);
  say(context, `${name} is removed.`);
  return true;
}

const from = { value: '<table>', help: 'the copy, by the name that "copy" has printed' };

const commands: readonly ProgramCommand<BooksContext>[] = [
  {
    name: 'check',
    summary: 'Names every contradiction, and every document or delivery that is missing. It fails if it finds one.',
    details: `It reads every row and collects related rows on this machine's disk, so it works for tables of any size. It looks at
payments, refunds, disputes, sessions and events, and at documents, numbers and mails without their payment or refund.
Where the stage names a processor, it compares charges of the last 3 days and refunds, disputes and fees of the last 40
with the processor's account, both ways, and says what to do about each difference. Rows that change during the check
can look wrong: check again.`,
    examples: ['check --merchant demo --stage live'],
    run: spoken(check),
  },
  {
    name: 'issue',
    summary: 'Creates the missing document of each succeeded payment and refund that "check" names.',
    details: 'A document that had a number keeps it. No mail is sent.',
    examples: ['issue --merchant demo --stage live'],
    run: spoken(issue),
  },
  {
    name: 'copy',
    summary: 'Restores the table to a second of the last 35 days, into a new one, and prints its name.',
    options: { at: { value: '<time>', help: 'the second, such as 2026-01-31T12:00:00Z' } },
    examples: ['copy --merchant demo --stage live --at 2026-01-31T12:00:00Z'],
    run: spoken(copy),
  },
  {
    name: 'restore',
    summary: 'Adds the missing rows of a copy, and overwrites the rows that --replace names.',
    options: {
      from,
      replace: { value: '<row>', help: 'overwrites this row: PAYMENT#pay_…; may be repeated', isMultiple: true },
    },
    details: `It does not restore stored responses of idempotent requests. Documents come back with their numbers, and the counter of a
series moves up to its highest number.`,
    examples: ['restore --merchant demo --stage live --from <copy> --replace PAYMENT#pay_…'],
    run: spoken(restore),
  },
  {
    name: 'drop',
    summary: 'Removes a copy, and no other table.',
    options: { from },
    examples: ['drop --from <copy>'],
    run: spoken(drop),
  },
];

function openContext(typed: TypedWords, { terminal: to }: Surroundings): BooksContext {
  const client = new DynamoDBClient();
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return { client, documents, terminal: to, spoken: spokenOn(to, typed) };
}

const booksProgram: Program<BooksContext, Surroundings> = programOf({
  name: 'tillstack-books',
  file: import.meta.filename,
  invocation: 'npm run books --',
  about: 'Checks and repairs the books of a deployed stack. It reads and writes the table directly.',
  notes: 'AWS credentials and region come from the environment, as for the AWS CLI.',
  options: { ...tableOptions, ...merchantsOption, ...processorUrlOption },
  commands,
  open: openContext,
});

/** Runs `npm run books -- …` and returns its exit code. */
export const runBooks = (args: readonly string[], to: Terminal): Promise<number> =>
  runProgram(booksProgram, args, { terminal: to });

if (import.meta.main) process.exitCode = await runBooks(process.argv.slice(2), terminal);
