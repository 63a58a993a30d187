import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
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

  it('has its end date in the stored list, together with the tax date of its payment', async () => {
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
  it('404, 401, 200: refuses an unknown id and a request without a key, and accepts a read-only key', async () => {
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

  it('200: filters by customer and by time, including both limits', async () => {
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
