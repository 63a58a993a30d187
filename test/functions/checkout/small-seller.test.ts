import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { env } from '../../../shared/env.ts';
import { returnDate } from '../../../shared/tax/places/local-date.ts';
import { exchangeRates } from '../../../shared/wiring/books.ts';
import { payments, taxRules } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

let api: Api;
let viewer: Browsing;
let forms = 0;
const known = env.merchant;

beforeAll(async () => {
  api = await startApi();
  env.merchant = () => ({ ...known(), country: 'DE', collectPolicy: 'registered_only' });
  clock.stopAt('2031-03-10T12:00:00Z');
  await exchangeRates().keep({ ...exampleRates, date: '2031-03-07', perEuro: { USD: '1.2500' } });
  for (const body of [
    { country: 'DE', active_from: '2030-01-01' },
    { country: 'DE', scheme: 'oss', active_from: '2030-01-01' },
  ])
    expect((await api.call('POST /tax/registrations', { body })).status).toBe(200);
  viewer = await browse(api, localKey);
});
afterAll(async () => {
  env.merchant = known;
  clock.run();
  await api.stop();
});

function post(fields: Record<string, string>) {
  forms += 1;
  return postForm(api, '/dashboard/tax', { token: viewer.token, form_id: `form${forms}`, ...fields }, viewer.cookies);
}

const state = (fields: Record<string, string> = {}) =>
  post({
    action: 'state_small_seller',
    currency: 'EUR',
    is_one_state: 'true',
    last_year: '0',
    this_year: '0',
    ...fields,
  });

/** What this year's counter has, in euro cents. */
const counted = async (year = '2031') => (await taxRules().homeSales()).counted[year] ?? 0;

interface Wanted {
  country?: string;
  price?: number;
  currency?: string;
  isInclusive?: boolean;
  category?: string;
  fields?: object;
}

/** A checkout of one product, with its quote and payment. */
async function open({
  country = 'FR',
  price = 12_000,
  currency = 'EUR',
  isInclusive = true,
  category = 'saas',
  fields = {},
}: Wanted) {
  const product = {
    tax_category: category,
    price: { type: 'one_time_price', currency, price, tax_inclusive: isInclusive },
  };
  const id = await createSession(api, [{ product_id: await addProduct(api, product), quantity: 1 }]);
  const buyer = {
    billing_address: { country, street: '1 Main Street', city: 'Newtown' },
    customer: { email: 'a@example.com', name: 'A' },
    test_card: '4242',
    ...fields,
  };
  return (action: 'quote' | 'pay', more: object = {}) =>
    api.call(`POST /checkout/${id}/${action}`, { body: { ...buyer, ...more }, key: null });
}

/** Quotes and pays, and returns the payment with the jurisdiction that taxed it. */
async function sell(wanted: Wanted = {}) {
  const ask = await open(wanted);
  const quoted = await ask('quote');
  const paid = await ask('pay', { expected_total: quoted.body.total_amount });
  expect([paid.status, paid.body.message]).toEqual([200, undefined]);
  const payment = await payments().get(paid.body.payment_id);
  const [line] = payment.lines;
  return { payment, jurisdiction: line?.components[0]?.jurisdiction, tax: payment.tax };
}

describe('a small seller in the European Union', { shuffle: false }, () => {
  it('charges the tax of the buyer’s country, and counts no sale, before it declares itself a small seller', async () => {
    const { jurisdiction, tax, payment } = await sell();
    expect([jurisdiction, tax, payment.homeSale]).toEqual(['FR', 2_000, undefined]); // 20 % in 120.00
    expect(await counted()).toBe(0);
  });

  it('422: must confirm that it is established in one member state, and must enter its sales', async () => {
    const refused = await post({ action: 'state_small_seller', currency: 'EUR', last_year: '0', this_year: 'x' });
    expect(refused.status).toBe(422);
    const unconfirmed = await post({ action: 'state_small_seller', currency: 'EUR', last_year: '0', this_year: '0' });
    expect(unconfirmed.status).toBe(422);
    expect(unconfirmed.text).toContain('established in one member state only');
    expect((await taxRules().get()).smallSeller).toBeUndefined();
  });

  it('declares its sales in other states on the tax page, and then charges consumers its home tax', async () => {
    const { status, headers } = await state({ this_year: '4,000' });
    expect([status, headers['location']]).toEqual([303, '/dashboard/tax?done=saved']);
    const { jurisdiction, tax, payment } = await sell({ price: 11_900 });
    expect([jurisdiction, tax, payment.lines[0]?.taxedIn]).toEqual(['DE', 1_900, 'DE']); // 19 % in 119.00
    expect(payment.calculation).toMatchObject({ country: 'FR', schemes: ['standard'] });
    expect([payment.homeSale, await counted()]).toEqual([{ year: '2031', amount: 10_000, isCounted: true }, 10_000]);
    const { text } = await api.call('GET /dashboard/tax', { cookies: viewer.cookies, key: null });
    expect(text).toContain('taxed at home');
    expect(text).toContain('€4,100.00 of €10,000.00');
  });

  it('does not count domestic sales, sales to businesses, sales outside the Union, or live tutoring', async () => {
    await sell({ country: 'DE' });
    await sell({ country: 'CH' });
    await sell({ fields: { tax_id: 'FR40303265045' } });
    const { jurisdiction } = await sell({ category: 'live_tutoring' });
    expect([jurisdiction, await counted()]).toEqual(['FR', 10_000]);
  });

  it('counts sales in other currencies in euros, and still counts a sale after its refund', async () => {
    const { payment, jurisdiction } = await sell({ price: 11_900, currency: 'USD' });
    expect([jurisdiction, await counted()]).toEqual(['DE', 18_000]); // and 100.00 ÷ 1.25
    await api.call('POST /refunds', { body: { payment_id: payment.id } });
    expect(await counted()).toBe(18_000);
  });

  it('does not count a payment that fails', async () => {
    const ask = await open({ price: 11_900 });
    const { body } = await ask('pay', { test_card: '0002', expected_total: 11_900 });
    expect(body.status).toBe('failed');
    expect(await counted()).toBe(28_000);
    clock.forward({ minutes: 1 });
    await invokeFunction('events/sweep-due', {});
    expect([await counted(), (await payments().get(body.payment_id)).homeSale?.isCounted]).toEqual([18_000, false]);
    clock.forward({ minutes: 1 });
    await invokeFunction('events/sweep-due', {});
    expect(await counted()).toBe(18_000);
  });

  it('sees on the payment why the home tax was charged, with the figures', async () => {
    const { payment } = await sell({ price: 11_900 });
    const { body } = await api.call(`GET /payments/${payment.id}/calculation`);
    expect(body).toMatchObject({ verified: true, lines: [{ components: [{ jurisdiction: 'DE' }] }] });
    expect(await counted()).toBe(28_000);
    const page = { query: 'why=true', cookies: viewer.cookies, key: null };
    const { text } = await api.call(`GET /dashboard/payments/${payment.id}`, page);
    expect(text).toContain('small seller’s home');
  });

  it('409: charges the tax of the buyer’s country from the sale on that exceeds the limit', async () => {
    await state({ this_year: '9,700' }); // 9,700.00 elsewhere and 280.00 here: 20.00 are left
    const [exact, over, inclusive] = [
      await open({ price: 2_000, isInclusive: false }),
      await open({ price: 2_001, isInclusive: false }),
      await open({ price: 2_380 }),
    ];
    const [quoted, dear] = [await exact('quote'), await over('quote')];
    // 19 % at home for exactly 20.00, 20 % in France for one cent more
    expect([quoted.body.total_amount, dear.body.total_amount]).toEqual([2_380, 2_401]);
    expect((await inclusive('quote')).body).toMatchObject({ total_amount: 2_380, tax: 380 }); // 19 % in 23.80
    const crossed = await over('pay', { expected_total: 2_401 });
    expect(crossed.status).toBe(200);
    expect(await counted()).toBe(30_001);
    const late = await exact('pay', { expected_total: 2_380 });
    expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT', total_amount: 2_400 } });
    const paid = await inclusive('pay', { expected_total: 2_380 });
    expect(paid.body).toMatchObject({ total_amount: 2_380, tax: 397 }); // 20 % in 23.80
    const { jurisdiction, payment } = await sell({ price: 120 });
    expect([jurisdiction, payment.calculation.schemes, payment.lines[0]?.taxedIn]).toEqual(['FR', ['oss'], undefined]);
    const { text } = await api.call('GET /dashboard/tax', { cookies: viewer.cookies, key: null });
    expect(text).toContain('limit passed');
  });

  it('charges the tax of the buyer’s country in the whole next year, and its home tax in the year after', async () => {
    clock.stopAt('2032-06-01T12:00:00Z');
    viewer = await browse(api, localKey);
    expect((await sell()).jurisdiction).toBe('FR');
    expect(await counted('2032')).toBe(10_000);
    clock.stopAt('2033-06-01T12:00:00Z');
    viewer = await browse(api, localKey);
    expect((await sell({ price: 11_900 })).jurisdiction).toBe('DE');
  });

  it('dates a sale that is taxed at home, and its refund, in the seller’s time zone', async () => {
    // 23:30 in London and Lisbon is 00:30 of the next day in Berlin
    clock.stopAt('2033-06-01T22:30:00Z');
    const sold = [await sell({ country: 'PT', price: 11_900 }), await sell({ country: 'GB' })];
    clock.stopAt('2033-06-01T12:00:00Z');
    expect(sold.map(({ payment }) => payment.calculation.taxDate)).toEqual(['2033-06-02', '2033-06-01']);
    const refunded = sold.map(({ payment }) => returnDate(payment, '2033-06-01T22:40:00Z'));
    expect(refunded).toEqual(['2033-06-02', '2033-06-01']);
  });

  it('stores newer exchange rates once a day, and never older ones', async () => {
    await exchangeRates().keep({ ...exampleRates, date: '2033-05-31', perEuro: { USD: '2.0000' } });
    await invokeFunction('accounting/watch-thresholds', {});
    await taxRules().keepHomeRates({ ...exampleRates, date: '2033-05-30' });
    expect((await taxRules().homeSales()).rates).toMatchObject({ date: '2033-05-31', perEuro: { USD: '2.0000' } });
  });

  it('can choose the tax of the buyer’s country, which then applies for two calendar years', async () => {
    expect((await post({ action: 'leave_small_seller' })).status).toBe(303);
    expect((await sell()).jurisdiction).toBe('FR');
    const again = await state();
    expect([again.status, again.text.includes('2035-01-01')]).toEqual([422, true]);
    expect((await post({ action: 'leave_small_seller' })).status).toBe(422);
    const { text } = await api.call('GET /dashboard/tax', { cookies: viewer.cookies, key: null });
    expect(text).toMatch(/binds until[^<]*(<[^>]+>)?[^<]*31 Dec(ember)? 2034|Dec(ember)? 31, 2034/);
  });
});
