import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { type ExportJob, newExportJob } from '../../../shared/domain/reports/export-job.ts';
import { exportBucket } from '../../../shared/outside/exports/export-bucket.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import { exchangeRates, exportJobs } from '../../../shared/wiring/books.ts';
import { disputes as disputeRows, payments as paymentRows, table, taxRules } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { campaign, inTurn } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { scanRows } from '../../support/shop/books.ts';
import { countryOf, movesOf, ossOf, type RawBooks, taxInLedger } from './oracle.ts';
import { ratesOfYear, registrations, soldYear } from './sold-year.ts';

const year = 2025;
const seed = Number(process.env['SEED'] ?? 20_250_101);
const count = campaign(10_000, 800, 300);
const timeoutMs = campaign(900_000, 90_000);

let api: Api;
let bucket: Bucket;
let books: RawBooks;

beforeAll(async () => {
  bucket = await startBucket({ bucketNames: [localNames.bucket] });
  api = await startApi(undefined, { AWS_ENDPOINT_URL_S3: bucket.url });
  clock.stopAt(`${year + 1}-06-30T12:00:00Z`);
  await taxRules().save({ registrations, overrides: [], changedAt: null, version: 0 }, []);
  await inTurn(ratesOfYear(year, seed), 20, (day) => exchangeRates().keep(day));
  const sold = soldYear(count, year, seed);
  await inTurn(sold.payments, 50, (payment) => paymentRows().save(payment));
  await inTurn(sold.disputes, 50, (change) => disputeRows().save({ ...change, events: [] }));
  await inTurn(sold.refunds, 50, (refund) =>
    paymentRows().saveRefund({ refund, isNew: true, events: [], records: [] }),
  );
  books = await rawBooks();
}, timeoutMs);
afterAll(async () => {
  clock.run();
  await Promise.all([bucket.stop(), api.stop()]);
});

async function rawBooks(): Promise<RawBooks> {
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

type Cells = Record<string, string>;

/** Asks for an export as the dashboard does, lets the worker make it, and reads its files. */
async function made(
  kind: ExportJob['kind'],
  from: string,
  to: string,
): Promise<{ summary: Cells[]; rows: Cells[]; job: ExportJob }> {
  const id = `exp_${kind}${from}`;
  await exportJobs().save(
    newExportJob(
      { kind, from, to },
      { id, now: new Date(`${year + 1}-06-30T12:00:00Z`).toISOString(), createdBy: 'test' },
    ),
  );
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
function minor(text: string | undefined, currency = 'EUR'): bigint {
  const [whole = '0', places = ''] = (text ?? '0').split('.');
  expect(places).toHaveLength(currency === 'JPY' ? 0 : 2);
  return BigInt(whole + places);
}

const decimalOf = (percent: string): string =>
  `0.${String(Math.round(Number(percent) * 100)).padStart(4, '0')}`.replace(/0+$/, '');

function figuresOf(summary: readonly Cells[]): Map<string, bigint> {
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

const sorted = (figures: Map<string, bigint>) => [...figures].map(([name, amount]) => `${name} ${amount}`).sort();

const quarters = [
  { quarter: `${year}-Q1`, from: `${year}-01-01`, to: `${year}-03-31` },
  { quarter: `${year}-Q2`, from: `${year}-04-01`, to: `${year}-06-30` },
  { quarter: `${year}-Q3`, from: `${year}-07-01`, to: `${year}-09-30` },
  { quarter: `${year}-Q4`, from: `${year}-10-01`, to: `${year}-12-31` },
  { quarter: `${year + 1}-Q1`, from: `${year + 1}-01-01`, to: `${year + 1}-03-31` },
];

describe(`the tax returns of a year with ${count} payments (SEED=${seed})`, { timeout: timeoutMs }, () => {
  it.each(quarters)('under the EU’s OSS equal an independent calculation, $quarter', async ({ quarter, from, to }) => {
    const expected = ossOf(books, movesOf(books), quarter);
    const { summary, job } = await made('oss', from, to);
    expect(job.notes).toEqual([]);
    expect(sorted(figuresOf(summary))).toEqual(sorted(expected));
    expect(expected.size).toBeGreaterThan(4);
  });

  it.each(quarters)(
    'to Great Britain and Switzerland equal the sums of the documents, $quarter',
    async ({ from, to }) => {
      for (const [kind, countries, currency, taxBox, netBox] of [
        ['gb', ['GB', 'IM'], 'GBP', '1', '6'],
        ['ch', ['CH', 'LI'], 'CHF', '399', '200'],
      ] as const) {
        const expected = countryOf(books, movesOf(books), { countries: [...countries], currency, from, to });
        const { summary } = await made(kind, from, to);
        const box = (name: string) => minor(summary.find((row) => row['box'] === name)?.['local_tax'], currency);
        expect({ tax: box(taxBox), net: box(netBox) }).toEqual(expected);
        const details = summary.filter(({ section }) => section === 'detail');
        expect(details.reduce((total, row) => total + minor(row['local_tax'], currency), 0n)).toBe(expected.tax);
      }
    },
  );

  it('agree with the ledger: what was charged minus what was returned, in each currency', async () => {
    const totals = new Map<string, bigint>();
    const lines = new Map<string, bigint>();
    for (const [from, to] of [
      [`${year}-01-01`, `${year}-12-31`],
      [`${year + 1}-01-01`, `${year + 1}-12-31`],
    ] as const) {
      const { summary, rows } = await made('general', from, to);
      for (const [sums, cells] of [
        [totals, summary],
        [lines, rows],
      ] as const)
        for (const { kind, currency = '', tax } of cells)
          if (kind !== 'disputed') sums.set(currency, (sums.get(currency) ?? 0n) + minor(tax, currency));
    }
    const ledger = taxInLedger(books);
    expect(sorted(totals)).toEqual(sorted(ledger));
    expect(sorted(lines)).toEqual(sorted(ledger));
  });

  it('list every movement once, with the period of its sale, and list every payment', async () => {
    const { rows } = await made('general', `${year}-02-01`, `${year}-11-30`);
    const moves = movesOf(books).filter(({ date }) => date >= `${year}-02-01` && date <= `${year}-11-30`);
    const kinds = (names: string[]) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(names, (name) => name)).map(([name, all]) => [name, all?.length]),
      );
    const listed = new Map(rows.map((row) => [`${row['id']} ${row['kind']}`, row]));
    expect(kinds([...listed.values()].map((row) => row['kind'] ?? ''))).toEqual(kinds(moves.map(({ kind }) => kind)));
    expect(Object.keys(kinds(moves.map(({ kind }) => kind))).sort()).toEqual([
      'disputed',
      'refund',
      'refund_returned',
      'sale',
    ]);
    for (const row of rows)
      expect(row['sale_date']).toBe(books.payments.get(row['payment_id'] ?? '').calculation.taxDate);
    const all = await made('payments', `${year}-01-01`, `${year}-12-31`);
    expect(all.rows).toHaveLength(books.payments.size);
  });
});
