import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const priceOf = (price: number, fields: object = {}) => ({
  ...{ type: 'one_time_price', currency: 'EUR', price, tax_inclusive: true },
  ...fields,
});
const added = (price: number, fields: object = {}, product: object = {}) =>
  addProduct(api, { tax_category: 'digital_products', price: priceOf(price, fields), ...product });
const byCountry = { pricing_mode: 'by_country' };
const priceIn = async (product: string, body: object): Promise<string> =>
  (await api.call(`POST /products/${product}/localized-prices`, { body })).body.id;
const patch = (product: string, body: object) => api.call(`PATCH /products/${product}`, { body });
const opened = (products: readonly string[], fields: object = {}) =>
  createSession(
    api,
    products.map((product_id) => ({ product_id, quantity: 1 })),
    fields,
  );

const addressIn = (country: string) => ({
  country,
  ...(country === 'US' && { state: 'OR', zipcode: '97201' }),
});
const buyerIn = (country: string) => ({
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: addressIn(country),
});
const quoteIn = (id: string, country: string, fields: object = {}) =>
  api.call(`POST /checkout/${id}/quote`, { key: null, body: { ...buyerIn(country), ...fields } });
const payIn = (id: string, country: string, fields: object = {}) =>
  api.call(`POST /checkout/${id}/pay`, { key: null, body: { ...buyerIn(country), test_card: '4242', ...fields } });
const totalIn = async (id: string, country: string) => {
  const { body } = await quoteIn(id, country);
  return [body.total_amount, body.currency];
};

/** X at 10.00 and in France at 5.00; Y at 20.00. */
async function cart(fields: object = {}) {
  const x = await added(1_000, fields, byCountry);
  const inFrance = await priceIn(x, { country_code: 'FR', currency: 'EUR', amount: 500 });
  return { x, inFrance, y: await added(2_000, fields) };
}

describe('a checkout that was opened without a country', () => {
  it('keeps the price of a product without localized prices', async () => {
    const { x, y } = await cart();
    const id = await opened([x, y]);
    await patch(y, { price: priceOf(2_222) });
    expect(await totalIn(id, 'DE')).toEqual([3_000, 'EUR']);
    expect(await totalIn(id, 'FR')).toEqual([2_500, 'EUR']);
    expect(await totalIn(id, 'DE')).toEqual([3_000, 'EUR']);
  });

  it('charges that price for a JSON request without expected_total, with added tax', async () => {
    const { x, y } = await cart({ tax_inclusive: false });
    const id = await opened([x, y]);
    await patch(y, { price: priceOf(2_222, { tax_inclusive: false }) });
    // (500 + 2000) × 1.2
    expect((await payIn(id, 'FR')).body).toMatchObject({ status: 'succeeded', total_amount: 3_000 });
  });

  it.each<[string, (shop: Awaited<ReturnType<typeof cart>>) => Promise<unknown>]>([
    ['a changed price', ({ x }) => patch(x, { price: priceOf(9_999) })],
    ['another tax behaviour', ({ x }) => patch(x, { price: priceOf(1_000, { tax_inclusive: false }) })],
    [
      'another currency',
      ({ x, y }) => Promise.all([x, y].map((one) => patch(one, { price: priceOf(1_111, { currency: 'USD' }) }))),
    ],
    [
      'a changed price of a place',
      ({ x, inFrance }) => api.call(`PATCH /products/${x}/localized-prices/${inFrance}`, { body: { amount: 777 } }),
    ],
    [
      'an archived price of a place',
      ({ x, inFrance }) => api.call(`DELETE /products/${x}/localized-prices/${inFrance}`),
    ],
    ['a new price of a place', ({ x }) => priceIn(x, { country_code: 'DE', currency: 'EUR', amount: 333 })],
    [
      'a new price of a place where there was none',
      async ({ y }) => {
        await patch(y, byCountry);
        await priceIn(y, { country_code: 'DE', currency: 'EUR', amount: 333 });
      },
    ],
    ['prices by place that end', ({ x }) => patch(x, { pricing_mode: null })],
    ['archived products', ({ x, y }) => Promise.all([x, y].map((one) => api.call(`DELETE /products/${one}`)))],
  ])('keeps its prices in each country after %s', async (_, change) => {
    const shop = await cart();
    const id = await opened([shop.x, shop.y]);
    await change(shop);
    for (const [country, total] of [
      ['DE', 3_000],
      ['FR', 2_500],
      ['PL', 3_000],
      ['FR', 2_500],
    ] as const)
      expect([country, ...(await totalIn(id, country))]).toEqual([country, total, 'EUR']);
    expect((await payIn(id, 'FR')).body).toMatchObject({ status: 'succeeded', total_amount: 2_500 });
  });

  it('keeps the limits, the suggested amount and the currency of each country', async () => {
    const choice = { pay_what_you_want: true, suggested_price: 1_500 };
    const gift = await added(500, choice, byCountry);
    const dollars = await priceIn(gift, { country_code: 'US', currency: 'USD', amount: 10_000 });
    const id = await opened([gift]);
    await patch(gift, { price: priceOf(50, { pay_what_you_want: true }) });
    await api.call(`PATCH /products/${gift}/localized-prices/${dollars}`, { body: { amount: 1_000 } });
    const chosen = (country: string, amount: number, currency: string) =>
      quoteIn(id, country, { amounts: { [gift]: amount }, expected_currency: currency });
    expect((await chosen('US', 9_999, 'USD')).body).toMatchObject({
      code: 'REQUEST_AMOUNT_BELOW_MINIMUM',
      minimum_amount: 10_000,
    });
    expect((await chosen('US', 10_000, 'USD')).body).toMatchObject({ total_amount: 10_000, currency: 'USD' });
    expect((await chosen('DE', 499, 'EUR')).body).toMatchObject({
      code: 'REQUEST_AMOUNT_BELOW_MINIMUM',
      minimum_amount: 500,
    });
    expect((await chosen('DE', 500, 'EUR')).body).toMatchObject({ total_amount: 500, currency: 'EUR' });
  });

  it('keeps the list of currencies that the buyer may choose from', async () => {
    const product = await added(1_000, {}, { pricing_mode: 'by_currency' });
    const inDollars = await priceIn(product, { currency: 'USD', amount: 1_200 });
    const id = await opened([product]);
    await api.call(`DELETE /products/${product}/localized-prices/${inDollars}`);
    await priceIn(product, { currency: 'GBP', amount: 900 });
    expect(await totalIn(id, 'GB')).toEqual([1_000, 'EUR']);
    expect(await totalIn(id, 'US')).toEqual([1_200, 'USD']);
  });
});

it('A checkout that was opened for one country keeps its prices for all other countries', async () => {
  const { x, y, inFrance } = await cart();
  const id = await opened([x, y], { billing_address: { country: 'FR' } });
  await patch(x, { price: priceOf(9_999) });
  await patch(y, { price: priceOf(8_888) });
  await api.call(`PATCH /products/${x}/localized-prices/${inFrance}`, { body: { amount: 777 } });
  expect(await totalIn(id, 'DE')).toEqual([3_000, 'EUR']);
  expect(await totalIn(id, 'FR')).toEqual([2_500, 'EUR']);
});
