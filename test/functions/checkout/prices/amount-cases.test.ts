import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiAnswer, startApi } from '../../../support/shop/api.ts';
import { addProduct, createSession, fieldGuide, support } from '../../../support/shop/shop.ts';
import { expectProblem } from '../../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const anyone = { key: null } as const;
const json = { 'content-type': 'application/json' };

/** A product whose buyers choose what they pay, with these limits and no others. */
const openPrice = (limits: object, currency = 'EUR'): Promise<string> =>
  addProduct(api, {
    ...support,
    price: { ...fieldGuide.price, currency, pay_what_you_want: true, price: 0, ...limits },
  });
const sessionOf = (product: string, line: object = {}, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1, ...line }], fields);
const stateOf = async (id: string) => (await api.call(`GET /checkouts/${id}`)).body;

const inGermany = { billing_address: { country: 'DE' } };
const buyer = { customer: { email: 'buyer@example.com', name: 'A Buyer' }, test_card: '4242', ...inGermany };
const send = (action: 'quote' | 'pay', id: string, fields: object = {}): Promise<ApiAnswer> =>
  api.call(`POST /checkout/${id}/${action}`, { body: { ...buyer, ...fields }, ...anyone });

const plain = (answer: ApiAnswer): string => answer.text.replace(/[\u00A0\u202F]/g, ' ');
const pageOf = async (id: string): Promise<string> => plain(await api.call(`GET /checkout/${id}`, anyone));

/** What the buyer's browser posts from the page, the amount as it was typed. */
async function post(action: 'quote' | 'pay', id: string, fields: Record<string, string>): Promise<ApiAnswer> {
  const [, token = ''] = /name="token" value="([^"]*)"/.exec(await pageOf(id)) ?? [];
  const filled = { email: 'buyer@example.com', name: 'A Buyer', country: 'DE', card: '4242424242424242' };
  return api.call(`POST /checkout/${id}/${action}`, {
    raw: Buffer.from(new URLSearchParams({ token, ...filled, ...fields }).toString()),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    ...anyone,
  });
}

/** The field in which the amount is typed. */
const inputOn = (page: string): string => /<input id="amount-0"[^>]*>/.exec(page)?.[0] ?? '';
const totalOn = (page: string): string => /name="expected_total" value="([^"]*)"/.exec(page)?.[1] ?? '';

describe('amounts that caused bugs in other projects', () => {
  it.each([
    ['-1', 422, 'INTEGER_CONVERSION_FAILURE'],
    ['2147483648', 422, 'INTEGER_CONVERSION_FAILURE'],
    ['-0.01', 422, 'INVALID_REQUEST_BODY'],
    ['0.01', 422, 'INVALID_REQUEST_BODY'],
    ['1e-2', 422, 'INVALID_REQUEST_BODY'],
    ['1e400', 422, 'INVALID_REQUEST_BODY'],
    ['"NaN"', 422, 'INVALID_REQUEST_BODY'],
    ['"1e3"', 422, 'INVALID_REQUEST_BODY'],
    ['true', 422, 'INVALID_REQUEST_BODY'],
    ['[5]', 422, 'INVALID_REQUEST_BODY'],
    ['NaN', 400, 'INVALID_REQUEST_BODY'],
    ['-Infinity', 400, 'INVALID_REQUEST_BODY'],
    ['0x10', 400, 'INVALID_REQUEST_BODY'],
    ['1,5', 400, 'INVALID_REQUEST_BODY'],
  ])(
    'the amount %s is refused in every field for amounts, and never with status 500 (tendenci PR#1393; polar#3960)',
    async (literal, status, code) => {
      const product = await openPrice({}, 'KWD');
      const id = await sessionOf(product);
      const taken = (field: string) => ({
        ...fieldGuide,
        price: { ...fieldGuide.price, pay_what_you_want: true, [field]: '§' },
      });
      const before = (await api.call('GET /products', { query: 'page_size=100' })).body.items.length;
      const cart = { product_cart: [{ product_id: product, quantity: 1, amount: '§' }] };
      const chosen = { ...buyer, amounts: { [product]: '§' } };
      for (const [request, body, param] of [
        ['POST /products', taken('price'), 'price.price'],
        ['POST /products', taken('suggested_price'), 'price.suggested_price'],
        ['POST /products', taken('maximum_price'), 'price.maximum_price'],
        ['POST /checkouts', cart, 'product_cart[0].amount'],
        ['POST /checkouts/preview', cart, 'product_cart[0].amount'],
        [`POST /checkout/${id}/quote`, chosen, `amounts.${product}`],
        [`POST /checkout/${id}/pay`, chosen, `amounts.${product}`],
      ] as const) {
        const raw = Buffer.from(JSON.stringify(body).replace('"§"', literal));
        expectProblem(await api.call(request, { raw, headers: json }), status, code, status === 400 ? null : param);
      }
      expect((await api.call('GET /products', { query: 'page_size=100' })).body.items).toHaveLength(before);
      expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
    },
  );

  it.each([
    ['0', 0],
    ['-0', 0],
    ['1', 1],
    ['1e3', 1_000],
    ['1.5e1', 15],
    ['100.0', 100],
    ['2147483647', 2_147_483_647],
  ])(
    'the amount %s is read as a whole number and paid exactly (tendenci PR#1393; polar#3960)',
    async (literal, amount) => {
      const product = await openPrice({}, 'KWD');
      const id = await sessionOf(product);
      const raw = Buffer.from(JSON.stringify({ ...buyer, amounts: { [product]: '§' } }).replace('"§"', literal));
      const { status, body } = await api.call(`POST /checkout/${id}/pay`, { raw, headers: json, ...anyone });
      expect([status, body.status, body.total_amount]).toEqual([200, 'succeeded', amount]);
    },
  );

  it('a price of 0.01 is valid: one unit is refused below the card minimum, fifty units are paid (polar#3960)', async () => {
    const cent = await addProduct(api, { price: { ...fieldGuide.price, price: 1 } });
    const cart = { product_cart: [{ product_id: cent, quantity: 1 }] };
    const tooLittle = 'TOTAL_PAYMENT_AMOUNT_BELOW_MINIMUM_AMOUNT';
    expectProblem(await api.call('POST /checkouts', { body: cart }), 422, tooLittle);
    const any = await openPrice({});
    const one = await sessionOf(any);
    const amounts = { [any]: 1 };
    expect((await send('quote', one, { amounts })).body).toMatchObject({ total_amount: 1, tax: 0, net_amount: 1 });
    expectProblem(await send('pay', one, { amounts }), 422, tooLittle);
    expect(await stateOf(one)).toMatchObject({ status: 'open', payment_id: null });
    // 50 × 7 / 107 = 3.3
    const fifty = await send('pay', await sessionOf(cent, { quantity: 50 }));
    expect(fifty.body).toMatchObject({ status: 'succeeded', total_amount: 50, tax: 3 });
    const fils = await addProduct(api, { price: { ...fieldGuide.price, price: 1, currency: 'KWD' } });
    expect((await send('pay', await sessionOf(fils))).body).toMatchObject({ status: 'succeeded', total_amount: 1 });
  });

  it.each(['-5', 'NaN', '1e3', '0x10', '7.001', '5.00.00', 'Infinity', '--', '7 €€', '99999999999'])(
    'an amount typed as %s gets an error at its field, and is not read as zero (tendenci PR#1393)',
    async (typed) => {
      const product = await openPrice({});
      const id = await sessionOf(product);
      const answer = await post('pay', id, { [`amount.${product}`]: typed, expected_total: '0' });
      expect(answer.status).toBe(422);
      expect(inputOn(answer.text)).toContain('aria-invalid="true"');
      expect(inputOn(answer.text)).toContain(`value="${typed}"`);
      expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
    },
  );
});

describe('pay-what-you-want cases that caused bugs in other projects', () => {
  it.each([
    {
      limits: { price: 500, suggested_price: 1_500 },
      typed: '15.00',
      hint: 'Pay what you want, from €5.00.',
      total: '1500',
    },
    { limits: { price: 500 }, typed: '', hint: 'Pay what you want, from €5.00.', total: '' },
    {
      limits: { price: 500, maximum_price: 9_000 },
      typed: '',
      hint: 'Pay what you want, from €5.00 to €90.00.',
      total: '',
    },
    { limits: { suggested_price: 1_200 }, typed: '12.00', hint: 'Pay what you want.', total: '1200' },
    { limits: {}, typed: '', hint: 'Pay what you want.', total: '' },
  ])(
    'the amount field for $limits has a label, names the limits, and starts with the value “$typed”, not a placeholder (polar#6450, #4829, #7409, #7156; TiBillet/Lespass#136)',
    async ({ limits, typed, hint, total }) => {
      const product = await openPrice(limits);
      for (const fields of [{}, inGermany]) {
        const page = await pageOf(await sessionOf(product, {}, fields));
        expect(page).toContain('<label for="amount-0">Your amount');
        expect(page).toContain(`${hint}</p>`);
        expect(inputOn(page)).toContain(` value="${typed}" `);
        expect(inputOn(page)).not.toContain('placeholder');
        expect(totalOn(page)).toBe(total);
      }
    },
  );

  it('an empty amount field is shown again with an error, and no amount is charged instead (polar#6450, #4829, #7409, #7156; TiBillet/Lespass#136)', async () => {
    const product = await openPrice({ price: 500, suggested_price: 1_500 });
    const id = await sessionOf(product);
    for (const typed of ['', '  ']) {
      const answer = await post('pay', id, { [`amount.${product}`]: typed });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('Enter the amount that you want to pay.');
      expect(inputOn(answer.text)).toContain(' value="" ');
    }
    expectProblem(await send('pay', id), 422, 'PAY_AS_YOU_WANT_AMOUNT_REQUIRED');
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
    const paid = await post('pay', id, { [`amount.${product}`]: '7.50', expected_total: '750' });
    expect(paid.status).toBe(303);
    const { payment_id } = await stateOf(id);
    expect((await api.call(`GET /payments/${payment_id}`)).body.total_amount).toBe(750);
  });

  it('an amount set in the session is charged, the page has no field for it, and another amount is refused (polar#6450, #4829, #7409, #7156)', async () => {
    const product = await openPrice({ price: 500, suggested_price: 1_500 });
    const id = await sessionOf(product, { amount: 777, quantity: 2 }, inGermany);
    const page = await pageOf(id);
    expect([inputOn(page), totalOn(page)]).toEqual(['', '1554']);
    expect(page).toContain('<strong id="due">€15.54</strong>');
    expect(totalOn((await post('quote', id, { [`amount.${product}`]: '5.00' })).text)).toBe('1554');
    const param = `amounts.${product}`;
    expectProblem(await send('pay', id, { amounts: { [product]: 500 } }), 422, 'INVALID_REQUEST_PARAMETERS', param);
    const paid = await send('pay', id);
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 1_554 });
    const { body } = await api.call(`GET /payments/${paid.body.payment_id}/line-items`);
    expect(body.items).toMatchObject([{ unit_amount: 777, quantity: 2, amount: 1_554 }]);
  });

  it('the card minimum is checked only when the total is known: before that, nothing is refused (gumroad PR#6444)', async () => {
    const product = await openPrice({});
    const cardsOn = (page: string) => page.match(/name="card"/g)?.length ?? 0;
    const settled = cardsOn(await pageOf(await sessionOf(product, { amount: 1_000 }, inGermany)));
    expect(settled).toBeGreaterThan(3);
    for (const fields of [{}, inGermany]) {
      const id = await sessionOf(product, {}, fields);
      const page = await pageOf(id);
      expect(page).toContain('<strong id="due">–</strong>');
      expect(page).not.toMatch(/role="alert"|aria-invalid="true"|Cards can be charged/);
      expect(cardsOn(page)).toBe(settled);
      const typed = `amount.${product}`;
      const little = await post('pay', id, { [typed]: '0.49', expected_total: '49' });
      expect(little.status).toBe(422);
      expect(plain(little)).toContain('Cards can be charged €0.50 or more, or nothing at all.');
      const enough = await post('pay', id, { [typed]: '0.50', expected_total: '50' });
      expect([enough.status, (await stateOf(id)).payment_status]).toEqual([303, 'succeeded']);
    }
  });
});
