import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiAnswer, startApi } from '../../../support/shop/api.ts';
import { addProduct, createSession, fieldGuide as ebook, support } from '../../../support/shop/shop.ts';
import { expectProblem } from '../../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const anyone = { key: null } as const;
const ownForm = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
const limits = { minimum: 2, maximum: 5 };
const buyer = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
};

const sessionOf = (product: string, line: object = {}, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 2, adjustable_quantity: limits, ...line }], fields);
const post = (action: 'quote' | 'pay', id: string, fields: object): Promise<ApiAnswer> =>
  api.call(`POST /checkout/${id}/${action}`, {
    body: { ...buyer, ...(action === 'pay' && { test_card: '4242' }), ...fields },
    ...anyone,
  });
const pageOf = async (id: string): Promise<string> =>
  (await api.call(`GET /checkout/${id}`, anyone)).text.replace(/[\u00A0\u202F]/g, ' ');

/** Posts the page's own form with these fields, as a browser without scripts does. */
async function submit(id: string, action: 'quote' | 'pay', fields: Record<string, string>): Promise<ApiAnswer> {
  const page = await pageOf(id);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const form = new URLSearchParams({
    token: hidden('token'),
    expected_total: hidden('expected_total'),
    email: 'buyer@example.com',
    name: 'A Buyer',
    country: 'DE',
    card: '4242424242424242',
    ...fields,
  });
  const answer = await api.call(`POST /checkout/${id}/${action}`, {
    raw: Buffer.from(String(form)),
    headers: ownForm,
    ...anyone,
  });
  return { ...answer, text: answer.text.replace(/[\u00A0\u202F]/g, ' ') };
}

describe('adjustable_quantity of a line', () => {
  it('lets the buyer choose the quantity, and the quoted total is charged', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product);
    const quoted = await post('quote', id, { quantities: { [product]: 5 } });
    // 5 × 19.99
    expect(quoted.body).toMatchObject({ total_amount: 9_995, lines: [{ quantity: 5, unit_amount: 1_999 }] });
    const paid = await post('pay', id, { quantities: { [product]: 5 }, expected_total: 9_995 });
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 9_995 });
    const payment = await api.call(`GET /payments/${paid.body.payment_id}`);
    expect(payment.body.product_cart).toEqual([{ product_id: product, quantity: 5 }]);
  });

  it('keeps the session’s quantity when the buyer sends none, even after a declined payment for another quantity', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product);
    const declined = await post('pay', id, { quantities: { [product]: 5 }, test_card: '0002' });
    expect(declined.body).toMatchObject({ status: 'failed', total_amount: 9_995 });
    expect((await post('pay', id, {})).body).toMatchObject({ status: 'succeeded', total_amount: 3_998 });
  });

  it('never charges a total that differs from the one shown in a second tab', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product);
    expectProblem(await post('pay', id, { quantities: { [product]: 5 }, expected_total: 3_998 }), 409, 'CONFLICT');
    expect((await api.call(`GET /checkouts/${id}`)).body).toMatchObject({ payment_id: null, status: 'open' });
  });

  it.each([1, 6, 1_000])('refuses the quantity %i outside of its limits', async (quantity) => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product);
    const path = `quantities.${product}`;
    for (const action of ['quote', 'pay'] as const)
      expectProblem(
        await post(action, id, { quantities: { [product]: quantity } }),
        422,
        'INVALID_REQUEST_PARAMETERS',
        path,
      );
  });

  it('refuses another quantity for a line without the field, or for a product that is not in the cart', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product, { adjustable_quantity: null });
    const code = 'INVALID_REQUEST_PARAMETERS';
    expectProblem(await post('pay', id, { quantities: { [product]: 3 } }), 422, code, `quantities.${product}`);
    const other = await addProduct(api, ebook);
    expectProblem(await post('pay', id, { quantities: { [other]: 2 } }), 422, code, `quantities.${other}`);
    expect((await post('pay', id, { quantities: { [product]: 2 } })).body.total_amount).toBe(3_998);
  });

  it.each([
    [{ quantity: 6 }, 'product_cart[0].quantity'],
    [{ quantity: 1 }, 'product_cart[0].quantity'],
    [{ adjustable_quantity: { minimum: 5, maximum: 2 } }, 'product_cart[0].adjustable_quantity.maximum'],
    [{ adjustable_quantity: { minimum: 0, maximum: 2 } }, 'product_cart[0].adjustable_quantity.minimum'],
    [{ adjustable_quantity: { minimum: 1, maximum: 1_001 } }, 'product_cart[0].adjustable_quantity.maximum'],
    [{ adjustable_quantity: { minimum: 1 } }, 'product_cart[0].adjustable_quantity.maximum'],
  ])('refuses %j when the session is created', async (line, path) => {
    const product = await addProduct(api, ebook);
    const cart = [{ product_id: product, quantity: 2, adjustable_quantity: limits, ...line }];
    const answer = await api.call('POST /checkouts', { body: { product_cart: cart } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(answer.body.errors ?? answer.body)).toContain(path);
  });

  it('multiplies an amount that the buyer chooses', async () => {
    const product = await addProduct(api, support);
    const id = await sessionOf(product);
    const choices = { quantities: { [product]: 3 }, amounts: { [product]: 700 } };
    expect((await post('quote', id, choices)).body).toMatchObject({
      total_amount: 2_100,
      lines: [{ quantity: 3, unit_amount: 700 }],
    });
  });

  it('counts towards the minimum subtotal of a discount code', async () => {
    const product = await addProduct(api, ebook);
    const currency = { currency: 'EUR', minimum_subtotal: 9_000 };
    const code = await api.call('POST /discounts', {
      body: { type: 'percentage', amount: 1_000, currency_options: [currency] },
    });
    expect(code.status).toBe(200);
    const id = await sessionOf(product, {}, { discount_codes: [code.body.code] });
    expectProblem(await post('quote', id, {}), 422, 'DISCOUNT_MINIMUM_SUBTOTAL_NOT_MET');
    // 99.95 less 10 %, which is 9.995, rounded half up
    expect((await post('quote', id, { quantities: { [product]: 5 } })).body.total_amount).toBe(8_995);
  });
});

describe('the checkout page with an adjustable quantity', () => {
  it('has a number field with the limits, and two buttons that submit the form', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product);
    const page = await pageOf(id);
    expect(page).toMatch(/<input id="quantity-0" name="quantity\.pdt_\w+" value="2" type="number" min="2" max="5"/);
    const more = await submit(id, 'quote', { [`quantity.${product}`]: '3', quantity_step: `${product}:1` });
    expect(more.text).toContain('value="4" type="number"');
    expect(more.text).toContain('4 × €19.99');
    expect(more.text).toContain('name="expected_total" value="7996"');
    const less = await submit(id, 'quote', { [`quantity.${product}`]: '2', quantity_step: `${product}:-1` });
    expect(less.text).toContain('value="2" type="number"');
  });

  it('charges the total that it showed for the quantity', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product);
    const stale = await submit(id, 'pay', { [`quantity.${product}`]: '4' });
    expect(stale.status).toBe(422);
    expect(stale.text).toContain('name="expected_total" value="7996"');
    const paid = await submit(id, 'pay', { [`quantity.${product}`]: '4', expected_total: '7996' });
    expect(paid.status).toBe(303);
    expect(await pageOf(id)).toContain('4 × €19.99');
  });

  it.each(['', '1', '6', '2.5', '-3', 'two'])(
    'shows no total for the quantity %j and takes no money',
    async (typed) => {
      const product = await addProduct(api, ebook);
      const id = await sessionOf(product);
      const refused = await submit(id, 'pay', { [`quantity.${product}`]: typed, expected_total: '3998' });
      expect(refused.status).toBe(422);
      expect(refused.text).toContain('Enter a whole number from 2 to 5.');
      expect(refused.text).toContain('name="expected_total" value=""');
      expect((await api.call(`GET /checkouts/${id}`)).body.payment_id).toBeNull();
    },
  );

  it('has no quantity field when the merchant does not allow it, and ignores a submitted quantity', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product, { adjustable_quantity: null });
    expect(await pageOf(id)).not.toContain('quantity-0');
    const quoted = await submit(id, 'quote', { [`quantity.${product}`]: '9' });
    expect(quoted.text).toContain('name="expected_total" value="3998"');
  });

  it('shows the quantity of a declined payment again in the browser that paid', async () => {
    const product = await addProduct(api, ebook);
    const id = await sessionOf(product);
    const declined = await submit(id, 'pay', {
      [`quantity.${product}`]: '4',
      expected_total: '7996',
      card: '4000000000000002',
    });
    expect(declined.text).toContain('value="4" type="number"');
    expect(declined.text).toContain('name="expected_total" value="7996"');
    expect(await pageOf(id)).toContain('value="2" type="number"');
  });
});

describe('adjustable_quantity of a product', () => {
  it('limits the quantity in the product’s link, and has no effect on sessions without the field', async () => {
    const product = await addProduct(api, { ...ebook, adjustable_quantity: limits });
    expect((await api.call(`GET /products/${product}`)).body.adjustable_quantity).toEqual(limits);
    expect(await pageOf(await createSession(api, [{ product_id: product, quantity: 9 }]))).not.toContain('quantity-0');
    for (const [query, quantity] of [
      ['', 2],
      ['quantity=4', 4],
      ['quantity=9', 5],
    ] as const) {
      const opened = await api.call(`POST /buy/${product}`, {
        query,
        raw: Buffer.from(''),
        headers: ownForm,
        ...anyone,
      });
      expect(opened.status).toBe(303);
      const page = await pageOf(String(opened.headers['location']).split(/[/?]/)[2] ?? '');
      expect(page).toContain(`value="${quantity}" type="number" min="2" max="5"`);
    }
  });

  it('is removed by null, and stays when a change leaves it out', async () => {
    const product = await addProduct(api, { ...ebook, adjustable_quantity: { maximum: 3 } });
    const change = (body: object) => api.call(`PATCH /products/${product}`, { body });
    expect((await change({ name: 'Other' })).body.adjustable_quantity).toEqual({ minimum: 1, maximum: 3 });
    expect((await change({ adjustable_quantity: null })).body.adjustable_quantity).toBeNull();
  });
});
