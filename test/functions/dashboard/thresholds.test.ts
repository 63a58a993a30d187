import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import type { ThresholdStatus } from '../../../shared/domain/reports/thresholds.ts';
import { watchThresholds } from '../../../shared/use-cases/reports/watch-thresholds.ts';
import { exchangeRates, thresholds } from '../../../shared/wiring/books.ts';
import { newId } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { accounting } from '../../support/shop/dependencies.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
  clock.stopAt('2031-03-10T12:00:00Z');
  await exchangeRates().keep({ ...exampleRates, date: '2031-03-07' });
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

/** Sells software for a net price in whole units of a currency to a buyer in that country. */
async function sell(price: number, country: string, { state = null as string | null, currency = 'EUR' } = {}) {
  const productId = await addProduct(api, {
    price: { type: 'one_time_price', currency, price: 100 * price, tax_inclusive: false },
    tax_category: 'saas',
  });
  const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const billing = { country, state, city: null, street: null, zipcode: null };
  const quoted = await api.call(`GET /checkout-sessions/${sessionId}`);
  expect(quoted.status).toBe(200);
  for (const percent of [100, 119, 120, 121, 122, 123, 124, 125, 127, 108.1, 110, 106.25, 106, 105])
    try {
      return await pay(sessionId, { expectedTotal: Math.round(price * percent), billing });
    } catch {
      // another rate
    }
  throw new Error(`No rate fits ${country}.`);
}

const watch = () => invokeFunction('accounting/watch-thresholds', {});
const statusOf = async (id: string): Promise<ThresholdStatus | undefined> =>
  (await thresholds().getWatch()).statuses.find((status) => status.id === id);

async function thresholdEvents() {
  const { body } = await api.call('GET /webhook-events');
  return body.items?.filter(({ type }: { type: string }) => type.startsWith('tax_threshold.')) ?? [];
}

describe('the sales limits for tax registration', { shuffle: false }, () => {
  it('count sales to other EU countries, and no domestic sales', async () => {
    await sell(5_000, 'DE');
    await sell(3_000, 'FR');
    await sell(2_000, 'AT');
    await watch();
    expect(await statusOf('EU')).toMatchObject({
      level: 'below',
      amount: 500_000,
      limit: 1_000_000,
      count: 2,
      from: '2031-01-01',
    });
    expect(await thresholdEvents()).toEqual([]);
  });

  it('warn once at 80 %, and once more when they are exceeded', async () => {
    clock.forward({ days: 1 });
    await sell(3_000, 'FR');
    for (const _ of [1, 2]) await watch();
    expect(await statusOf('EU')).toMatchObject({ level: 'near', amount: 800_000 });
    const [event, ...others] = await thresholdEvents();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'tax_threshold.approached', payment_id: null });
    const { body } = await api.call(`GET /webhook-events/${event.event_id}`);
    expect(body.body.data).toEqual({
      threshold: 'EU',
      level: 'near',
      amount: 800_000,
      limit_amount: 1_000_000,
      currency: 'EUR',
      sales: 3,
      sales_limit: null,
      counted_from: '2031-01-01',
      counted_to: '2031-03-11',
      payload_type: 'TaxThreshold',
    });
    await sell(2_000, 'FR');
    await watch();
    expect((await thresholdEvents()).map(({ type }: { type: string }) => type).sort()).toEqual([
      'tax_threshold.approached',
      'tax_threshold.passed',
    ]);
  });

  it('convert sales in other currencies, and name currencies without an exchange rate', async () => {
    await sell(1_000, 'NO', { currency: 'USD' });
    await sell(1_000, 'NO', { currency: 'AED' });
    await watch();
    // 1,000 USD ÷ 1.0705 × 11.3965 = 10,645.96 NOK
    expect(await statusOf('NO')).toMatchObject({ amount: 1_064_596, currency: 'NOK', count: 2, unconverted: ['AED'] });
  });

  it('count worldwide sales for countries that require it, from the first sale there', async () => {
    expect(await statusOf('CH')).toBeUndefined();
    await sell(10, 'CH');
    await watch();
    const sold = 5_000 + 10_000 + 10;
    const { amount } = (await statusOf('CH')) as ThresholdStatus;
    expect(amount).toBeGreaterThan(Math.floor(sold * 100 * 0.9634));
    expect(await statusOf('GB')).toBeUndefined();
    await sell(1, 'GB');
    await watch();
    expect(await statusOf('GB')).toMatchObject({ level: 'passed', limit: 0 });
  });

  it('are counted by state in the United States', async () => {
    await sell(85_000, 'US', { state: 'PA', currency: 'USD' });
    await watch();
    expect(await statusOf('US-PA')).toMatchObject({
      level: 'near',
      amount: 8_500_000,
      limit: 10_000_000,
      countLimit: null,
    });
    expect(await statusOf('US-NY')).toBeUndefined();
  });

  it('of a base year have its days counted, once something is sold there', async () => {
    expect((await thresholds().getWatch()).countedFrom).toBe('2030-01-01');
    await sell(10, 'JP');
    for (const _ of ['finds the sale', 'counts the base year']) await watch();
    expect((await thresholds().getWatch()).countedFrom).toBe('2029-01-01');
    expect(await statusOf('JP')).toMatchObject({ level: 'below', count: 1 });
  });

  it('are shown on the tax page with their legal sources', async () => {
    const { cookies } = await browse(api, localKey);
    const { text } = await api.call('GET /dashboard/tax', { cookies, key: null });
    expect(text).toMatch(/Look at these limits: [^<]*European Union/);
    expect(text).toContain('<span lang="en">VAT Directive 2006/112/EC, art. 59c</span> (high)');
    expect(text).toMatch(/Which countries are watched[\s\S]*Canada[\s\S]*Japan[\s\S]*This list is not complete/);
    expect(text).toMatch(/Not fully compared[^<]*Norway \(NOK\)/);
  });

  it('are not watched in countries where the merchant is registered', async () => {
    const registration = { country: 'DE', scheme: 'oss', active_from: '2031-01-01', tax_id: 'DE136695976' };
    expect((await api.call('POST /tax/registrations', { body: registration })).status).toBe(200);
    await watch();
    expect(await statusOf('EU')).toBeUndefined();
    expect(await statusOf('US-PA')).toMatchObject({ level: 'near' });
  });

  it('include a sale that was completed days later, and continue a count that ran out of time', async () => {
    const reads: string[] = [];
    const { payments, ...books } = accounting();
    const listBriefly: typeof payments.listBriefly = (filter, page) => {
      reads.push(filter.createdFrom?.slice(0, 10) ?? '');
      return payments.listBriefly(filter, page);
    };
    const deps = {
      ...books,
      payments: { ...payments, listBriefly },
      thresholds: thresholds(),
      newId,
      now: () => new Date('2031-03-20T12:00:00Z'),
    };
    await watchThresholds(deps, () => true);
    expect(reads).toHaveLength(20); // nine days since the last look, its own, and ten before
    const { countedFrom } = await thresholds().getWatch();
    expect(countedFrom).toBe('2029-01-01');
  });

  it('store daily totals for the overview, and update them after a refund', async () => {
    const day = '2031-03-25';
    clock.stopAt(`${day}T12:00:00Z`);
    const counted = async () => (await thresholds().daysOf({ from: day, to: day }))[0]?.sales;
    const { id, gross, lines } = await sell(100, 'DE');
    await watch();
    const [line] = lines;
    expect(await counted()).toMatchObject({
      totals: [{ currency: 'EUR', count: 1, gross, refunded: 0 }],
      products: [{ id: line?.productId, units: 1, gross, amounts: [[10_000, 1]] }],
    });
    expect((await api.call('POST /refunds', { body: { payment_id: id, amount: 1_000 } })).status).toBe(200);
    await watch();
    expect((await counted())?.totals).toMatchObject([{ gross, refunded: 1_000 }]);
  });
});
