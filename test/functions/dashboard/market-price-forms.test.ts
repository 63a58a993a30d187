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

describe('the forms for prices by place', () => {
  it('begin with the choice how prices differ, and can return to one price everywhere', async () => {
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

  it('accept a price for Kosovo, which has no ISO 3166-1 code', async () => {
    const id = await priced('by_country');
    await send(id, 'add_price', { country: 'XK', currency: 'EUR', amount: '12' });
    expect(await pricesOf(id)).toMatchObject([{ country_code: 'XK', currency: 'EUR', amount: 1_200 }]);
    expect((await shownAt(`${home}/${id}`)).match(/<option value="XK"[^>]*>Kosovo</g)).toHaveLength(2);
  });

  it('can change and remove a price, which keeps its market', async () => {
    const id = await priced('by_currency');
    await send(id, 'add_price', { currency: 'USD', amount: '19.50' });
    const [{ id: price_id }] = await pricesOf(id);
    await send(id, 'change_price', { price_id, currency: 'USD', country: '', amount: '21', tax: 'false' });
    expect(await pricesOf(id)).toMatchObject([{ id: price_id, currency: 'USD', amount: 2_100, tax_inclusive: false }]);
    const removed = await send(id, 'archive_price', { price_id });
    expect([removed.status, await pricesOf(id)]).toEqual([303, []]);
  });

  it('of a price that the buyer chooses save limits, suggestion and preset amounts, and show them again', async () => {
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
    ['by_currency', { currency: 'JPY', amount: '5.50' }, 'amount', 'The amount has more decimal places'],
    ['by_currency', { currency: 'USD', amount: 'five' }, 'amount', 'Enter the amount in digits'],
    ['by_currency', { currency: 'USD', amount: '99999999999' }, 'amount', 'The amount can be at most'],
    ['by_currency', { currency: 'USD', country: 'US', amount: '5' }, 'currency', 'The prices of this product differ'],
    ['by_country', { currency: 'USD', country: '', amount: '5' }, 'country', 'Choose a country.'],
    ['by_country', { currency: 'USD', country: 'XX', amount: '5' }, 'country', 'Choose a country.'],
  ])('in %s explain at the field what is wrong with %j', async (mode, fields, field, words) => {
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
  ])('explain limits that contradict each other: %j', async (fields: Record<string, string>, field) => {
    const id = await priced('by_currency', chosen);
    const { status, text } = await send(id, 'add_price', { currency: 'USD', amount: '5', ...fields });
    expect([status, text]).toEqual([422, expect.stringContaining(`href="#market_${field}_new"`)]);
  });

  it('refuse a second price for the same place, and show hostile input as text', async () => {
    const id = await priced('by_currency');
    await send(id, 'add_price', { currency: 'USD', amount: '5' });
    const again = await send(id, 'add_price', { currency: 'USD', amount: '6' });
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('There is a price for this already')]);
    const hostile = '"><script>alert(1)</script>';
    const refused = await send(id, 'add_price', { currency: hostile, amount: hostile, tax: '__proto__' });
    expect([refused.status, refused.text.includes('<script>alert')]).toEqual([422, false]);
    expect((await send(id, 'add_price', { amount: 'x'.repeat(300_000) })).status).toBe(413);
  });

  /** What the list says of prices that no card can be charged. */
  const notesOf = async (id: string, language?: string): Promise<string[]> => {
    const [, card = ''] = /id="markets"(.*?)<\/section>/s.exec(await shownAt(`${home}/${id}`, language)) ?? [];
    return [...card.matchAll(/<p class="note wait">(.*?)<\/p>/g)].map(([, note = '']) => note.replace(/<[^>]+>/g, ''));
  };
  const alone = 'A buyer who takes only one cannot pay.';

  it.each<[string, string, Record<string, string>, string[]]>([
    [
      'a little too small',
      'by_currency',
      { currency: 'USD', amount: '0.49' },
      [`USD – Cards cannot be charged less than $0.50. ${alone}`],
    ],
    ['just enough', 'by_currency', { currency: 'USD', amount: '0.50' }, []],
    [
      'too small for a country',
      'by_country',
      { country: 'FR', currency: 'EUR', amount: '0.49' },
      [`France – Cards cannot be charged less than €0.50. ${alone}`],
    ],
    [
      'enough with 19 % of tax, 0.51',
      'by_country',
      { country: 'DE', currency: 'EUR', tax: 'false', amount: '0.43' },
      [],
    ],
    [
      'too small with its tax, 0.49',
      'by_country',
      { country: 'DE', currency: 'EUR', tax: 'false', amount: '0.41' },
      [`Germany – Cards cannot be charged less than €0.50. ${alone}`],
    ],
    [
      'too small where the tax depends on the state',
      'by_country',
      { country: 'US', currency: 'USD', tax: 'false', amount: '0.20' },
      [`United States – Cards cannot be charged less than $0.50. ${alone}`],
    ],
  ])('warn when no card can be charged the price, and save it nevertheless: %s', async (_, mode, fields, notes) => {
    const id = await priced(mode, { tax_category: 'saas' });
    expect((await send(id, 'add_price', fields)).status).toBe(303);
    expect(await pricesOf(id)).toHaveLength(1);
    expect(await notesOf(id)).toEqual(notes);
  });

  it('warn about the lowest amount that a buyer can choose, except when that is zero', async () => {
    const id = await priced('by_currency', chosen);
    await send(id, 'add_price', { currency: 'USD', amount: '0.10' });
    await send(id, 'add_price', { currency: 'GBP', amount: '0' });
    await send(id, 'add_price', { currency: 'CHF', amount: '0', minimum_net: '0.20' });
    expect(await notesOf(id)).toEqual([
      'USD – Cards cannot be charged less than $0.50. Buyers who choose less cannot pay: raise the minimum.',
      'CHF – Cards cannot be charged less than CHF\u00A00.50. Buyers who choose less cannot pay: raise the minimum.',
    ]);
    expect((await notesOf(id, 'de'))[0]).toMatch(/^USD – Karten können/);
  });

  it('are in the language of the dashboard', async () => {
    const id = await priced('by_country');
    expect(await shownAt(`${home}/${id}`, 'de')).toMatch(/<section class="card" id="markets"[^>]*>.*Preise nach Ort/);
    expect(await shownAt(`${home}/${id}`, 'fr')).toContain('Prix selon le lieu');
    expect(await shownAt(`${home}/${id}`, 'es')).toContain('Precios según el lugar');
  });
});
