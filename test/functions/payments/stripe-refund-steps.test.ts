import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { payments } from '../../../shared/wiring/runtime.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, fieldGuide, pay } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop.stop());

const product = (price: number, currency = 'KWD') =>
  addProduct(shop.api, { price: { ...fieldGuide.price, price, currency } });

/** A payment that Stripe has taken, with one line for each price. Stripe moves KWD in steps of 10: the last decimal is 0. */
async function sold(...prices: number[]) {
  const items = await Promise.all(prices.map((price) => product(price)));
  const { id, reference } = await shop.begin({ productIds: items });
  shop.payAt(String(reference));
  const paid = shop.fake.notifications.events.findLast(({ type }) => type === 'checkout.session.completed');
  expect((await shop.notify(JSON.stringify(paid))).status).toBe(200);
  expect((await payments().get(id)).status).toBe('succeeded');
  return { id, items };
}

const ask = (route: string, id: string, fields: object = {}) =>
  shop.api.call(`POST ${route}`, { body: { payment_id: id, ...fields } });
const refund = (id: string, fields: object = {}) => ask('/refunds', id, fields);

/** What Stripe was asked to pay back so far. */
const asked = () => shop.fake.calls.filter(({ path, method }) => method === 'POST' && path === 'refunds').length;

describe('a refund of an amount that Stripe cannot pay (it needs whole steps of the currency)', () => {
  it.each([
    { of: 'an amount', fields: { amount: 1_234 }, path: 'amount', advice: '1230 or 1240' },
    { of: 'less than one step', fields: { amount: 5 }, path: 'amount', advice: '10' },
    { of: 'a net amount', fields: { amount: 1_001, tax_inclusive: false }, path: 'amount', advice: '1070 or 1080' },
    { of: 'the tax', fields: { type: 'tax', tax_reason: 'exempt' }, path: 'type', advice: '1300 or 1310' },
  ])('is refused, and the answer names possible amounts: $of', async ({ fields, path, advice }) => {
    const { id } = await sold(20_000); // 7 % inside: 20000 × 7 / 107 = 1308.4
    const [before, calls] = [await payments().get(id), asked()];
    for (const route of ['/refunds', '/refunds/preview']) {
      const answer = await ask(route, id, fields);
      expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', path);
      expect(answer.body.message).toMatch(/^The processor refunds KWD in steps of 10 minor units/);
      expect(answer.body.message).toContain(`Ask for ${advice}, tax included.`);
    }
    expect(await payments().get(id)).toEqual(before);
    expect(asked()).toBe(calls);
  });

  it('is refused for lines whose sum is not a whole step, and made for lines whose sum is a whole step', async () => {
    const { id, items } = await sold(12_345, 7_655);
    const [one, other] = items as [string, string];
    expectProblem(await refund(id, { items: [{ item_id: one }] }), 422, 'INVALID_REQUEST_PARAMETERS', 'items');
    const both = await refund(id, { items: [{ item_id: one }, { item_id: other, amount: 5 }] });
    expect(both.body).toMatchObject({ amount: 12_350, status: 'succeeded' });
    expect((await refund(id)).body).toMatchObject({ amount: 7_650, status: 'succeeded' });
  });

  it('does not block a refund of the whole payment, or of all that is left of it', async () => {
    const whole = await sold(12_345, 7_655);
    expect((await refund(whole.id)).body).toMatchObject({ amount: 20_000, status: 'succeeded', is_partial: false });
    const parts = await sold(12_340);
    expect((await refund(parts.id, { amount: 1_000, tax_inclusive: false })).body).toMatchObject({ amount: 1_070 });
    expect((await refund(parts.id, { amount: 10 })).body).toMatchObject({ amount: 10, status: 'succeeded' });
    expect((await refund(parts.id)).body).toMatchObject({ amount: 11_260, status: 'succeeded' });
    expect(await payments().get(parts.id)).toMatchObject({ refundable: 0, refunded: 12_340 });
  });

  it('is made for a test card payment from a time when the sandbox did not use Stripe', async () => {
    const sessionId = await createSession(shop.api, [{ product_id: await product(12_340), quantity: 1 }]);
    const { id } = await pay(sessionId, { expectedTotal: 12_340 });
    expect((await refund(id, { amount: 1 })).body).toMatchObject({ amount: 1, status: 'succeeded' });
  });
});

describe('the form for a refund in a currency that Stripe pays in steps', () => {
  async function post(id: string, fields: Record<string, string>) {
    const { cookies, token } = await browse(shop.api, localKey);
    const { refundable } = await payments().get(id);
    const own = { action: 'refund', expected: String(refundable), basis: 'gross', token, form_id: id };
    return postForm(shop.api, `/dashboard/payments/${id}`, { ...own, ...fields }, cookies);
  }

  it('shows the possible amounts as money, and refunds nothing', async () => {
    const { id } = await sold(12_340);
    const answer = await post(id, { scope: 'amount', amount: '1.234' });
    expect(answer.status).toBe(422);
    expect(answer.text).toMatch(/KWD is refunded in steps of KWD\s0\.010/);
    expect(answer.text).not.toContain('minor units');
    expect((await payments().get(id)).refunds).toEqual([]);
  });

  it('refunds one half when Stripe can pay that amount', async () => {
    const { id } = await sold(12_350); // half of it is 6.175, and Stripe moves 6.170
    expect((await post(id, { action: 'preview', scope: 'half' })).text).toMatch(/The buyer gets<.dt><dd>KWD\s6\.170/);
    expect((await post(id, { scope: 'half', confirmed: '6170' })).status).toBe(303);
    expect(await payments().get(id)).toMatchObject({ refunded: 6_170, refundable: 6_180 });
  });
});
