import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { UsageError } from '../../../usage-error.ts';
import type { CommandOutcome, OptionTerms, ProgramCommand, TypedWords } from '../../kit/command.ts';
import { apiCaller } from '../api.ts';
import { confirmOr } from '../confirm.ts';
import type { Context } from '../context.ts';
import { ApiRefusal, NotHappened } from '../failures.ts';
import { baseUrlOf } from '../profiles.ts';
import { csvColumns, readCsvShop } from './csv-shop.ts';
import { readDodoShop } from './dodo-shop.ts';
import { planOf } from './plan.ts';
import { faultsText, reportJson, reportOf } from './report.ts';
import type { ImportedShop } from './shop.ts';
import { readStock } from './stock.ts';
import { writeShop } from './write-shop.ts';

/** An import is long, so it waits longer than other commands until an API that is busy answers. */
const patientTries = 12;
const itemsPerNote = 100;
const untouched = 'Nothing was imported.';
const dodoUrl = 'https://live.dodopayments.com';

const options = {
  'dry-run': { help: 'reports what would be imported, and imports nothing' },
  yes: { help: 'imports without asking' },
} satisfies Record<string, OptionTerms>;

const progressOf =
  ({ isJson, terminal }: Context) =>
  (text: string): void => {
    if (!isJson) terminal.error(`${text}\n`);
  };

/** Shows what will be imported, asks, and imports it. */
async function importShop(shop: ImportedShop, typed: TypedWords, context: Context): Promise<CommandOutcome> {
  const note = progressOf(context);
  const api = await context.connect({ tries: patientTries });
  const stock = await readStock(api, shop);
  const plan = planOf(shop, stock);
  const report = { text: reportOf(plan), json: reportJson(plan) };
  if (typed.flag('dry-run')) return report;
  const writes = plan.fresh.length + plan.ending.length;
  if (!context.isJson && !typed.flag('yes') && writes > 0) context.terminal.out(`${report.text}\n\n`);
  const ends = plan.ending.length > 0 ? `, and archive or disable ${plan.ending.length},` : '';
  const question = `Create ${plan.fresh.length} objects${ends} at ${api.url} (${api.mode})?`;
  if (writes > 0) await confirmOr(typed, context, { question, refusal: untouched });
  let handled = 0;
  const onDone = (done: number) => {
    handled = done;
    if (done % itemsPerNote === 0) note(`${done} of ${plan.fresh.length} objects`);
  };
  try {
    const written = await writeShop(plan, { api, source: shop.source, stock, onDone });
    return { text: reportOf(plan, written), json: reportJson(plan, written), isFine: written.refused.length === 0 };
  } catch (error) {
    note(
      `Stopped after ${handled} of ${plan.fresh.length} objects. Run the same command again: nothing is created twice.`,
    );
    throw error;
  }
}

/** Speaks of the source, because the usual messages speak of a stack. */
function failureOfSource(url: string, error: unknown): unknown {
  if (error instanceof z.ZodError) {
    const [{ path, message } = { path: [], message: '' }] = error.issues;
    return new NotHappened(
      `${url} answered something else than expected (${path.join('.')}: ${message}). ${untouched}`,
    );
  }
  if (!(error instanceof ApiRefusal)) return error;
  const { status, problem } = error.answer;
  const reason = problem ? `: ${problem.message}` : '';
  const advice = status === 401 || status === 403 ? ' Is the key one of this address, and may it read?' : '';
  return Object.assign(error, { message: `${url} answered ${status}${reason}.${advice} ${untouched}` });
}

async function importDodo(typed: TypedWords, context: Context): Promise<CommandOutcome> {
  const url = baseUrlOf(typed.text('url') ?? dodoUrl);
  const { environment, terminal, signal } = context;
  const key = environment.importKey ?? (await terminal.secret(`The API key for ${url}: `));
  if (!key) throw new UsageError('Set TILLSTACK_IMPORT_KEY to an API key of the source that may read.');
  const source = apiCaller({ url, key }, { signal, tries: patientTries });
  const reading = { now: new Date(), note: progressOf(context) };
  const shop = await readDodoShop(source, reading).catch((error: unknown) => {
    throw failureOfSource(url, error);
  });
  return importShop(shop, typed, context);
}

/** The text of a file in UTF-8. Other encodings are refused, because names would be damaged. */
async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code}).`);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${path} is not in UTF-8. Save it as "CSV UTF-8".`);
  }
}

function sourceName(typed: TypedWords): string {
  const name = typed.needed('from');
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(name) && name !== 'dodo') return name;
  throw new UsageError('--from must be a name of lower-case letters, digits and hyphens, and not "dodo".');
}

async function importCsv(typed: TypedWords, context: Context): Promise<CommandOutcome> {
  const { shop, faults } = readCsvShop(await textOf(typed.word(0)), sourceName(typed));
  if (faults.length > 0) return { text: faultsText(faults), json: { dry_run: true, faulty: faults }, isFine: false };
  if (shop.items.length + shop.leftOut.length === 0) throw new NotHappened(`${typed.word(0)} has no rows.`);
  return importShop(shop, typed, context);
}

const repetition = `The report says what is new, what is there already, and what has no counterpart. Then the command asks. Repeat it after
an interruption or a correction: each object has its source and its id there in its metadata (imported_from and
import_id), so nothing is created twice. What is there already stays as it is, except that the report may list products
to archive and licence keys to disable, because they are so in the source. Nobody is mailed.`;

export const importCommands: readonly ProgramCommand<Context>[] = [
  {
    name: 'import dodo',
    summary: 'Imports products, prices, discounts, customers and licence keys from Dodo Payments.',
    options: {
      url: { value: '<address>', help: `the API to read from; default: ${dodoUrl}` },
      ...options,
    },
    details: `The key of the source comes from TILLSTACK_IMPORT_KEY, or is asked for. It only reads.
${repetition}`,
    examples: ['import dodo --dry-run', 'import dodo --url https://test.dodopayments.com --yes'],
    run: importDodo,
  },
  {
    name: 'import csv',
    summary: 'Imports products, prices, discounts, customers and licence keys from a CSV file.',
    takes: ['<file>'],
    options: { from: { value: '<name>', help: 'the system that the ids come from, such as gumroad' }, ...options },
    details: `The first line names the columns: ${Object.keys(csvColumns).slice(0, 8).join(', ')},
${Object.keys(csvColumns).slice(8).join(', ')}.
If a line is wrong, nothing is imported, and the report names each one.
${repetition}`,
    examples: ['import csv shop.csv --from gumroad --dry-run', 'import csv shop.csv --from gumroad --yes --json'],
    run: importCsv,
  },
];
