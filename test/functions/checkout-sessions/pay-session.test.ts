import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { campaign } from '../../support/seeded.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay, support } from '../../support/shop/shop.ts';
import { countRows } from '../../support/table/rows.ts';
import { dialect, missingKeys, strayKeys } from '../../support/wire/dialect.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let book: string;
let tip: string;

beforeAll(async () => {
  api = await startApi({ ...testMerchant, returnSchemes: ['com.example.shop'] });
  book = await addProduct(api);
  tip = await addProduct(api, { ...support, price: { ...support.price, maximum_price: 100_000 } });
});

afterEach(() => clock.run());
afterAll(() => api.stop());

const create = (body: object, headers: Record<string, string> = {}) => api.call('POST /checkouts', { body, headers });
const retrieve = async (id: string) => (await api.call(`GET /checkouts/${id}`)).body;
const one = (productId: string, fields: object = {}) => ({ product_id: productId, quantity: 1, ...fields });
const cart = (fields: object = {}) => ({ product_cart: [one(book)], ...fields });
const unknown = (prefix: string) => `${prefix}_${'x'.repeat(21)}`;

describe('paying a session', () => {
  it.each([
    ['good', 'succeeded', 'completed', null],
    ['failingRefunds', 'succeeded', 'completed', null],
    ['declined', 'failed', 'open', 'GENERIC_DECLINE'],
    ['insufficientFunds', 'failed', 'open', 'INSUFFICIENT_FUNDS'],
    ['processingError', 'failed', 'open', 'PROCESSING_ERROR'],
  ] as const)(
    'with the test card %s ends as %s, and leaves the session %s',
    async (card, outcome, status, errorCode) => {
      const id = await createSession(api, [one(book)]);
      const payment = await pay(id, { expectedTotal: 1_999, card: cards[card] });
      expect(await retrieve(id)).toMatchObject({ status, payment_id: payment.id, payment_status: outcome });
      const { body } = await api.call(`GET /payments/${payment.id}`);
      expect(body).toMatchObject({ status: outcome, error_code: errorCode, card_last_four: cards[card].slice(-4) });
      expect(body.error_message).toEqual(errorCode === null ? null : expect.any(String));
    },
  );

  it.each([
    ['slowSuccess', 'succeeded', 'completed', null],
    ['slowDecline', 'failed', 'open', 'GENERIC_DECLINE'],
  ] as const)('with the test card %s is first processing, then %s', async (card, outcome, status, errorCode) => {
    const id = await createSession(api, [one(book)]);
    const payment = await pay(id, { expectedTotal: 1_999, card: cards[card] });
    expect(await retrieve(id)).toMatchObject({ status: 'open', payment_id: payment.id, payment_status: 'processing' });
    await expect(pay(id, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    await finishPayment(payment.id);
    expect(await retrieve(id)).toMatchObject({ status, payment_id: payment.id, payment_status: outcome });
    expect((await api.call(`GET /payments/${payment.id}`)).body).toMatchObject({
      status: outcome,
      error_code: errorCode,
    });
  });

  it('a second time, after it was paid, is refused and changes nothing', async () => {
    const id = await createSession(api, [one(book)]);
    await pay(id, { expectedTotal: 1_999 });
    const before = await countRows(api);
    await expect(pay(id, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    expect(await countRows(api)).toEqual(before);
  });

  it('succeeds only once when many requests arrive at the same time', async () => {
    const id = await createSession(api, [one(tip)]);
    const amounts = Array.from({ length: 12 }, (_, index) => 500 + index);
    const tries = amounts.map((amount) => pay(id, { expectedTotal: amount, amounts: new Map([[tip, amount]]) }));
    const settled = await Promise.allSettled(tries);
    const paid = settled.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value.id] : []));
    const refused = settled.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason.code] : []));
    expect(paid).toHaveLength(1);
    expect(new Set(refused)).toEqual(new Set(['CHECKOUT_SESSION_CONSUMED']));
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payment_id: paid[0] });
  });

  it('is possible for ten declined attempts, and refused after that', async () => {
    const id = await createSession(api, [one(book)]);
    const tried = new Set<string>();
    for (let attempt = 1; attempt <= 10; attempt += 1)
      tried.add((await pay(id, { expectedTotal: 1_999, card: cards.declined })).id);
    expect(tried.size).toBe(10);
    await expect(pay(id, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    expect(await retrieve(id)).toMatchObject({ payment_status: 'failed' });
  });

  it('succeeds on the tenth attempt', async () => {
    const id = await createSession(api, [one(book)]);
    for (let attempt = 1; attempt <= 9; attempt += 1) await pay(id, { expectedTotal: 1_999, card: cards.declined });
    expect((await pay(id, { expectedTotal: 1_999 })).status).toBe('succeeded');
  });

  it('is possible until the last millisecond of 24 hours, and refused after that', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const [inTime, late] = [await createSession(api, [one(book)]), await createSession(api, [one(book)])];
    clock.stopAt('2026-03-02T11:59:59.999Z');
    expect((await pay(inTime, { expectedTotal: 1_999 })).status).toBe('succeeded');
    clock.stopAt('2026-03-02T12:00:00Z');
    await expect(pay(late, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' });
    const { status, body } = await api.call(`GET /checkouts/${late}`);
    expect({ status, session: body.status }).toEqual({ status: 200, session: 'expired' });
    expect((await retrieve(inTime)).status).toBe('completed');
  });

  it('is complete when the payment succeeds, even if it was still processing at the expiry', async () => {
    clock.stopAt('2026-03-01T12:00:00Z');
    const id = await createSession(api, [one(book)]);
    clock.stopAt('2026-03-02T11:59:59Z');
    const payment = await pay(id, { expectedTotal: 1_999, card: cards.slowSuccess });
    clock.stopAt('2026-03-02T12:30:00Z');
    expect((await retrieve(id)).status).toBe('open');
    await finishPayment(payment.id);
    expect(await retrieve(id)).toMatchObject({ status: 'completed', payment_status: 'succeeded' });
  });

  it.each([
    ['no amount', new Map<string, number>(), 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED'],
    ['one below the minimum', new Map([['tip', 499]]), 'REQUEST_AMOUNT_BELOW_MINIMUM'],
    ['one above the maximum', new Map([['tip', 100_001]]), 'REQUEST_AMOUNT_ABOVE_MAXIMUM'],
  ])('with %s for a pay-what-you-want product is refused, and the session stays open', async (_, chosen, code) => {
    const id = await createSession(api, [one(tip)]);
    const amounts = new Map([...chosen.values()].map((amount) => [tip, amount]));
    const before = await countRows(api);
    await expect(pay(id, { expectedTotal: 499, amounts })).rejects.toMatchObject({ code });
    expect(await countRows(api)).toEqual(before);
    expect(await retrieve(id)).toMatchObject({ status: 'open', payment_id: null });
  });

  it('is refused before any attempt if the known total is below the card minimum, and the preview says so', async () => {
    const cheap = { product_cart: [one(await addProduct(api, { price: { ...fieldGuide.price, price: 49 } }))] };
    for (const route of ['POST /checkouts', 'POST /checkouts/preview'])
      expectProblem(await api.call(route, { body: cheap }), 422, 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT');
    const exclusive = await addProduct(api, { price: { ...fieldGuide.price, price: 49, tax_inclusive: false } });
    expect((await create({ product_cart: [one(exclusive)] })).status).toBe(200); // 49 + 7 % = 52
  });

  it('with a total below the card minimum is refused, and a total of zero is accepted as free', async () => {
    const any = await addProduct(api, { price: { ...support.price, price: 0 } });
    const id = await createSession(api, [one(any)]);
    await expect(pay(id, { expectedTotal: 49, amounts: new Map([[any, 49]]) })).rejects.toMatchObject({
      code: 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT',
    });
    const gift = await createSession(api, [one(any)]);
    const payment = await pay(gift, { expectedTotal: 0, amounts: new Map([[any, 0]]) });
    expect(payment).toMatchObject({ status: 'succeeded', gross: 0, tax: 0 });
  });

  it('with a total that differs from the page is refused, and the answer names the right total', async () => {
    const id = await createSession(api, [one(book)]);
    await expect(pay(id, { expectedTotal: 1_998 })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { extra: { total_amount: 1_999 } },
    });
  });

  it('is possible when a product was archived in the meantime', async () => {
    const product = await addProduct(api);
    const id = await createSession(api, [one(product)]);
    await api.call(`DELETE /products/${product}`);
    expect((await pay(id, { expectedTotal: 1_999 })).status).toBe('succeeded');
  });

  const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD');
  const change = fc.record(
    {
      name: fc
        .string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(...'abcäöü日本 ') })
        .map((text) => `x${text}`.trim()),
      description: fc.constantFrom('Old.', 'New.', 'Newer.'),
      tax_category: fc.constantFrom('saas', 'e_book', 'edtech', 'digital_products'),
      tax_inclusive: fc.boolean(),
      price: fc.oneof(
        fc.record({ type: fc.constant('one_time_price'), currency, price: fc.integer({ min: 1_000, max: 900_000 }) }),
        fc.record({
          type: fc.constant('one_time_price'),
          currency,
          price: fc.integer({ min: 1_000, max: 900_000 }),
          pay_what_you_want: fc.constant(true),
          maximum_price: fc.integer({ min: 900_000, max: 1_000_000 }),
        }),
      ),
    },
    { requiredKeys: [] },
  );

  const changes = campaign(500, 60);

  it(`charges the product’s price from the creation of the session, after ${changes} later changes`, async () => {
    const product = await addProduct(api);
    const outcomes = { charged: 0, changed: 0 };
    for (const body of fc.sample(change, { numRuns: changes, seed: 7 })) {
      const sold = (await api.call(`GET /products/${product}`)).body;
      const chosen = sold.price.pay_what_you_want ? sold.price.maximum_price : undefined;
      const lines = [one(product, { quantity: 2, ...(chosen && { amount: chosen }) })];
      const shown = (
        await api.call('POST /checkouts/preview', { body: { product_cart: lines, billing_address: { country: 'DE' } } })
      ).body;
      const id = await createSession(api, lines);
      const changed = await api.call(`PATCH /products/${product}`, { body });
      expect(changed.status).toBe(200);
      const payment = await pay(id, { expectedTotal: shown.total_price });
      expect(payment).toMatchObject({ currency: sold.price.currency, gross: shown.total_price, tax: shown.total_tax });
      const { name, description, tax_category: taxCategory, tax_inclusive: taxInclusive } = sold;
      expect(payment.lines[0]).toMatchObject({
        name,
        description,
        taxCategory,
        taxInclusive,
        unitAmount: chosen ?? sold.price.price,
      });
      outcomes.charged += 1;
      if (JSON.stringify(changed.body.price) !== JSON.stringify(sold.price)) outcomes.changed += 1;
    }
    expect(outcomes.charged).toBe(changes);
    expect(outcomes.changed).toBeGreaterThan(changes * 0.4);
  });
});

describe('POST /checkouts/preview', () => {
  const preview = (body: object, key?: string) => api.call('POST /checkouts/preview', { body, ...(key && { key }) });
  const at = (country: string, fields: object = {}) => ({ billing_address: { country, ...fields } });

  it('200: shows the whole price breakdown with every key, and stores nothing', async () => {
    const before = await countRows(api);
    const { status, body } = await preview(cart(at('DE')));
    expect(status).toBe(200);
    for (const [part, keys] of [
      [body, dialect.preview],
      [body.current_breakup, dialect.previewBreakup],
      [body.product_cart[0], dialect.previewLine],
    ] as const)
      expect({ missing: missingKeys(part, keys), stray: strayKeys(part, keys) }).toEqual({ missing: [], stray: [] });
    expect(body).toMatchObject({
      billing_country: 'DE',
      currency: 'EUR',
      total_price: 1_999,
      total_tax: 131, // 19.99 × 7 / 107 = 1.3077…
      current_breakup: { subtotal: 1_868, discount: 0, tax: 131, total_amount: 1_999, listed_subtotal: 1_999 },
      tax_id_err_msg: null,
    });
    expect(body.product_cart[0]).toMatchObject({
      quantity: 1,
      og_price: 1_999,
      discounted_price: 1_999,
      tax: 131,
      tax_rate: 7,
    });
    expect(await countRows(api)).toEqual(before);
  });

  it.each([
    ['DE', {}, 131], // 7 %: 1999 × 7 / 107 = 130.77…
    ['HU', {}, 425], // 27 %: 1999 × 27 / 127 = 424.98…
    ['GB', {}, 0], // e-books are zero-rated
    ['US', { state: 'TX' }, 118], // 6.25 %: 1999 × 0.0625 / 1.0625 = 117.58…
    ['US', { state: 'OR' }, 0], // no sales tax
  ])('200: a price with tax included stays the same in %s %j, of which %i is tax', async (country, fields, tax) => {
    const { body } = await preview(cart(at(country, fields)));
    expect(body).toMatchObject({ total_price: 1_999, total_tax: tax });
    expect(body.current_breakup.subtotal + body.current_breakup.tax).toBe(1_999);
  });

  it('200: adds the tax to a price without tax', async () => {
    const product = await addProduct(api, { price: { ...fieldGuide.price, tax_inclusive: false } });
    const { body } = await preview({ product_cart: [one(product)], ...at('DE') });
    // 19.99 × 7 % = 1.3993
    expect(body.current_breakup).toMatchObject({ subtotal: 1_999, discount: 0, tax: 140, total_amount: 2_139 });
  });

  it('200: uses the suggested amount, or else the minimum, when the buyer has not chosen yet', async () => {
    const least = await addProduct(api, { ...support, price: { ...support.price, suggested_price: null } });
    expect((await preview({ product_cart: [one(tip)], ...at('DE') })).body.total_price).toBe(1_500);
    expect((await preview({ product_cart: [one(tip, { amount: 900 })], ...at('DE') })).body.total_price).toBe(900);
    expect((await preview({ product_cart: [one(least)], ...at('DE') })).body.total_price).toBe(500);
  });

  it('200: a business in another country pays the same price, of which nothing is tax', async () => {
    const { body } = await preview(cart({ ...at('AT'), tax_id: 'ATU33864707' }));
    expect(body).toMatchObject({
      total_price: 1_999,
      total_tax: 0,
      tax_id_err_msg: null,
      tax_id_format_name: 'EU VAT',
    });
    expect(body.current_breakup.subtotal).toBe(1_999);
  });

  it('200: reports a refused tax id, and shows the price for a consumer', async () => {
    const { status, body } = await preview(cart({ ...at('AT'), tax_id: 'ATU33864700' }));
    expect(status).toBe(200);
    expect(body.tax_id_err_msg).toMatch(/ATU33864700/);
    expect(body.total_tax).toBeGreaterThan(0);
  });

  it('200: uses the merchant’s country when there is no address, and accepts a read-only key', async () => {
    const key = await api.addKey({ access: 'read' });
    expect((await preview(cart(), key)).body).toMatchObject({ billing_country: 'DE', total_tax: 131 });
  });

  it.each([
    ['an unknown field', { colour: 1 }, 422, 'INVALID_REQUEST_BODY', 'colour'],
    ['another currency', { billing_currency: 'USD' }, 422, 'INVALID_REQUEST_PARAMETERS', 'billing_currency'],
    ['a short code', { discount_code: 'X' }, 422, 'INVALID_REQUEST_BODY', 'discount_code'],
    ['no region where one is needed', at('US'), 422, 'INVALID_REQUEST_PARAMETERS', 'billing_address.state'],
    [
      'a region that does not exist',
      at('US', { state: 'ZZ' }),
      422,
      'INVALID_REQUEST_PARAMETERS',
      'billing_address.state',
    ],
    ['an unknown country', at('XX'), 422, 'UNSUPPORTED_COUNTRY', 'billing_address.country'],
    ['a tax id without a country', { tax_id: 'ATU33864707' }, 422, 'INVALID_TAX_ID', 'tax_id'],
    [
      'an amount below the minimum',
      { product_cart: 'tip' },
      422,
      'REQUEST_AMOUNT_BELOW_MINIMUM',
      'product_cart[0].amount',
    ],
    ['an empty cart', { product_cart: [] }, 422, 'PRODUCT_CART_EMPTY', 'product_cart'],
    ['an unknown product', { product_cart: [one(unknown('pdt'))] }, 404, 'NOT_FOUND', 'product_cart[0].product_id'],
  ])('refuses %s', async (_, fields: Record<string, unknown>, status, code, param) => {
    const lines = fields['product_cart'] === 'tip' ? { product_cart: [one(tip, { amount: 499 })] } : {};
    expectProblem(await preview(cart({ ...fields, ...lines })), status, code, param);
  });

  it('422: refuses a total above 32 bits', async () => {
    const largest = await addProduct(api, {
      price: { ...fieldGuide.price, price: 2_147_483_647, tax_inclusive: false },
    });
    // 2147483647 + 7 % is more than 2147483647
    expectProblem(await preview({ product_cart: [one(largest)], ...at('DE') }), 422, 'INTEGER_CONVERSION_FAILURE');
  });
});
