import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { addProduct } from '../../support/shop/shop.ts';
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
const quote = (session: string, fields: object = {}) =>
  api.call(`POST /checkout/${session}/quote`, { key: null, body: { ...buyerOf('buyer@example.com'), ...fields } });
const lastFour = (card: string): string => card.slice(-4);

describe('a code that the buyer enters', () => {
  it('is kept by the session, applied after the integrator’s codes, and can be removed', async () => {
    const [fixed, own] = [await made(), await made({ amount: 1_000 })];
    const session = await opened({ discount_codes: [fixed.code] });
    const { body } = await quote(session, { discount_codes: [own.code] });
    // 1599 × 10 % = 159.9 → 160
    expect(body).toMatchObject({
      total_amount: 1_439,
      discounts: [
        { code: fixed.code, amount: 400 },
        { code: own.code, amount: 160 },
      ],
    });
    expect((await quote(session)).body.total_amount).toBe(1_439);
    expect((await quote(session, { discount_codes: [] })).body.total_amount).toBe(1_599);
    expect((await pay(session, { discount_codes: [own.code], expected_total: 1_439 })).body.total_amount).toBe(1_439);
  });

  it('409: is refused at the payment when the buyer saw a different total', async () => {
    const { code } = await made();
    const session = await opened();
    expectProblem(await pay(session, { discount_codes: [code], expected_total: 1_999 }), 409, 'CONFLICT');
  });

  it('422: is refused when the integrator does not allow codes', async () => {
    const { code } = await made();
    const session = await opened({ feature_flags: { allow_discount_code: false } });
    expectProblem(
      await quote(session, { discount_codes: [code] }),
      422,
      'INVALID_REQUEST_PARAMETERS',
      'discount_codes',
    );
  });

  it('429: is refused after ten wrong codes, even with fifty requests at once, and the buyer can still pay', async () => {
    const session = await opened();
    const guesses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => quote(session, { discount_codes: [`GUESS-${index}`] })),
    );
    const told = guesses.filter(({ body }) => body.code === 'INVALID_DISCOUNT_CODE');
    expect(told.length).toBeLessThanOrEqual(10);
    for (let index = told.length; index < 10; index += 1)
      expectProblem(await quote(session, { discount_codes: ['WRONG'] }), 422, 'INVALID_DISCOUNT_CODE');
    const { code } = await made();
    expectProblem(await quote(session, { discount_codes: [code] }), 429, 'TOO_MANY_REQUESTS', 'discount_codes');
    expect((await pay(session)).body).toMatchObject({ status: 'succeeded', total_amount: 1_999 });
  });
});

describe('what a discount code reveals about a customer', () => {
  const first = { customer_eligibility: 'first_time' };
  const refusedPay = (session: string, email: string) => pay(session, { expected_total: 1_599 }, email);

  it('is nothing in a quote and a new session, which treat every e-mail address alike', async () => {
    const { code } = await made(first);
    const known = `known-${randomUUID()}@example.com`;
    await pay(await opened(), {}, known);
    const opening = await open({ discount_codes: [code], customer: { email: known } });
    expect(opening.status).toBe(200);
    const totals = [known, 'stranger@example.com'].map(async (email) => {
      const { body } = await quote(opening.body.session_id, buyerOf(email));
      return body.total_amount ?? body.code;
    });
    const [ofBuyer, ofStranger] = await Promise.all(totals);
    expect(ofBuyer).toBe(ofStranger);
  });

  it.each([
    ['first_time', first],
    ['specific', { customer_eligibility: 'specific' }],
    ['a limit per customer', { per_customer_usage_limit: 1 }],
  ])(
    '422: does not include the reason of a refusal: the sentence is the same for every reason (%s)',
    async (_, fields) => {
      const { code } = await made(fields);
      const known = `known-${randomUUID()}@example.com`;
      await pay(await opened({ discount_codes: [code] }), {}, known);
      await pay(await opened(), {}, known);
      const { status, body } = await refusedPay(await opened({ discount_codes: [code] }), known);
      expect([status, body.code, body.message]).toEqual([
        422,
        'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
        `The code ${code} cannot be used for this order.`,
      ]);
    },
  );

  it('429: is limited to ten refusals, after which a session checks no further e-mail address', async () => {
    const { code } = await made({ customer_eligibility: 'existing' });
    const known = `known-${randomUUID()}@example.com`;
    await pay(await opened(), {}, known);
    const session = await opened({ discount_codes: [code] });
    for (let tries = 0; tries < 10; tries += 1)
      expectProblem(
        await refusedPay(session, `x-${tries}-${randomUUID()}@example.com`),
        422,
        'DISCOUNT_CUSTOMER_NOT_ELIGIBLE',
      );
    for (const email of [known, 'x@example.com'])
      expectProblem(await refusedPay(session, email), 429, 'TOO_MANY_REQUESTS');
  });
});

describe('a code for certain customers', () => {
  const payWith = async (code: string, email: string) => {
    const { body } = await pay(await opened({ discount_codes: [code] }), {}, email);
    return body.code ?? body.status;
  };

  it('with “first_time” can be used by a new customer only once, across all codes for first orders', async () => {
    const [one, other] = [
      await made({ customer_eligibility: 'first_time' }),
      await made({ customer_eligibility: 'first_time' }),
    ];
    const known = `known-${randomUUID()}@example.com`;
    await pay(await opened(), {}, known);
    expect(await payWith(one.code, known)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
    const fresh = `fresh-${randomUUID()}@example.com`;
    const answers = await Promise.all([payWith(one.code, fresh), payWith(other.code, fresh)]);
    expect(answers.sort()).toEqual(['DISCOUNT_CUSTOMER_NOT_ELIGIBLE', 'succeeded']);
  });

  it('with “first_time” can be used by a customer whose only payment failed', async () => {
    const { code } = await made({ customer_eligibility: 'first_time' });
    const email = `fresh-${randomUUID()}@example.com`;
    const session = await opened({ discount_codes: [code] });
    await pay(session, { test_card: lastFour(cards.declined) }, email);
    expect((await pay(session, {}, email)).body.status).toBe('succeeded');
  });

  it('with “existing” can be used by a customer who has bought before', async () => {
    const { code } = await made({ customer_eligibility: 'existing' });
    const email = `reader-${randomUUID()}@example.com`;
    expect(await payWith(code, email)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
    await pay(await opened(), {}, email);
    expect(await payWith(code, email)).toBe('succeeded');
  });

  it('with “specific” can be used by a customer on the list, and by nobody while the list is empty', async () => {
    const { discount_id: id, code } = await made({ customer_eligibility: 'specific' });
    const email = `guest-${randomUUID()}@example.com`;
    expect(await payWith(code, email)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
    const { body } = await api.call(`POST /discounts/${id}/customers`, { body: { emails: [email] } });
    expect(await payWith(code, email)).toBe('succeeded');
    await api.call(`DELETE /discounts/${id}/customers/${body.customer_ids[0]}`);
    expect(await payWith(code, email)).toBe('DISCOUNT_CUSTOMER_NOT_ELIGIBLE');
  });
});
