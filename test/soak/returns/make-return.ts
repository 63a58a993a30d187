import { expect } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type ExportJob, newExportJob } from '../../../shared/domain/reports/export-job.ts';
import { exportBucket } from '../../../shared/outside/exports/export-bucket.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import { exportJobs } from '../../../shared/wiring/books.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { scanRows } from '../../support/shop/books.ts';
import type { RawBooks } from './oracle.ts';

export async function rawBooks(): Promise<RawBooks> {
  const rows = await scanRows(table().client, table().name);
  const of = (entity: string) =>
    rows.filter((row) => row['entity'] === entity).map((row) => JSON.parse(JSON.stringify(dataIn(row))));
  return {
    payments: new Map(of('PAYMENT').map((payment) => [payment.id, payment])),
    refunds: of('REFUND'),
    disputes: of('DISPUTE'),
    rates: new Map(of('RATE').map(({ date, perEuro }) => [date, perEuro])),
  };
}

export type Cells = Record<string, string>;

/** Asks for an export as the dashboard does, lets the worker make it, and reads its files. */
export async function made(
  kind: ExportJob['kind'],
  from: string,
  to: string,
  at: string,
): Promise<{ summary: Cells[]; rows: Cells[]; job: ExportJob }> {
  const id = `exp_${kind}${from}${new Date(at).getTime()}`;
  await exportJobs().save(newExportJob({ kind, from, to }, { id, now: new Date(at).toISOString(), createdBy: 'test' }));
  await invokeFunction('accounting/run-exports', {});
  const job = (await exportJobs().list()).find((one) => one.id === id) as ExportJob;
  expect(job).toMatchObject({ status: 'done' });
  const read = async (part: string) => {
    const name = job.files.find((file) => file.name.endsWith(`-${part}.csv`))?.name ?? '';
    return csvOf(await (await fetch(await exportBucket(localNames.bucket).linkTo(id, name))).text());
  };
  return { summary: kind === 'payments' ? [] : await read('return'), rows: await read('rows'), job };
}

function csvOf(text: string): Cells[] {
  const [header = [], ...rows] = text
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

/** `-12.34` of a currency, in its minor units. */
export function minor(text: string | undefined, currency = 'EUR'): bigint {
  const [whole = '0', places = ''] = (text ?? '0').split('.');
  expect(places).toHaveLength(currency === 'JPY' ? 0 : 2);
  return BigInt(whole + places);
}

const decimalOf = (percent: string): string =>
  `0.${String(Math.round(Number(percent) * 100)).padStart(4, '0')}`.replace(/0+$/, '');

export function figuresOf(summary: readonly Cells[]): Map<string, bigint> {
  const figures = new Map<string, bigint>();
  for (const { section, member_state, rate_type, rate_percent = '', original_period, net_eur, tax_eur } of summary) {
    if (section === 'supply') {
      const rate = `${member_state} ${rate_type} ${decimalOf(rate_percent)}`;
      figures.set(`net ${rate}`, minor(net_eur));
      figures.set(`tax ${rate}`, minor(tax_eur));
    }
    if (section === 'correction') figures.set(`correction ${member_state} ${original_period}`, minor(tax_eur));
    if (section === 'balance') figures.set(`balance ${member_state}`, minor(tax_eur));
    if (section === 'due') figures.set('due', minor(tax_eur));
  }
  return figures;
}

/** The totals of a seller's own return, by the number or the name of the row. */
export function homeFigures(summary: readonly Cells[]): Map<string, bigint> {
  const figures = new Map<string, bigint>();
  for (const { section, box, supply, reason, local_net, local_tax, whole_net } of summary) {
    if (section !== 'total') continue;
    const name = box || (supply === 'home' ? `home ${reason}` : supply);
    figures.set(`net ${name}`, minor(local_net));
    figures.set(`tax ${name}`, minor(local_tax));
    figures.set(`whole ${name}`, BigInt(whole_net ?? ''));
  }
  return figures;
}

/** The rows of a recapitulative statement, by tax id and corrected period. */
export function statedFigures(summary: readonly Cells[]): Map<string, bigint> {
  const figures = new Map<string, bigint>();
  for (const { section, buyer_country, buyer_id, original_period, local_net, whole_net } of summary) {
    if (section !== 'supply' && section !== 'correction') continue;
    const row = [section, original_period, `${buyer_country}${buyer_id}`].filter(Boolean).join(' ');
    figures.set(row, minor(local_net));
    figures.set(`whole ${row}`, BigInt(whole_net ?? ''));
  }
  return figures;
}

export const sorted = (figures: Map<string, bigint>) =>
  [...figures].map(([name, amount]) => `${name} ${amount}`).sort();
