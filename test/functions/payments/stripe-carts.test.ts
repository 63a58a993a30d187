import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { locales } from '../../../shared/pages/locale.ts';
import { sessions } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { fieldGuide } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop.stop());

async function open(currency: string, price: number, fields: object = {}) {
  const terms = { type: 'one_time_price', currency, price, tax_inclusive: true, ...fields };
  const { product_id } = (await shop.api.call('POST /products', { body: { ...fieldGuide, price: terms } })).body;
  return shop.api.call('POST /checkouts', { body: { product_cart: [{ product_id, quantity: 1 }] } });
}

describe('the opening of a session with a cart that Stripe would refuse', () => {
  it('is refused with a currency that Stripe does not charge', async () => {
    expectProblem(await open('UGX', 50_000), 422, 'UNSUPPORTED_CURRENCY', 'product_cart');
  });

  it('is refused with an amount below Stripe’s minimum, which the message names', async () => {
    const answer = await open('KWD', 5);
    expectProblem(answer, 422, 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT', 'product_cart');
    expect(answer.body.message).toBe(
      'The processor charges at least 10 minor units of KWD, in steps of 10. This cart costs 5.',
    );
  });

  it('is refused with an amount above Stripe’s maximum, which the message names', async () => {
    const answer = await open('HUF', 100_000_000);
    expectProblem(answer, 422, 'INVALID_REQUEST_PARAMETERS', 'product_cart');
    expect(answer.body.message).toBe(
      'The processor charges at most 99999999 minor units of HUF, in steps of 1. This cart costs 100000000.',
    );
    expect((await open('HUF', 99_999_999)).status).toBe(200);
  });

  it('is refused with an amount that lies between two amounts that Stripe can charge', async () => {
    expectProblem(await open('KWD', 12_345), 422, 'INVALID_REQUEST_PARAMETERS', 'product_cart');
  });

  it('is accepted if the buyer chooses the amount, or if nothing is charged', async () => {
    expect((await open('KWD', 5, { pay_what_you_want: true })).status).toBe(200);
    expect((await open('KWD', 0)).status).toBe(200);
    expect((await open('KWD', 12_340)).status).toBe(200);
  });
});

describe('the payment page at Stripe', () => {
  /** The methods that it offers for a session that allows these types. */
  async function offered(types?: readonly string[]): Promise<string[] | undefined> {
    const { product_id } = (await shop.api.call('POST /products', { body: fieldGuide })).body;
    const cart = { product_cart: [{ product_id, quantity: 1 }], allowed_payment_method_types: types };
    const { session_id: id } = (await shop.api.call('POST /checkouts', { body: cart })).body;
    const customer = { email: 'buyer@example.com', name: 'A Buyer' };
    const body = { customer, billing_address: { country: 'DE' } };
    const headers = { 'content-type': 'application/json' };
    const paid = await shop.api.call(`POST /checkout/${id}/pay`, { body, headers, key: null });
    expect(paid.text).toContain('requires_customer_action');
    const { reference } = await shop.paymentOf(id);
    return shop.fake.account.sessions.get(reference ?? '')?.payment_method_types;
  }

  it('shows each line of the cart with its image, and the same in a repeated request', async () => {
    const image = 'https://shop.example/images/guide.png';
    const guide = (await shop.api.call('POST /products', { body: fieldGuide })).body.product_id;
    const map = (await shop.api.call('POST /products', { body: { ...fieldGuide, name: 'Map' } })).body.product_id;
    const product_cart = [
      { product_id: guide, quantity: 2 },
      { product_id: map, quantity: 1 },
    ];
    const { session_id: id } = (await shop.api.call('POST /checkouts', { body: { product_cart } })).body;
    const session = await sessions().get(id);
    await sessions().save({
      ...session,
      lines: session.lines.map((line, at) => (at === 0 ? { ...line, image } : line)),
    });
    shop.fake.fate = ({ method }) => (method === 'POST' ? 'answer-lost' : 'answered');
    const body = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, billing_address: { country: 'DE' } };
    await shop.api.call(`POST /checkout/${id}/pay`, {
      body,
      headers: { 'content-type': 'application/json' },
      key: null,
    });
    shop.fake.fate = () => 'answered';
    const begun = await shop.paymentOf(id);
    expect(begun).toMatchObject({ status: 'processing', reference: null, asksBy: 'lines' });
    clock.stopAt(new Date(Date.now() + 60_000).toISOString());
    await invokeFunction('events/sweep-due', {});
    clock.run();
    const { reference } = await shop.paymentOf(id);
    const { request } = shop.fake.account.checkouts.get(String(reference)) ?? {};
    expect(request?.lines).toEqual([
      { name: `${fieldGuide.name} × 2`, amount: 3_998, image },
      { name: 'Map', amount: 1_999, image: null },
    ]);
    expect(request?.intentMetadata).toMatchObject({ checkout_session_id: id, taxed_in: 'DE', merchant_id: 'demo' });
    const own = shop.fake.calls.filter(({ idempotencyKey }) => idempotencyKey === begun.id);
    expect(own.length).toBeGreaterThan(1);
    expect(new Set(own.map((call) => call.body)).size).toBe(1);
  });

  it.each(locales)('is named on the checkout page: %s', async (lang) => {
    const { session_id: id } = (await open('EUR', 1_999)).body;
    const { text } = await shop.api.call(`GET /checkout/${id}`, { key: null, query: `lang=${lang}` });
    expect(text).toMatch(/<p class="hint">[^<]*Stripe[^<]*<\/p>/);
  });

  it('offers all payment methods of the account, unless the session allows only some', async () => {
    expect(await offered()).toEqual(['card', 'sepa_debit', 'customer_balance']);
    expect(await offered([])).toEqual(['card', 'sepa_debit', 'customer_balance']);
  });

  it.each([[['credit']], [['debit', 'credit']], [['klarna', 'credit']]])(
    'offers only cards for a session that allows %j',
    async (types) => {
      expect(await offered(types)).toEqual(['card']);
    },
  );
});

describe('what card statements add to the name of the account', () => {
  /** A payment of a product whose brand has this text, by the form or by a program. */
  async function soldBy(statement_descriptor: string | null, by: 'form' | 'program' = 'form') {
    const brand = (await shop.api.call('POST /brands', { body: { name: 'Maps', statement_descriptor } })).body.brand_id;
    const product = (await shop.api.call('POST /products', { body: { ...fieldGuide, brand_id: brand } })).body;
    const { sessionId, answer } = await shop.fill({ productIds: [product.product_id] });
    const customer = { email: 'buyer@example.com', name: 'A Buyer' };
    const body = { customer, billing_address: { country: 'DE' } };
    if (by === 'form') expect((await answer()).status).toBe(303);
    else await shop.api.call(`POST /checkout/${sessionId}/pay`, { body, key: null });
    return shop.paymentOf(sessionId);
  }
  const suffixAt = (reference: string | null | undefined) =>
    shop.fake.account.checkouts.get(reference ?? '')?.request.statementSuffix;
  const keysAbout = (id: string) =>
    shop.fake.calls.flatMap(({ method, idempotencyKey: key = '' }) =>
      method === 'POST' && key.startsWith(id) ? [key] : [],
    );

  it.each(['form', 'program'] as const)('is the text of the brand, for a payment by the %s', async (by) => {
    const { id, reference, statementSuffix } = await soldBy('MAPS & GUIDES', by);
    expect([suffixAt(reference), statementSuffix]).toEqual(['MAPS & GUIDES', 'MAPS & GUIDES']);
    expect(keysAbout(id)).toEqual([id]);
  });

  it('is nothing for a brand without a text', async () => {
    const { reference, ...payment } = await soldBy(null);
    expect(suffixAt(reference)).toBeNull();
    expect(payment).not.toHaveProperty('statementSuffix');
  });

  it('is left out, and the sale goes on, if Stripe refuses it', async () => {
    shop.fake.account.profile.takesSuffixes = false;
    const { id, reference, status } = await soldBy('MAPS').finally(() => {
      shop.fake.account.profile.takesSuffixes = true;
    });
    expect([status, suffixAt(reference), keysAbout(id)]).toEqual(['processing', null, [id, `${id}-plain`]]);
    const { cookies } = await browse(shop.api, localKey);
    const page = (await shop.api.call(`GET /dashboard/payments/${id}`, { cookies, key: null })).text;
    expect(page).toContain('The text for card statements was left out');
    expect(page).toContain('statement descriptor suffix is not valid');
  });

  it('raises an alarm with Stripe’s reason at the first refusal, and once an hour', async () => {
    clock.forward({ hours: 1 });
    shop.fake.account.profile.takesSuffixes = false;
    const from = shop.api.log.length;
    const sold = [await soldBy('MAPS'), await soldBy('MAPS')];
    shop.fake.account.profile.takesSuffixes = true;
    clock.run();
    const lines = shop.api.log.slice(from).map((line) => JSON.parse(line));
    const told = lines.filter(({ alert }) => alert === 'statement-text-refused');
    expect(told).toMatchObject(
      sold.map(({ id }) => ({
        payment_id: id,
        text: 'MAPS',
        reason: expect.stringContaining('descriptor'),
        processor_request_id: expect.stringMatching(/^req_/),
      })),
    );
    expect(lines.filter((line) => 'MoneyAlerts' in line)).toHaveLength(1);
  });

  it('is left out once only if the answer is lost, and every later request finds the same page', async () => {
    shop.fake.account.profile.takesSuffixes = false;
    shop.fake.fate = ({ method }) => (method === 'POST' ? 'answer-lost' : 'answered');
    const sessionsBefore = shop.fake.account.sessions.size;
    const { brand_id } = (await shop.api.call('POST /brands', { body: { name: 'Maps', statement_descriptor: 'MAPS' } }))
      .body;
    const product = (await shop.api.call('POST /products', { body: { ...fieldGuide, brand_id } })).body;
    const { sessionId, answer } = await shop.fill({ productIds: [product.product_id] });
    await answer();
    const { id, reference } = await shop.paymentOf(sessionId);
    expect(reference).toBeNull();
    shop.fake.fate = () => 'answered';
    clock.forward({ minutes: 2 });
    await invokeFunction('events/sweep-due', {});
    clock.run();
    shop.fake.account.profile.takesSuffixes = true;
    expect((await shop.paymentOf(sessionId)).reference).toMatch(/^cs_/);
    expect(new Set(keysAbout(id))).toEqual(new Set([id, `${id}-plain`]));
    expect(shop.fake.account.sessions.size).toBe(sessionsBefore + 1);
  });
});
