import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { completePayout, payOut, sellElsewhere } from '../../../infra/local/stripe/balance/payouts.ts';
import { kindSumOf, matchingOf } from '../../../shared/domain/payouts/payout.ts';
import { netOf } from '../../../shared/domain/payouts/payout-line.ts';
import { followPayout } from '../../../shared/use-cases/payouts/follow-payouts.ts';
import { fileCountOf } from '../../../shared/use-cases/payouts/load-payout.ts';
import { accountPayouts } from '../../../shared/wiring/processor.ts';
import { disputes, now, payments, payouts, table } from '../../../shared/wiring/runtime.ts';
import { tableMeter } from '../../deploy/table-meter.ts';
import { campaign, seeded } from '../../support/seeded.ts';
import { testMerchant } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 60_000) });

/** In a campaign of full size, more sales than any shop of ours has had in a day. */
const sales = campaign(50_000, 450, 350);
/** How often a call dies before or after a write, or has no time left. */
const chance = campaign(0.02, 0.2);

let shop: StripeShop;
const meter = tableMeter();
beforeAll(async () => {
  shop = await startStripeShop();
  meter.read(table().client);
});
afterAll(() => shop.stop());

const saleOf = (sale: number): string => `pay_${String(sale).padStart(21, '0')}`;
const total = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

/** A payout of very many sales, all of them ours, whose list is complete. */
function madePayout(): string {
  const { account } = shop.fake;
  for (let sale = 0; sale < sales; sale += 1)
    sellElsewhere(account, {
      amount: 500 + (sale % 1_000),
      currency: 'eur',
      metadata: { payment_id: saleOf(sale), merchant_id: testMerchant.id },
    });
  const { id } = payOut(account, { currency: 'eur' });
  completePayout(account, id);
  return id;
}

it('A payout with very many sales is read once to the cent, by calls that stop at any part or die at any write', async () => {
  const id = madePayout();
  const random = seeded(7);
  const account = accountPayouts();
  if (!account) throw new Error('There is no account.');
  const store = payouts();
  const deps = { ...account, payouts: store, payments: payments(), disputes: disputes(), merchantId: 'demo', now };
  let most = 0;
  const dying = {
    ...store,
    savePart: async (...part: Parameters<typeof store.savePart>) => {
      most = Math.max(most, process.memoryUsage().heapUsed);
      if (random() < chance) throw new Error('The function dies here.');
      await store.savePart(...part);
      if (random() < chance) throw new Error('The function dies here.');
    },
  };
  const heldBefore = process.memoryUsage().heapUsed;
  const startedAt = performance.now();
  meter.reset();
  const callsBefore = shop.fake.calls.length;
  let calls = 0;
  let deaths = 0;
  const isRead = async () => (await store.find(id))?.read.isComplete === true;
  while (!(await isRead())) {
    calls += 1;
    await followPayout({ ...deps, payouts: dying }, id, () => random() > chance).catch((error: Error) => {
      expect(error.message).toBe('The function dies here.');
      deaths += 1;
    });
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const { writeUnits, readUnits } = meter.used();
  const payout = await store.get(id);
  expect(deaths).toBeGreaterThan(0);
  expect(matchingOf(payout)).toBe('matched');
  expect(kindSumOf(payout, 'sale').count).toBe(sales);
  const lines = await store.lines(id, { from: 1, to: payout.read.parts });
  expect(new Set(lines.map(({ paymentId }) => paymentId)).size).toBe(sales);
  expect(total(lines.map(netOf))).toBe(payout.amount);
  for (const sale of [0, Math.floor(sales / 2), sales - 1]) expect((await store.ofPayment(saleOf(sale)))?.id).toBe(id);
  expect(writeUnits / sales).toBeLessThan(1.5);
  console.log(
    `a payout of ${sales} sales: ${payout.read.parts} parts in ${calls} calls with ${deaths} deaths, ${seconds.toFixed(1)} s, ` +
      `${shop.fake.calls.length - callsBefore} calls of Stripe, ${writeUnits} write units, ${readUnits} read units, ` +
      `${megabytes(most - heldBefore)} MB more in the heap, with the fake's answers`,
  );

  const { cookies } = await browse(shop.api, localKey);
  const files = Array.from({ length: fileCountOf(payout) }, (_, index) => index + 1);
  let net = 0;
  let slowestMs = 0;
  for (const file of files) {
    const from = performance.now();
    const { text } = await shop.api.call(`GET /dashboard/payouts/${id}`, { cookies, key: null, query: `csv=${file}` });
    slowestMs = Math.max(slowestMs, performance.now() - from);
    const [header = '', ...rows] = text.replace('\ufeff', '').trim().split('\r\n');
    const column = header.split(',').indexOf('net');
    net += total(rows.map((row) => Math.round(Number(row.split(',')[column]) * 100)));
  }
  expect(net).toBe(payout.amount);
  console.log(`its ${files.length} files: at most ${Math.round(slowestMs)} ms each`);
});
