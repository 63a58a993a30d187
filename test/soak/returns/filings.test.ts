import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localNames } from '../../../infra/local/sandbox-environment.ts';
import { type Bucket, startBucket } from '../../../infra/local-aws/bucket.ts';
import { dayMs } from '../../../shared/domain/duration.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import type { Refund } from '../../../shared/domain/payments/refund.ts';
import type { FiledReturn } from '../../../shared/domain/reports/returns/filed-return.ts';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { exportBucket } from '../../../shared/outside/exports/export-bucket.ts';
import { commit } from '../../../shared/store/table/transaction.ts';
import { homeSaleWrite } from '../../../shared/store/tax-rules-store.ts';
import { mostCountedBefore } from '../../../shared/tax/rules/small-seller.ts';
import { fileReturn } from '../../../shared/use-cases/exports/file-return.ts';
import { exchangeRates, exportJobs, filedReturns } from '../../../shared/wiring/books.ts';
import {
  disputes as disputeRows,
  now,
  payments as paymentRows,
  table,
  taxRules,
} from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { campaign, inTurn, seeded } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { figuresOf, homeFigures, made, minor, rawBooks, sorted, statedFigures } from './make-return.ts';
import {
  countryOf,
  homeCountOf,
  homeOf,
  lastDayOf,
  type Moved,
  movesOf,
  ossOf,
  quarterIn,
  salesListOf,
  taxInLedger,
} from './oracle.ts';
import { countedRates, countedRule, ratesOfYear, registrations, soldYear } from './sold-year.ts';

const year = 2025;
const seed = Number(process.env['SEED'] ?? 20_250_101);
const count = campaign(10_000, 2_000, 400);
const timeoutMs = campaign(3_600_000, 900_000, 120_000);

/** Eight quarters with sales, and four more for what comes later. */
const quarters = [0, 1, 2]
  .flatMap((after) => [1, 2, 3, 4].map((quarter) => `${year + after}-Q${quarter}`))
  .slice(0, 12);
const firstDayOf = (quarter: string) =>
  `${quarter.slice(0, 5)}${['01', '04', '07', '10'][Number(quarter.at(-1)) - 1]}-01`;
/** A quarter is filed on the 20th day after it. */
const filedAt = (quarter: string) => new Date(Date.parse(lastDayOf(quarter)) + 20.5 * dayMs).toISOString();

let api: Api;
let bucket: Bucket;
const steps: { at: string; act: () => Promise<unknown> }[] = [];
/** When each payment was known to have succeeded. Some methods take weeks. */
const knownAt = new Map<string, string>();

beforeAll(async () => {
  bucket = await startBucket({ bucketNames: [localNames.bucket] });
  api = await startApi(undefined, { AWS_ENDPOINT_URL_S3: bucket.url });
  await taxRules().save({ registrations, overrides: [], changedAt: null, version: 0 }, []);
  await inTurn(ratesOfYear(year, seed, 3), 20, (day) => exchangeRates().keep(day));
  const random = seeded(seed + 1);
  const sold = soldYear(count, year, seed, { years: 2, corrects: true, businesses: true });
  const touched = new Set([
    ...sold.refunds.map(({ paymentId }) => paymentId),
    ...sold.disputes.flat().map(({ payment }) => payment.id),
  ]);
  for (const payment of sold.payments) note(payment, touched.has(payment.id) || random() > 0.15 ? 0 : random() * 80);
  for (const { at, ...change } of sold.disputes.flat())
    steps.push({ at, act: () => disputeRows().save({ ...change, events: [] }) });
  for (const refund of sold.refunds) noteRefund(refund);
  steps.sort((a, b) => (a.at < b.at ? -1 : 1));
}, timeoutMs);
afterAll(async () => {
  clock.run();
  await Promise.all([bucket.stop(), api.stop()]);
});

function note(payment: Payment, days: number): void {
  const at = new Date(Date.parse(payment.createdAt) + days * dayMs).toISOString();
  knownAt.set(payment.id, at);
  steps.push({ at: payment.createdAt < at ? at : payment.createdAt, act: () => paymentRows().save(payment) });
  if (payment.homeSale?.isCounted) noteCount(payment, payment.homeSale);
}

/** The count of a small seller moves when a payment begins. The limit holds for what is taxed at home. */
function noteCount({ createdAt, lines }: Payment, { year, amount }: { year: string; amount: number }): void {
  const isAtHome = lines.some(({ taxedIn }) => taxedIn !== undefined);
  const most = isAtHome ? mostCountedBefore(countedRule, { year, amount }) : undefined;
  steps.push({ at: createdAt, act: () => commit(table(), [homeSaleWrite({ year, by: amount, most })]) });
}

/** A refund is first paid; one whose money came back is written a second time. */
function noteRefund(refund: Refund): void {
  const save = (state: Refund, isNew: boolean, from?: Refund['status']) =>
    paymentRows().saveRefund({ refund: state, isNew, ...(from && { from }), events: [], records: [] });
  const { reverted, ...paid } = refund;
  if (!reverted) return void steps.push({ at: refund.updatedAt, act: () => save(refund, true) });
  const before = { ...paid, status: 'succeeded' as const, updatedAt: reverted.succeededAt };
  steps.push({ at: reverted.succeededAt, act: () => save(before, true) });
  steps.push({ at: reverted.at, act: () => save(refund, false, 'succeeded') });
}

/** Writes what has happened until an instant. */
async function live(until: string): Promise<void> {
  for (let step = steps[0]; step && step.at <= until; step = steps[0]) {
    steps.shift();
    await step.act();
  }
}

/** The quarter that declares a movement: the first one that was filed after it was known. */
function declaredIn(move: Moved): string {
  const known = move.kind === 'sale' ? (knownAt.get(move.payment.id) ?? move.at) : move.at;
  return quarters.find((quarter) => quarter >= quarterIn(move.date) && known <= filedAt(quarter)) ?? 'never';
}

const sha = async (text: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex');

describe(`twelve quarters with ${count} payments, each filed after its end (SEED=${seed})`, {
  shuffle: false,
  timeout: timeoutMs,
}, () => {
  const copies: FiledReturn[] = [];
  const drafts = new Map<string, string>();
  const general = new Map<string, bigint>();
  const bucketOf = exportBucket(localNames.bucket);

  async function file(jobId: string): Promise<void> {
    const deps = {
      exportJobs: exportJobs(),
      filedReturns: filedReturns(),
      readFile: bucketOf.readFile,
      hashOf: hashApiKey,
      now,
    };
    const filed = await fileReturn(deps, { jobId, by: 'test' }, () => []);
    drafts.set(`${filed.kind} ${filed.from}`, await bucketOf.readFile(jobId, 'draft.json'));
    copies.push({ ...filed, version: 1 });
  }

  it.each(quarters)('have boxes that equal an independent calculation: %s', async (quarter) => {
    const [from, to, at] = [firstDayOf(quarter), lastDayOf(quarter), filedAt(quarter)];
    clock.stopAt(at);
    await live(at);
    const books = await rawBooks();
    const moves = movesOf(books);
    const oss = await made('oss', from, to, at);
    expect(sorted(figuresOf(oss.summary))).toEqual(sorted(ossOf(books, moves, quarter, declaredIn)));
    await file(oss.job.id);
    const isOf = (move: Moved) => declaredIn(move) === quarter;
    const home = await made('home', from, to, at);
    expect(sorted(homeFigures(home.summary))).toEqual(sorted(homeOf(books, moves, isOf)));
    await file(home.job.id);
    const stated = await made('recap', from, to, at);
    expect(sorted(statedFigures(stated.summary))).toEqual(sorted(salesListOf(books, moves, quarter, isOf)));
    await file(stated.job.id);
    for (const [kind, countries, currency, taxBox, netBox] of [
      ['gb', ['GB', 'IM'], 'GBP', '1', '6'],
      ['ch', ['CH', 'LI'], 'CHF', '399', '299'],
    ] as const) {
      const expected = countryOf(books, moves, { countries: [...countries], currency, isOf });
      const { summary, job } = await made(kind, from, to, at);
      const box = (name: string) => minor(summary.find((row) => row['box'] === name)?.['local_tax'], currency);
      expect({ tax: box(taxBox), net: box(netBox) }).toEqual(expected);
      await file(job.id);
    }
    const { summary, job } = await made('general', from, to, at);
    for (const { kind, currency = '', tax } of summary)
      if (kind !== 'disputed') general.set(currency, (general.get(currency) ?? 0n) + minor(tax, currency));
    await file(job.id);
    // what the merchant changes later must move nothing
    const rules = await taxRules().get();
    const flipped = rules.registrations.map(
      (one) => ({ ...one, scheme: one.scheme === 'oss' ? 'standard' : 'oss' }) as const,
    );
    await taxRules().save({ ...rules, registrations: quarter.endsWith('Q2') ? flipped.slice(1) : flipped }, []);
  });

  it('together declare exactly the ledger', async () => {
    expect(steps).toEqual([]);
    expect(sorted(general)).toEqual(sorted(taxInLedger(await rawBooks())));
  });

  it('tax a small seller’s sales at home exactly as long as an independent count has room', async () => {
    const { faults, counted, atHome, crossed } = homeCountOf(await rawBooks(), {
      elsewhere: new Map(Object.entries(countedRule.elsewhere).map(([of, amount]) => [of, BigInt(amount)])),
      perEuro: countedRates.perEuro,
    });
    expect(faults).toEqual([]);
    const { counted: stored } = await taxRules().homeSales();
    expect(sorted(new Map(Object.entries(stored).map(([of, amount]) => [of, BigInt(amount)])))).toEqual(
      sorted(counted),
    );
    expect([atHome > 0, crossed > 0]).toEqual([true, true]);
  });

  it('list each late ledger entry once', () => {
    const late = copies.filter(({ kind }) => kind === 'general').flatMap((one) => one.late);
    expect(late.length).toBeGreaterThan(count / 100);
    expect(new Set(late).size).toBe(late.length);
  });

  it('have not changed since they were filed', async () => {
    const stored = await filedReturns().list();
    expect(stored).toHaveLength(6 * quarters.length);
    for (const one of stored) {
      const key = `${one.kind} ${one.from}`;
      expect(one).toEqual(copies.find(({ kind, from }) => `${kind} ${from}` === key));
      expect(one.hash).toBe(await sha(drafts.get(key) ?? ''));
    }
  });
});
