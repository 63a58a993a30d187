import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sessions } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ ...testMerchant, expiredCheckoutEvents: true });
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const anyone = { key: null, headers: { 'sec-fetch-site': 'same-origin' } } as const;

/** At least 5.00 euros; in France at least 90.00 euros, in the US at least 100.00 dollars. */
async function supportByPlace(): Promise<string> {
  const product = await addProduct(api, { ...support, pricing_mode: 'by_country' });
  for (const body of [
    { country_code: 'FR', currency: 'EUR', amount: 9_000 },
    { country_code: 'US', currency: 'USD', amount: 10_000, suggested_price: 12_000 },
    { country_code: 'PL', currency: 'EUR', amount: 200 },
  ])
    await api.call(`POST /products/${product}/localized-prices`, { body });
  return product;
}

async function follow(product: string, query: string): Promise<string> {
  const { headers } = await api.call(`POST /buy/${product}`, { ...anyone, query });
  return /cks_\w+/.exec(headers['location'] ?? '')?.[0] ?? '';
}

const buyerIn = (country: string) => ({
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country, ...(country === 'US' && { state: 'OR', zipcode: '97201' }) },
});
const pay = (id: string, country: string, amounts?: object) => {
  const chosen = amounts && { amounts, expected_currency: country === 'US' ? 'USD' : 'EUR' };
  const body = { ...buyerIn(country), test_card: '4242', ...chosen };
  return api.call(`POST /checkout/${id}/pay`, { key: null, body });
};

/** What the page of a session shows in the field of the amount after the buyer has named a country. */
async function fieldIn(id: string, country: string, fields: Record<string, string> = {}): Promise<string | undefined> {
  const { formToken: token, currency } = await sessions().get(id);
  const form = { token, shown_currency: currency, email: 'buyer@example.com', name: 'A Buyer', country, ...fields };
  const { text } = await postForm(api, `/checkout/${id}/quote`, form, []);
  return amountIn(text);
}
const amountIn = (text: string): string | undefined => /<input[^>]*id="amount-0"[^>]*value="([^"]*)"/.exec(text)?.[1];
const pageOf = async (id: string): Promise<string> => (await api.call(`GET /checkout/${id}`, anyone)).text;

describe('the amount in a product’s link', () => {
  it.each([
    { country: 'FR', amount: 500, status: 422 },
    { country: 'FR', amount: 8_999, status: 422 },
    { country: 'FR', amount: 9_000, status: 200 },
    { country: 'US', amount: 9_999, status: 422 },
    { country: 'US', amount: 10_000, status: 200 },
    { country: 'DE', amount: 499, status: 422 },
    { country: 'DE', amount: 500, status: 200 },
    { country: 'PL', amount: 200, status: 200 },
  ])(
    'does not lower the minimum for a buyer in $country: the amount $amount gets status $status',
    async ({ country, amount, status }) => {
      const product = await supportByPlace();
      const id = await follow(product, 'amount=500');
      const answer = await pay(id, country, { [product]: amount });
      if (status === 422) expectProblem(answer, 422, 'REQUEST_AMOUNT_BELOW_MINIMUM');
      else expect(answer.body.status).toBe('succeeded');
    },
  );

  it.each(['FR', 'US', 'DE'])(
    'is only a suggestion: the request must contain the amount that a buyer in %s chooses',
    async (country) => {
      const id = await follow(await supportByPlace(), 'amount=500');
      expectProblem(await pay(id, country), 422, 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED');
    },
  );

  it('is filled into the amount field, and the buyer can change it', async () => {
    const product = await supportByPlace();
    expect(amountIn(await pageOf(await follow(product, 'amount=750')))).toBe('7.50');
    expect(amountIn(await pageOf(await follow(product, '')))).toBe('15.00');
  });

  it('is checked against the price of the buyer’s country, like a typed amount', async () => {
    const product = await supportByPlace();
    const id = await follow(product, 'amount=500');
    const page = await pageOf(id);
    const { formToken: token } = await sessions().get(id);
    const form = {
      token,
      shown_currency: 'EUR',
      email: 'buyer@example.com',
      name: 'A Buyer',
      country: 'FR',
      card: '4242424242424242',
    };
    const paid = await postForm(
      api,
      `/checkout/${id}/pay`,
      { ...form, [`amount.${product}`]: amountIn(page) ?? '' },
      [],
    );
    expect(paid.text.replace(/\u00A0/g, ' ')).toContain('€90.00');
    expect((await sessions().get(id)).paymentId).toBeNull();
  });

  it('is replaced by the suggested amount if the buyer’s country has another currency', async () => {
    const id = await follow(await supportByPlace(), 'amount=750');
    expect(await fieldIn(id, 'US')).toBe('120.00');
    expect(await fieldIn(id, 'DE')).toBe('7.50');
  });

  it('is refused if no price of the product allows it, and shown if the base price allows it', async () => {
    const product = await supportByPlace();
    const open = async (query: string) => [
      (await api.call(`GET /buy/${product}`, { ...anyone, query })).status,
      (await api.call(`POST /buy/${product}`, { ...anyone, query })).status,
    ];
    expect([await open('amount=199'), await open('amount=200'), await open('amount=500')]).toEqual([
      [422, 422],
      [200, 303],
      [200, 303],
    ]);
    const shown = async (query: string) => {
      const { text } = await api.call(`GET /buy/${product}`, { ...anyone, query });
      return /id="amount"[^>]*value="([^"]*)"/.exec(text)?.[1];
    };
    expect([await shown('amount=700'), await shown('amount=200')]).toEqual(['7.00', '15.00']);
  });

  it('is still a suggestion in the session that a recovery link opens', async () => {
    clock.stopAt('2031-03-01T12:00:00.000Z');
    const product = await supportByPlace();
    const id = await follow(product, 'amount=750&email=ada@example.com');
    clock.forward({ hours: 25 });
    await sweep();
    const { headers } = await api.call(`POST /checkout/${id}/recover`, anyone);
    const again = /cks_\w+/.exec(headers['location'] ?? '')?.[0] ?? '';
    expect(again).not.toBe(id);
    expect(amountIn(await pageOf(again))).toBe('7.50');
    expectProblem(await pay(again, 'FR', { [product]: 750 }), 422, 'REQUEST_AMOUNT_BELOW_MINIMUM');
  });
});

it('An amount that an integrator has fixed is charged unchanged in every country', async () => {
  const product = await supportByPlace();
  for (const country of ['FR', 'US', 'DE']) {
    const id = await createSession(api, [{ product_id: product, quantity: 1, amount: 500 }]);
    const paid = await pay(id, country);
    expect([country, paid.body.status, paid.body.currency]).toEqual([country, 'succeeded', 'EUR']);
    expect((await sessions().get(id)).lines[0]?.amount).toBe(500);
  }
});
