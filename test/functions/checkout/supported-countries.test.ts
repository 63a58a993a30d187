import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placesOf } from '../../../shared/checkout-page/form/places.ts';
import { taxCategories } from '../../../shared/domain/checkout/tax.ts';
import { supportedCountries } from '../../../shared/tax/supported-countries.ts';
import { assertCountry } from '../../../shared/use-cases/checkout/create-checkout-session.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';
import { registrationIn, settings } from '../../tax/builders.ts';

const today = '2026-12-01';
/** Two countries for which no rate is known, a registration that covers territories, and one that has ended. */
const inForce = [...['AF', 'QA', 'FR'].map(registrationIn), { ...registrationIn('KW'), expiresAt: '2026-05-01' }];

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const supported = async (query = '') => (await api.call('GET /checkout/supported_countries', { query })).body;

describe('GET /checkout/supported_countries', () => {
  it('200: lists every country where sales are possible, including countries with regional taxes', async () => {
    const countries = await supported();
    expect(countries).toEqual(expect.arrayContaining(['DE', 'US', 'CA', 'IN', 'BR', 'JP']));
    expect(countries).toEqual([...new Set(countries)].sort());
  });

  it('200: lists fewer countries when a product category is given', async () => {
    const saas = await supported('tax_category=saas');
    expect(saas).toContain('DE');
    expect(saas.length).toBeLessThanOrEqual((await supported()).length);
  });

  it('422: refuses an unknown category', async () => {
    const answer = await api.call('GET /checkout/supported_countries', { query: 'tax_category=boats' });
    expectProblem(answer, 422, 'UNSUPPORTED_TAX_CATEGORY', 'tax_category');
  });
});

describe('POST /checkouts', () => {
  const cartFor = async (country: string) => ({
    product_cart: [{ product_id: await addProduct(api, { tax_category: 'saas' }), quantity: 1 }],
    billing_address: { country },
  });
  const open = async (country: string) => api.call('POST /checkouts', { body: await cartFor(country) });

  it('agrees with the list: accepts a listed country, and refuses another one at once', async () => {
    const saas = await supported('tax_category=saas');
    const other = ['AF', 'AQ', 'CD', 'HT', 'SO', 'TD'].find((country) => !saas.includes(country)) ?? '';
    expect((await open('US')).status).toBe(200);
    expectProblem(await open(other), 422, 'UNSUPPORTED_COUNTRY', 'billing_address.country');
  });

  describe.each(['everywhere', 'registered_only'] as const)('where tax is collected: %s', (collectPolicy) => {
    it.each(taxCategories)('agrees with the countries that the page marks as not sold: %s', (category) => {
      for (const registrations of [[], inForce]) {
        const rules = settings({ registrations, collectPolicy });
        const listed = new Set(supportedCountries([category], { settings: rules, date: today }));
        const { countries, unsold } = placesOf(rules, [category], today);
        const differing = countries.filter((one) => one !== 'XK' && unsold.has(one) === listed.has(one));
        expect(differing).toEqual([]);
      }
    });
  });

  it('refuses no country on the page for want of a rate where the merchant collects no tax', () => {
    const rules = settings({ collectPolicy: 'registered_only' });
    expect([...placesOf(rules, taxCategories, today).unsold]).toEqual([]);
    const { unsold } = placesOf(
      settings({ registrations: inForce, collectPolicy: 'registered_only' }),
      ['saas'],
      today,
    );
    expect([unsold.has('AF'), unsold.has('QA')]).toEqual([true, true]);
  });

  it('accepts every country that a buyer can choose on the page', () => {
    const { countries } = placesOf(settings({ onUnsupported: 'zero' }), [], today);
    expect(countries.length).toBeGreaterThan(240);
    for (const country of countries) expect(() => assertCountry({ country })).not.toThrow();
  });

  it('opens a checkout for a buyer in Kosovo with the same tax as when the buyer chooses Kosovo on the page', async () => {
    const cart = await cartFor('XK');
    const { status, body } = await api.call('POST /checkouts', { body: cart });
    expect(status).toBe(200);
    const page = await api.call(`GET /checkout/${body.session_id}`, { key: null });
    expect(page.text).toMatch(/<option value="XK" selected>/);
    const preview = await api.call('POST /checkouts/preview', { body: cart });
    expect(preview.body).toMatchObject({ billing_country: 'XK', total_tax: 305 }); // 1999 − 1999 / 1.18
    const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };
    const paid = await api.call(`POST /checkout/${body.session_id}/pay`, {
      key: null,
      body: { ...buyer, billing_address: { country: 'XK' }, expected_total: 1_999 },
    });
    expect(paid.status).toBe(200);
    const payment = await api.call(`GET /payments/${paid.body.payment_id}`);
    expect(payment.body).toMatchObject({ billing: { country: 'XK' }, tax: 305 });
  });
});
