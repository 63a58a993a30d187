import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sessions } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, support } from '../../support/shop/shop.ts';

let api: Api;
let book: string;
beforeAll(async () => {
  api = await startApi();
  book = await addProduct(api);
});
afterEach(() => clock.run());
afterAll(() => api.stop());

/** A code of 20 %, unless said otherwise. */
const newCode = async (terms: object = {}): Promise<{ code: string; discount_id: string }> =>
  (await api.call('POST /discounts', { body: { type: 'percentage', amount: 2_000, ...terms } })).body;

const opened = (product = book, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1 }], fields);

/** The page of a session as a browser without scripts posts it. */
async function post(action: 'quote' | 'pay', id: string, fields: Record<string, string> = {}, headers = {}) {
  const { formToken: token } = await sessions().get(id);
  const buyer = { token, email: 'buyer@example.com', name: 'A Buyer', country: 'DE', card: '4242424242424242' };
  return Object.keys(headers).length === 0
    ? postForm(api, `/checkout/${id}/${action}`, { ...buyer, ...fields }, [])
    : api.call(`POST /checkout/${id}/${action}`, {
        raw: Buffer.from(new URLSearchParams({ ...buyer, ...fields }).toString()),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
        key: null,
      });
}

const enter = (id: string, code: string, more: Record<string, string> = {}) =>
  post('quote', id, { discount_code: code, ...more });
const totalIn = ({ text }: ApiAnswer) => /name="expected_total" value="(\d*)"/.exec(text)?.[1];
const faultIn = ({ text }: ApiAnswer) => /<p class="fault" id="code-fault">([^<]*)</.exec(text)?.[1];
const newsIn = ({ text }: ApiAnswer) => /id="code-news" role="status">([^<]*)</.exec(text)?.[1];
const codesOf = async (id: string) => ((await sessions().get(id)).discounts ?? []).map(({ code }) => code);

describe('the field for codes', () => {
  it('is on the page, closed at first, if the merchant has a code and the session allows codes', async () => {
    const { discount_id } = await newCode();
    const page = await api.call(`GET /checkout/${await opened()}`, { key: null });
    expect(page.text).toMatch(/<details id="discount"><summary>Add a discount code</);
    const closed = await opened(book, { feature_flags: { allow_discount_code: false } });
    expect((await api.call(`GET /checkout/${closed}`, { key: null })).text).not.toContain('id="discount"');
    await api.call(`DELETE /discounts/${discount_id}`);
  });

  it('is missing before the first code is created and after the last is deleted', async () => {
    const hasField = async () =>
      (await api.call(`GET /checkout/${await opened()}`, { key: null })).text.includes('id="discount"');
    for (const { discount_id } of (await api.call('GET /discounts', { query: 'page_size=100' })).body.items)
      await api.call(`DELETE /discounts/${discount_id}`);
    expect(await hasField()).toBe(false);
    const [one, two] = await Promise.all([newCode(), newCode()]);
    expect(await hasField()).toBe(true);
    await api.call(`DELETE /discounts/${one.discount_id}`);
    expect(await hasField()).toBe(true);
    await api.call(`DELETE /discounts/${two.discount_id}`);
    expect(await hasField()).toBe(false);
  });
});

describe('a code that the buyer enters', () => {
  it('is applied by a plain form, shown with its discount, and removed by its button', async () => {
    const { code } = await newCode();
    const id = await opened();
    const applied = await enter(id, code);
    expect([totalIn(applied), newsIn(applied)]).toEqual(['1599', `The code ${code} is applied.`]);
    expect(applied.text).toContain(`<dt>Discount <bdi class="code">${code}</bdi></dt>`);
    expect(applied.text).toMatch(/<input id="code" name="discount_code" value=""/);
    const removed = await post('quote', id, { code_action: `remove:${code}` });
    expect([totalIn(removed), newsIn(removed)]).toEqual(['1999', `The code ${code} is removed.`]);
    expect(await codesOf(id)).toEqual([]);
  });

  it('is accepted in upper or lower case and with stray characters from copying', async () => {
    await newCode({ code: 'SPRING-26' });
    const id = await opened();
    expect(totalIn(await enter(id, ' \u2066spring -26\u2069\u00A0'))).toBe('1599');
    expect(await codesOf(id)).toEqual(['SPRING-26']);
    const again = await enter(id, 'Spring-26');
    expect([totalIn(again), faultIn(again)]).toEqual(['1599', '']);
  });

  it('stays in its field when the script updates the price or the buyer changes the language', async () => {
    const { code } = await newCode();
    const id = await opened();
    await post('quote', id, { discount_code: code }, { 'hx-request': 'true' });
    const german = await enter(id, code, { switch_to: 'de' });
    expect(german.text).toContain(`value="${code}"`);
    expect(await codesOf(id)).toEqual([]);
    const pressed = { discount_code: code, code_action: 'apply' };
    expect(totalIn(await post('quote', id, pressed, { 'hx-request': 'true' }))).toBe('1599');
  });

  it('is applied even if it is only typed when the buyer pays, and the buyer must confirm the new total', async () => {
    const { code } = await newCode();
    const id = await opened();
    const asked = await post('pay', id, { discount_code: code, expected_total: '1999' });
    expect([asked.status, totalIn(asked)]).toEqual([422, '1599']);
    expect(asked.text).toContain('The total is now €15.99. Check it, then pay.');
    expect(await sessions().get(id)).toMatchObject({ status: 'open', paymentId: null });
    expect((await post('pay', id, { expected_total: '1599' })).status).toBe(303);
  });

  it('is kept beside a code of the integrator, which has no button to remove it', async () => {
    const [fixed, own] = [await newCode(), await newCode({ amount: 1_000 })];
    const id = await opened(book, { discount_codes: [fixed.code] });
    const both = await enter(id, own.code);
    expect(totalIn(both)).toBe('1439'); // 19.99 − 4.00 − 1.60
    expect([...both.text.matchAll(/data-code="(\w+)"/g)].map(([, code]) => code)).toEqual([own.code]);
    await post('quote', id, { code_action: `remove:${fixed.code}` });
    expect(await codesOf(id)).toEqual([fixed.code, own.code]);
  });

  it('is kept together with a second code that is entered in another tab at the same time', async () => {
    const [one, two] = [await newCode(), await newCode({ amount: 1_000 })];
    const id = await opened();
    await Promise.all([enter(id, one.code), enter(id, two.code)]);
    expect((await codesOf(id)).sort()).toEqual([one.code, two.code].sort());
  });

  it('is not applied while a payment is open: the buyer is led to the page of that payment', async () => {
    const { code } = await newCode();
    const id = await opened();
    await post('pay', id, { card: '4000000000003063', expected_total: '1999' });
    const answer = await enter(id, code);
    expect([answer.status, answer.headers['location']]).toEqual([303, `/checkout/${id}?lang=en`]);
    expect(await codesOf(id)).toEqual([]);
  });
});

describe('When the checkout page refuses a code', () => {
  const past = new Date(Date.now() - 60_000).toISOString();
  const future = new Date(Date.now() + 3_600_000).toISOString();
  it.each([
    ['in the past', { expires_at: past }, 'This code has expired.'],
    ['in the future', { starts_at: future }, 'This code is not valid yet.'],
    ['in another currency', { currency_options: [{ currency: 'USD' }] }, 'This code is not valid in EUR.'],
    [
      'above the order',
      { currency_options: [{ currency: 'EUR', minimum_subtotal: 5_000 }] },
      'The code needs an order of at least €50.00.',
    ],
  ])('it says why, and the total stays: %s', async (_, terms, words) => {
    const { code } = await newCode(terms);
    const answer = await enter(await opened(), code);
    expect([faultIn(answer), totalIn(answer)]).toEqual([words, '1999']);
    expect(answer.text).toMatch(/<a href="#code">/);
  });

  it('it says that the code is for other products, or that it is used up', async () => {
    const other = await newCode({ restricted_to: [await addProduct(api)] });
    const single = await newCode({ usage_limit: 1 });
    await api.call(`POST /checkout/${await opened()}/pay`, {
      body: {
        customer: { email: 'first@example.com', name: 'First' },
        billing_address: { country: 'DE' },
        test_card: '4242',
        discount_codes: [single.code],
      },
      key: null,
    });
    const id = await opened();
    expect(faultIn(await enter(id, other.code))).toBe('This code is not for these products.');
    expect(faultIn(await enter(id, single.code))).toBe('This code has been used up.');
  });

  it('the buyer can still pay, and the same code is not refused a second time', async () => {
    const id = await opened();
    const told = await post('pay', id, { discount_code: 'NO-SUCH', expected_total: '1999' });
    expect([told.status, faultIn(told)]).toEqual([422, 'This code is not valid. Check how it is written.']);
    expect(told.text).toContain('name="refused_code" value="NO-SUCH"');
    const paid = await post('pay', id, { discount_code: 'NO-SUCH', refused_code: 'NO-SUCH', expected_total: '1999' });
    expect(paid.status).toBe(303);
  });

  it('ten times, even a valid code is refused, but the buyer can still pay', async () => {
    const { code } = await newCode();
    const id = await opened();
    for (let serial = 0; serial < 10; serial += 1) await enter(id, `WRONG-${serial}`);
    const words = 'Too many wrong codes were entered. You can still pay without one.';
    expect(faultIn(await enter(id, code))).toBe(words);
    expect((await post('pay', id, { expected_total: '1999' })).status).toBe(303);
  });

  it.each([
    ['a script', '<script>alert(1)</script>'],
    ['40,000 letters', 'x'.repeat(40_000)],
    ['other letters', 'Ω≈ç'],
    ['a path', '../..'],
    ['two letters', 'ab'],
  ])('of an impossible form, it escapes the text and counts no attempt: %s', async (_, typed) => {
    await newCode(); // the field is there
    const id = await opened();
    const answer = await enter(id, typed);
    expect([answer.status, faultIn(answer)]).toEqual([200, 'This code is not valid. Check how it is written.']);
    expect(answer.text).not.toContain('<script>alert');
    expect(answer.text.length).toBeLessThan(70_000);
    expect((await sessions().get(id)).wrongCodes).toBeUndefined();
  });

  it('because it has 300 kB, the form is rejected before it is read', async () => {
    const answer = await enter(await opened(), 'x'.repeat(300_000));
    expect(answer.status).toBe(413);
    expect(answer.text).toContain('This form could not be accepted');
  });
});

describe('a code on a price that the buyer chooses', () => {
  it('lowers the price at most to its minimum, and the page says so', async () => {
    const gift = await addProduct(api, support);
    const { code } = await newCode({ amount: 9_000 });
    const id = await opened(gift);
    const held = await enter(id, code, { [`amount.${gift}`]: '8.00' });
    expect(totalIn(held)).toBe('500');
    expect(held.text).toContain('Codes do not lower this below the minimum of €5.00.');
    const free = await enter(id, '', { [`amount.${gift}`]: '80.00' });
    expect(totalIn(free)).toBe('800');
    expect(free.text).not.toContain('Codes do not lower this');
  });
});

describe('a code that stops applying while the page is open', () => {
  it('still counts if its time has ended: the shown total is charged', async () => {
    const { code } = await newCode({ expires_at: new Date(Date.now() + 60_000).toISOString() });
    const id = await opened();
    await enter(id, code);
    clock.forward({ minutes: 2 });
    expect((await post('pay', id, { expected_total: '1599' })).status).toBe(303);
    const late = await opened();
    expect(faultIn(await enter(late, code))).toBe('This code has expired.');
  });

  it('is removed without a reason if it is not for this customer, and the buyer must confirm the new total', async () => {
    const { code } = await newCode({ customer_eligibility: 'specific' });
    const id = await opened();
    await enter(id, code);
    const refused = await post('pay', id, { expected_total: '1599' });
    expect([refused.status, totalIn(refused)]).toEqual([422, '1999']);
    expect(refused.text).toContain(`The code ${code} can no longer be used. Without it, the total is €19.99.`);
    expect(await sessions().get(id)).toMatchObject({ status: 'open', paymentId: null });
  });

  it('can be used by the next buyer when the first one ends an open payment', async () => {
    const { code } = await newCode({ usage_limit: 1 });
    const [id, other] = [await opened(), await opened()];
    await enter(id, code);
    const { cookies } = await post('pay', id, { card: '4000000000003063', expected_total: '1599' });
    expect(faultIn(await enter(other, code))).toBe('This code has been used up.');
    const { formToken: token } = await sessions().get(id);
    await postForm(
      api,
      `/checkout/${id}/change`,
      { token },
      cookies.map((cookie) => cookie.split(';')[0] ?? ''),
    );
    expect(totalIn(await enter(other, code))).toBe('1599');
  });
});

describe('a code in the link of a product page', () => {
  /** The page that the link's button leads to. */
  async function follow(query: string, product = book) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    const opened = await api.call(`POST /buy/${product}`, { query, raw: Buffer.from(''), headers, key: null });
    const id = /\/checkout\/(\w+)/.exec(opened.headers['location'] ?? '')?.[1] ?? '';
    return { id, page: await api.call(`GET /checkout/${id}`, { query: 'lang=en', key: null }) };
  }

  it('is applied together with quantity and e-mail, shown on the product’s page, and can be removed', async () => {
    const { code } = await newCode();
    const query = `discount=${code.toLowerCase()}&quantity=2&email=a%40b.example&lang=de`;
    const offer = await api.call(`GET /buy/${book}`, { query, key: null });
    expect(offer.text).toMatch(/class="offer-price">31,98\s€/);
    expect(offer.text).toContain(`mit dem Code ${code}.`);
    expect(offer.text).toContain(`discount=${code.toLowerCase()}`);
    const { id, page } = await follow(query);
    expect(totalIn(page)).toBe('3198'); // 39.98 − 8.00
    expect(page.text).toContain(`value="remove:${code}"`);
    expect(totalIn(await post('quote', id, { code_action: `remove:${code}` }))).toBe('3998');
  });

  it.each([
    ['NO-SUCH', 'This code is not valid. Check how it is written.'],
    ['<b>x</b>', 'This code is not valid. Check how it is written.'],
  ])('that is wrong (%s) leads to an error text, and the buyer can continue without it', async (typed, words) => {
    await newCode();
    const { id, page } = await follow(`discount=${encodeURIComponent(typed)}`);
    expect([page.status, totalIn(page), faultIn(page)]).toEqual([200, '1999', words]);
    expect(page.text).not.toContain('<b>x');
    const next = await post('quote', id, { refused_code: typed });
    expect([faultIn(next), totalIn(next)]).toEqual(['', '1999']);
    expect((await post('pay', id, { expected_total: '1999' })).status).toBe(303);
  });

  it('with a minimum order shows the minimum, until another code is applied', async () => {
    const minimum = await newCode({ currency_options: [{ currency: 'EUR', minimum_subtotal: 5_000 }] });
    const { id, page } = await follow(`discount=${minimum.code}`);
    expect(faultIn(page)).toBe('The code needs an order of at least €50.00.');
    const { code } = await newCode();
    expect(totalIn(await enter(id, code))).toBe('1599');
    expect((await sessions().get(id)).refusedCode).toBeUndefined();
  });

  it.each(['\u202Eevil', 'Call +1 555 0100 now', '\0', 'x'.repeat(17)])(
    'is not shown on the product’s page if it has an impossible form: %j',
    async (typed) => {
      const query = `discount=${encodeURIComponent(typed)}`;
      const { status, text } = await api.call(`GET /buy/${book}`, { query, key: null });
      expect([status, text.includes('With the discount code')]).toEqual([200, false]);
    },
  );

  it('is cut, not refused, if it is longer than any code', async () => {
    await newCode();
    const { page } = await follow(`discount=${'x'.repeat(3_000)}`);
    expect(page.status).toBe(200);
    expect(page.text.length).toBeLessThan(70_000);
  });
});
