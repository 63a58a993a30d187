import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { exchangeRates } from '../../../shared/wiring/books.ts';
import { disputes as disputeRows, payments as paymentRows, taxRules } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { campaign, inTurn } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { figuresOf, made, minor, rawBooks, sorted } from './make-return.ts';
import { countryOf, movesOf, ossOf, type RawBooks, taxInLedger } from './oracle.ts';
import { ratesOfYear, registrations, soldYear } from './sold-year.ts';

const year = 2025;
const seed = Number(process.env['SEED'] ?? 20_250_101);
const madeAt = `${year + 1}-06-30T12:00:00Z`;
const count = campaign(10_000, 800, 300);
const timeoutMs = campaign(900_000, 90_000);

let api: Api;
let bucket: Bucket;
let books: RawBooks;

beforeAll(async () => {
  bucket = await startBucket({ bucketNames: [localNames.bucket] });
  api = await startApi(undefined, { AWS_ENDPOINT_URL_S3: bucket.url });
  clock.stopAt(madeAt);
  await taxRules().save({ registrations, overrides: [], changedAt: null, version: 0 }, []);
  await inTurn(ratesOfYear(year, seed), 20, (day) => exchangeRates().keep(day));
  const sold = soldYear(count, year, seed);
  await inTurn(sold.payments, 50, (payment) => paymentRows().save(payment));
  await inTurn(sold.disputes, 50, async (steps) => {
    for (const { at: _, ...change } of steps) await disputeRows().save({ ...change, events: [] });
  });
  await inTurn(sold.refunds, 50, (refund) =>
    paymentRows().saveRefund({ refund, isNew: true, events: [], records: [] }),
  );
  books = await rawBooks();
}, timeoutMs);
afterAll(async () => {
  clock.run();
  await Promise.all([bucket.stop(), api.stop()]);
});

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
    const { summary, job } = await made('oss', from, to, madeAt);
    expect(job.notes).toEqual([]);
    expect(sorted(figuresOf(summary))).toEqual(sorted(expected));
    expect(expected.size).toBeGreaterThan(3);
  });

  it.each(quarters)(
    'for Great Britain and Switzerland equal the sums of the documents, $quarter',
    async ({ from, to }) => {
      for (const [kind, countries, currency, taxBox, netBox] of [
        ['gb', ['GB', 'IM'], 'GBP', '1', '6'],
        ['ch', ['CH', 'LI'], 'CHF', '399', '299'],
      ] as const) {
        const expected = countryOf(books, movesOf(books), {
          countries: [...countries],
          currency,
          isOf: ({ date }) => date >= from && date <= to,
        });
        const { summary } = await made(kind, from, to, madeAt);
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
      const { summary, rows } = await made('general', from, to, madeAt);
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

  it('list every ledger entry once, with the period of its sale, and list every payment', async () => {
    const { rows } = await made('general', `${year}-02-01`, `${year}-11-30`, madeAt);
    const moves = movesOf(books).filter(({ date }) => date >= `${year}-02-01` && date <= `${year}-11-30`);
    const kinds = (names: string[]) =>
      Object.fromEntries(
        Object.entries(Object.groupBy(names, (name) => name)).map(([name, all]) => [name, all?.length]),
      );
    const listed = new Map(rows.map((row) => [`${row['id']} ${row['kind']}`, row]));
    expect(kinds([...listed.values()].map((row) => row['kind'] ?? ''))).toEqual(kinds(moves.map(({ kind }) => kind)));
    expect(Object.keys(kinds(moves.map(({ kind }) => kind))).sort()).toEqual([
      ...['dispute_lost', 'dispute_won', 'disputed'],
      'refund',
      'refund_returned',
      'sale',
    ]);
    for (const row of rows)
      expect(row['sale_date']).toBe(books.payments.get(row['payment_id'] ?? '').calculation.taxDate);
    const all = await made('payments', `${year}-01-01`, `${year}-12-31`, madeAt);
    expect(all.rows).toHaveLength(books.payments.size);
  });
});
