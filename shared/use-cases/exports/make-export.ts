import type { Payment } from '../../domain/payments/payment.ts';
import { type CsvCell, csvCells, csvFile, csvLines, csvOf } from '../../domain/reports/csv.ts';
import type { ExportJob, ReturnKind } from '../../domain/reports/export-job.ts';
import { withLocalTimes } from '../../domain/reports/local-times.ts';
import { exportedPaymentColumns } from '../../domain/reports/payment-columns.ts';
import { isOver, overlappedBy, type ReturnDraft } from '../../domain/reports/returns/filed-return.ts';
import { movementKey, namedKind, type TaxMovement } from '../../domain/reports/returns/movement.ts';
import { type Membership, percentCell, type ReturnCounter } from '../../domain/reports/returns/return-file.ts';
import type { FiledReturnStore } from '../../store/filed-return-store.ts';
import type { TaxRulesStore } from '../../store/tax-rules-store.ts';
import { tableVersion } from '../../tax/rates/table-version.ts';
import type { FirstRegistrations } from '../../tax/rules/tax-rules.ts';
import { readAll, withoutNotes } from '../reports/export-payments.ts';
import { lateMovementsOf } from './late-movements.ts';
import { endOfDay, type LoadMovementsDeps, movementsOf, pagesOf, startOfDay } from './load-movements.ts';
import { type OpenReturnDeps, openReturn } from './open-return.ts';

export interface MakeExportDeps extends LoadMovementsDeps, OpenReturnDeps {
  taxRules: Pick<TaxRulesStore, 'get'>;
  filedReturns: Pick<FiledReturnStore, 'list' | 'movementsOf'>;
  now: () => Date;
  /** The merchant's time zone, for the local times in a list of payments; absent for UTC. */
  timeZone?: string | undefined;
  /** The stored copy of the registrations, which decides about sales that do not store their scheme. */
  firstRegistrations: () => Promise<FirstRegistrations>;
}

interface MadeFile {
  name: string;
  text: string;
}

interface MadeExport {
  files: MadeFile[];
  /** What the return declares, if it can be filed. */
  draft?: string;
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
  const [{ registrations }, first] = await Promise.all([deps.taxRules.get(), deps.firstRegistrations()]);
  const counter = openReturn(deps, job, [...registrations, ...first.registrations]);
  return counter ? makeReturn(deps, job, counter, progress) : makePayments(deps, job, progress);
}

async function makeReturn(
  deps: MakeExportDeps,
  job: ExportJob,
  counter: ReturnCounter,
  progress: Progress,
): Promise<MadeExport> {
  const filed = await deps.filedReturns.list();
  const lines = [csvFile(rowHeader, [])];
  const keys = { counted: [] as string[], others: [] as string[], late: [] as string[] };
  let counted = 0;
  const add = async (movements: readonly TaxMovement[]) => {
    for (const movement of movements) note(keys, movement, await counter.add(movement));
    lines.push(csvLines(movements.flatMap(rowsOf)));
    counted = await count(counted, movements.length, progress);
  };
  for await (const movements of movementsOf(deps, job)) await add(movements);
  for await (const movements of lateMovementsOf(deps, filed, job)) await add(movements);
  const { summary, notes, upload, rates = [], isProvisional = false } = await counter.finish();
  const boxes = csvFile(summary.header, summary.rows);
  const madeAt = deps.now().toISOString();
  const isFileable = !isProvisional && isOver(job, madeAt) && overlappedBy(filed, job) === undefined;
  const draft: ReturnDraft = {
    ...{ kind: job.kind as ReturnKind, from: job.from, to: job.to, madeAt, tableVersion, rates: [...rates], boxes },
    ...{ notes: [...notes], ...keys },
    filedBefore: filed.filter(({ kind }) => kind === job.kind).map(({ from }) => from),
  };
  const files = [
    { name: fileName(job, 'return'), text: boxes },
    { name: fileName(job, 'rows'), text: lines.join('') },
    ...(upload ? [{ name: fileName(job, upload.name), text: upload.text }] : []),
  ];
  return { files, notes, counted, ...(isFileable && { draft: JSON.stringify(draft) }) };
}

type Keys = Record<'counted' | 'others' | 'late', string[]>;

/**
 * Stores whether a movement is declared. A dispute is never declared, only listed. A movement without an exchange rate
 * is declared by a later return.
 */
function note(keys: Keys, movement: TaxMovement, membership: Membership): void {
  if (movement.kind === 'disputed' || membership === 'left_out') return;
  const key = movementKey(movement);
  keys[membership === 'counted' ? 'counted' : 'others'].push(key);
  if (movement.isLate && membership === 'counted') keys.late.push(key);
}

async function makePayments(deps: MakeExportDeps, job: ExportJob, progress: Progress): Promise<MadeExport> {
  const columns = withLocalTimes(exportedPaymentColumns, deps.timeZone);
  const lines = [csvOf(columns, [])];
  const window = { createdFrom: startOfDay(job.from), createdTo: endOfDay(job.to) };
  let counted = 0;
  for await (const rows of pagesOf((page) => deps.payments.listBriefly(window, page))) {
    const payments = await readAll(rows, async ({ id }): Promise<Payment> => withoutNotes(await deps.payments.get(id)));
    lines.push(csvLines(csvCells(columns, payments)));
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

const fileName = ({ kind, from, to }: ExportJob, part: string): string => `${kind}-${from}-${to}-${part}.csv`;

const rowHeader = [
  ...['date', 'sale_date', 'kind', 'id', 'payment_id', 'country', 'region', 'tax_category', 'jurisdiction', 'tax_name'],
  ...['rate_percent', 'reason', 'currency', 'net', 'tax'],
];

/** The rows of a movement: one for each line and tax. The return is the sum of these rows. */
const rowsOf = ({ lines, currency, ...movement }: TaxMovement): CsvCell[][] =>
  lines.flatMap(({ category, net, components, taxedIn }) =>
    components.map(({ name, jurisdiction, rate, reason, tax }) => [
      ...[movement.date, movement.saleDate, namedKind(movement), movement.id, movement.paymentId],
      ...[
        taxedIn ?? movement.country,
        taxedIn ? null : movement.region,
        category,
        jurisdiction,
        name,
        percentCell(rate),
        reason,
        currency,
      ],
      { amount: net, currency },
      { amount: tax, currency },
    ]),
  );
