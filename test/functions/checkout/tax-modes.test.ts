import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quote } from '../../../shared/domain/checkout/quote.ts';
import { rateRows } from '../../../shared/tax/rates/rate-table.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { treatment, vat } from '../../support/shop/payments.ts';
import { addProduct, createSession, fieldGuide, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const anyone = { key: null } as const;
const saas = { ...fieldGuide, tax_category: 'saas' };
const { tax_inclusive: _, ...plainPrice } = fieldGuide.price;
/** A product at 10.00 with these fields of its price. */
const productOf = (fields: object) => addProduct(api, { ...saas, price: { ...plainPrice, price: 1_000, ...fields } });
const byLocation = (fields: object = {}) => productOf({ tax_mode: 'location', ...fields });
const priceOf = async (id: string) => (await api.call(`GET /products/${id}`)).body.price;

const sessionOf = (product: string, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1 }], fields);
const buyerIn = (country: string, state?: string) => ({
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  test_card: '4242',
  billing_address: { country, ...(state && { state }) },
});
const send = (action: 'quote' | 'pay', id: string, fields: object): Promise<ApiAnswer> =>
  api.call(`POST /checkout/${id}/${action}`, { body: fields, ...anyone });

describe('the field tax_mode', () => {
  it.each([
    [{ tax_mode: 'inclusive' }, { tax_mode: 'inclusive', tax_inclusive: true, tax_anchor: null }],
    [{ tax_mode: 'exclusive' }, { tax_mode: 'exclusive', tax_inclusive: false, tax_anchor: null }],
    [{ tax_inclusive: true }, { tax_mode: 'inclusive', tax_inclusive: true, tax_anchor: null }],
    [{ tax_inclusive: false }, { tax_mode: 'exclusive', tax_inclusive: false, tax_anchor: null }],
    [{ tax_mode: 'location' }, { tax_mode: 'location', tax_inclusive: true, tax_anchor: 'DE' }],
    [
      { tax_mode: 'location', tax_anchor: 'US' },
      { tax_mode: 'location', tax_inclusive: false, tax_anchor: 'US' },
    ],
    // what an answer has can be sent again
    [
      { tax_mode: 'location', tax_anchor: 'DE', tax_inclusive: true },
      { tax_mode: 'location', tax_inclusive: true, tax_anchor: 'DE' },
    ],
  ])('given as %j is returned as %j', async (sent, answered) => {
    expect(await priceOf(await productOf(sent))).toMatchObject(answered);
  });

  it.each([
    [{ tax_mode: 'inclusive', tax_inclusive: false }, 'tax_inclusive'],
    [{ tax_mode: 'exclusive', tax_inclusive: true }, 'tax_inclusive'],
    [{ tax_mode: 'inclusive', tax_anchor: 'DE' }, 'price.tax_anchor'],
    [{ tax_anchor: 'DE' }, 'price.tax_anchor'],
  ])('given as %j is refused with an error at %s', async (fields, param) => {
    const body = { ...saas, price: { ...plainPrice, price: 1_000, ...fields } };
    expectProblem(await api.call('POST /products', { body }), 422, 'INVALID_REQUEST_PARAMETERS', param);
  });

  it('is kept when a price change does not name it, and ends when tax_inclusive is sent', async () => {
    const id = await byLocation({ tax_anchor: 'CA' });
    const patch = async (body: object) => (await api.call(`PATCH /products/${id}`, { body })).body.price;
    const kept = await patch({ price: { ...plainPrice, price: 2_000 } });
    expect(kept).toMatchObject({ price: 2_000, tax_mode: 'location', tax_anchor: 'CA', tax_inclusive: false });
    const ended = await patch({ tax_inclusive: true });
    expect(ended).toMatchObject({ price: 2_000, tax_mode: 'inclusive', tax_anchor: null, tax_inclusive: true });
    expect(await patch({ price: { ...plainPrice, price: 2_000, tax_mode: 'location' } })).toMatchObject({
      tax_mode: 'location',
      tax_anchor: 'DE',
    });
  });
});

describe('a price with tax_mode “location”', () => {
  it('is the total in countries that usually include tax, and the net in the US and Canada', async () => {
    const id = await sessionOf(await byLocation());
    // 1000 × 19/119 = 159.66
    const germany = await send('quote', id, buyerIn('DE'));
    expect(germany.body).toMatchObject({ net_amount: 840, tax: 160, total_amount: 1_000 });
    expect(germany.body.lines).toMatchObject([{ tax_inclusive: true }]);
    // New York: 4 %; Quebec: 5 % and 9.975 %
    const newYork = await send('quote', id, buyerIn('US', 'NY'));
    expect(newYork.body).toMatchObject({ net_amount: 1_000, tax: 40, total_amount: 1_040 });
    expect(newYork.body.lines).toMatchObject([{ tax_inclusive: false }]);
    expect((await send('quote', id, buyerIn('CA', 'QC'))).body).toMatchObject({
      net_amount: 1_000,
      total_amount: 1_150,
    });
  });

  it('of 1000 becomes 1089 with 8.875 % added, and stays 1000 with 19 % included', () => {
    const totalAt = (rate: string, taxInclusive: boolean) =>
      quote([{ unitAmount: 1_000, quantity: 1, taxInclusive, treatment: treatment(vat(rate)) }]);
    expect(totalAt('0.08875', false)).toMatchObject({ net: 1_000, tax: 89, gross: 1_089 });
    expect(totalAt('0.19', true)).toMatchObject({ net: 840, tax: 160, gross: 1_000 });
  });

  it('has the same total in every country except the US and Canada', async () => {
    const id = await sessionOf(await byLocation());
    const countries = [...new Set(rateRows().map(({ country }) => country))];
    const plain = countries.filter((country) => !['US', 'CA'].includes(country));
    const totals = await Promise.all(
      plain.map(async (country) => (await send('quote', id, buyerIn(country))).body.total_amount ?? country),
    );
    const known = totals.filter((total) => typeof total === 'number');
    expect(known.length).toBeGreaterThan(60);
    expect(new Set(known)).toEqual(new Set([1_000]));
  });

  it('refuses the total of another country, and a full refund returns the paid total', async () => {
    const id = await sessionOf(await byLocation());
    const stale = await send('pay', id, { ...buyerIn('US', 'NY'), expected_total: 1_000 });
    expectProblem(stale, 409, 'CONFLICT');
    expect(stale.body).toMatchObject({ total_amount: 1_040 });
    const paid = await send('pay', id, { ...buyerIn('US', 'NY'), expected_total: 1_040 });
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 1_040 });
    const paymentId = paid.body.payment_id;
    const { body: lines } = await api.call(`GET /payments/${paymentId}/line-items`);
    expect(lines.items).toMatchObject([{ tax_inclusive: false, net_amount: 1_000, amount: 1_040, unit_amount: 1_000 }]);
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: paymentId } });
    expect(refund).toMatchObject({ amount: 1_040, is_partial: false });
  });

  it('keeps its tax mode in a session when the product changes', async () => {
    const product = await byLocation();
    const id = await sessionOf(product);
    await api.call(`PATCH /products/${product}`, { body: { tax_inclusive: true } });
    expect((await send('quote', id, buyerIn('US', 'NY'))).body).toMatchObject({ total_amount: 1_040 });
  });

  it('is previewed by the custom of its anchor country if no country is given', async () => {
    const totalOf = async (product: string, fields: object = {}) => {
      const body = { product_cart: [{ product_id: product, quantity: 1 }], ...fields };
      return (await api.call('POST /checkouts/preview', { body })).body;
    };
    const [here, there] = [await byLocation(), await byLocation({ tax_anchor: 'US' })];
    expect(await totalOf(here)).toMatchObject({ total_price: 1_000, product_cart: [{ tax_inclusive: true }] });
    expect(await totalOf(there)).toMatchObject({ total_price: 1_190, product_cart: [{ tax_inclusive: false }] });
    expect(await totalOf(there, { billing_address: { country: 'DE' } })).toMatchObject({ total_price: 1_000 });
  });

  it('that the buyer chooses keeps the minimum net, both with included and with added tax', async () => {
    const price = { ...support.price, suggested_price: null, tax_inclusive: null, tax_mode: 'location' };
    const product = await addProduct(api, { ...support, price: { ...price, minimum_net: 1_000 } });
    const id = await sessionOf(product);
    const quoted = async (country: string, state: string | undefined, amount: number) =>
      (await send('quote', id, { ...buyerIn(country, state), amounts: { [product]: amount } })).body;
    expect(await quoted('DE', undefined, 1_000)).toMatchObject({ minimum_amount: 1_190 });
    expect(await quoted('US', 'NY', 1_000)).toMatchObject({ net_amount: 1_000 });
  });

  it('shows no total before a country is chosen, and then the total for that country', async () => {
    const id = await sessionOf(await byLocation());
    const shown = async (country: string, fields: object = {}) => {
      const page = await api.call(`GET /checkout/${id}`, anyone);
      const [, token = ''] = /name="token" value="([^"]*)"/.exec(page.text) ?? [];
      const raw = Buffer.from(new URLSearchParams({ token, country, ...fields }).toString());
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
      const { text } = await api.call(`POST /checkout/${id}/quote`, { raw, headers, ...anyone });
      return /name="expected_total" value="([^"]*)"/.exec(text)?.[1];
    };
    expect([await shown(''), await shown('DE'), await shown('US', { region: 'NY' })]).toEqual(['', '1000', '1040']);
  });
});
