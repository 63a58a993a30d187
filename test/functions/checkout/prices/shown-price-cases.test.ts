import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../../infra/local/invoke.ts';
import { localKey } from '../../../../infra/local/local-key.ts';
import { type Api, startApi } from '../../../support/shop/api.ts';
import { addProduct, createSession, fieldGuide } from '../../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** A product for businesses and everybody else, taxed at a country's standard rate. */
const productAt = (price: number, fields: object = {}): Promise<string> =>
  addProduct(api, { price: { ...fieldGuide.price, price, ...fields }, tax_category: 'saas' });

const inCountry = (country: string) => ({ billing_address: { country } });
const ask = async (action: 'quote' | 'pay', sessionId: string, country: string, fields: object = {}) =>
  (await api.call(`POST /checkout/${sessionId}/${action}`, { body: { ...inCountry(country), ...fields }, key: null }))
    .body;
const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242' };
const figuresOf = ({ net_amount, tax, total_amount }: Record<string, number>) => [net_amount, tax, total_amount];

const plain = (page: string): string => page.replace(/[\u00A0\u202F]/g, ' ');

/** The rows of the sums that follow in a page: `['Net €16.80', 'VAT 19 % €3.19', …]`. */
function sumsAfter(mark: string, page: string): string[] {
  const [, rows = ''] = /<dl class="(?:totals|sums)">([\s\S]*?)<\/dl>/.exec(page.split(mark)[1] ?? '') ?? [];
  return [...rows.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, label, sum]) => plain(`${label} ${sum}`));
}

interface Visit {
  method?: string;
  id?: string;
  query?: string;
  body?: string;
  cookies?: string[];
}

const browse = (page: string, { method = 'GET', id = '', query = '', body, cookies = [] }: Visit) =>
  invokeFunction(`dashboard/${page}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    requestContext: { requestId: 'request-1', http: { method, path: '/dashboard', sourceIp: '192.0.2.1' } },
    ...{ rawPath: '/dashboard', rawQueryString: query, pathParameters: { id }, body, cookies },
  }) as Promise<{ body: string; cookies: string[] }>;

/** A page of the dashboard, signed in with the key. */
async function dashboard(page: string, visit: Visit): Promise<string> {
  const { cookies } = await browse('sign-in', { method: 'POST', body: `key=${localKey}` });
  return (await browse(page, { ...visit, cookies: cookies.map((cookie) => cookie.split(';')[0] ?? '') })).body;
}

describe('prices that other projects showed wrongly', () => {
  it.each([
    // 1999 × 19 / 119 = 319.2
    { isInclusive: true, net: 1_680, tax: 319, gross: 1_999, texts: ['€16.80', '€3.19', '€19.99'] },
    // 1999 × 0.19 = 379.8
    { isInclusive: false, net: 1_999, tax: 380, gross: 2_379, texts: ['€19.99', '€3.80', '€23.79'] },
  ])(
    'API, page, public link, dashboard and invoice show the same price, tax included: $isInclusive (woocommerce#19083, PR#63744)',
    async ({ isInclusive, net, tax, gross, texts }) => {
      const product = await productAt(1_999, { tax_inclusive: isInclusive });
      const cart = [{ product_id: product, quantity: 1 }];
      const { body: preview } = await api.call('POST /checkouts/preview', {
        body: { product_cart: cart, ...inCountry('DE') },
      });
      expect(preview.current_breakup).toEqual({
        ...{ subtotal: net, discount: 0, tax, total_amount: gross },
        ...{ listed_subtotal: 1_999, listed_discount: 0 },
      });
      const byApi = await createSession(api, cart, inCountry('DE'));
      const link = { key: null, headers: { 'sec-fetch-site': 'same-origin' } };
      const { headers } = await api.call(`POST /buy/${product}`, link);
      const [byLink = ''] = /cks_\w+/.exec(headers['location'] ?? '') ?? [];
      for (const id of [byApi, byLink]) expect(figuresOf(await ask('quote', id, 'DE'))).toEqual([net, tax, gross]);
      const [inNet, inTax, inTotal] = texts;
      const rows = [`Net ${inNet}`, `VAT 19% ${inTax}`];
      const page = sumsAfter('id="totals"', (await api.call(`GET /checkout/${byApi}`, { key: null })).text);
      expect(page).toEqual([`Subtotal without tax ${inNet}`, rows[1], `Total ${inTotal}`]);
      const example = sumsAfter('id="example"', await dashboard('manage-products', { id: product }));
      expect(example).toEqual([...rows, `The buyer pays ${inTotal}`]);
      const { payment_id: id } = await ask('pay', byLink, 'DE', buyer);
      const paid = sumsAfter('id="sums-title"', await dashboard('manage-payments', { id }));
      expect(paid).toEqual([...rows, `Paid ${inTotal}`]);
      const invoice = { headers: { accept: 'application/json' } };
      expect(figuresOf((await api.call(`GET /invoices/payments/${id}`, invoice)).body)).toEqual([net, tax, gross]);
    },
  );

  it('the 20 % tax in 120.00 is shown as 20.00, not 24.00 (EDD#2092; woocommerce#40707, #10715)', async () => {
    // 12000 × 20 / 120 = 2000, a sixth of the gross
    const product = await productAt(12_000, { currency: 'SEK' });
    const sessionId = await createSession(api, [{ product_id: product, quantity: 1 }]);
    const quoted = await ask('quote', sessionId, 'FR');
    expect(figuresOf(quoted)).toEqual([10_000, 2_000, 12_000]);
    expect(quoted.lines[0].tax_components).toMatchObject([{ rate: 20, amount: 2_000 }]);
    const { payment_id: id } = await ask('pay', sessionId, 'FR', buyer);
    const shown = sumsAfter('id="sums-title"', await dashboard('manage-payments', { id }));
    expect(shown).toEqual(['Net SEK 100.00', 'VAT 20% SEK 20.00', 'Paid SEK 120.00']);
    const overview = plain(await dashboard('show-overview', { query: 'currency=SEK' }));
    for (const [label, figure, note] of [
      ['Paid by buyers', 'SEK 120.00', '1 payment'],
      ['Tax included', 'SEK 20.00', '16.7% of what was paid'],
      ['Net', 'SEK 100.00', 'before refunds and lost disputes'],
    ])
      expect(overview).toContain(`<dt>${label}</dt><dd class="big">${figure}</dd><dd class="hint">${note}</dd>`);
  });
});
