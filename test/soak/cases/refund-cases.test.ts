import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { admitGuardScript } from '../../support/faults/guards.ts';
import { tally, times } from '../../support/seeded.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
  admitGuardScript();
});
afterAll(() => api.stop());

interface Sold {
  price: number;
  isInclusive?: boolean;
  /** `saas` is taxed at 19 % in Germany, `e_book` at 7 %. */
  category?: 'saas' | 'e_book';
  quantity?: number;
  currency?: string;
}

/** Sells these lines at once to a buyer in Germany, unless another place is named; `total` is what the buyer sees. */
async function sold(lines: Sold[], total: number, asked: Partial<Submission> = {}) {
  const items: string[] = [];
  for (const { price, isInclusive = true, category = 'saas', currency = 'EUR' } of lines)
    items.push(
      await addProduct(api, {
        price: { ...fieldGuide.price, price, currency, tax_inclusive: isInclusive },
        tax_category: category,
      }),
    );
  const cart = items.map((product_id, index) => ({ product_id, quantity: lines[index]?.quantity ?? 1 }));
  const payment = await pay(await createSession(api, cart), { expectedTotal: total, ...asked });
  return { id: payment.id, items };
}

const billingIn = (country: string, state: string | null = null, zipcode: string | null = null) => ({
  billing: { country, state, city: null, street: null, zipcode },
});
const refund = (id: string, fields: object = {}): Promise<ApiAnswer> =>
  api.call('POST /refunds', { body: { payment_id: id, ...fields } });
const paymentOf = async (id: string) => (await api.call(`GET /payments/${id}`)).body;
const linesOf = async (id: string) => (await api.call(`GET /payments/${id}/line-items`)).body.items;
const outcomes = (answers: readonly ApiAnswer[]) =>
  tally(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim()));

describe('refunds that failed in other products', () => {
  it('of 60, requested twice at once on a payment of 100, are paid once (juspay/hyperswitch#13182, PR#11491, PR#13379; fossasia/eventyay#1405; chobble/tickets PR#2065)', async () => {
    const { id } = await sold([{ price: 100 }], 100);
    const answers = await Promise.all([refund(id, { amount: 60 }), refund(id, { amount: 60 })]);
    expect(outcomes(answers)).toEqual({ 200: 1, '422 REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT': 1 });
    expect((await paymentOf(id)).refundable_amount).toBe(40);
  });

  it('of the full amount, requested 50 times at once, are paid once (dfinity/invoice-canister#22)', async () => {
    const { id } = await sold([{ price: 5_000 }], 5_000);
    const answers = await Promise.all(times(50).map(() => refund(id)));
    const whilePending = outcomes(answers)['422 NOTHING_TO_REFUND'] ?? 0;
    expect(outcomes(answers)).toEqual({
      200: 1,
      ...(whilePending > 0 && { '422 NOTHING_TO_REFUND': whilePending }),
      ...(whilePending < 49 && { '422 PAYMENT_ALREADY_REFUNDED': 49 - whilePending }),
    });
    expect((await paymentOf(id)).refunds).toHaveLength(1);
  });

  it('are refused when two steps exceed the payment, or when the amount is negative (craftcms/commerce#1098; juspay/hyperswitch PR#11491)', async () => {
    const { id } = await sold([{ price: 1_000 }], 1_000);
    expect((await refund(id, { amount: 700 })).status).toBe(200);
    expectProblem(await refund(id, { amount: 301 }), 422, 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', 'amount');
    for (const amount of [-1, -300, 0]) expect((await refund(id, { amount })).status).toBe(422);
    expect((await refund(id, { amount: 300 })).status).toBe(200);
  });

  it('are paid once after a double click, and the other answer names the refundable amount (alphagov/pay-publicapi PR#122; Shopify/shopify-api-ruby#592)', async () => {
    const { id } = await sold([{ price: 1_000 }], 1_000);
    const { body: seen } = await api.call('POST /refunds/preview', { body: { payment_id: id, amount: 400 } });
    expect(seen).toMatchObject({ refundable: 1_000, gross: 400 });
    const asked = { amount: 400, expected_refundable: seen.refundable };
    const answers = await Promise.all([refund(id, asked), refund(id, asked)]);
    expect(outcomes(answers)).toEqual({ 200: 1, '409 CONFLICT': 1 });
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.headers['x-should-retry']).toBe('false');
    expect(refused?.body.refundable_amount).toBe(600);
  });

  it('do not block the next refund when they fail (antiwork/gumroad PR#5779)', async () => {
    const { id } = await sold([{ price: 1_000 }], 1_000, { card: cards.failingRefunds });
    const { body } = await refund(id);
    expectProblem(await refund(id), 422, 'NOTHING_TO_REFUND');
    await finishRefund(body.refund_id);
    expect((await paymentOf(id)).refund_status).toBeNull();
    expect((await refund(id)).body).toMatchObject({ amount: 1_000, is_partial: false });
  });

  it('return a tax-inclusive order in full, to the cent, at any price (woocommerce#26734, #30263, #41919, #64668, #25634, #10162; woocommerce-ios PR#17630)', async () => {
    for (const [price, quantity, category] of [
      [17_926, 1, 'saas'],
      [5_975, 3, 'saas'],
      [199, 7, 'e_book'],
      [51, 1, 'saas'],
      [3_333, 3, 'e_book'],
    ] as const) {
      const total = price * quantity;
      const { id } = await sold([{ price, quantity, category }], total);
      expect((await refund(id)).body).toMatchObject({ amount: total, is_partial: false });
      expect(await paymentOf(id)).toMatchObject({ refundable_amount: 0, refund_status: 'full' });
    }
  });

  it('return exactly the requested amount with several tax rates: 50.00 is 50.00 (woocommerce PR#63046)', async () => {
    const lines: Sold[] = [{ price: 3_333 }, { price: 2_999, category: 'e_book' }, { price: 1_777 }];
    const { id } = await sold(lines, 8_109);
    const { body } = await refund(id, { amount: 5_000 });
    expect(body.amount).toBe(5_000);
    expect(body.items.reduce((sum: number, item: { amount: number }) => sum + item.amount, 0)).toBe(5_000);
    expect((await refund(id)).body.amount).toBe(3_109);
  });

  it('in several parts return the tax that was paid, never more, and move none of it into the net (polarsource/polar#13770, PR#13381, #8350)', async () => {
    const { id } = await sold([{ price: 1_199, isInclusive: false }], 1_427); // 11.99 × 0.19 = 2.28
    let [gross, tax] = [0, 0];
    for (const amount of [1, 333, 333, 333, 2, 424, 1]) {
      const { body } = await refund(id, { amount });
      gross += body.amount;
      tax += body.tax;
      expect(tax).toBeLessThanOrEqual(228);
      expect(gross - tax).toBeLessThanOrEqual(1_199);
    }
    expect([gross, tax]).toEqual([1_427, 228]);
  });

  it('in parts add up to the whole: thirds of 334.99 and of 1.00 (getlago/lago PR#2643, PR#4553, #3956, #829, #784; akira-io/laravel-sisp#282)', async () => {
    for (const [total, parts] of [
      [33_499, [11_166, 11_166, 11_167]],
      [100, [33, 33, 34]],
    ] as const) {
      const { id } = await sold([{ price: total }], total);
      const { tax } = await paymentOf(id);
      let returned = 0;
      for (const amount of parts) returned += (await refund(id, { amount })).body.tax;
      expect(returned).toBe(tax);
      expectProblem(await refund(id, { amount: 1 }), 422, 'PAYMENT_ALREADY_REFUNDED');
    }
  });

  it('are gross or net as the request says, and the recorded amount is the paid amount (PrestaShop#23821, #32762, PR#7236)', async () => {
    const { id, items } = await sold([{ price: 11_900 }], 11_900); // net 100.00, tax 19.00
    const gross = await refund(id, { amount: 1_190, tax_inclusive: true });
    const net = await refund(id, { amount: 1_000, tax_inclusive: false });
    const line = await refund(id, { items: [{ item_id: items[0], amount: 1_000, tax_inclusive: false }] });
    for (const { body } of [gross, net, line]) expect(body).toMatchObject({ amount: 1_190, tax: 190 });
    const { body } = await api.call(`GET /refunds/${net.body.refund_id}`);
    expect(body).toEqual(net.body);
  });

  it('of part of a line include that line’s share of its tax rate, each time (mollie/Shopware6#1244, #1374; magento2#14713, #32222; vendure#989)', async () => {
    const { id, items } = await sold([{ price: 11_900 }, { price: 10_700, category: 'e_book' }], 22_600);
    const [one, other] = items as [string, string];
    const part = async (item_id: string, amount: number) => (await refund(id, { items: [{ item_id, amount }] })).body;
    expect(await part(one, 1_190)).toMatchObject({ amount: 1_190, tax: 190 });
    expect(await part(other, 1_070)).toMatchObject({ amount: 1_070, tax: 70 });
    expect(await part(one, 1_190)).toMatchObject({ amount: 1_190, tax: 190 });
    expect(await part(other, 9_630)).toMatchObject({ amount: 9_630, tax: 630 });
    const lines = await linesOf(id);
    expect(lines.map((line: { refundable_amount: number }) => line.refundable_amount)).toEqual([9_520, 0]);
    expectProblem(await refund(id, { items: [{ item_id: other, amount: 1 }] }), 422, 'LINE_ITEM_FULLY_REFUNDED');
  });

  it('show the right refundable amount for inclusive and exclusive prices (medusajs/medusa#13883, #14136, #15885)', async () => {
    const { id } = await sold([{ price: 1_000 }, { price: 1_000, isInclusive: false }], 2_190);
    expect((await paymentOf(id)).refundable_amount).toBe(2_190);
    await refund(id, { amount: 1_095 });
    const lines = await linesOf(id);
    const left = lines.map((line: { refundable_amount: number }) => line.refundable_amount);
    expect([(await paymentOf(id)).refundable_amount, left[0] + left[1]]).toEqual([1_095, 1_095]);
  });

  it('are refused when a line is named twice, or the amount is 0 (vendure#4135, #2302, #2523)', async () => {
    const { id, items } = await sold([{ price: 1_000 }], 1_000);
    const item = { item_id: items[0], amount: 400 };
    expectProblem(await refund(id, { items: [item, item] }), 422, 'DUPLICATE_LINE_ITEMS_IN_REQUEST');
    expectProblem(await refund(id, { items: [{ ...item, amount: 0 }] }), 422, 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW');
    expect((await paymentOf(id)).refundable_amount).toBe(1_000);
  });

  it.each([
    { currency: 'JPY', price: 5_000 },
    { currency: 'KWD', price: 12_345 },
    { currency: 'EUR', price: 123_456 },
  ])(
    'in $currency are paid in its own minor units (woocommerce-gateway-stripe#435, #370; gumroad PR#3749; sfcc-connector PR#31; active_merchant#1943, PR#5162; wp-calypso#57181)',
    async ({ currency, price }) => {
      const { id } = await sold([{ price, currency }], price);
      expect((await refund(id, { amount: 1 })).body).toMatchObject({ amount: 1, currency });
      expect((await refund(id)).body).toMatchObject({ amount: price - 1, currency });
      for (const amount of ['50.00', '1,000', 50.5]) expect((await refund(id, { amount })).status).toBe(422);
    },
  );

  it('return the whole tax once, and keep the net, when the tax id comes after the sale (gumroad#721, PR#4717; IlluminatedCloud#819)', async () => {
    const { id } = await sold([{ price: 11_900 }, { price: 10_700, category: 'e_book' }], 22_600);
    const { tax } = await paymentOf(id);
    expect((await refund(id, { type: 'tax', tax_reason: 'exempt' })).body).toMatchObject({ amount: tax, tax: 2_600 });
    expectProblem(await refund(id, { type: 'tax', tax_reason: 'exempt' }), 422, 'NOTHING_TO_REFUND');
    expect((await refund(id)).body).toMatchObject({ amount: 20_000, tax: 0 });
  });

  it('of tax, of lines and of the whole, at the same time, never exceed the payment (hyperswitch PR#10533)', async () => {
    const { id, items } = await sold([{ price: 11_900 }, { price: 11_900 }], 23_800);
    const asked = [
      { type: 'tax', tax_reason: 'exempt' },
      {},
      { items: [{ item_id: items[0] }] },
      { amount: 12_000 },
      { amount: 12_000 },
    ];
    const answers = await Promise.all(asked.map((fields) => refund(id, fields)));
    const told = answers.reduce((sum, { status, body }) => sum + (status === 200 ? body.amount : 0), 0);
    expect(told).toBeLessThanOrEqual(23_800);
    expect((await paymentOf(id)).refundable_amount).toBe(23_800 - told);
  });

  it('return a price that the buyer chose exactly as it was paid, also in another country', async () => {
    const product = await addProduct(api, support);
    const chosen = { amounts: new Map([[product, 1_234]]), expectedTotal: 1_234, ...billingIn('FR') };
    const payment = await pay(await createSession(api, [{ product_id: product, quantity: 1 }]), chosen);
    expect((await refund(payment.id)).body).toMatchObject({ amount: 1_234, tax: payment.tax, is_partial: false });
  });
});
