import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, support } from '../../support/shop/shop.ts';

let api: Api;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi();
  browsing = await browse(api, localKey);
});
afterAll(() => api.stop());

const home = '/dashboard/products';

async function shownAt(path: string, language = 'en'): Promise<string> {
  const headers = { 'accept-language': language };
  return (await api.call(`GET ${path}`, { cookies: browsing.cookies, key: null, headers })).text;
}

async function send(id: string, action: string, fields: Record<string, string>): Promise<ApiAnswer> {
  const page = await shownAt(`${home}/${id}`);
  const [, formId = ''] = /name="form_id"[^>]*value="([^"]+)"/.exec(page) ?? [];
  const sent = { token: browsing.token, form_id: formId, ...fields, action };
  return postForm(api, `${home}/${id}`, sent, browsing.cookies);
}

const pricesOf = async (id: string) => (await api.call(`GET /products/${id}/localized-prices`)).body.items;
const priced = (pricing_mode: string, fields: object = {}) => addProduct(api, { pricing_mode, ...fields });
const chosen = { name: support.name, price: support.price, tax_category: support.tax_category };

describe('prices by place', () => {
  it('begin with the way in which they differ, and end with one price everywhere', async () => {
    const id = await addProduct(api);
    expect(await shownAt(`${home}/${id}`)).toContain('value="set_markets"');
    await send(id, 'set_markets', { pricing_mode: 'by_country' });
    expect((await api.call(`GET /products/${id}`)).body.pricing_mode).toBe('by_country');
    await send(id, 'add_price', { country: 'JP', currency: 'JPY', amount: '2,400', tax: 'true' });
    expect(await pricesOf(id)).toMatchObject([
      { country_code: 'JP', currency: 'JPY', amount: 2_400, tax_inclusive: true },
    ]);
    expect(await shownAt(`${home}/${id}`)).toContain('<strong>Japan</strong>');
    expect(await shownAt(home)).toContain('>1 by place<');
    await send(id, 'set_markets', { pricing_mode: '' });
    expect((await api.call(`GET /products/${id}`)).body.pricing_mode).toBeNull();
    expect(await pricesOf(id)).toEqual([]);
  });

  it('are changed and removed, and keep their market', async () => {
    const id = await priced('by_currency');
    await send(id, 'add_price', { currency: 'USD', amount: '19.50' });
    const [{ id: price_id }] = await pricesOf(id);
    await send(id, 'change_price', { price_id, currency: 'USD', country: '', amount: '21', tax: 'false' });
    expect(await pricesOf(id)).toMatchObject([{ id: price_id, currency: 'USD', amount: 2_100, tax_inclusive: false }]);
    const removed = await send(id, 'archive_price', { price_id });
    expect([removed.status, await pricesOf(id)]).toEqual([303, []]);
  });

  it('of a price that the buyer chooses have limits, suggestion and amounts, which are shown again', async () => {
    const id = await priced('by_currency', chosen);
    const typed = { suggested: '20', maximum: '99', presets: '10 20.50 99', minimum_net: '6' };
    await send(id, 'add_price', { currency: 'USD', amount: '7.50', ...typed });
    const terms = { suggested_price: 2_000, maximum_price: 9_900, preset_amounts: [1_000, 2_050, 9_900] };
    expect(await pricesOf(id)).toMatchObject([{ amount: 750, minimum_net: 600, ...terms }]);
    const page = await shownAt(`${home}/${id}`);
    expect(page).toContain('suggested $20.00, at most $99.00, to choose: $10.00 · $20.50 · $99.00, you keep $6.00');
    const [, presets] = /value="([^"]*)" id="market_presets_lcp_/.exec(page) ?? [];
    expect(presets).toBe('10.00 20.50 99.00');
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['by_currency', { currency: '', amount: '5' }, 'currency', 'Choose a currency.'],
    ['by_currency', { currency: 'EUR', amount: '5' }, 'currency', 'The product’s own price is in this currency.'],
    ['by_currency', { currency: 'USD', amount: '' }, 'amount', 'Enter a price above 0.'],
    ['by_currency', { currency: 'USD', amount: '0' }, 'amount', 'Enter a price above 0.'],
    ['by_currency', { currency: 'JPY', amount: '5.50' }, 'amount', 'Enter the amount in digits'],
    ['by_currency', { currency: 'USD', amount: '99999999999' }, 'amount', 'Enter a smaller amount.'],
    ['by_currency', { currency: 'USD', country: 'US', amount: '5' }, 'currency', 'The prices of this product differ'],
    ['by_country', { currency: 'USD', country: '', amount: '5' }, 'country', 'Choose a country.'],
    ['by_country', { currency: 'USD', country: 'XX', amount: '5' }, 'country', 'Choose a country.'],
  ])('%s: say at the field what is wrong with %j', async (mode, fields, field, words) => {
    const id = await priced(mode);
    const { status, text } = await send(id, 'add_price', fields);
    expect([status, text]).toEqual([422, expect.stringContaining(`href="#market_${field}_new">${words}`)]);
    expect(await pricesOf(id)).toEqual([]);
  });

  it.each([
    [{ suggested: '1' }, 'suggested'],
    [{ maximum: '1' }, 'maximum'],
    [{ presets: '9 8' }, 'presets'],
    [{ presets: '9 x' }, 'presets'],
    [{ minimum_net: 'six' }, 'minimum_net'],
  ])('with limits that contradict each other say so: %j', async (fields: Record<string, string>, field) => {
    const id = await priced('by_currency', chosen);
    const { status, text } = await send(id, 'add_price', { currency: 'USD', amount: '5', ...fields });
    expect([status, text]).toEqual([422, expect.stringContaining(`href="#market_${field}_new"`)]);
  });

  it('are refused twice for one place, and shown again as text', async () => {
    const id = await priced('by_currency');
    await send(id, 'add_price', { currency: 'USD', amount: '5' });
    const again = await send(id, 'add_price', { currency: 'USD', amount: '6' });
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('There is a price for this already')]);
    const hostile = '"><script>alert(1)</script>';
    const refused = await send(id, 'add_price', { currency: hostile, amount: hostile, tax: '__proto__' });
    expect([refused.status, refused.text.includes('<script>alert')]).toEqual([422, false]);
    expect((await send(id, 'add_price', { amount: 'x'.repeat(300_000) })).status).toBe(413);
  });

  it('speak the language of the frame', async () => {
    const id = await priced('by_country');
    expect(await shownAt(`${home}/${id}`, 'de')).toMatch(/<section class="card" id="markets"[^>]*>.*Preise nach Ort/);
    expect(await shownAt(`${home}/${id}`, 'fr')).toContain('Prix selon le lieu');
    expect(await shownAt(`${home}/${id}`, 'es')).toContain('Precios según el lugar');
  });
});
