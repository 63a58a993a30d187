import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, support } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { countRows } from '../../support/table/rows.ts';
import { dialect, missingKeys, strayKeys } from '../../support/wire/dialect.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let books: [string, string];
beforeAll(async () => {
  api = await startApi({ ...testMerchant, refundWindowDays: 14 });
  const price = { ...fieldGuide.price, price: 1_190 };
  const inclusive = await addProduct(api, { price, tax_category: 'saas' });
  const exclusive = await addProduct(api, { price: { ...price, price: 2_000, tax_inclusive: false } });
  books = [inclusive, exclusive];
});
afterEach(() => clock.run());
afterAll(() => api.stop());
useShortPauses();

const unknown = (prefix: string) => `${prefix}_${'x'.repeat(21)}`;
const complete = { missing: [], stray: [] };
const keysOf = (answer: object, keys: readonly string[]) => ({
  missing: missingKeys(answer, keys),
  stray: strayKeys(answer, keys),
});

/** 11.90 with 19 % inside (net 10.00, tax 1.90), and 20.00 with 7 % on top (gross 21.40, tax 1.40): 33.30, of which 3.30 is tax. */
async function order(asked: Partial<Submission> = {}): Promise<string> {
  const sessionId = await createSession(api, [
    { product_id: books[0], quantity: 1 },
    { product_id: books[1], quantity: 1 },
  ]);
  return (await pay(sessionId, { expectedTotal: 3_330, ...asked })).id;
}

const refund = (paymentId: string, fields: object = {}, headers: Record<string, string> = {}) =>
  api.call('POST /refunds', { body: { payment_id: paymentId, ...fields }, headers });
const paymentOf = async (id: string) => (await api.call(`GET /payments/${id}`)).body;
const linesOf = async (id: string) => (await api.call(`GET /payments/${id}/line-items`)).body.items;

describe('POST /refunds', () => {
  it('200: without amount and items refunds everything, with every documented key', async () => {
    const id = await order();
    const { status, body } = await refund(id, {
      reason: 'Changed their mind',
      public_reason: 'Returned',
      metadata: { ticket: 7 },
    });
    expect(status).toBe(200);
    expect(keysOf(body, dialect.refund)).toEqual(complete);
    expect(keysOf(body.customer, dialect.customer)).toEqual(complete);
    for (const line of body.items) expect(keysOf(line, dialect.refundLine)).toEqual(complete);
    expect(body).toMatchObject({
      payment_id: id,
      business_id: 'demo',
      status: 'succeeded',
      amount: 3_330,
      tax: 330,
      currency: 'EUR',
      is_partial: false,
      tax_inclusive: true,
      reason: 'Changed their mind',
      public_reason: 'Returned',
      metadata: { ticket: 7 },
      items: [
        { item_id: books[0], amount: 1_190, tax: 190, tax_inclusive: true },
        { item_id: books[1], amount: 2_140, tax: 140, tax_inclusive: true },
      ],
    });
    expect(body.refund_id).toMatch(/^ref_[A-Za-z0-9]{21}$/);
    expect((await api.call(`GET /refunds/${body.refund_id}`)).body).toEqual(body);
    expect(await paymentOf(id)).toMatchObject({ refund_status: 'full', refundable_amount: 0, total_amount: 3_330 });
  });

  it.each([
    ['null', { amount: null, items: null }],
    ['nothing but the flag', { tax_inclusive: false }],
  ])('200: with %s refunds everything as well', async (_, fields) => {
    expect((await refund(await order(), fields)).body).toMatchObject({ amount: 3_330, tax: 330, is_partial: false });
  });

  it('200: refunds exactly the amount that a buyer chose to pay', async () => {
    const tip = await addProduct(api, support);
    const sessionId = await createSession(api, [{ product_id: tip, quantity: 1 }]);
    const { id } = await pay(sessionId, { expectedTotal: 1_337, amounts: new Map([[tip, 1_337]]) });
    // 13.37 × 19 / 119 = 2.1347…
    expect((await refund(id)).body).toMatchObject({ amount: 1_337, tax: 213, is_partial: false });
  });

  it('200: spreads a gross amount over the lines, including its share of the tax', async () => {
    // 10.00 over 11.90 : 21.40 is 3.57 and 6.43; 357 × 190 / 1190 = 57, 643 × 140 / 2140 = 42.07
    expect((await refund(await order(), { amount: 1_000 })).body).toMatchObject({
      amount: 1_000,
      tax: 99,
      is_partial: true,
      items: [
        { amount: 357, tax: 57 },
        { amount: 643, tax: 42 },
      ],
    });
  });

  it('200: adds each line’s tax to a net amount, and pays out the sum', async () => {
    // 10.00 over nets of 10.00 : 20.00 is 3.33 and 6.67; 3.33 + 0.63, 6.67 + 0.47
    expect((await refund(await order(), { amount: 1_000, tax_inclusive: false })).body).toMatchObject({
      amount: 1_110,
      tax: 110,
      tax_inclusive: false,
      items: [
        { amount: 396, tax: 63, tax_inclusive: false },
        { amount: 714, tax: 47, tax_inclusive: false },
      ],
    });
  });

  it.each([
    ['gross when it says nothing', { amount: 595 }, {}, 595, 95],
    ['gross by its own flag', { amount: 595, tax_inclusive: true }, {}, 595, 95],
    ['net by its own flag', { amount: 500, tax_inclusive: false }, {}, 595, 95], // 5.00 + 19 %
    ['net by the body’s flag', { amount: 500 }, { tax_inclusive: false }, 595, 95],
    [
      'gross by its own flag, which wins over the body’s',
      { amount: 595, tax_inclusive: true },
      { tax_inclusive: false },
      595,
      95,
    ],
    ['whole without an amount', {}, {}, 1_190, 190],
    ['whole with null for the amount, whatever the flag', { amount: null, tax_inclusive: false }, {}, 1_190, 190],
  ])('200: reads the amount of an item as %s', async (_, item, fields, amount, tax) => {
    const { body } = await refund(await order(), { items: [{ item_id: books[0], ...item }], ...fields });
    expect(body).toMatchObject({ amount, tax, is_partial: true, items: [{ item_id: books[0], amount, tax }] });
    expect(body.items).toHaveLength(1);
  });

  it('200: partial refunds add up to the payment, and the last one includes the last cent of tax', async () => {
    const id = await order();
    const parts = [
      { amount: 333 },
      { items: [{ item_id: books[1], amount: 1_000, tax_inclusive: false }] },
      { amount: 777, tax_inclusive: false },
      {},
    ];
    let [amount, tax] = [0, 0];
    for (const part of parts) {
      const { status, body } = await refund(id, part);
      expect(status).toBe(200);
      [amount, tax] = [amount + body.amount, tax + body.tax];
    }
    expect({ amount, tax }).toEqual({ amount: 3_330, tax: 330 });
    expect((await linesOf(id)).map((line: { refundable_amount: number }) => line.refundable_amount)).toEqual([0, 0]);
    const payment = await paymentOf(id);
    expect(payment).toMatchObject({ refund_status: 'full' });
    expect(payment.refunds).toHaveLength(4);
    for (const item of payment.refunds) expect(keysOf(item, dialect.refundItem)).toEqual(complete);
  });

  it('200: never refunds more than was paid when many requests arrive at once', async () => {
    const id = await order();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id, { amount: 1_000 })));
    const paid = answers.filter(({ status }) => status === 200);
    for (const { status, body } of answers)
      if (status !== 200) expect(['REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', 'SERVICE_UNAVAILABLE']).toContain(body.code);
    expect(paid.length).toBeGreaterThan(0);
    expect(paid.length).toBeLessThanOrEqual(3);
    expect((await paymentOf(id)).refundable_amount).toBe(3_330 - paid.length * 1_000);
  });

  it('200: of two simultaneous refunds of 60 from 100, one is paid and one refused (juspay/hyperswitch#13182, fossasia/eventyay#1405)', async () => {
    const id = await order();
    const answers = await Promise.all([refund(id, { amount: 1_998 }), refund(id, { amount: 1_998 })]); // 60 % each
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await paymentOf(id)).refundable_amount).toBe(1_332);
  });

  const item =
    (fields: object = {}) =>
    () => ({ items: [{ item_id: books[0], ...fields }] });

  it.each([
    ['more than was paid', () => ({ amount: 3_331 }), 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', 'amount'],
    [
      'more net than was paid',
      () => ({ amount: 3_001, tax_inclusive: false }),
      'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT',
      'amount',
    ],
    ['more than was paid for a line', item({ amount: 1_191 }), 'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH', 'items[0].amount'],
    [
      'more net than a line has',
      item({ amount: 1_001, tax_inclusive: false }),
      'LINE_ITEM_REFUND_AMOUNT_TOO_HIGH',
      'items[0].amount',
    ],
    ['nothing of a line', item({ amount: 0 }), 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW', 'items[0].amount'],
    ['less than nothing of a line', item({ amount: -1 }), 'LINE_ITEM_REFUND_AMOUNT_TOO_LOW', 'items[0].amount'],
    ['a fraction of a line', item({ amount: 10.5 }), 'INVALID_REQUEST_BODY', 'items[0].amount'],
    ['text for a line’s amount', item({ amount: '10' }), 'INVALID_REQUEST_BODY', 'items[0].amount'],
    ['more of a line than 32 bits hold', item({ amount: 2 ** 31 }), 'INTEGER_CONVERSION_FAILURE', 'items[0].amount'],
    ['an unknown line', () => ({ items: [{ item_id: unknown('pdt') }] }), 'LINE_ITEM_NOT_FOUND', 'items[0].item_id'],
    [
      'a line twice',
      () => ({ items: [{ item_id: books[0] }, { item_id: books[0], amount: 1 }] }),
      'DUPLICATE_LINE_ITEMS_IN_REQUEST',
      'items',
    ],
    ['no lines', () => ({ items: [] }), 'INVALID_REQUEST_BODY', 'items'],
    [
      'an amount and lines',
      () => ({ amount: 1, items: [{ item_id: books[0] }] }),
      'INVALID_REQUEST_PARAMETERS',
      'amount',
    ],
    ['nothing', () => ({ amount: 0 }), 'INVALID_REQUEST_BODY', 'amount'],
    ['less than nothing', () => ({ amount: -1 }), 'INTEGER_CONVERSION_FAILURE', 'amount'],
    ['more than 32 bits hold', () => ({ amount: 2_147_483_648 }), 'INTEGER_CONVERSION_FAILURE', 'amount'],
    ['a fraction', () => ({ amount: 10.5 }), 'INVALID_REQUEST_BODY', 'amount'],
    ['text for an amount', () => ({ amount: '10' }), 'INVALID_REQUEST_BODY', 'amount'],
    ['an empty text for an amount', () => ({ amount: '' }), 'INVALID_REQUEST_BODY', 'amount'],
    ['text for the flag', () => ({ tax_inclusive: 'false' }), 'INVALID_REQUEST_BODY', 'tax_inclusive'],
    ['null for the flag', () => ({ tax_inclusive: null }), 'INVALID_REQUEST_BODY', 'tax_inclusive'],
    ['an unknown field', () => ({ colour: 'red' }), 'INVALID_REQUEST_BODY', 'colour'],
    ['an unknown field of a line', item({ price: 1 }), 'INVALID_REQUEST_BODY', 'items[0].price'],
    ['a line without its id', () => ({ items: [{ amount: 1 }] }), 'INVALID_REQUEST_BODY', 'items[0].item_id'],
    ['a reason of 3001 characters', () => ({ reason: 'x'.repeat(3_001) }), 'INVALID_REQUEST_BODY', 'reason'],
    [
      'a public reason of 3001 characters',
      () => ({ public_reason: 'x'.repeat(3_001) }),
      'INVALID_REQUEST_BODY',
      'public_reason',
    ],
    [
      'a card number as the public reason',
      () => ({ public_reason: 'card 4242-4242-4242-4242' }),
      'INVALID_REQUEST_BODY',
      'public_reason',
    ],
    ['a card number as the reason', () => ({ reason: 'card 4242-4242-4242-4242' }), 'INVALID_REQUEST_BODY', 'reason'],
    ['nested metadata', () => ({ metadata: { a: [] } }), 'INVALID_REQUEST_BODY', 'metadata.a'],
    [
      '51 metadata keys',
      () => ({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) }),
      'MAXIMUM_KEYS_REACHED',
      'metadata',
    ],
  ])('422: refuses %s, and nothing is refunded', async (_, fields, code, param) => {
    const id = await order();
    const before = await countRows(api);
    expectProblem(await refund(id, fields()), 422, code, param);
    expect(await countRows(api)).toEqual(before);
    expect(await paymentOf(id)).toMatchObject({ refund_status: null, refundable_amount: 3_330 });
  });

  it.each(['refund_id', 'status', 'is_partial', 'tax', 'customer', 'created_at', 'business_id', 'brand_id'])(
    '422: refuses %s, which only the server sets',
    async (field) => {
      expectProblem(await refund(await order(), { [field]: 'x' }), 422, 'INVALID_REQUEST_BODY', field);
    },
  );

  it('422: refuses a payment that is already fully refunded', async () => {
    const id = await order();
    await refund(id, { items: [{ item_id: books[0] }] });
    expectProblem(
      await refund(id, { items: [{ item_id: books[0], amount: 1 }] }),
      422,
      'LINE_ITEM_FULLY_REFUNDED',
      'items[0].item_id',
    );
    await refund(id);
    for (const fields of [{}, { amount: 1 }, { items: [{ item_id: books[1] }] }])
      expectProblem(await refund(id, fields), 422, 'PAYMENT_ALREADY_REFUNDED');
  });

  it('422: refuses a payment that has not succeeded', async () => {
    const failed = await order({ card: cards.declined });
    expectProblem(await refund(failed), 422, 'PAYMENT_NOT_SUCCEEDED');
    const processing = await order({ card: cards.slowSuccess });
    expectProblem(await refund(processing), 422, 'PAYMENT_NOT_SUCCEEDED');
    await finishPayment(processing);
    expect((await refund(processing)).status).toBe(200);
  });

  it('200, 422: accepts the currency of the payment, and refuses another one without a change', async () => {
    const id = await order();
    const items = [{ item_id: books[0], amount: 100 }];
    const refused = await refund(id, { items, currency: 'USD' });
    expectProblem(refused, 422, 'INVALID_REQUEST_PARAMETERS');
    expect(refused.body).toMatchObject({ param: 'currency', message: expect.stringContaining('was paid in EUR') });
    expectProblem(await refund(id, { items, currency: 'XXX' }), 422, 'UNSUPPORTED_CURRENCY');
    expect((await paymentOf(id)).refunds).toEqual([]);
    expect((await refund(id, { items, currency: 'EUR' })).body).toMatchObject({ amount: 100, currency: 'EUR' });
    expect((await refund(id, { currency: null })).status).toBe(200);
  });

  it('422: refuses a payment of amount zero', async () => {
    const free = await addProduct(api, { price: { ...support.price, price: 0 } });
    const sessionId = await createSession(api, [{ product_id: free, quantity: 1 }]);
    const { id } = await pay(sessionId, { expectedTotal: 0, amounts: new Map([[free, 0]]) });
    expectProblem(await refund(id), 422, 'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED');
  });

  it('422: refuses a refund after the merchant’s refund period, and names its days', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const [inTime, late] = [await order(), await order()];
    clock.stopAt('2026-03-15T12:00:00Z');
    expect((await refund(inTime, { amount: 1 })).status).toBe(200);
    clock.stopAt('2026-03-15T12:00:00.001Z');
    const answer = await refund(late, { amount: 1 });
    expectProblem(answer, 422, 'REFUND_WINDOW_EXPIRED');
    expect(answer.body.message).toMatch(/14 days/);
    expectProblem(
      await api.call('POST /refunds/preview', { body: { payment_id: late } }),
      422,
      'REFUND_WINDOW_EXPIRED',
    );
  });

  it('404, 401, 403: refuses an unknown payment, a request without a key, and a read-only key', async () => {
    expectProblem(await refund(unknown('pay')), 404, 'NOT_FOUND');
    expectProblem(await refund('pay_1'), 422, 'INVALID_REQUEST_BODY', 'payment_id');
    const body = { payment_id: await order() };
    expectProblem(await api.call('POST /refunds', { body, key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expectProblem(await api.call('POST /refunds', { body, key }), 403, 'UNAUTHORIZED');
  });
});
