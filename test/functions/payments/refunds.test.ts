import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { clock } from '../../support/clock.ts';
import { awsError, onEveryCommit, onNextCommit } from '../../support/faults/faults.ts';
import { type Api, type ApiAnswer, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment, finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, sell, support } from '../../support/shop/shop.ts';
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
  ])('200: %s for amount and items refunds everything as well', async (_, fields) => {
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

  it('200: accepts the currency of the payment; 422: refuses another one and changes nothing', async () => {
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

  it('404: an unknown payment; 401: no key; 403: a read-only key', async () => {
    expectProblem(await refund(unknown('pay')), 404, 'NOT_FOUND');
    expectProblem(await refund('pay_1'), 422, 'INVALID_REQUEST_BODY', 'payment_id');
    const body = { payment_id: await order() };
    expectProblem(await api.call('POST /refunds', { body, key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expectProblem(await api.call('POST /refunds', { body, key }), 403, 'UNAUTHORIZED');
  });
});

describe('a refund that stays pending at the processor', () => {
  it('reserves its amount while it is pending: only the rest can be refunded', async () => {
    const id = await order({ card: cards.slowRefunds });
    const { body } = await refund(id, { amount: 3_000 });
    expect(body.status).toBe('pending');
    expect(await paymentOf(id)).toMatchObject({ refund_status: null, refundable_amount: 330 });
    expectProblem(await refund(id, { amount: 331 }), 422, 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT', 'amount');
    expect((await refund(id, { amount: 330 })).body.status).toBe('pending');
    expectProblem(await refund(id), 422, 'NOTHING_TO_REFUND');
    await finishRefund(body.refund_id);
    expect((await api.call(`GET /refunds/${body.refund_id}`)).body).toMatchObject({
      status: 'succeeded',
      amount: 3_000,
    });
    expect(await paymentOf(id)).toMatchObject({ refund_status: 'partial', refundable_amount: 0 });
    expectProblem(await refund(id), 422, 'NOTHING_TO_REFUND');
  });

  it('has its end in the stored list, together with the tax date of its payment', async () => {
    const id = await order({ card: cards.slowRefunds });
    const { body } = await refund(id);
    clock.forward({ days: 2 });
    await finishRefund(body.refund_id);
    const { paymentLists, payments } = await import('../../../shared/wiring/runtime.ts');
    const [all, store] = [
      { size: 100, skip: 0, after: undefined },
      { ...payments(), ...paymentLists() },
    ];
    const refunds = await store.listRefunds({ createdFrom: body.created_at }, all);
    const row = refunds.items.find((one) => one.id === body.refund_id);
    const { updatedAt } = await store.getRefund(body.refund_id);
    expect(row).toMatchObject({ createdAt: body.created_at, updatedAt });
    expect(Date.parse(updatedAt) - Date.parse(body.created_at)).toBeGreaterThanOrEqual(2 * 86_400_000);
    const sold = await store.list({ matches: (one) => one.id === id }, all);
    expect(sold.items).toMatchObject([{ taxDate: (await store.get(id)).calculation.taxDate }]);
  });

  it('releases its amount once when it fails, and all of it can be refunded again (antiwork/gumroad#5779)', async () => {
    const id = await order({ card: cards.failingRefunds });
    const { body } = await refund(id, { amount: 1_000, tax_inclusive: false });
    await finishRefund(body.refund_id);
    await finishRefund(body.refund_id);
    expect((await api.call(`GET /refunds/${body.refund_id}`)).body).toMatchObject({
      status: 'failed',
      amount: body.amount,
    });
    const payment = await paymentOf(id);
    expect(payment).toMatchObject({ refund_status: null, refundable_amount: 3_330 });
    expect(payment.refunds).toMatchObject([{ refund_id: body.refund_id, status: 'failed' }]);
    expect((await refund(id)).body).toMatchObject({ amount: 3_330, tax: 330, is_partial: false });
  });

  it('stays pending until the processor answers (own-pay/OwnPay#222)', async () => {
    const id = await order({ card: cards.pendingRefunds });
    const { body } = await refund(id);
    clock.forward({ days: 30 });
    await finishRefund(body.refund_id);
    expect((await api.call(`GET /refunds/${body.refund_id}`)).body.status).toBe('pending');
  });
});

describe('GET /refunds/{refund_id}', () => {
  it('404: an unknown id; 401: no key; 200: a read-only key', async () => {
    for (const id of [unknown('ref'), unknown('pay'), 'REFUND%23x', 'x'.repeat(3_000)])
      expectProblem(await api.call(`GET /refunds/${id}`), 404, 'NOT_FOUND');
    const { body } = await refund(await order());
    const path = `GET /refunds/${body.refund_id}`;
    expectProblem(await api.call(path, { key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expect((await api.call(path, { key })).body).toEqual(body);
  });
});

describe('GET /refunds', () => {
  const list = async (query: Record<string, string | number>) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return (await api.call('GET /refunds', { query: search.toString() })).body;
  };
  const idsOf = (page: { items: { refund_id: string }[] }) => page.items.map(({ refund_id }) => refund_id);
  const since = { created_at_gte: '2031-01-01T00:00:00Z' };
  const ids: string[] = [];
  const customers: string[] = [];

  /** One refund an hour: succeeded, pending, failed, succeeded; the even ones of one buyer, the odd ones of another. */
  beforeAll(async () => {
    for (const [hour, card] of [cards.good, cards.pendingRefunds, cards.failingRefunds, cards.good].entries()) {
      clock.stopAt(`2031-01-01T0${hour}:00:00Z`);
      const { body } = await refund(await order({ card, email: `buyer${hour % 2}@example.com` }), {
        amount: 100 + hour,
      });
      await finishRefund(body.refund_id);
      ids.push(body.refund_id);
      customers.push(body.customer.customer_id);
    }
    clock.run();
  });

  const newestFirst = (...hours: number[]) => hours.sort((a, b) => b - a).map((hour) => ids[hour]);

  it('200: lists the newest first, with every key, as the payment itself lists them', async () => {
    const page = await list(since);
    expect(keysOf(page, dialect.page)).toEqual(complete);
    expect(idsOf(page)).toEqual(newestFirst(0, 1, 2, 3));
    for (const item of page.items) {
      expect(keysOf(item, dialect.refundItem)).toEqual(complete);
      expect((await paymentOf(item.payment_id)).refunds).toEqual([item]);
    }
  });

  it.each([
    ['succeeded', [0, 3]],
    ['pending', [1]],
    ['failed', [2]],
    ['review', []],
  ])('200: filters by the status %s', async (status, hours) => {
    expect(idsOf(await list({ ...since, status }))).toEqual(newestFirst(...hours));
  });

  it('200: filters by customer and time, both ends included', async () => {
    expect(idsOf(await list({ ...since, customer_id: customers[1] ?? '' }))).toEqual(newestFirst(1, 3));
    expect(idsOf(await list({ ...since, customer_id: customers[0] ?? '', status: 'failed' }))).toEqual(newestFirst(2));
    const hours = { created_at_gte: '2031-01-01T01:00:00Z', created_at_lte: '2031-01-01T02:00:00Z' };
    expect(idsOf(await list(hours))).toEqual(newestFirst(1, 2));
    expect(idsOf(await list({ ...hours, created_at_lte: '2031-01-01T00:00:00Z' }))).toEqual([]);
    expect(await list({ subscription_id: 'sub_1' })).toEqual({ items: [], has_more: false, next_cursor: null });
    for (const created_at_gte of ['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'])
      expectProblem(
        await api.call('GET /refunds', { query: `created_at_gte=${encodeURIComponent(created_at_gte)}` }),
        422,
        'INVALID_QUERY_PARAMS',
        'created_at_gte',
      );
  });

  it('200: every refund is on exactly one page, by number and by cursor', async () => {
    const [one, two] = [await list({ ...since, page_size: 3 }), await list({ ...since, page_size: 3, page_number: 2 })];
    expect([...idsOf(one), ...idsOf(two)]).toEqual(newestFirst(0, 1, 2, 3));
    expect([one.has_more, two.has_more, two.next_cursor]).toEqual([true, false, null]);
    const rest = await list({ ...since, page_size: 3, cursor: one.next_cursor });
    expect(idsOf(rest)).toEqual(idsOf(two));
  });

  it.each([
    'page_number=0',
    'page_size=101',
    'page_number=1001',
    'status=paid',
    'customer_id=cus_1',
    'created_at_gte=now',
    'payment_id=pay_1',
  ])('422: refuses %s', async (query) => {
    expectProblem(await api.call('GET /refunds', { query }), 422, 'INVALID_QUERY_PARAMS', query.split('=')[0]);
  });
});

describe('a refund with an Idempotency-Key', () => {
  const isReplay = (answer: ApiAnswer, of: ApiAnswer) => {
    expect({ status: answer.status, text: answer.text }).toEqual({ status: of.status, text: of.text });
    expect(answer.headers['idempotent-replayed']).toBe('true');
    expect(of.headers['idempotent-replayed']).toBeUndefined();
  };
  let serial = 0;
  const newKey = () => {
    serial += 1;
    return { 'idempotency-key': `refund-${serial}` };
  };
  const left = async (id: string) => (await paymentOf(id)).refundable_amount;

  it('is made once: a repeated request gets the same answer byte for byte', async () => {
    const [id, key] = [await order(), newKey()];
    const first = await refund(id, { amount: 100 }, key);
    for (let time = 0; time < 5; time += 1) isReplay(await refund(id, { amount: 100 }, key), first);
    expect(await left(id)).toBe(3_230);
  });

  it('is made once when ten equal requests arrive at the same time', async () => {
    const [id, key] = [await order(), newKey()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: 100 }, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await left(id)).toBe(3_230);
  });

  it('is refused with one answer when ten equal requests arrive at the same time', async () => {
    const [id, key] = [await order(), newKey()];
    const answers = await Promise.all(Array.from({ length: 10 }, () => refund(id, { amount: 9_999 }, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    for (const answer of answers) expectProblem(answer, 422, 'REFUND_AMOUNT_EXCEEDS_PAID_AMOUNT');
  });

  it('counts as a new refund after 48 hours: replayed after 47 hours, new after 49', async () => {
    const key = newKey();
    clock.stopAt('2026-03-01T12:00:00Z');
    const id = await order();
    const first = await refund(id, { amount: 100 }, key);
    clock.forward({ hours: 47 });
    isReplay(await refund(id, { amount: 100 }, key), first);
    clock.forward({ hours: 2 });
    const second = await refund(id, { amount: 100 }, key);
    expect(second.body.refund_id).not.toBe(first.body.refund_id);
    isReplay(await refund(id, { amount: 100 }, key), second);
    expect(await left(id)).toBe(3_130);
  });

  it('422: is refused when the key comes with another body, and changes nothing', async () => {
    const [id, key] = [await order(), newKey()];
    await refund(id, { amount: 100 }, key);
    expectProblem(await refund(id, { amount: 101 }, key), 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await left(id)).toBe(3_230);
  });

  it.each([
    ['a refusal of the amount', async (id: string) => ({ payment_id: id, amount: 9_999 }), 422],
    ['an unknown payment', async () => ({ payment_id: unknown('pay') }), 404],
  ])('is refused the same way again after %s', async (_, bodyOf, status) => {
    const [id, headers] = [await order(), newKey()];
    const body = await bodyOf(id);
    const first = await api.call('POST /refunds', { body, headers });
    expect(first.status).toBe(status);
    isReplay(await api.call('POST /refunds', { body, headers }), first);
  });

  it('is refused the same way again even when it could succeed now', async () => {
    const [id, key] = [await order({ card: cards.failingRefunds }), newKey()];
    const { body } = await refund(id);
    const first = await refund(id, {}, key);
    expectProblem(first, 422, 'NOTHING_TO_REFUND');
    await finishRefund(body.refund_id);
    isReplay(await refund(id, {}, key), first);
  });

  it.each([
    ['an invalid body', async (id: string, headers: object) => refund(id, { amount: 'x' }, { ...headers })],
    [
      'broken JSON',
      async (_: string, headers: object) =>
        api.call('POST /refunds', { raw: Buffer.from('{'), headers: { ...headers } }),
    ],
    [
      'no key',
      async (id: string, headers: object) =>
        api.call('POST /refunds', { body: { payment_id: id }, headers: { ...headers }, key: null }),
    ],
    [
      'a wrong content type',
      async (id: string, headers: object) => refund(id, {}, { ...headers, 'content-type': 'text/plain' }),
    ],
    [
      'a body that is too large',
      async (_: string, headers: object) =>
        api.call('POST /refunds', { raw: Buffer.alloc(300_000), headers: { ...headers } }),
    ],
  ])('can be corrected under the same key after %s', async (_, attempt) => {
    const [id, key] = [await order(), newKey()];
    expect((await attempt(id, key)).status).toBeGreaterThanOrEqual(400);
    expect((await refund(id, { amount: 100 }, key)).status).toBe(200);
  });

  it('can be repeated after a 503, which changed nothing', async () => {
    const [id, key] = [await order(), newKey()];
    const { heal } = onEveryCommit(() => Promise.reject(awsError('ThrottlingException')));
    expectProblem(await refund(id, { amount: 100 }, key), 503, 'SERVICE_UNAVAILABLE');
    heal();
    expect(await left(id)).toBe(3_330);
    expect((await refund(id, { amount: 100 }, key)).status).toBe(200);
    expect(await left(id)).toBe(3_230);
  });

  it('can be repeated after a 500, which changed nothing and reveals no details', async () => {
    const [id, key] = [await order(), newKey()];
    onNextCommit(() => Promise.reject(new Error('secret insides')));
    const failed = await refund(id, { amount: 100 }, key);
    expectProblem(failed, 500, 'INTERNAL_SERVER_ERROR');
    expect(failed.text).not.toMatch(/secret/);
    expect((await refund(id, { amount: 100 }, key)).status).toBe(200);
    expect(await left(id)).toBe(3_230);
  });

  it('is made once when the database’s confirmation is lost (aws/aws-sdk-java#2667)', async () => {
    const [id, key] = [await order(), newKey()];
    const { heal } = onEveryCommit(async (commit) => {
      await commit();
      throw awsError('TimeoutError');
    });
    expect((await refund(id, { amount: 100 }, key)).status).toBe(503);
    heal();
    const again = await refund(id, { amount: 100 }, key);
    expect({ status: again.status, replayed: again.headers['idempotent-replayed'] }).toEqual({
      status: 200,
      replayed: 'true',
    });
    expect(await left(id)).toBe(3_230);
  });
});

describe('an SDK’s automatic retry of a refund without an Idempotency-Key', () => {
  const retry = { 'x-stainless-retry-count': '1' };
  const original = { 'x-stainless-retry-count': '0' };
  const left = async (id: string) => (await paymentOf(id)).refundable_amount;

  it('gets the answer of the first request', async () => {
    const id = await order();
    const first = await refund(id, { amount: 100 }, original);
    for (const count of ['1', '2']) {
      const again = await refund(id, { amount: 100 }, { 'x-stainless-retry-count': count });
      expect(again.text).toBe(first.text);
      expect(again.headers['idempotent-replayed']).toBe('true');
    }
    expect(await left(id)).toBe(3_230);
  });

  it('pays once when it is stored before the original request, which was only slow', async () => {
    const id = await order();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    onNextCommit(async (commit) => {
      hold();
      await released;
      return commit();
    });
    const slow = refund(id, { amount: 100 }, original);
    await held;
    const fast = await refund(id, { amount: 100 }, retry);
    release();
    const late = await slow;
    expect(fast.status).toBe(200);
    expect(late.text).toBe(fast.text);
    expect(late.headers['idempotent-replayed']).toBe('true');
    expect(await left(id)).toBe(3_230);
  });

  it('pays once when the original request starts only after the retry has ended', async () => {
    const id = await order();
    const call = (headers: Record<string, string>, arrivedAt: string) =>
      api.call('POST /refunds', { body: { payment_id: id, amount: 100 }, headers, arrivedAt: new Date(arrivedAt) });
    const fast = await call(retry, '2026-03-01T12:00:00.500Z');
    const late = await call(original, '2026-03-01T12:00:00.000Z');
    expect(late.text).toBe(fast.text);
    expect(late.headers['idempotent-replayed']).toBe('true');
    expect(await left(id)).toBe(3_230);
    const meant = await call(original, '2026-03-01T12:00:01.000Z');
    expect(meant.headers['idempotent-replayed']).toBeUndefined();
    expect(await left(id)).toBe(3_130);
  });

  it('pays once when it arrives at the same time as the original request', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await order();
      const answers = await Promise.all([refund(id, { amount: 100 }, original), refund(id, { amount: 100 }, retry)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0].text).toBe(answers[1].text);
      expect(await left(id)).toBe(3_230);
    }
  });

  it('pays once when the confirmation of the original request was lost', async () => {
    const id = await order();
    const { heal } = onEveryCommit(async (commit) => {
      await commit();
      throw awsError('TimeoutError');
    });
    expect((await refund(id, { amount: 100 }, original)).status).toBe(503);
    heal();
    expect((await refund(id, { amount: 100 }, retry)).headers['idempotent-replayed']).toBe('true');
    expect(await left(id)).toBe(3_230);
  });

  it('is made when the original request never arrived, and a second retry does not repeat it', async () => {
    const id = await order();
    const first = await refund(id, { amount: 100 }, retry);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect((await refund(id, { amount: 100 }, retry)).text).toBe(first.text);
    expect(await left(id)).toBe(3_230);
  });

  it('is not confused with a second intended refund: two intended refunds are both paid', async () => {
    const id = await order();
    clock.stopAt('2026-03-01T12:00:00Z');
    await refund(id, { amount: 100 }, original);
    await refund(id, { amount: 100 });
    clock.forward({ milliseconds: 1 });
    await refund(id, { amount: 100 }, retry);
    expect(await left(id)).toBe(3_130);
    clock.forward({ milliseconds: 1 });
    await refund(id, { amount: 100 }, original);
    expect(await left(id)).toBe(3_030);
  });

  it('counts as a new refund with another body, another API key, or after ten minutes', async () => {
    const id = await order();
    clock.stopAt(new Date().toISOString());
    await refund(id, { amount: 100 }, original);
    await refund(id, { amount: 101 }, retry);
    const key = await api.addKey({});
    await api.call('POST /refunds', { body: { payment_id: id, amount: 100 }, headers: retry, key });
    expect(await left(id)).toBe(3_330 - 100 - 101 - 100);
    clock.forward({ minutes: 10, milliseconds: -1 });
    await refund(id, { amount: 100 }, retry);
    expect(await left(id)).toBe(3_330 - 301);
    clock.forward({ milliseconds: 1 });
    await refund(id, { amount: 100 }, retry);
    expect(await left(id)).toBe(3_330 - 401);
  });

  it('of a command that pays no money out runs the command again', async () => {
    const create = () => api.call('POST /products', { body: fieldGuide, headers: retry });
    expect((await create()).body.product_id).not.toBe((await create()).body.product_id);
    expect((await sell(api)).paymentId).toMatch(/^pay_/);
  });
});
