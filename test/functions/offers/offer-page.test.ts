import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashApiKey } from '../../../shared/http/api-key.ts';
import { locales } from '../../../shared/pages/locale.ts';
import { now, sessions, throttles } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, support } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const book = { name: 'Book', tax_category: 'e_book' };
const price = { type: 'one_time_price', price: 2_000, currency: 'EUR', tax_inclusive: true };

async function bookByPlace(): Promise<string> {
  const product = await addProduct(api, { ...book, pricing_mode: 'by_currency', price });
  const body = { currency: 'USD', amount: 2_400, tax_inclusive: false };
  await api.call(`POST /products/${product}/localized-prices`, { body });
  return product;
}

const textOf = (page: string) =>
  page
    .replace(/<(head|select|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

async function show(product: string, query = '', language = 'en-IE'): Promise<string> {
  const headers = { 'accept-language': language };
  return (await api.call(`GET /buy/${product}`, { key: null, query, headers })).text;
}

/** Posts the form of the page. Returns the location to which it leads. */
async function post(product: string, fields: Record<string, string>, query = ''): Promise<string> {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const raw = Buffer.from(String(new URLSearchParams(fields)));
  const answer = await api.call(`POST /buy/${product}`, { key: null, query, headers, raw });
  expect(answer.status).toBe(303);
  return answer.headers['location'] ?? '';
}

const checkoutOf = async (location: string, language: string) => {
  const headers = { 'accept-language': language };
  return (await api.call(`GET ${location.split('?')[0]}`, { key: null, headers })).text;
};

describe('the price on a product’s page', () => {
  it.each([
    { language: 'en-IE', query: '', shown: '€20.00 tax included', due: '€20.00', currency: 'EUR', amount: '20.00' },
    { language: 'en-US', query: '', shown: '$24.00 plus tax', due: '$24.00', currency: 'USD', amount: '24.00' },
    {
      language: 'en-US',
      query: 'country=DE',
      shown: '€20.00 tax included',
      due: '€20.00',
      currency: 'EUR',
      amount: '20.00',
    },
  ])('is the one with which the checkout begins, for $language $query', async ({ language, query, ...expected }) => {
    const product = await bookByPlace();
    const page = await show(product, query, language);
    expect(textOf(page)).toContain(expected.shown);
    expect(page).toContain(`<meta property="product:price:amount" content="${expected.amount}">`);
    expect(page).toContain(`<meta property="product:price:currency" content="${expected.currency}">`);
    expect(page).toContain(`"priceCurrency":"${expected.currency}","price":"${expected.amount}"`);
    const checkout = await checkoutOf(await post(product, {}, query), language);
    expect(/<p class="price">([^<]*)/.exec(checkout)?.[1]).toBe(expected.due);
  });

  it('has a field for the country, and tells nobody to choose one elsewhere', async () => {
    const page = await show(await bookByPlace(), 'country=FR');
    expect(page).toContain('<option value="FR" selected>France</option>');
    expect(textOf(page)).not.toContain('Choose your country');
  });

  it('is reduced by the code of the link', async () => {
    const { body } = await api.call('POST /discounts', { body: { type: 'percentage', amount: 2_000 } });
    const page = textOf(await show(await bookByPlace(), `discount=${body.code.toLowerCase()}&quantity=3`));
    // 3 × 20.00 less 20 %
    expect(page).toContain('€48.00 tax included');
    expect(page).toContain(`3 × €20.00 less €12.00 with the code ${body.code}.`);
  });

  it('comes without a button to the checkout if no card can be charged what the code leaves', async () => {
    const product = await addProduct(api, { ...book, price: { ...price, price: 100 } });
    const { code } = (await api.call('POST /discounts', { body: { type: 'percentage', amount: 6_000 } })).body;
    expect(await show(product)).toContain('<button class="pay"');
    const page = await show(product, `discount=${code}`); // 1.00 − 0.60
    expect([page.includes('<button class="pay"'), page.includes('Cards can be charged €0.50 or more')]).toEqual([
      false,
      true,
    ]);
  });

  it('is the full one if the code cannot be used, and the page says why', async () => {
    const expired = { type: 'percentage', amount: 2_000, expires_at: '2026-01-01T00:00:00Z' };
    const { body } = await api.call('POST /discounts', { body: expired });
    const page = textOf(await show(await bookByPlace(), `discount=${body.code}`));
    expect(page).toContain('€20.00 tax included');
    expect(page).toContain(`${body.code}: This code has expired.`);
    expect(textOf(await show(await bookByPlace(), 'discount=NO-SUCH'))).toContain('NO-SUCH: This code is not valid.');
  });
});

describe('a link with a code', () => {
  const source = '192.0.2.77';
  const visit = async (product: string, code: string) =>
    textOf((await api.call(`GET /buy/${product}`, { key: null, query: `discount=${code}`, source })).text);
  const open = async (product: string, code: string) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const ask = { key: null, query: `discount=${code}`, headers, raw: Buffer.from(''), source };
    const id = /cks_\w+/.exec((await api.call(`POST /buy/${product}`, ask)).headers['location'] ?? '')?.[0] ?? '';
    return sessions().get(id);
  };

  it('does not help to find codes: a network with too many unknown ones finds none for an hour', async () => {
    clock.stopAt('2031-03-01T12:00:00.000Z');
    const product = await addProduct(api, { ...book, price });
    const { code } = (await api.call('POST /discounts', { body: { type: 'percentage', amount: 2_000 } })).body;
    const counter = hashApiKey(`linked code ${source}`);
    for (let wrong = 1; wrong < 100; wrong += 1) await throttles().count(counter, now());
    expect(await visit(product, 'WRONG100')).toContain('This code is not valid.');
    expect(await visit(product, code)).toContain('€16.00');
    expect((await open(product, 'WRONG101')).refusedCode?.reason).toBe('TOO_MANY_REQUESTS');
    expect(await visit(product, code)).toContain(`${code}: Too many wrong codes were entered.`);
    const { discounts, refusedCode } = await open(product, code);
    expect([discounts, refusedCode?.reason]).toEqual([undefined, 'TOO_MANY_REQUESTS']);
    expect(textOf(await show(product, `discount=${code}`))).toContain('€16.00'); // from another network
    clock.forward({ hours: 1 });
    expect(await visit(product, code)).toContain('€16.00');
    clock.run();
  });
});

describe('a product’s page in search engines', () => {
  const linksOf = (page: string) =>
    [...page.matchAll(/<link rel="(?:canonical|alternate)"[^>]*? href="([^"]*)">/g)].map(([, address]) => address);
  const showAs = (stage: string, product: string, query = '') => {
    process.env['STAGE'] = stage;
    return show(product, query).finally(() => {
      process.env['STAGE'] = 'sandbox';
    });
  };
  const isHidden = (page: string) => page.includes('<meta name="robots" content="noindex, nofollow">');

  it('is listed only on the live stack, unless the brand says no, once for each language', async () => {
    const { brand_id } = (await api.call('POST /brands', { body: { name: 'Listed', search_listing: true } })).body;
    const product = await addProduct(api, { ...book, price, brand_id });
    const url = `http://localhost:4000/buy/${product}`;
    const page = await showAs('live', product, 'discount=NONE&quantity=2');
    expect([isHidden(page), isHidden(await showAs('sandbox', product))]).toEqual([false, true]);
    expect(linksOf(page)).toEqual([url, url, ...locales.map((locale) => `${url}?lang=${locale}`)]);
    expect(linksOf(await showAs('live', product, 'quantity=2&lang=de'))[0]).toBe(`${url}?lang=de`);
    await api.call(`PATCH /brands/${brand_id}`, { body: { search_listing: false } });
    expect(isHidden(await showAs('live', product))).toBe(true);
  });

  it('is listed by default, but never its checkout', async () => {
    const { brand_id } = (await api.call('POST /brands', { body: { name: 'Listed' } })).body;
    const product = await addProduct(api, { ...book, price });
    expect(isHidden(await showAs('live', product))).toBe(false);
    const location = await post(await addProduct(api, { ...book, price, brand_id }), {});
    process.env['STAGE'] = 'live';
    const checkout = await checkoutOf(location, 'en').finally(() => {
      process.env['STAGE'] = 'sandbox';
    });
    expect([isHidden(checkout), checkout.includes('Listed')]).toEqual([true, true]);
  });
});

describe('the amount on the page of a product with a chosen price', () => {
  const fieldOf = (page: string) => /id="amount(?:-0)?"[^>]*value="([^"]*)"/.exec(page)?.[1];
  const supportInDollars = async () => {
    const product = await addProduct(api, { ...support, pricing_mode: 'by_currency' });
    await api.call(`POST /products/${product}/localized-prices`, { body: { currency: 'USD', amount: 700 } });
    return product;
  };

  it('begins with the suggestion, and is empty and focused without one', async () => {
    const product = await supportInDollars();
    expect([fieldOf(await show(product)), fieldOf(await show(product, '', 'en-US'))]).toEqual(['15.00', '']);
    expect(await show(product, '', 'en-US')).toMatch(/id="amount"[^>]* autofocus/);
  });

  it.each([
    { language: 'en-IE', typed: '12,50', currency: 'EUR', shown: '12.50' },
    { language: 'en-US', typed: '8', currency: 'USD', shown: '8.00' },
  ])('goes to the checkout in $currency', async ({ language, typed, currency, shown }) => {
    const product = await supportInDollars();
    const country = language.slice(-2);
    const location = await post(product, { typed, typed_in: currency, country });
    expect(fieldOf(await checkoutOf(location, language))).toBe(shown);
    const session = await sessions().get(/cks_\w+/.exec(location)?.[0] ?? '');
    expect(session.billing).toEqual({ country });
  });

  it.each([
    { typed: '4.99', typed_in: 'EUR', says: 'The amount must be at least €5.00.' },
    { typed: 'much', typed_in: 'EUR', says: 'Enter an amount in digits' },
  ])('opens no checkout if it is $typed, and the page shows the error', async ({ says, ...fields }) => {
    const product = await supportInDollars();
    const location = await post(product, { ...fields, country: 'IE' });
    expect(location).toContain(`/buy/${product}?lang=en&`);
    const page = await show(product, location.split('?')[1]);
    expect(textOf(page)).toContain(says);
    expect(fieldOf(page)).toBe(fields.typed);
  });

  it('has suggested amounts that are enough in every place: a third of each may be tax', async () => {
    const terms = { minimum_net: 1_000, preset_amounts: [1_000, 1_499, 1_500, 2_000] };
    const presets = async (tax_inclusive: boolean) => {
      const product = await addProduct(api, { ...support, price: { ...support.price, ...terms, tax_inclusive } });
      return [...(await show(product)).matchAll(/data-amount="([^"]*)"/g)].map(([, amount]) => amount);
    };
    expect(await presets(true)).toEqual(['15.00', '20.00']);
    expect(await presets(false)).toEqual(['10.00', '14.99', '15.00', '20.00']);
  });

  it('is dropped when another country has another currency', async () => {
    const product = await supportInDollars();
    const fields = { typed: '12', typed_in: 'EUR', country: 'US' };
    const location = await post(product, fields);
    expect(location).toContain(`/buy/${product}?`);
    expect(fieldOf(await show(product, location.split('?')[1]))).toBe('');
  });
});
