import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../../shared/store/keys.ts';
import { table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let product: string;
beforeAll(async () => {
  api = await startApi();
  product = await addProduct(api);
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const newCode = (): string => `C${randomUUID().slice(0, 8)}`.toUpperCase();
/** Twenty percent: 19.99 becomes 15.99, because half of 3.998 is rounded up to 4.00. */
const made = async (fields: object = {}): Promise<{ discount_id: string; code: string }> =>
  (await api.call('POST /discounts', { body: { type: 'percentage', amount: 2_000, code: newCode(), ...fields } })).body;
const open = (fields: object = {}) =>
  api.call('POST /checkouts', { body: { product_cart: [{ product_id: product, quantity: 1 }], ...fields } });
const opened = async (fields: object = {}): Promise<string> => (await open(fields)).body.session_id;
const buyerOf = (email: string) => ({
  customer: { email, name: 'A Buyer' },
  billing_address: { country: 'DE' },
});
const pay = (session: string, fields: object = {}, email = 'buyer@example.com') =>
  api.call(`POST /checkout/${session}/pay`, {
    key: null,
    body: { ...buyerOf(email), test_card: '4242', ...fields },
  });
const usesOf = async (id: string): Promise<number> => (await api.call(`GET /discounts/${id}`)).body.times_used;
const lastFour = (card: string): string => card.slice(-4);

describe('a session with a code', () => {
  it('charges the lower price, and shows the code in every view of the payment', async () => {
    const { discount_id: id, code } = await made({ name: 'Spring' });
    const session = await opened({ discount_codes: [code.toLowerCase()] });
    expect((await api.call(`GET /checkouts/${session}`)).body.discount_codes).toEqual([code]);
    const { body: charge } = await pay(session, { expected_total: 1_599 });
    expect(charge).toMatchObject({ status: 'succeeded', total_amount: 1_599, tax: 105 }); // 1599 × 7 / 107 = 104.6
    const { body: payment } = await api.call(`GET /payments/${charge.payment_id}`);
    expect(payment).toMatchObject({
      discount_id: id,
      discount_amount: 400,
      total_amount: 1_599,
      settlement_amount: 1_599,
    });
    expect(payment.discounts).toEqual([
      {
        discount_id: id,
        business_id: 'demo',
        type: 'percentage',
        amount: 2_000,
        code,
        name: 'Spring',
        position: 0,
        restricted_to: [],
        times_used: 1,
        usage_limit: null,
        expires_at: null,
        created_at: expect.any(String),
        metadata: {},
        preserve_on_plan_change: false,
        cycles_remaining: null,
        subscription_cycles: null,
        discount_amount: 400,
      },
    ]);
    const { items } = (await api.call(`GET /payments/${charge.payment_id}/line-items`)).body;
    expect(items[0]).toMatchObject({
      unit_amount: 1_999,
      discount_amount: 400,
      amount: 1_599,
      refundable_amount: 1_599,
    });
    expect((await api.call(`GET /payments/${charge.payment_id}/calculation`)).body.verified).toBe(true);
    const { items: found } = (await api.call('GET /payments', { query: `discount_id=${id}` })).body;
    expect(found.map(({ payment_id }: { payment_id: string }) => payment_id)).toEqual([charge.payment_id]);
    expect(await usesOf(id)).toBe(1);
  });

  it('applies several codes in their order, and a refund returns the amount that was paid', async () => {
    const [first, second] = [await made(), await made({ amount: 5_000 })];
    const session = await opened({ discount_codes: [second.code, first.code] });
    // 1999 × 50 % = 999.5 → 1000 off, 999 left; 999 × 20 % = 199.8 → 200 off
    const { body } = await pay(session, { expected_total: 799 });
    expect(body.total_amount).toBe(799);
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: body.payment_id } });
    expect(refund.amount).toBe(799);
    expect(await usesOf(first.discount_id)).toBe(1);
  });

  it('costs nothing at 100 %: the processor is not called, and the use counts', async () => {
    const { discount_id: id, code } = await made({ amount: 10_000, usage_limit: 1 });
    expect((await pay(await opened({ discount_code: code }))).body).toMatchObject({
      status: 'succeeded',
      total_amount: 0,
    });
    expect(await usesOf(id)).toBe(1);
  });

  it('counts no use for a line whose price is already 0', async () => {
    const [all, more] = [await made({ amount: 10_000 }), await made()];
    const { body } = await pay(await opened({ discount_codes: [all.code, more.code] }));
    const { body: payment } = await api.call(`GET /payments/${body.payment_id}`);
    expect(payment.discounts).toHaveLength(1);
    expect(await usesOf(more.discount_id)).toBe(0);
  });

  it('never lowers a price that the buyer chose below its minimum, unless the code allows it', async () => {
    const gift = await addProduct(api, support); // at least 5.00
    const cart = { product_cart: [{ product_id: gift, quantity: 1, amount: 800 }] };
    const { code } = await made({ amount: 5_000 });
    const below = await made({ amount: 5_000, below_minimum: true });
    expect((await pay(await opened({ ...cart, discount_codes: [code] }))).body.total_amount).toBe(500);
    expect((await pay(await opened({ ...cart, discount_codes: [below.code] }))).body.total_amount).toBe(400);
  });

  it('keeps the terms of a code from when it was applied, even if the code expires later', async () => {
    clock.stopAt('2030-03-01T12:00:00.000Z');
    const { discount_id: id, code } = await made({ expires_at: '2030-03-01T12:00:01Z' });
    const session = await opened({ discount_codes: [code] });
    await api.call(`PATCH /discounts/${id}`, { body: { amount: 100 } });
    clock.forward({ hours: 23 });
    expectProblem(await open({ discount_codes: [code] }), 422, 'DISCOUNT_CODE_EXPIRED', 'discount_codes[0]');
    expect((await pay(session)).body.total_amount).toBe(1_599);
  });

  it('refuses the payment instead of charging more when the code was deleted or used up in the meantime', async () => {
    const deleted = await made();
    const used = await made({ usage_limit: 1 });
    const sessions = [await opened({ discount_codes: [deleted.code] }), await opened({ discount_codes: [used.code] })];
    await api.call(`DELETE /discounts/${deleted.discount_id}`);
    await pay(await opened({ discount_codes: [used.code] }));
    const [first, second] = await Promise.all(sessions.map((session) => pay(session)));
    expectProblem(first!, 422, 'INVALID_DISCOUNT_CODE', 'discount_codes[0]');
    expectProblem(second!, 422, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED', 'discount_codes[0]');
    for (const session of sessions)
      expect((await api.call(`GET /checkouts/${session}`)).body).toMatchObject({ status: 'open', payment_id: null });
    expect(await usesOf(used.discount_id)).toBe(1);
  });

  it.each([
    ['unknown', () => ({}), 'INVALID_DISCOUNT_CODE'],
    [
      'for another product',
      async () => ({ restricted_to: [await addProduct(api)] }),
      'DISCOUNT_NOT_AVAILABLE_FOR_PRODUCT',
    ],
    ['not for the currency', () => ({ currency_options: [{ currency: 'USD' }] }), 'EXCHANGE_RATE_NOT_FOUND'],
    [
      'for more than the cart lists',
      () => ({ currency_options: [{ currency: 'EUR', minimum_subtotal: 2_000 }] }),
      'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET',
    ],
    ['not begun', () => ({ starts_at: '2099-01-01T00:00:00Z' }), 'DISCOUNT_NOT_YET_ACTIVE'],
  ])('422: is refused when the discount code is %s', async (what, fields, fault) => {
    const { code } = what === 'unknown' ? { code: 'NOSUCHCODE' } : await made(await fields());
    expectProblem(await open({ discount_codes: [code] }), 422, fault, 'discount_codes[0]');
    const cart = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes: [code] };
    const { body } = await api.call('POST /checkouts/preview', { body: cart });
    expect(body.total_price).toBe(1_999);
    expect(body.discounts).toEqual([{ code, amount: 0, problem: { code: fault, message: expect.any(String) } }]);
  });

  it('422: is refused when the total is above 0 but below the smallest card payment', async () => {
    const { code } = await made({ amount: 9_990 }); // 1999 × 99.9 % → 2 left
    expectProblem(await open({ discount_codes: [code] }), 422, 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT');
  });

  it.each([
    ['both fields', { discount_code: 'ONE', discount_codes: ['TWO'] }, 'discount_code'],
    ['a code twice, in any case', { discount_codes: ['ONE', 'one'] }, 'discount_codes'],
  ])('422: is refused with %s', async (_, fields, param) =>
    expectProblem(await open(fields), 422, 'INVALID_REQUEST_PARAMETERS', param),
  );
});

describe('POST /checkouts/preview', () => {
  it('shows the discount of each code, and the amounts add up', async () => {
    const { code } = await made();
    const cart = { product_cart: [{ product_id: product, quantity: 3 }], discount_codes: [code, 'NOSUCHCODE'] };
    const { body } = await api.call('POST /checkouts/preview', {
      body: { ...cart, billing_address: { country: 'DE' } },
    });
    // 5997 × 20 % = 1199.4 → 1199 off; 4798 × 7 / 107 = 313.9 → 314; 5997 × 7 / 107 = 392.3 → 392, net 5605
    expect(body.current_breakup).toEqual({
      subtotal: 5_605,
      discount: 1_121,
      tax: 314,
      total_amount: 4_798,
      listed_subtotal: 5_997,
      listed_discount: 1_199,
    });
    expect(body.product_cart[0]).toMatchObject({
      og_price: 1_999,
      discounted_price: 1_599, // 4798 / 3 = 1599.3
      line_discount: 1_199,
      discount_amount: 2_000,
    });
    expect(body.discounts).toEqual([
      { code, amount: 1_199, problem: null },
      { code: 'NOSUCHCODE', amount: 0, problem: { code: 'INVALID_DISCOUNT_CODE', message: expect.any(String) } },
    ]);
  });
});

describe('the uses of a code', () => {
  it('go to exactly seven of fifty buyers at once when the limit is seven', async () => {
    const { discount_id: id, code } = await made({ usage_limit: 7 });
    const sessions = await Promise.all(Array.from({ length: 50 }, () => opened({ discount_codes: [code] })));
    const answers = await Promise.all(sessions.map((session, index) => pay(session, {}, `buyer-${index}@example.com`)));
    const codes = answers.map(({ status, body }) => (status === 200 ? body.status : body.code));
    const counted = Object.fromEntries(
      [...new Set(codes)].map((what) => [what, codes.filter((one) => one === what).length]),
    );
    expect(counted).toEqual({ succeeded: 7, DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED: 43 });
    expect(await usesOf(id)).toBe(7);
  });

  it('are reserved while a payment is processing, and freed when it fails', async () => {
    const { discount_id: id, code } = await made({ usage_limit: 1, per_customer_usage_limit: 1 });
    const [slow, late] = [await opened({ discount_codes: [code] }), await opened({ discount_codes: [code] })];
    const { body } = await pay(slow, { test_card: lastFour(cards.slowDecline) });
    expect([body.status, await usesOf(id)]).toEqual(['processing', 1]);
    expectProblem(await pay(late), 422, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    clock.forward({ minutes: 1 });
    await finishPayment(body.payment_id);
    expect(await usesOf(id)).toBe(0);
    expect((await pay(late)).body.total_amount).toBe(1_599);
    expect(await usesOf(id)).toBe(1);
  });

  it('are freed when a card is declined immediately', async () => {
    const { discount_id: id, code } = await made({ usage_limit: 1 });
    const session = await opened({ discount_codes: [code] });
    expect((await pay(session, { test_card: lastFour(cards.declined) })).body.status).toBe('failed');
    expect(await usesOf(id)).toBe(0);
    expect((await pay(session)).body.status).toBe('succeeded');
  });

  it('stay counted after a refund', async () => {
    const { discount_id: id, code } = await made();
    const { body } = await pay(await opened({ discount_codes: [code] }));
    await api.call('POST /refunds', { body: { payment_id: body.payment_id } });
    expect(await usesOf(id)).toBe(1);
  });

  it('are counted once for one session in two tabs', async () => {
    const { discount_id: id, code } = await made();
    const session = await opened({ discount_codes: [code] });
    const answers = await Promise.all([pay(session), pay(session), pay(session)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await usesOf(id)).toBe(1);
  });

  it('are limited per customer, even in two sessions at the same time', async () => {
    const { code } = await made({ per_customer_usage_limit: 1 });
    const sessions = [await opened({ discount_codes: [code] }), await opened({ discount_codes: [code] })];
    const answers = await Promise.all(sessions.map((session) => pay(session, {}, 'Reader@example.com')));
    expect(answers.map(({ body }) => body.code ?? body.status).sort()).toEqual([
      'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
      'succeeded',
    ]);
    expect((await pay(await opened({ discount_codes: [code] }), {}, 'other@example.com')).body.status).toBe(
      'succeeded',
    );
  });

  it('are counted even before a limit is set, and a limit below their number is refused', async () => {
    const { discount_id: id, code } = await made();
    for (let buyer = 0; buyer < 5; buyer += 1)
      await pay(await opened({ discount_codes: [code] }), {}, `late-${buyer}@example.com`);
    const limit = (usage_limit: number | null) => api.call(`PATCH /discounts/${id}`, { body: { usage_limit } });
    expectProblem(await limit(4), 422, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED', 'usage_limit');
    expect((await limit(6)).body.times_used).toBe(5);
    const [sixth, seventh] = [await opened({ discount_codes: [code] }), await opened({ discount_codes: [code] })];
    expect((await pay(sixth)).body.status).toBe('succeeded');
    expectProblem(await pay(seventh), 422, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    expectProblem(await api.call(`GET /discounts/code/${code}`), 422, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');
    await limit(null);
    expect((await pay(seventh)).body.status).toBe('succeeded');
    expect(await usesOf(id)).toBe(7);
  });
});

describe('npm run books -- check', () => {
  const changed = async (key: { pk: string; sk: string }, used: number) => {
    const rows = await scanRows(table().client, table().name);
    return moneyContradictions(
      rows.map((row) =>
        row['pk'] === key.pk && row['sk'] === key.sk
          ? { ...row, data: { ...(row['data'] as object), used, paid: used } }
          : row,
      ),
    );
  };

  it('finds a wrong count of uses and a limit that was exceeded', async () => {
    const { discount_id: id, code } = await made({ usage_limit: 1 });
    const { body } = await pay(await opened({ discount_codes: [code] }));
    const { customer } = (await api.call(`GET /payments/${body.payment_id}`)).body;
    const uses = keys.discountShard(id, 0);
    const own = { pk: `DISCOUNT#BUYER#${id}#${customer.customer_id}`, sk: 'BUYER' };
    expect(await changed(uses, 1)).toEqual([]);
    expect(await changed(uses, 0)).toEqual([`${id}: it counts 0 uses, but 1 payments have its code`]);
    expect(await changed(uses, 2)).toEqual([
      `${id}: it counts 2 uses, but 1 payments have its code`,
      `${id}: it counts 2 uses, above its limit of 1`,
    ]);
    expect(await changed(own, 1)).toEqual([
      `${id}: it counts 2 uses of ${customer.customer_id}, but 1 payments have its code`,
    ]);
  });
});
