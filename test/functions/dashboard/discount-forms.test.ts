import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';

let api: Api;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi();
  browsing = await browse(api, localKey);
});
afterAll(() => api.stop());

const home = '/dashboard/discounts';

async function shownAt(address: string, language = 'en'): Promise<string> {
  const [path, query = ''] = address.split('?');
  const headers = { 'accept-language': language };
  return (await api.call(`GET ${path}`, { cookies: browsing.cookies, key: null, headers, query })).text;
}

const entries = { code: '', type: 'percentage', percent: '15', eligibility: 'any', name: '' };

/** Sends the form as the page has it, with these entries. */
async function send(fields: Record<string, string>, path = home, action = 'save'): Promise<ApiAnswer> {
  const page = await shownAt(path === home ? `${path}/new` : path);
  const [, formId = ''] = /name="form_id"[^>]*value="([^"]+)"/.exec(page) ?? [];
  const sent = { token: browsing.token, form_id: formId, ...entries, ...fields, action };
  return postForm(api, path, sent, browsing.cookies);
}

const savedId = ({ headers }: ApiAnswer): string => /dsc_\w+/.exec(headers['location'] ?? '')?.[0] ?? 'not saved';
const codeOf = async (id: string) => (await api.call(`GET /discounts/${id}`)).body;
const create = async (fields: Record<string, string>) => savedId(await send(fields));
const typedIn = (page: string, field: string) => new RegExp(`value="([^"]*)" id="${field}"`).exec(page)?.[1];

describe('the form of a discount code', () => {
  it('does not tick “together with others” for a new code, and shows what an existing one has', async () => {
    const box = (page: string) => /<input[^>]*name="combinable"[^>]*>/.exec(page)?.[0] ?? 'none';
    const { body: made } = await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } });
    expect(box(await shownAt(`${home}/${made.discount_id}`))).toContain('checked');
    expect(box(await shownAt(`${home}/new`))).toMatch(/^<input(?!.*checked)/);
    const ids = [await create({}), await create({ combinable: 'yes' })];
    expect((await Promise.all(ids.map(codeOf))).map(({ combinable }) => combinable)).toEqual([false, true]);
  });

  it('creates a percentage discount from a number alone, with a random code', async () => {
    const saved = await codeOf(await create({ percent: '12,5 %' }));
    expect(saved).toMatchObject({ type: 'percentage', amount: 1_250, usage_limit: null, below_minimum: false });
    expect(saved).toMatchObject({ code: expect.stringMatching(/^[A-Z0-9]{16}$/), currency_options: [] });
  });

  it('saves every field, shows it again, and keeps it when the form is saved unchanged', async () => {
    const product = await addProduct(api);
    const typed = {
      ...{ code: 'spring-26', type: 'flat', name: 'Newsletter', usage_limit: '40', per_customer: '1' },
      ...{ flat_currency_0: 'EUR', flat_amount_0: '5', flat_minimum_0: '20.00' },
      ...{ flat_currency_1: 'JPY', flat_amount_1: '800', flat_minimum_1: '' },
      ...{ products: product, starts_at: '2026-01-01T00:00', expires_at: '2099-12-31T23:30' },
      ...{ eligibility: 'existing', below_minimum: 'true' },
    };
    const id = await create(typed);
    const terms = {
      ...{ code: 'SPRING-26', type: 'flat', amount: 500, name: 'Newsletter', usage_limit: 40 },
      ...{ per_customer_usage_limit: 1, restricted_to: [product], customer_eligibility: 'existing' },
      ...{ starts_at: '2026-01-01T00:00:00.000Z', expires_at: '2099-12-31T23:30:00.000Z', below_minimum: true },
      currency_options: [
        { currency: 'EUR', is_default: true, max_amount_possible: 500, minimum_subtotal: 2_000 },
        { currency: 'JPY', is_default: false, max_amount_possible: 800, minimum_subtotal: 0 },
      ],
    };
    expect(await codeOf(id)).toMatchObject(terms);
    const page = await shownAt(`${home}/${id}`);
    const fields = ['flat_amount_0', 'flat_minimum_0', 'flat_amount_1', 'usage_limit', 'code'];
    expect(fields.map((field) => typedIn(page, field))).toEqual(['5.00', '20.00', '800', '40', 'SPRING-26']);
    await send({ ...typed, flat_amount_0: '5.00' }, `${home}/${id}`);
    expect(await codeOf(id)).toMatchObject(terms);
  });

  it('keeps the seconds of an end time that was not changed, and clears fields that were emptied', async () => {
    const expires_at = '2099-01-01T10:20:30.500Z';
    const body = { type: 'percentage', amount: 500, expires_at, usage_limit: 9, name: 'Old' };
    const { discount_id: id } = (await api.call('POST /discounts', { body })).body;
    await send({ code: 'SECONDS', percent: '5', expires_at: '2099-01-01T10:20', usage_limit: '' }, `${home}/${id}`);
    expect(await codeOf(id)).toMatchObject({ code: 'SECONDS', expires_at, usage_limit: null, name: null });
  });

  it.each<[Record<string, string>, string, string]>([
    [{ percent: '0' }, 'percent', 'Enter a percentage above 0'],
    [{ percent: '100.01' }, 'percent', 'Enter a percentage above 0'],
    [{ percent: '1e1' }, 'percent', 'Enter a percentage above 0'],
    [{ code: 'a b' }, 'code', 'Enter a code of 3 to 16'],
    [{ usage_limit: '-1' }, 'usage_limit', 'Enter a whole number above 0'],
    [{ usage_limit: '2', per_customer: '3' }, 'per_customer', 'One customer cannot have more uses'],
    [{ expires_at: '2026-02-30T10:00' }, 'expires_at', 'Enter a day and a time'],
    [{ starts_at: '2026-03-01T10:00', expires_at: '2026-03-01T09:00' }, 'expires_at', 'The end must be after'],
    [{ type: 'flat', flat_currency_0: '', flat_amount_0: '5' }, 'flat_currency_0', 'Choose a currency'],
    [{ type: 'flat', flat_currency_0: 'EUR', flat_amount_0: '' }, 'flat_amount_0', 'Enter an amount above 0'],
    [
      { type: 'flat', flat_currency_0: 'EUR', flat_amount_0: '5.001' },
      'flat_amount_0',
      'The amount is not clear. Enter it like 12.50.',
    ],
    [
      { type: 'flat', flat_currency_0: 'EUR', flat_amount_0: '5', flat_currency_1: 'EUR', flat_amount_1: '6' },
      'flat_currency_1',
      'Each currency has one row',
    ],
    [{ name: '4242 4242 4242 4242' }, 'name', 'Enter at most 100 characters, without card numbers'],
    [{ products: 'pdt_000000000000000000000' }, 'products', 'A product does not exist'],
  ])('explains at the field, in the merchant’s language, what is wrong with %j', async (fields, field, words) => {
    const { status, text } = await send(fields);
    expect([status, text]).toEqual([422, expect.stringContaining(`href="#${field}">${words}`)]);
    expect(text).not.toMatch(/usage_limit must|basis points|currency_options/);
  });

  it('refuses a code that already exists and a limit below the number of uses, and changes nothing', async () => {
    const { id } = await soldWith('TAKEN');
    const taken = await send({ code: 'taken' });
    expect([taken.status, taken.text]).toEqual([422, expect.stringContaining('Another code is called like this')]);
    await soldWith('TAKEN', id);
    const low = await send({ code: 'TAKEN', usage_limit: '1' }, `${home}/${id}`);
    expect([low.status, low.text]).toEqual([422, expect.stringContaining('It was used 2 times already')]);
    expect((await codeOf(id)).usage_limit).toBeNull();
  });

  it('reads amounts in the number format of the page’s language', async () => {
    const cookies = [...browsing.cookies, 'tillstack-language=de'];
    const fields = { ...entries, type: 'flat', flat_currency_0: 'EUR', flat_amount_0: '1.250,50' };
    const sent = { token: browsing.token, form_id: 'german', ...fields, action: 'save' };
    const id = savedId(await postForm(api, home, sent, cookies));
    expect((await codeOf(id)).amount).toBe(125_050);
  });
});

const buyer = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  test_card: '4242',
};

/** A payment with a code, which is made where there is none. */
async function soldWith(code: string, known?: string): Promise<{ id: string; paymentId: string }> {
  const id = known ?? (await create({ code, percent: '10' }));
  const product_cart = [{ product_id: await addProduct(api), quantity: 1 }];
  const { body } = await api.call('POST /checkouts', { body: { product_cart, discount_codes: [code] } });
  const paid = await api.call(`POST /checkout/${body.session_id}/pay`, { body: buyer, key: null });
  return { id, paymentId: paid.body.payment_id };
}

describe('the page of a discount code', () => {
  it('shows the code and its links to copy, the number of uses, and the payments that used it', async () => {
    const { id, paymentId } = await soldWith('LINKED');
    const page = await shownAt(`${home}/${id}`);
    expect(page).toMatch(/value="http[^"]*\/buy\/pdt_\w+\?discount=LINKED"/);
    expect(page).toContain(`href="/dashboard/payments/${paymentId}"`);
    expect(page).toMatch(/<dt>Paid<\/dt><dd>1<\/dd>/);
    expect(page).toMatch(/<dt>Held by payments under way<\/dt><dd>0<\/dd>/);
  });

  it('is linked from the page of a payment, which shows how much the code took off', async () => {
    const { id, paymentId } = await soldWith('SHOWN');
    const page = await shownAt(`/dashboard/payments/${paymentId}`);
    expect(page).toContain(`<a href="${home}/${id}"><code>SHOWN</code></a></dt><dd>−€2.00</dd>`); // 10 % of 19.99
    expect(page).toContain('<dt>Before the codes</dt><dd>€19.99</dd>');
    expect(page).toContain('1 × €19.99 less €2.00');
    expect(await shownAt('/dashboard/payments')).toContain('>with a code<');
    const day = new Date().toISOString().slice(0, 10);
    expect(await shownAt(`/dashboard/exports/payments.csv?from=${day}&to=${day}`)).toContain('SHOWN,2.00');
  });

  it('separates uses that unfinished payments hold from uses that are paid', async () => {
    const id = await create({ code: 'HOLDING', percent: '10', usage_limit: '5' });
    await soldWith('HOLDING', id);
    const product_cart = [{ product_id: await addProduct(api), quantity: 1 }];
    const body = { product_cart, discount_codes: ['HOLDING'] };
    const { session_id } = (await api.call('POST /checkouts', { body })).body;
    const slow = { ...buyer, test_card: '3238' };
    const begun = await api.call(`POST /checkout/${session_id}/pay`, { body: slow, key: null });
    expect(begun.body.status).toBe('processing');
    const page = await shownAt(`${home}/${id}`);
    const shown = [...page.matchAll(/<dt>(Paid|Held[^<]*|Left)<\/dt><dd>(\d+)/g)].map(([, , count]) => count);
    expect(shown).toEqual(['1', '1', '3']);
    expect(await shownAt(home)).toMatch(/2 of 5<span class="hint">1 held/);
  });

  it('links only to the products that the code is for', async () => {
    const [one, other] = [await addProduct(api), await addProduct(api)];
    const page = await shownAt(`${home}/${await create({ code: 'ONLY', products: one })}`);
    expect([page.includes(`/buy/${one}?`), page.includes(`/buy/${other}?`)]).toEqual([true, false]);
  });

  it('can stop the code: then no member can change it, and its payments stay visible', async () => {
    const { id, paymentId } = await soldWith('STOPPED');
    const stopped = await send({}, `${home}/${id}`, 'stop');
    expect(stopped.headers['location']).toBe(`${home}/${id}?done=stopped`);
    expect((await api.call('GET /discounts/code/STOPPED')).status).toBe(404);
    const page = await shownAt(`${home}/${id}`);
    expect(page).toContain('Nobody can use it any more');
    expect(page).toContain(paymentId);
    expect(page).not.toContain('name="action"');
    expect((await send({}, `${home}/${id}`)).status).toBe(404);
    expect(await shownAt(home)).not.toContain(`${home}/${id}"`);
  });

  it('keeps the list of customers when a code is for certain customers only', async () => {
    const id = await create({ code: 'FRIENDS', eligibility: 'specific' });
    expect(await shownAt(`${home}/${id}`)).toContain('The list is empty');
    const wrong = await send({ emails: 'reader@example.com, nobody' }, `${home}/${id}`, 'allow');
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('reader@example.com, nobody</textarea>')]);
    expect(wrong.text).toContain('Not an e-mail address: nobody.');
    await send({ emails: 'reader@example.com\nwriter@example.com' }, `${home}/${id}`, 'allow');
    const { items } = (await api.call(`GET /discounts/${id}/customers`)).body;
    expect(items).toHaveLength(2);
    await send({ customer_id: items[0].customer_id }, `${home}/${id}`, 'disallow');
    expect((await api.call(`GET /discounts/${id}/customers`)).body.items).toEqual([items[1]]);
  });

  it.each(['dsc_000000000000000000000', 'x', '%00'])('answers 404 for an unknown code %s', async (id) => {
    expect((await api.call(`GET ${home}/${id}`, { cookies: browsing.cookies, key: null })).status).toBe(404);
  });
});

describe('the list of discount codes', () => {
  it('can be searched by a part of the code or note in any letter case, and its tabs keep the search', async () => {
    const [found, noted] = [
      await create({ code: 'HARBOUR-7' }),
      await create({ code: 'QUAY', name: 'The harbour feast' }),
    ];
    const other = await create({ code: 'INLAND' });
    const page = await shownAt(`${home}?q=hArBoUr`);
    expect([found, noted, other].map((id) => page.includes(`${home}/${id}"`))).toEqual([true, true, false]);
    expect(page).toContain(`href="${home}?active=true&amp;q=hArBoUr"`);
    expect(await shownAt(`${home}?q=harbour&active=false`)).toContain('No code found');
    expect(await shownAt(`${home}?q=<b>`)).toContain('value="&lt;b&gt;"');
  });

  it('shows the state of each code, and has one tab for usable codes and one for the others', async () => {
    await create({ code: 'USABLE' });
    const body = { type: 'percentage', amount: 100, code: 'ENDED', expires_at: '2020-01-01T00:00:00Z' };
    await api.call('POST /discounts', { body });
    const [usable, ended] = [await shownAt(`${home}?active=true`), await shownAt(`${home}?active=false`)];
    expect([usable.includes('>USABLE<'), usable.includes('>ENDED<')]).toEqual([true, false]);
    expect([ended.includes('>USABLE<'), ended.includes('>ENDED<')]).toEqual([false, true]);
    expect(ended).toContain('>expired<');
    expect(await shownAt(`${home}?active=__proto__`)).toContain('>USABLE<');
  });

  it.each([
    ['de', 'Rabatte', 'Neuer Rabattcode'],
    ['fr', 'Remises', 'Nouveau code de remise'],
    ['es', 'Descuentos', 'Nuevo código de descuento'],
  ])('is translated into %s, and so is the form of a code', async (language, title, form) => {
    expect(await shownAt(home, language)).toContain(`<h1 dir="auto">${title}</h1>`);
    expect(await shownAt(`${home}/new`, language)).toContain(`<h1 dir="auto">${form}</h1>`);
  });
});

describe('forms with hostile input', () => {
  const hostile = '"><script>alert(1)</script>';

  it('are shown again with their markup escaped as text', async () => {
    const { status, text } = await send({ code: hostile, percent: hostile, name: hostile });
    expect([status, text.includes('<script>alert')]).toEqual([422, false]);
  });

  it.each(['__proto__', 'constructor', hostile])('with the type and the currency %s are refused', async (word) => {
    expect((await send({ type: word })).status).toBe(422);
    expect((await send({ type: 'flat', flat_currency_0: word, flat_amount_0: '5' })).status).toBe(422);
    expect((await send({ eligibility: word })).status).toBe(422);
  });

  it('with a text of 300 kB are refused before their fields are read', async () => {
    expect((await send({ name: 'x'.repeat(300_000) })).status).toBe(413);
  });

  it('without the form token of the session are refused', async () => {
    const { status } = await postForm(api, home, { ...entries, action: 'save', token: 'x' }, browsing.cookies);
    expect(status).toBe(403);
  });
});
