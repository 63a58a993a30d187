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

describe('the form of a price that the buyer chooses', () => {
  it('saves what it is told, shows it again, and keeps it when it is saved unchanged', async () => {
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
  ])('reads the amounts “%s” as %j', async (preset_amounts, saved) => {
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
  ])('says at the field what is wrong with %j', async (fields: Record<string, string>, field) => {
    const { status, text } = await send(fields);
    expect(status).toBe(422);
    expect(text).toContain(`href="#${field}"`);
  });

  it('saves and shows again that the tax follows the custom of the place, and keeps an anchor of the API', async () => {
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
  it('shows an example with the least of the place', async () => {
    const example = (place: string) => send({ minimum_net: '10', place }, '/dashboard/products', 'preview');
    expect((await example('DE')).text).toContain('If the buyer chooses €11.90:');
    expect((await example('HU')).text).toContain('If the buyer chooses €12.70:');
  });
});
