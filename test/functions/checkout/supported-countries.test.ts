import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../support/shop/api.ts';
import { fieldGuide } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const supported = async (query = '') => (await api.call('GET /checkout/supported_countries', { query })).body;

describe('GET /checkout/supported_countries', () => {
  it('200: lists every country to which something can be sold, those taxed by region as well', async () => {
    const countries = await supported();
    expect(countries).toEqual(expect.arrayContaining(['DE', 'US', 'CA', 'IN', 'BR', 'JP']));
    expect(countries).toEqual([...new Set(countries)].sort());
  });

  it('200: lists fewer for one category', async () => {
    const saas = await supported('tax_category=saas');
    expect(saas).toContain('DE');
    expect(saas.length).toBeLessThanOrEqual((await supported()).length);
  });

  it('422: a category that does not exist', async () => {
    const answer = await api.call('GET /checkout/supported_countries', { query: 'tax_category=boats' });
    expectProblem(answer, 422, 'UNSUPPORTED_TAX_CATEGORY', 'tax_category');
  });
});

describe('POST /checkouts', () => {
  const open = async (country: string) => {
    const { product_id } = (await api.call('POST /products', { body: { ...fieldGuide, tax_category: 'saas' } })).body;
    const product_cart = [{ product_id, quantity: 1 }];
    return api.call('POST /checkouts', { body: { product_cart, billing_address: { country } } });
  };

  it('agrees: a country that is listed is taken, another is refused at once', async () => {
    const saas = await supported('tax_category=saas');
    const other = ['AF', 'AQ', 'CD', 'HT', 'SO', 'TD'].find((country) => !saas.includes(country)) ?? '';
    expect((await open('US')).status).toBe(200);
    expectProblem(await open(other), 422, 'UNSUPPORTED_COUNTRY', 'billing_address.country');
  });
});
