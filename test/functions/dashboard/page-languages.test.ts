import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leftInEnglish } from '../../support/forms/spoken.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse } from '../../support/shop/dashboard.ts';
import { addProduct, sell, support } from '../../support/shop/shop.ts';

let api: Api;
let viewer: Browsing;
let pages: string[];

const home = '/dashboard';

beforeAll(async () => {
  api = await startApi();
  viewer = await browse(api, await api.addKey({ access: 'admin', refunds: { perDay: null } }));
  const { paymentId, productId } = await sell(api);
  await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
  const chosen = await addProduct(api, support);
  const { body: endpoint } = await api.call('POST /webhooks', { body: { url: 'https://example.com/hook' } });
  await api.call('POST /tax/registrations', { body: { country: 'DE', scheme: 'standard', active_from: '2020-01-01' } });
  const { body: brands } = await api.call('GET /brands');
  const { body: customers } = await api.call('GET /customers');
  pages = [
    home,
    `${home}?period=custom&from=2030-01-01&to=2020-01-01`,
    `${home}?period=year`,
    `${home}/products`,
    `${home}/products?archived=true`,
    `${home}/products/new`,
    `${home}/products/${productId}`,
    `${home}/products/${chosen}`,
    `${home}/payments`,
    `${home}/payments?q=nothing`,
    `${home}/payments?status=failed`,
    `${home}/payments/${paymentId}`,
    `${home}/disputes`,
    `${home}/customers`,
    `${home}/customers/${customers.items[0].customer_id}`,
    ...['exports', 'returns', 'tax', 'webhooks', 'brands', 'keys', 'members', 'audit-log', 'discounts', 'mails'].map(
      (name) => `${home}/${name}`,
    ),
    `${home}/exports/taxes.csv`,
    `${home}/webhooks/${endpoint.id}`,
    `${home}/brands/new`,
    `${home}/brands/${brands.items[0].brand_id}`,
    `${home}/brands/policies`,
    `${home}/brands/rights`,
    `${home}/brands/imprint`,
    `${home}/brands/accessibility`,
    `${home}/discounts/new`,
  ];
});
afterAll(() => api.stop());

describe.each(['de', 'fr', 'es'] as const)('a dashboard in %s', (locale) => {
  it('has no English text on any page', async () => {
    for (const path of pages) {
      const [route = '', query = ''] = path.split('?');
      const { status, text } = await api.call(`GET ${route}`, {
        query: [query, `lang=${locale}`].filter(Boolean).join('&'),
        cookies: viewer.cookies,
        key: null,
      });
      expect([path, [200, 422].includes(status)]).toEqual([path, true]);
      expect([path, text.includes(`<html lang="${locale}">`), leftInEnglish(text, locale)]).toEqual([path, true, []]);
    }
  });
});
