import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Submission } from '../../../shared/domain/checkout/submission.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, sell, support } from '../../support/shop/shop.ts';
import { dialect, missingKeys, strayKeys } from '../../support/wire/dialect.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => {
  clock.run();
  return api.stop();
});

const unknown = (prefix: string) => `${prefix}_${'x'.repeat(21)}`;
const complete = { missing: [], stray: [] };
const keysOf = (answer: object, keys: readonly string[]) => ({
  missing: missingKeys(answer, keys),
  stray: strayKeys(answer, keys),
});
const inGermany: Submission['billing'] = { country: 'DE', state: null, city: null, street: null, zipcode: null };

/** Sells these products at once; `expectedTotal` is what the buyer sees. */
async function sellAll(prices: object[], asked: Partial<Submission> & { expectedTotal: number }) {
  const products: string[] = [];
  for (const price of prices) products.push(await addProduct(api, { tax_category: 'saas', ...price }));
  const lines = products.map((id, index) => ({ product_id: id, quantity: index + 1 }));
  const sessionId = await createSession(api, lines, { metadata: { order: 'A-7' } });
  const { id } = await pay(sessionId, asked);
  return { id, products, sessionId };
}

const price = (amount: number, inclusive = true) => ({
  price: { ...fieldGuide.price, price: amount, tax_inclusive: inclusive },
});
const linesOf = async (id: string) => (await api.call(`GET /payments/${id}/line-items`)).body;

describe('GET /payments/{payment_id}', () => {
  it('200: shows a payment with every documented key', async () => {
    const billing = { country: 'DE', state: 'BE', city: 'Berlin', street: 'Weg 1', zipcode: '10115' };
    const { id, products, sessionId } = await sellAll([price(1_190)], { expectedTotal: 1_190, billing });
    const { status, body } = await api.call(`GET /payments/${id}`);
    expect(status).toBe(200);
    // these are our own: what the payment page of a merchant shows
    expect(keysOf(body, [...dialect.payment, 'refundable_amount', 'confirmation', 'order_url', 'withdrawal'])).toEqual(
      complete,
    );
    expect(keysOf(body.customer, dialect.customer)).toEqual(complete);
    expect(body).toMatchObject({
      payment_id: id,
      business_id: 'demo',
      status: 'succeeded',
      currency: 'EUR',
      total_amount: 1_190,
      tax: 190, // 11.90 × 19 / 119
      settlement_amount: 1_190,
      settlement_currency: 'EUR',
      settlement_tax: 190,
      customer: { email: 'buyer@example.com', name: 'A Buyer', phone_number: null, metadata: {} },
      billing,
      payment_provider: 'dodo',
      processor: 'sandbox',
      payment_method: 'card',
      payment_method_type: 'credit',
      card_last_four: '4242',
      card_network: 'VISA',
      refund_status: null,
      refunds: [],
      error_code: null,
      error_message: null,
      checkout_session_id: sessionId,
      payment_link: `http://localhost:4000/checkout/${sessionId}`,
      product_cart: [{ product_id: products[0], quantity: 1 }],
      metadata: { order: 'A-7' },
      invoice_id: expect.any(String),
      invoice_url: expect.stringMatching(`^http://localhost:4000/invoices/payments/${id}\\?secret=doc_\\w{21}$`),
      disputes: [],
      subscription_ids: [],
      is_multi_subscription: false,
      digital_products_delivered: false,
      is_update_payment_method: false,
      retry_attempt: 0,
    });
    expect(id).toMatch(/^pay_[A-Za-z0-9]{21}$/);
    expect(body.customer.customer_id).toMatch(/^cus_[A-Za-z0-9]{21}$/);
    expect(body.brand_id).toMatch(/^brnd_[A-Za-z0-9]{21}$/);
  });

  it('200: a failed payment shows the reason, and has no invoice', async () => {
    const { paymentId } = await sell(api, { card: cards.insufficientFunds });
    const { body } = await api.call(`GET /payments/${paymentId}`);
    expect(keysOf(body, [...dialect.payment, 'refundable_amount', 'confirmation', 'withdrawal'])).toEqual(complete);
    expect(body).toMatchObject({
      status: 'failed',
      error_code: 'INSUFFICIENT_FUNDS',
      invoice_id: null,
      invoice_url: null,
    });
    expect(body.error_message).toEqual(expect.any(String));
  });

  it('200: a processing payment has neither invoice nor error, and later shows its final status', async () => {
    const { paymentId } = await sell(api, { card: cards.slowSuccess });
    const first = (await api.call(`GET /payments/${paymentId}`)).body;
    expect(first).toMatchObject({ status: 'processing', error_code: null, invoice_id: null, invoice_url: null });
    await finishPayment(paymentId);
    const then = (await api.call(`GET /payments/${paymentId}`)).body;
    expect(then).toMatchObject({ status: 'succeeded', total_amount: first.total_amount, created_at: first.created_at });
  });

  it('200: a payment of amount zero succeeds without a card', async () => {
    const free = await addProduct(api, { price: { ...support.price, price: 0 } });
    const sessionId = await createSession(api, [{ product_id: free, quantity: 1 }]);
    const { id } = await pay(sessionId, { expectedTotal: 0, amounts: new Map([[free, 0]]) });
    const { body } = await api.call(`GET /payments/${id}`);
    expect(body).toMatchObject({
      status: 'succeeded',
      total_amount: 0,
      tax: 0,
      card_last_four: null,
      card_network: null,
    });
  });

  it('200: an address has all its keys, also when some values are unknown', async () => {
    const { paymentId } = await sell(api);
    const { body } = await api.call(`GET /payments/${paymentId}`);
    expect(keysOf(body.billing, dialect.billing)).toEqual(complete);
    expect(body.billing).toEqual({ country: 'DE', city: null, state: null, street: null, zipcode: null });
  });

  it('200: payments with the same e-mail address in any letter case belong to one customer', async () => {
    const emails = ['Same@Example.com', ' same@example.com ', 'SAME@EXAMPLE.COM'];
    const ids: string[] = [];
    for (const email of emails) {
      const { paymentId } = await sell(api, { email });
      ids.push((await api.call(`GET /payments/${paymentId}`)).body.customer.customer_id);
    }
    expect(new Set(ids).size).toBe(1);
  });

  it('404, 401: answers an unknown id like an id of another kind, and refuses a request without a key', async () => {
    const { productId, paymentId } = await sell(api);
    for (const path of ['', '/line-items'])
      for (const id of [unknown('pay'), productId, 'PAYMENT%23x', 'x'.repeat(3_000)])
        expectProblem(await api.call(`GET /payments/${id}${path}`), 404, 'NOT_FOUND');
    expectProblem(await api.call(`GET /payments/${paymentId}`, { key: null }), 401, 'UNAUTHORIZED');
    const key = await api.addKey({ access: 'read' });
    expect((await api.call(`GET /payments/${paymentId}`, { key })).status).toBe(200);
  });
});

describe('GET /payments/{payment_id}/line-items', () => {
  it('200: shows every line with every key, and the lines sum to the payment', async () => {
    // 11.90 inclusive, and twice 10.00 + 19 %: 11.90 + 23.80
    const { id, products } = await sellAll([price(1_190), price(1_000, false)], { expectedTotal: 3_570 });
    const { currency, items } = await linesOf(id);
    const { body } = await api.call(`GET /payments/${id}`);
    expect(currency).toBe('EUR');
    for (const item of items) {
      expect(keysOf(item, dialect.lineItem)).toEqual(complete);
      for (const component of item.tax_components) expect(keysOf(component, dialect.taxComponent)).toEqual(complete);
      expect(item.net_amount + item.tax).toBe(item.amount);
    }
    expect(items).toMatchObject([
      {
        items_id: products[0],
        quantity: 1,
        unit_amount: 1_190,
        amount: 1_190,
        net_amount: 1_000,
        tax: 190,
        tax_inclusive: true,
      },
      {
        items_id: products[1],
        quantity: 2,
        unit_amount: 1_000,
        amount: 2_380,
        net_amount: 2_000,
        tax: 380,
        tax_inclusive: false,
      },
    ]);
    expect(items[0]).toMatchObject({
      name: fieldGuide.name,
      description: fieldGuide.description,
      refundable_amount: 1_190,
      tax_rate: 19,
      tax_category: 'saas',
      tax_components: [{ name: 'VAT', rate: 19, amount: 190, reason: null }],
    });
    expect(items[0].amount + items[1].amount).toBe(body.total_amount);
    expect(items[0].tax + items[1].tax).toBe(body.tax);
  });

  it('200: lists several taxes of a line separately, with rates free of float errors', async () => {
    const billing = { ...inGermany, country: 'CA', state: 'QC' };
    const { id } = await sellAll([price(11_498, true)], { expectedTotal: 11_498, billing });
    const { items } = await linesOf(id);
    // 114.98: 11498 × 0.05 / 1.14975 = 500.02…, 11498 × 0.09975 / 1.14975 = 997.54…
    expect(items[0].tax_components).toMatchObject([
      { name: 'GST', rate: 5, amount: 500, reason: null },
      { name: 'QST', rate: 9.975, amount: 998, reason: null },
    ]);
    expect(items[0]).toMatchObject({ tax: 1_498, tax_rate: 14.975 });
  });

  it('200: gives the reason when there is no tax', async () => {
    const business = { billing: { ...inGermany, country: 'AT' }, taxId: 'ATU33864707' };
    const reversed = await sellAll([price(1_190)], { expectedTotal: 1_190, ...business });
    expect((await linesOf(reversed.id)).items[0]).toMatchObject({
      amount: 1_190,
      net_amount: 1_190,
      tax: 0,
      tax_rate: 0,
      tax_components: [{ rate: null, amount: 0, reason: 'reverse_charge' }],
    });
    const book = { ...price(1_190), tax_category: 'e_book' };
    const zeroRated = await sellAll([book], { expectedTotal: 1_190, billing: { ...inGermany, country: 'GB' } });
    expect((await linesOf(zeroRated.id)).items[0].tax_components).toMatchObject([
      { rate: 0, amount: 0, reason: 'zero_rated' },
    ]);
  });

  it('200: shows the amount that the buyer chose, and how much of it can still be refunded', async () => {
    const tip = await addProduct(api, support);
    const sessionId = await createSession(api, [{ product_id: tip, quantity: 2 }]);
    const { id } = await pay(sessionId, { expectedTotal: 2_380, amounts: new Map([[tip, 1_190]]) });
    await api.call('POST /refunds', { body: { payment_id: id, amount: 380 } });
    expect((await linesOf(id)).items[0]).toMatchObject({ unit_amount: 1_190, amount: 2_380, refundable_amount: 2_000 });
    expect((await api.call(`GET /payments/${id}`)).body).toMatchObject({
      refund_status: 'partial',
      refundable_amount: 2_000,
    });
  });
});

describe('GET /payments', () => {
  const list = async (query: Record<string, string | number | undefined> = {}) => {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
    return (await api.call('GET /payments', { query: search.toString() })).body;
  };
  const idsOf = (page: { items: { payment_id: string }[] }) => page.items.map(({ payment_id }) => payment_id);

  /** One payment an hour from 2031-01-01T00:00Z on, so that nothing of the other tests is among them. */
  const sales: { id: string; productId: string; customerId: string; at: string }[] = [];
  const since = { created_at_gte: '2031-01-01T00:00:00Z', page_size: 100 };
  const saleCards = [cards.good, cards.declined, cards.good, cards.slowSuccess, cards.good, cards.good, cards.declined];

  beforeAll(async () => {
    for (const [hour, card] of saleCards.entries()) {
      const at = `2031-01-01T0${hour}:00:00.000Z`;
      clock.stopAt(at);
      const { paymentId, productId } = await sell(api, { card, email: `buyer${hour % 2}@example.com` });
      const { customer } = (await api.call(`GET /payments/${paymentId}`)).body;
      sales.push({ id: paymentId, productId, customerId: customer.customer_id, at });
    }
    clock.stopAt('2031-01-02T00:00:00Z');
  });

  const newestFirst = (...hours: number[]) => hours.sort((a, b) => b - a).map((hour) => sales[hour]!.id);

  it('200: lists the newest payment first, with every documented field', async () => {
    const page = await list(since);
    expect(keysOf(page, dialect.page)).toEqual(complete);
    expect(page).toMatchObject({ has_more: false, next_cursor: null });
    expect(idsOf(page)).toEqual(newestFirst(0, 1, 2, 3, 4, 5, 6));
    for (const item of page.items) {
      expect(keysOf(item, dialect.paymentItem)).toEqual(complete);
      expect(keysOf(item.customer, dialect.customer)).toEqual(complete);
      expect(item).toMatchObject({ has_license_key: false, dispute_status: null, refund_status: null });
    }
  });

  it('200: an item of the list agrees with the payment itself', async () => {
    const [item] = (await list(since)).items;
    const { body } = await api.call(`GET /payments/${item.payment_id}`);
    expect(body).toMatchObject(Object.fromEntries(Object.entries(item).filter(([key]) => key in body)));
  });

  it.each([
    ['succeeded', [0, 2, 4, 5]],
    ['failed', [1, 6]],
    ['processing', [3]],
    ['cancelled', []],
    ['requires_customer_action', []],
    ['requires_merchant_action', []],
    ['requires_payment_method', []],
    ['requires_confirmation', []],
    ['requires_capture', []],
    ['partially_captured', []],
    ['partially_captured_and_capturable', []],
  ])('200: filters by the status %s', async (status, hours) => {
    expect(idsOf(await list({ ...since, status }))).toEqual(newestFirst(...hours));
  });

  it('200: filters by customer, product, brand and currency, and by all of them together', async () => {
    const { customerId, productId } = sales[1]!;
    expect(idsOf(await list({ ...since, customer_id: customerId }))).toEqual(newestFirst(1, 3, 5));
    expect(idsOf(await list({ ...since, product_id: productId }))).toEqual(newestFirst(1));
    const [{ brand_id: brand }] = (await list(since)).items;
    expect(idsOf(await list({ ...since, brand_id: brand }))).toHaveLength(7);
    expect(idsOf(await list({ ...since, brand_id: unknown('brnd') }))).toEqual([]);
    expect(idsOf(await list({ ...since, currency: 'EUR' }))).toHaveLength(7);
    expect(idsOf(await list({ ...since, currency: 'USD' }))).toEqual([]);
    expect(idsOf(await list({ ...since, customer_id: customerId, status: 'failed', product_id: productId }))).toEqual(
      newestFirst(1),
    );
    expect(idsOf(await list({ ...since, customer_id: unknown('cus') }))).toEqual([]);
    expect(await list({ subscription_id: 'sub_1' })).toEqual({ items: [], has_more: false, next_cursor: null });
  });

  it('200: filters by time with both limits included, in any time zone offset', async () => {
    const at = (hour: number) => `2031-01-01T0${hour}:00:00Z`;
    expect(idsOf(await list({ created_at_gte: at(2), created_at_lte: at(4) }))).toEqual(newestFirst(2, 3, 4));
    expect(
      idsOf(await list({ created_at_gte: '2031-01-01T02:00:00.001Z', created_at_lte: '2031-01-01T03:59:59.999Z' })),
    ).toEqual(newestFirst(3));
    expect(idsOf(await list({ created_at_gte: '2031-01-01T07:00:00+05:00', created_at_lte: at(2) }))).toEqual(
      newestFirst(2),
    );
    const { customerId } = sales[0]!;
    expect(idsOf(await list({ created_at_gte: at(1), created_at_lte: at(4), customer_id: customerId }))).toEqual(
      newestFirst(2, 4),
    );
  });

  it('200: a period that ends before it begins gives an empty list', async () => {
    const page = await list({ created_at_gte: '2031-01-01T05:00:00Z', created_at_lte: '2031-01-01T04:00:00Z' });
    expect(page).toEqual({ items: [], has_more: false, next_cursor: null });
  });

  it('200: ignores a filter with an empty value', async () => {
    expect(idsOf(await list({ ...since, status: '', cursor: '', currency: '' }))).toHaveLength(7);
  });

  it('200: every payment is on exactly one page, by page number and by cursor, with and without a filter', async () => {
    for (const filter of [{}, { status: 'succeeded' }, { customer_id: sales[0]!.customerId }]) {
      const all = idsOf(await list({ ...since, ...filter }));
      const byNumber: string[] = [];
      for (let number = 1; number <= 5; number += 1)
        byNumber.push(...idsOf(await list({ ...since, ...filter, page_size: 2, page_number: number })));
      expect(byNumber).toEqual(all);
      const byCursor: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list({ ...since, ...filter, page_size: 2, cursor });
        expect(page.has_more).toBe(page.next_cursor !== null);
        byCursor.push(...idsOf(page));
        cursor = page.next_cursor;
      }
      expect(byCursor).toEqual(all);
    }
  });

  it('200: a payment made between two requests does not shift the pages of a cursor', async () => {
    const first = await list({ ...since, page_size: 3 });
    clock.stopAt('2031-06-01T00:00:00Z');
    await sell(api);
    clock.stopAt('2031-01-02T00:00:00Z');
    const second = await list({ ...since, page_size: 3, cursor: first.next_cursor });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(newestFirst(1, 2, 3, 4, 5, 6));
  });

  it('200: a page after the last is empty', async () => {
    expect(await list({ page_number: 900 })).toEqual({ items: [], has_more: false, next_cursor: null });
  });

  it.each([
    ['page_number=0', 'page_number', /pages are numbered from 1/],
    ['page_number=-1', 'page_number', /numbered from 1/],
    ['page_number=1.5', 'page_number', /./],
    ['page_number=1e2', 'page_number', /./],
    ['page_number=%31x', 'page_number', /./],
    ['page_size=0', 'page_size', /between 1 and 100/],
    ['page_size=101', 'page_size', /between 1 and 100/],
    ['page_number=1001', 'page_number', /cursor/], // 1001 × 10 > 10 000
    ['page_number=101&page_size=100', 'page_number', /cursor/],
    ['page_number=2&cursor=x.y', 'cursor', /page_number/],
    ['cursor=nonsense', 'cursor', /next_cursor/],
    ['status=paid', 'status', /./],
    ['currency=HRK', 'currency', /./],
    ['currency=eur', 'currency', /./],
    ['customer_id=cus_1', 'customer_id', /./],
    ['product_id=pay_x', 'product_id', /./],
    ['brand_id=x', 'brand_id', /./],
    ['created_at_gte=yesterday', 'created_at_gte', /RFC 3339/],
    ['created_at_lte=2031-01-01', 'created_at_lte', /RFC 3339/],
    ['created_at_lte=2031-02-30T00:00:00Z', 'created_at_lte', /RFC 3339/],
    ['colour=red', 'colour', /./],
  ])('422: refuses %s with the reason', async (query, param, reason) => {
    const answer = await api.call('GET /payments', { query });
    expectProblem(answer, 422, param === 'currency' ? 'UNSUPPORTED_CURRENCY' : 'INVALID_QUERY_PARAMS', param);
    expect(answer.body.message).toMatch(reason);
  });

  it('422: refuses a cursor that was altered, extended, or given to another key', async () => {
    const { next_cursor: cursor } = await list({ ...since, page_size: 1 });
    const other = await api.addKey({ access: 'read' });
    const filter = `created_at_gte=${since.created_at_gte}`;
    expect((await api.call('GET /payments', { query: `${filter}&cursor=${cursor}` })).status).toBe(200);
    const altered = [
      `${cursor}.x`,
      `${cursor}x`,
      `x${cursor}`,
      cursor.slice(0, -1),
      cursor.split('.')[0],
      `${cursor.split('.')[0]}.`,
    ];
    for (const wrong of altered)
      expectProblem(
        await api.call('GET /payments', { query: `${filter}&cursor=${wrong}` }),
        422,
        'INVALID_QUERY_PARAMS',
        'cursor',
      );
    expectProblem(
      await api.call('GET /payments', { query: `${filter}&cursor=${cursor}`, key: other }),
      422,
      'INVALID_QUERY_PARAMS',
      'cursor',
    );
  });

  it('401: refuses a request without a key', async () => {
    expectProblem(await api.call('GET /payments', { key: null }), 401, 'UNAUTHORIZED');
  });
});
