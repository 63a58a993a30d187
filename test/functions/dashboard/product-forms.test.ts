import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';

let api: Api;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi();
  browsing = await browse(api, localKey);
});
afterAll(() => api.stop());

const shownAt = async (path: string) => (await api.call(`GET ${path}`, { cookies: browsing.cookies, key: null })).text;

const entries = {
  ...{ name: 'Guide', description: 'A guide', brand_id: '', tax_category: 'digital_products', currency: 'EUR' },
  ...{ tax_inclusive: 'on', place: 'DE', pay_what_you_want: 'on', minimum: '5', suggested: '', maximum: '' },
};

/** Sends the form as the page has it, with these entries. */
async function send(fields: Record<string, string>, path = '/dashboard/products', action = 'save'): Promise<ApiAnswer> {
  const page = await shownAt(path === '/dashboard/products' ? `${path}/new` : path);
  const [, formId = ''] = /name="form_id"[^>]*value="([^"]+)"/.exec(page) ?? [];
  return postForm(
    api,
    path,
    { token: browsing.token, form_id: formId, ...entries, ...fields, action },
    browsing.cookies,
  );
}

const savedId = ({ headers }: ApiAnswer): string => /pdt_\w+/.exec(headers['location'] ?? '')?.[0] ?? 'not saved';
const priceOf = async (id: string) => (await api.call(`GET /products/${id}`)).body.price;
const typedIn = (page: string, field: string) => new RegExp(`value="([^"]*)" id="${field}"`).exec(page)?.[1];

describe('the form of a product whose price the buyer chooses', () => {
  it('saves every field, shows it again, and keeps it when the form is saved unchanged', async () => {
    const typed = { preset_amounts: '7 12.50  99', minimum_net: '4.20', allow_zero: 'on' };
    const id = savedId(await send(typed));
    const saved = { price: 500, preset_amounts: [700, 1_250, 9_900], minimum_net: 420, allow_zero: true };
    expect(await priceOf(id)).toMatchObject(saved);
    const page = await shownAt(`/dashboard/products/${id}`);
    const again = { preset_amounts: typedIn(page, 'preset_amounts'), minimum_net: typedIn(page, 'minimum_net') };
    expect(again).toEqual({ preset_amounts: '7.00 12.50 99.00', minimum_net: '4.20' });
    expect(page).toMatch(/<input[^>]*id="allow_zero"[^>]*checked/);
    await send({ ...typed, preset_amounts: '7.00 12.50 99.00' }, `/dashboard/products/${id}`);
    expect(await priceOf(id)).toMatchObject(saved);
  });

  it.each([
    ['none', []],
    ['', null],
  ])('reads “%s” in the field for preset amounts as %j', async (preset_amounts, saved) => {
    const id = savedId(await send({ preset_amounts }));
    expect(await priceOf(id)).toMatchObject({ preset_amounts: saved, minimum_net: null, allow_zero: false });
    expect(typedIn(await shownAt(`/dashboard/products/${id}`), 'preset_amounts')).toBe(preset_amounts);
  });

  it.each([
    [{ preset_amounts: '7 many' }, 'preset_amounts'],
    [{ preset_amounts: '1 7' }, 'preset_amounts'],
    [{ preset_amounts: '9 7' }, 'preset_amounts'],
    [{ minimum_net: 'ten' }, 'minimum_net'],
    [{ minimum_net: '10', maximum: '9' }, 'maximum'],
  ])('explains at the field what is wrong with %j', async (fields: Record<string, string>, field) => {
    const { status, text } = await send(fields);
    expect(status).toBe(422);
    expect(text).toContain(`href="#${field}"`);
  });

  it('saves that tax is included or added by local custom, and keeps the anchor country that the API has set', async () => {
    const id = savedId(await send({ tax_by_place: 'on' }));
    expect(await priceOf(id)).toMatchObject({ tax_mode: 'location', tax_anchor: 'DE', tax_inclusive: true });
    const { pay_what_you_want, currency, type } = await priceOf(id);
    const price = { pay_what_you_want, currency, type, price: 500, tax_mode: 'location', tax_anchor: 'US' };
    await api.call(`PATCH /products/${id}`, { body: { price } });
    const page = await shownAt(`/dashboard/products/${id}`);
    expect(page).toMatch(/<input[^>]*id="tax_by_place"[^>]*checked/);
    const [, tax_anchor = ''] = /name="tax_anchor" value="([^"]*)"/.exec(page) ?? [];
    await send({ tax_by_place: 'on', tax_anchor }, `/dashboard/products/${id}`);
    expect(await priceOf(id)).toMatchObject({ tax_mode: 'location', tax_anchor: 'US', tax_inclusive: false });
    await send({}, `/dashboard/products/${id}`);
    expect(await priceOf(id)).toMatchObject({ tax_mode: 'inclusive', tax_anchor: null, tax_inclusive: true });
  });

  // 10.00 and 19 %; 10.00 and 27 %
  it('shows a price example with the lowest amount that is allowed in that place', async () => {
    const example = (place: string) => send({ minimum_net: '10', place }, '/dashboard/products', 'preview');
    expect((await example('DE')).text).toContain('If the buyer chooses €11.90:');
    expect((await example('HU')).text).toContain('If the buyer chooses €12.70:');
  });
});

describe('the text on a product’s link and on the page after payment', () => {
  const offer = {
    ...{ quantity_least: '2', quantity_most: '10', purpose: 'It pays for wells.', show_net: 'on' },
    ...{ delivery_url: 'https://files.example.com/a', delivery_instructions: 'Open it.' },
  };
  const productOf = async (id: string) => (await api.call(`GET /products/${id}`)).body;

  it('is saved, shown again, and removed when its fields are emptied', async () => {
    const id = savedId(await send(offer));
    const saved = await productOf(id);
    expect(saved.adjustable_quantity).toEqual({ minimum: 2, maximum: 10 });
    expect(saved.price).toMatchObject({ purpose: 'It pays for wells.', show_net: true });
    const told = { external_url: 'https://files.example.com/a', instructions: 'Open it.' };
    expect(saved.digital_product_delivery).toMatchObject(told);
    const page = await shownAt(`/dashboard/products/${id}`);
    for (const value of ['2', '10', 'It pays for wells.', 'https://files.example.com/a'])
      expect(page).toContain(`value="${value}"`);
    expect(page).toMatch(/<input[^>]*id="show_net"[^>]*checked/);
    expect(page).toContain('>Open it.</textarea>');
    await send({}, `/dashboard/products/${id}`);
    const emptied = await productOf(id);
    expect(emptied).toMatchObject({ adjustable_quantity: null, digital_product_delivery: null });
    expect(emptied.price).toMatchObject({ purpose: null, show_net: false });
  });

  it.each([
    [{ quantity_least: '5', quantity_most: '2' }, 'quantity_most', 'Enter whole numbers from 1 to 1,000'],
    [{ quantity_most: 'many' }, 'quantity_most', 'Enter whole numbers from 1 to 1,000'],
    [{ purpose: 'x'.repeat(201) }, 'purpose', 'Enter at most 200 characters'],
    [{ delivery_url: 'files.example.com' }, 'delivery_url', 'https://'],
  ])('is refused with an error at its field: %j', async (entered, field, words) => {
    const refused = await send({ ...offer, ...entered });
    expect(refused.status).toBe(422);
    expect(new RegExp(`id="${field}-fault">([^<]*)<`).exec(refused.text)?.[1]).toContain(words);
  });

  it('is shared by a link, a button and a QR code, which carry the chosen options', async () => {
    const id = savedId(await send({}));
    const query = 'link_quantity=3&link_amount=7.50&link_discount=SUMMER&link_language=ar';
    const call = async (more: string) =>
      api.call(`GET /dashboard/products/${id}`, { query: more, cookies: browsing.cookies, key: null });
    const page = (await call(query)).text;
    const url = `http://localhost:4000/buy/${id}?lang=ar&amp;quantity=3&amp;amount=750&amp;discount=SUMMER`;
    expect(page).toContain(`<input id="link" value="${url}"`);
    expect(page).toContain(`value="&lt;a href=&quot;${url.replaceAll('&amp;', '&amp;amp;')}&quot;`);
    expect(page).toContain('aria-label="QR code of the link"');
    const file = await call(`file=qr&${query}`);
    expect(file.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(file.headers['content-disposition']).toBe(`attachment; filename="qr-${id}.svg"`);
    expect(file.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*>.*<\/svg>$/s);
    const german = (await call('lang=de&link_quantity=0')).text;
    expect(german).toContain('Geben Sie eine ganze Zahl von 1 bis 1.000 ein.');
  });
});

describe('the warning that a card cannot be charged the amount', () => {
  const fixed = { pay_what_you_want: '', minimum: '' };
  const noteFor = async (fields: Record<string, string>) => {
    const unchecked = ([name, value]: [string, string]) =>
      value !== '' || !['pay_what_you_want', 'tax_inclusive'].includes(name);
    const sent = Object.fromEntries(Object.entries({ ...entries, ...fields }).filter(unchecked));
    const { text } = await postForm(
      api,
      '/dashboard/products',
      { token: browsing.token, form_id: 'none', ...sent, action: 'preview' },
      browsing.cookies,
    );
    const [example = ''] = /id="example".*?unscripted/s.exec(text) ?? [];
    expect(example).toMatch(/The buyer pays|Cards cannot/);
    return /<p class="note wait">([^<]*)</.exec(example)?.[1];
  };

  it.each([
    ['0.01', 'Cards cannot be charged less than €0.50. A buyer who takes only one cannot pay.'],
    ['0.49', 'Cards cannot be charged less than €0.50. A buyer who takes only one cannot pay.'],
    ['0.50', undefined],
    ['0', undefined],
  ])('for the price %s is: %s', async (price, note) => {
    expect(await noteFor({ ...fixed, price })).toBe(note);
  });

  it('depends on the total with tax, when the tax is added', async () => {
    // with 19 % of tax: 0.51 and 0.49
    expect(await noteFor({ ...fixed, tax_inclusive: '', price: '0.43' })).toBeUndefined();
    expect(await noteFor({ ...fixed, tax_inclusive: '', price: '0.41' })).toContain('less than €0.50');
  });

  it('depends on the lowest amount that a buyer can choose, unless that is zero', async () => {
    const open = 'Cards cannot be charged less than €0.50. Buyers who choose less cannot pay: raise the minimum.';
    expect(await noteFor({ minimum: '0.10', suggested: '5' })).toBe(open);
    expect(await noteFor({ minimum: '0', suggested: '5' })).toBeUndefined();
    expect(await noteFor({ minimum: '0.50', suggested: '5' })).toBeUndefined();
  });

  it('does not stop the merchant from saving the price, because a buyer can buy several units', async () => {
    const { pay_what_you_want: _, ...others } = entries;
    const page = await shownAt('/dashboard/products/new');
    const [, formId = ''] = /name="form_id"[^>]*value="([^"]+)"/.exec(page) ?? [];
    const form = { token: browsing.token, form_id: formId, ...others, ...fixed, price: '0.01', action: 'save' };
    const { pay_what_you_want: _empty, ...sent } = form;
    const id = savedId(await postForm(api, '/dashboard/products', sent, browsing.cookies));
    expect(await priceOf(id)).toMatchObject({ price: 1 });
    expect(await shownAt(`/dashboard/products/${id}`)).toContain('A buyer who takes only one cannot pay.');
    const offer = (await api.call(`GET /buy/${id}`, { key: null })).text;
    expect(offer).toContain('Cards can be charged €0.50 or more, or nothing at all.');
    const button = '<button class="pay"';
    expect(offer).not.toContain(button);
    expect((await api.call(`GET /buy/${id}`, { key: null, query: 'quantity=50' })).text).toContain(button);
  });
});

describe('the field for the kind of supply', () => {
  const supplyOf = async (id: string) => (await api.call(`GET /products/${id}`)).body.supply;
  const chosen = (page: string) => /<select[^>]*id="supply".*?<option value="(\w*)" selected/s.exec(page)?.[1];

  it('saves content or service, shows it again, and leaves the choice to the tax category if it is empty', async () => {
    const id = savedId(await send({ tax_category: 'edtech', supply: 'service' }));
    expect(await supplyOf(id)).toBe('service');
    expect(chosen(await shownAt(`/dashboard/products/${id}`))).toBe('service');
    await send({ tax_category: 'edtech', supply: '' }, `/dashboard/products/${id}`);
    expect(await supplyOf(id)).toBeNull();
  });

  it('refuses an unknown value with an error at the field', async () => {
    const answer = await send({ supply: 'goods' });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('Choose content, service, or what the tax category says.');
  });
});

describe('a form with several faults', () => {
  const faulty = {
    ...{ name: '', quantity_most: 'many', delivery_url: 'files.example.com', tax_category: 'spells' },
    ...{ minimum_net: 'ten', suggested: '4', maximum: '3', preset_amounts: '9 7' },
  };
  const linked = ({ text }: ApiAnswer) =>
    new Set([...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, field = '']) => field));

  it('names every faulty field at once: what cannot be read, what a field may not be, and the rules between fields', async () => {
    const { status, text, ...answer } = await send(faulty);
    expect(status).toBe(422);
    expect(linked({ status, text, ...answer })).toEqual(new Set(Object.keys(faulty)));
  });

  it('names the rules between fields also while something else cannot be read, for an existing product too', async () => {
    const id = savedId(await send({}));
    const entered = { preset_amounts: 'some', suggested: '4', maximum: '3' };
    const fields = new Set(Object.keys(entered));
    expect(linked(await send(entered))).toEqual(fields);
    expect(linked(await send(entered, `/dashboard/products/${id}`))).toEqual(fields);
    expect((await api.call(`GET /products/${id}`)).body.price.maximum_price).toBeNull();
  });

  it('names an image that is none together with the other faults', async () => {
    const page = await shownAt('/dashboard/products/new');
    const [, form_id = ''] = /name="form_id"[^>]*value="([^"]+)"/.exec(page) ?? [];
    const form = new FormData();
    const fields = { token: browsing.token, form_id, ...entries, suggested: '4', action: 'save' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('image', new Blob(['no image']), 'image.png');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const raw = Buffer.from(await request.arrayBuffer());
    const headers = { 'content-type': request.headers.get('content-type') ?? '', 'sec-fetch-site': 'same-origin' };
    const path = 'POST /dashboard/products';
    const answer = await api.call(path, { raw, headers, cookies: browsing.cookies, key: null });
    expect([answer.status, linked(answer)]).toEqual([422, new Set(['suggested', 'image'])]);
  });
});
