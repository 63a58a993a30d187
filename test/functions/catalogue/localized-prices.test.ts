import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { addProduct, fieldGuide, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

type Fields = Record<string, unknown>;

const productWith = (pricing_mode: string | null, fields: object = {}) => addProduct(api, { pricing_mode, ...fields });
const add = (product: string, body: Fields): Promise<ApiAnswer> =>
  api.call(`POST /products/${product}/localized-prices`, { body });
const listOf = async (product: string) => (await api.call(`GET /products/${product}/localized-prices`)).body.items;
const patch = (product: string, body: Fields) => api.call(`PATCH /products/${product}`, { body });

/** The preview of a cart: in which currency, and at which total. */
async function previewed(products: string[], fields: object = {}): Promise<string> {
  const product_cart = products.map((product_id) => ({ product_id, quantity: 1 }));
  const { body } = await api.call('POST /checkouts/preview', { body: { product_cart, ...fields } });
  return body.currency ? `${body.currency} ${body.total_price}` : body.code;
}
const inCountry = (country: string) => ({ billing_address: { country } });

describe('localized prices of a product', () => {
  it('can be created, listed, read, changed and archived', async () => {
    const product = await productWith('by_country');
    const { status, body } = await add(product, { amount: 900, currency: 'INR', country_code: 'IN' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^lcp_[A-Za-z0-9]{21}$/),
      ...{ product_id: product, mode: 'by_country', amount: 900, currency: 'INR', country_code: 'IN' },
      ...{ tax_inclusive: null, suggested_price: null, preset_amounts: null, created_at: body.updated_at },
    });
    const path = `/products/${product}/localized-prices/${body.id}`;
    expect((await api.call(`GET ${path}`)).body).toEqual(body);
    const changed = await api.call(`PATCH ${path}`, { body: { amount: 800, tax_inclusive: false } });
    expect(changed.body).toMatchObject({ id: body.id, amount: 800, tax_inclusive: false, currency: 'INR' });
    expect(await listOf(product)).toEqual([changed.body]);
    for (const _ of [1, 2]) expect((await api.call(`DELETE ${path}`)).body).toEqual({});
    expect(await listOf(product)).toEqual([]);
    expectProblem(await api.call(`GET ${path}`), 404, 'NOT_FOUND');
  });

  it.each([
    [null, { currency: 'USD' }, 422, 'PRODUCT_PRICING_MODE_REQUIRED', null],
    ['by_currency', { currency: 'USD', country_code: 'US' }, 422, 'LOCALIZED_PRICE_SHAPE_MISMATCH', 'country_code'],
    ['by_country', { currency: 'USD' }, 422, 'LOCALIZED_PRICE_SHAPE_MISMATCH', 'country_code'],
    ['by_currency', { currency: 'EUR' }, 422, 'LOCALIZED_PRICE_DUPLICATES_BASE', 'currency'],
    ['by_currency', { currency: 'GBP' }, 409, 'LOCALIZED_PRICE_ALREADY_EXISTS', 'currency'],
    ['by_country', { currency: 'EUR', country_code: 'GB' }, 409, 'LOCALIZED_PRICE_ALREADY_EXISTS', 'country_code'],
    ['by_currency', { currency: 'USD', amount: 0 }, 422, 'INVALID_REQUEST_PARAMETERS', 'amount'],
    ['by_currency', { currency: 'USD', minimum_net: 5 }, 422, 'INVALID_REQUEST_PARAMETERS', 'amount'],
    ['by_currency', { currency: 'HRK' }, 422, 'UNSUPPORTED_CURRENCY', 'currency'],
    ['by_country', { currency: 'USD', country_code: 'usa' }, 422, 'UNSUPPORTED_COUNTRY', 'country_code'],
  ])('with the pricing mode %s and the fields %j are refused with %i %s', async (mode, fields, status, code, param) => {
    const product = await productWith(mode);
    if (status === 409) {
      const market = mode === 'by_country' ? { country_code: 'GB' } : {};
      expect((await add(product, { amount: 900, currency: 'GBP', ...market })).status).toBe(200);
    }
    expectProblem(await add(product, { amount: 900, ...fields }), status, code, param);
  });

  it('are limited to 100 per product', async () => {
    const product = await productWith('by_country');
    const countries = (await import('../../../shared/tax/places/countries.ts')).countries.slice(0, 101);
    for (const country_code of countries.slice(0, 100))
      await add(product, { amount: 900, currency: 'EUR', country_code });
    const last = await add(product, { amount: 900, currency: 'EUR', country_code: countries[100] });
    expectProblem(last, 422, 'INVALID_REQUEST_PARAMETERS');
    expect(await listOf(product)).toHaveLength(100);
  });

  it('are all kept when three are created at once', async () => {
    const product = await productWith('by_currency');
    await Promise.all(['USD', 'GBP', 'JPY'].map((currency) => add(product, { amount: 900, currency })));
    expect((await listOf(product)).map(({ currency }: { currency: string }) => currency).sort()).toEqual([
      'GBP',
      'JPY',
      'USD',
    ]);
  });

  it.each([
    ['another mode', { pricing_mode: 'by_country' }, []],
    ['no mode', { pricing_mode: null }, []],
    ['the currency of one', { price: { ...fieldGuide.price, currency: 'USD' } }, ['GBP']],
    ['a price that the buyer chooses', { price: support.price }, []],
    ['another name', { name: 'Other' }, ['USD', 'GBP']],
  ])('are kept only if they still fit after the product gets %s', async (_, change, kept) => {
    const product = await productWith('by_currency');
    await add(product, { amount: 900, currency: 'USD' });
    await add(product, { amount: 800, currency: 'GBP' });
    await patch(product, change);
    expect((await listOf(product)).map(({ currency }: { currency: string }) => currency)).toEqual(kept);
  });

  it('can have their own limits when the buyer chooses the price, with 0 as the lowest minimum', async () => {
    const product = await productWith('by_currency', { price: support.price });
    const terms = { suggested_price: 900, maximum_price: 5_000, preset_amounts: [0, 900], minimum_net: null };
    const { body } = await add(product, { amount: 0, currency: 'USD', ...terms });
    expect(body).toMatchObject({ amount: 0, ...terms });
    expectProblem(
      await add(product, { amount: 1_000, currency: 'GBP', suggested_price: 900 }),
      422,
      'INVALID_SUGGESTED_PRICE',
    );
    const cart = [{ product_id: product, quantity: 1, amount: 5_001 }];
    const above = await api.call('POST /checkouts', { body: { product_cart: cart, billing_currency: 'USD' } });
    expectProblem(above, 422, 'REQUEST_AMOUNT_ABOVE_MAXIMUM');
    expect(await previewed([product], { billing_currency: 'USD' })).toBe('USD 900');
  });
});

describe('the currency of a cart', () => {
  it('is the one that the request names, even if the country suggests another', async () => {
    const product = await productWith('by_currency');
    await add(product, { amount: 2_500, currency: 'USD' });
    expect(await previewed([product], { billing_currency: 'USD', ...inCountry('DE') })).toBe('USD 2500');
    expect(await previewed([product], { billing_currency: 'EUR', ...inCountry('GB') })).toBe('EUR 1999');
    expect(await previewed([product], { billing_currency: 'GBP' })).toBe('INVALID_REQUEST_PARAMETERS');
  });

  it('is that of a price for the buyer’s country, even if the country usually has another currency', async () => {
    const product = await productWith('by_country');
    await add(product, { amount: 700, currency: 'EUR', country_code: 'PT' });
    await add(product, { amount: 900, currency: 'GBP', country_code: 'GB' });
    expect(await previewed([product], inCountry('PT'))).toBe('EUR 700');
    expect(await previewed([product], inCountry('GB'))).toBe('GBP 900');
    expect(await previewed([product], inCountry('FR'))).toBe('EUR 1999');
    expect(await previewed([product])).toBe('EUR 1999');
  });

  it('is the country’s currency if all products have a price in it, else the products’ base currency', async () => {
    const [book, other] = [await productWith('by_currency'), await productWith('by_currency')];
    await add(book, { amount: 250, currency: 'JPY' });
    expect(await previewed([book], inCountry('JP'))).toBe('JPY 250');
    expect(await previewed([book, other], inCountry('JP'))).toBe('EUR 3998');
    await add(other, { amount: 300, currency: 'JPY' });
    expect(await previewed([book, other], inCountry('JP'))).toBe('JPY 550');
  });

  it('is the one currency that all products have a price in, and otherwise the cart is refused', async () => {
    const dollars = await productWith('by_currency', { price: { ...fieldGuide.price, currency: 'USD', price: 2_000 } });
    const euros = await addProduct(api);
    expect(await previewed([euros, dollars])).toBe('INVALID_REQUEST_PARAMETERS');
    await add(dollars, { amount: 1_800, currency: 'EUR' });
    expect(await previewed([euros, dollars])).toBe('EUR 3799');
  });

  it('stays the products’ base currency when the request fixes an amount without a currency', async () => {
    const product = await productWith('by_currency', { price: support.price });
    await add(product, { amount: 300, currency: 'USD' });
    const product_cart = [{ product_id: product, quantity: 1, amount: 800 }];
    const inNewYork = { billing_address: { country: 'US', state: 'NY' } };
    const currencyOf = async (fields: object) =>
      (await api.call('POST /checkouts/preview', { body: { product_cart, ...fields } })).body.currency;
    expect([await currencyOf(inNewYork), await currencyOf({ billing_currency: 'USD' })]).toEqual(['EUR', 'USD']);
  });
});

describe('a session with a localized price', () => {
  it('keeps that price after it is archived, is paid in its currency, and is refunded in full', async () => {
    const product = await productWith('by_country', { tax_inclusive: true });
    const { body: rule } = await add(product, { amount: 3_000, currency: 'JPY', country_code: 'JP' });
    const product_cart = [{ product_id: product, quantity: 2 }];
    const { body: session } = await api.call('POST /checkouts', { body: { product_cart, ...inCountry('JP') } });
    await api.call(`DELETE /products/${product}/localized-prices/${rule.id}`);
    const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };
    const paid = await api.call(`POST /checkout/${session.session_id}/pay`, {
      body: { ...buyer, expected_total: 6_000 },
      key: null,
    });
    expect(paid.body).toMatchObject({ status: 'succeeded', currency: 'JPY', total_amount: 6_000 });
    const payment_id = paid.body.payment_id;
    expect((await api.call(`GET /payments/${payment_id}/line-items`)).body).toMatchObject({
      currency: 'JPY',
      items: [{ unit_amount: 3_000, amount: 6_000 }],
    });
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id } });
    expect(refund).toMatchObject({ amount: 6_000, currency: 'JPY', is_partial: false });
  });

  it('uses the tax flag of the localized price, or else that of the product', async () => {
    const product = await productWith('by_currency');
    await add(product, { amount: 1_000, currency: 'USD', tax_inclusive: false });
    await add(product, { amount: 1_000, currency: 'GBP' });
    // 1000 + 7 % for an e-book in DE
    expect(await previewed([product], { billing_currency: 'USD', ...inCountry('DE') })).toBe('USD 1070');
    expect(await previewed([product], { billing_currency: 'GBP', ...inCountry('DE') })).toBe('GBP 1000');
  });
});
