import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import {
  type KeyFault,
  type KeyFile,
  type KeyRow,
  keyColumns,
  leastSafeLength,
  licenseKeyFile,
} from '../../../../shared/wire/entitlements/key-rows.ts';
import type { licenseAnswers } from '../../../../shared/wire/entitlements/license-answer.ts';
import { UsageError } from '../../../usage-error.ts';
import type { CommandOutcome, ProgramCommand, TypedWords } from '../../kit/command.ts';
import { plainText } from '../../kit/table-text.ts';
import type { ApiCaller } from '../api.ts';
import type { Context } from '../context.ts';
import { ApiRefusal, NotHappened } from '../failures.ts';
import { itemsOf } from '../listing.ts';
import { eachRow } from './at-once.ts';

const rowsPerNote = 100;
const mostListed = 50;

/** The result of a row. `known`: the key already exists. Undefined: the key is new. */
type RowResult = 'known' | KeyFault | undefined;

/** The results of all rows so far. */
interface Sums {
  isDryRun: boolean;
  rows: number;
  /** The number of new keys. In a dry run, they are only checked. */
  valid: number;
  known: number;
  faulty: KeyFault[];
  /** The lines of keys that are short enough to be guessed. */
  short: number[];
}

async function fileOf(typed: TypedWords): Promise<{ file: KeyFile; hash: string }> {
  const bytes = await readFile(typed.word(0)).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${typed.word(0)} cannot be read (${error.code}).`);
  });
  const file = licenseKeyFile(bytes.toString('utf8'), { productId: typed.text('product') });
  const [missing, unknown] = [file.missing.join(', '), file.unknown.map(plainText).join(', ')];
  if (unknown) throw new UsageError(`There is no column ${unknown}. The columns are ${keyColumns.join(', ')}.`);
  if (missing) throw new UsageError(`The first line must name the columns: ${missing} is not there.`);
  return { file, hash: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * The Idempotency-Key of a row. It is the same for the same row of the same file. So if the command is run again, each
 * row is imported only once.
 */
const idempotencyKeyOf = (hash: string, { line, body }: KeyRow): string =>
  `import-${createHash('sha256')
    .update(JSON.stringify([hash, line, body]))
    .digest('hex')}`;

const columnsOf404 = ['product_id', 'customer_id'] as const;

/** The result of a row that was refused. Other errors are thrown, and end the command. */
function resultOf({ line, body }: KeyRow, error: unknown): RowResult {
  if (!(error instanceof ApiRefusal)) throw error;
  const { status, problem } = error.answer;
  if (error.code === 'LICENSE_KEY_ALREADY_EXISTS') return 'known';
  const message = problem?.message ?? '';
  if (problem && status === 404) {
    const column = columnsOf404.find((one) => message.includes(String(body[one]))) ?? 'key';
    return { line, column, message };
  }
  if (problem && [400, 422].includes(status)) return { line, column: 'key', message };
  throw error;
}

/** Imports one row. */
const importing =
  (api: ApiCaller, hash: string) =>
  (row: KeyRow): Promise<RowResult> =>
    api.post('/license_keys', row.body, idempotencyKeyOf(hash, row)).then(
      () => undefined,
      (error: unknown) => resultOf(row, error),
    );

/** Makes a function that checks one row without changing anything. Each product and customer is read only once. */
async function looking(api: ApiCaller): Promise<(row: KeyRow) => Promise<RowResult>> {
  const items = await itemsOf(api, '/license_keys', {}, Number.MAX_SAFE_INTEGER);
  const known = new Set((items as z.infer<typeof licenseAnswers.LicenseKey>[]).map(({ key }) => key));
  if ([...known].some((key) => key.startsWith('••••')))
    throw new NotHappened('A dry run compares the keys that exist, so it needs an API key that may write.');
  const reads = new Map<string, Promise<unknown>>();
  const read = (path: string) => {
    const found = reads.get(path) ?? api.get(path);
    reads.set(path, found);
    return found;
  };
  return async (row) => {
    try {
      await read(`/products/${row.key.productId}`);
      await read(`/customers/${row.key.customerId}`);
    } catch (error) {
      return resultOf(row, error);
    }
    if (known.has(row.key.key)) return 'known';
    known.add(row.key.key);
    return undefined;
  };
}

const listed = (lines: readonly number[]): string =>
  lines.slice(0, mostListed).join(', ') + (lines.length > mostListed ? ' and more' : '');

function reportOf({ isDryRun, rows, valid, known, faulty, short }: Sums): string {
  const more = faulty.length > mostListed ? [`  and ${faulty.length - mostListed} more, which --json lists`] : [];
  const warning = `Shorter than ${leastSafeLength} characters, so that somebody could guess them: the keys in ${short.length} lines, ${listed(short)}.`;
  return [
    `${rows} rows: ${valid} ${isDryRun ? 'valid' : 'imported'}, ${known} known already, ${faulty.length} faulty.`,
    ...faulty
      .slice(0, mostListed)
      .map(({ line, column, message }) => `  line ${line}, ${column}: ${plainText(message)}`),
    ...more,
    ...(short.length > 0 ? [warning] : []),
  ].join('\n');
}

async function importKeys(typed: TypedWords, context: Context): Promise<CommandOutcome> {
  const { file, hash } = await fileOf(typed);
  const api = await context.connect();
  const isDryRun = typed.flag('dry-run');
  const faulty = [...file.faults];
  const short = file.rows.filter(({ key }) => key.key.length < leastSafeLength).map(({ line }) => line);
  const sums: Sums = { isDryRun, rows: file.rows.length + faulty.length, valid: 0, known: 0, faulty, short };
  const note = (text: string) => void (context.isJson || context.terminal.error(`${text}\n`));
  const act = isDryRun ? await looking(api) : importing(api, hash);
  let done = 0;
  try {
    await eachRow(file.rows, async (row) => {
      const result = await act(row);
      if (result === undefined) sums.valid += 1;
      else if (result === 'known') sums.known += 1;
      else faulty.push(result);
      done += 1;
      if (done % rowsPerNote === 0) note(`${done} of ${file.rows.length} rows`);
    });
  } catch (error) {
    note(`Stopped after ${done} of ${file.rows.length} rows. Run the same command again: no key is imported twice.`);
    throw error;
  }
  faulty.sort((one, other) => one.line - other.line);
  const { rows, valid, known } = sums;
  const json = { dry_run: isDryRun, rows, [isDryRun ? 'valid' : 'imported']: valid, known, faulty, short };
  return { text: reportOf(sums), json, isFine: faulty.length === 0 };
}

export const importKeysCommand: ProgramCommand<Context> = {
  name: 'licence-keys import',
  summary: 'Imports licence keys of an earlier system from a CSV file.',
  takes: ['<file>'],
  options: {
    product: { value: '<product>', help: 'the product of rows that name none' },
    'dry-run': { help: 'checks the file and imports nothing' },
  },
  details: `The first line names the columns, in any order, with commas, semicolons or tabs between them:
  key                the key, up to 255 characters
  customer_id        whose key it is
  product_id         what it unlocks; may be left out with --product
  activations_limit  on how many devices; empty if unlimited
  expires_at         a day, or a time such as 2026-11-22T10:00:00Z; empty if it does not expire
The report counts new, known and faulty rows, the latter with their line. Faulty rows are left out, and it ends with 1. The same command can be
repeated, also after an interruption: no key is imported twice. Nobody is mailed.`,
  examples: ['licence-keys import keys.csv --dry-run', 'licence-keys import keys.csv --product pdt_… --json'],
  run: importKeys,
};
