import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { contradictions } from './books/contradictions.ts';
import { booksOf, scanRows } from './books/read-books.ts';
import { restoreRows } from './books/restore-rows.ts';
import { findTable, required, tableOptions } from './find-table.ts';

const usage = `The books of a deployed stack, by the table itself: whether they balance, and what a backup can bring back.

  npm run books -- check   --merchant demo --stage live
  npm run books -- restore --merchant demo --stage live --from <restored table> [--replace PAYMENT#pay_… …]

check reads every row, reports whatever contradicts itself, and fails if anything does; what is written meanwhile may seem to: check again.
--table names another table, such as a restored one.
restore adds the rows that are missing, and makes those named by --replace as they were; answers kept for repetitions stay away.
AWS credentials and region come from the environment, as for the AWS CLI.`;

const options = {
  ...tableOptions,
  from: { type: 'string' },
  replace: { type: 'string', multiple: true },
} as const;

type Typed = ReturnType<typeof parse>['values'];

const parse = (args: string[]) => parseArgs({ args, options, allowPositionals: true });

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const client = new DynamoDBClient();
const documents = DynamoDBDocumentClient.from(client);

async function check(typed: Typed): Promise<boolean> {
  const books = await booksOf(await scanRows(documents, await findTable(client, typed)));
  const { sessions, payments, refunds, events } = books;
  const found = contradictions(books);
  for (const one of found) say(one);
  const counts = `${payments.length} payments, ${refunds.length} refunds, ${sessions.length} sessions, ${events.length} events`;
  say(`${counts}: ${found.length === 0 ? 'the books balance' : `${found.length} contradictions`}.`);
  return found.length === 0;
}

async function restore(typed: Typed): Promise<boolean> {
  const restored = await restoreRows(documents, {
    from: required(typed, 'from'),
    to: await findTable(client, typed),
    replace: new Set(typed.replace ?? []),
    now: new Date(),
    onProgress: (read) => process.stderr.write(`${read} rows read\r`),
  });
  say(`${restored.read} rows read, ${restored.added} added, ${restored.replaced} replaced.`);
  return check(typed);
}

const commands: Record<string, (typed: Typed) => Promise<boolean>> = { check, restore };

try {
  const { positionals, values } = parse(process.argv.slice(2));
  const command = commands[positionals[0] ?? ''];
  if (!command || positionals.length > 1) say(usage);
  else if (!(await command(values))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
