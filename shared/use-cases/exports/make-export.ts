import type { Payment } from '../../domain/payments/payment.ts';
import { type CsvCell, csvFile, csvLines } from '../../domain/reports/csv.ts';
import type { ExportJob } from '../../domain/reports/export-job.ts';
import { exportedPaymentColumns } from '../../domain/reports/payment-columns.ts';
import type { TaxMovement } from '../../domain/reports/returns/movement.ts';
import { percentCell, type ReturnCounter } from '../../domain/reports/returns/return-file.ts';
import type { TaxRulesStore } from '../../store/tax-rules-store.ts';
import { readAll, withoutNotes } from '../reports/export-payments.ts';
import { endOfDay, type LoadMovementsDeps, movementsOf, pagesOf, startOfDay } from './load-movements.ts';
import { type OpenReturnDeps, openReturn } from './open-return.ts';

export interface MakeExportDeps extends LoadMovementsDeps, OpenReturnDeps {
  taxRules: Pick<TaxRulesStore, 'get'>;
}

interface MadeFile {
  name: string;
  text: string;
}

interface MadeExport {
  files: MadeFile[];
  notes: readonly string[];
  counted: number;
}

/** The most rows of a file. More would not fit into the worker's memory. */
const mostRows = 500_000;

/** Thrown if there are more rows than one file can hold. */
export class TooManyRows extends Error {}

/** Reports from time to time how many rows are counted. */
type Progress = (counted: number) => Promise<void>;

/** Makes the files of a job from the stored payments, refunds and disputes. */
export async function makeExport(deps: MakeExportDeps, job: ExportJob, progress: Progress): Promise<MadeExport> {
  const { registrations } = await deps.taxRules.get();
  const counter = openReturn(deps, job, registrations);
  return counter ? makeReturn(deps, job, counter, progress) : makePayments(deps, job, progress);
}

async function makeReturn(
  deps: MakeExportDeps,
  job: ExportJob,
  counter: ReturnCounter,
  progress: Progress,
): Promise<MadeExport> {
  const lines = [csvFile(rowHeader, [])];
  let counted = 0;
  for await (const movements of movementsOf(deps, job)) {
    for (const movement of movements) await counter.add(movement);
    lines.push(csvLines(movements.flatMap(rowsOf)));
    counted = await count(counted, movements.length, progress);
  }
  const { summary, notes } = await counter.finish();
  const files = [
    { name: fileName(job, 'return'), text: csvFile(summary.header, summary.rows) },
    { name: fileName(job, 'rows'), text: lines.join('') },
  ];
  return { files, notes, counted };
}

async function makePayments(deps: MakeExportDeps, job: ExportJob, progress: Progress): Promise<MadeExport> {
  const header = exportedPaymentColumns.map(({ name }) => name);
  const lines = [csvFile(header, [])];
  const window = { createdFrom: startOfDay(job.from), createdTo: endOfDay(job.to) };
  let counted = 0;
  for await (const rows of pagesOf((page) => deps.payments.listBriefly(window, page))) {
    const payments = await readAll(rows, async ({ id }): Promise<Payment> => withoutNotes(await deps.payments.get(id)));
    lines.push(csvLines(payments.map((payment) => exportedPaymentColumns.map(({ cell }) => cell(payment)))));
    counted = await count(counted, payments.length, progress);
  }
  return { files: [{ name: fileName(job, 'rows'), text: lines.join('') }], notes: [], counted };
}

async function count(before: number, more: number, progress: Progress): Promise<number> {
  const counted = before + more;
  if (counted > mostRows) throw new TooManyRows(`There are more than ${mostRows} rows: choose a shorter period.`);
  if (more > 0) await progress(counted);
  return counted;
}

const fileName = ({ kind, from, to }: ExportJob, part: 'return' | 'rows'): string =>
  `${kind}-${from}-${to}-${part}.csv`;

const rowHeader = [
  ...['date', 'sale_date', 'kind', 'id', 'payment_id', 'country', 'region', 'tax_category', 'jurisdiction', 'tax_name'],
  ...['rate_percent', 'reason', 'currency', 'net', 'tax'],
];

/** The lines of a movement, each with its taxes. The return is the sum of these rows. */
const rowsOf = ({ lines, currency, ...movement }: TaxMovement): CsvCell[][] =>
  lines.flatMap(({ category, net, components }) =>
    components.map(({ name, jurisdiction, rate, reason, tax }) => [
      ...[movement.date, movement.saleDate, movement.kind, movement.id, movement.paymentId],
      ...[movement.country, movement.region, category, jurisdiction, name, percentCell(rate), reason, currency],
      { amount: net, currency },
      { amount: tax, currency },
    ]),
  );
