import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiAnswer, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession, support } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const anyone = { key: null } as const;

/** A product whose buyers choose, at least 5.00, with these fields of its price besides. */
const chosenProduct = (fields: object): Promise<string> =>
  addProduct(api, { ...support, price: { ...support.price, ...fields } });
const sessionOf = (product: string, line: object = {}, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1, ...line }], fields);
const stateOf = async (id: string) => (await api.call(`GET /checkouts/${id}`)).body;

const buyerIn = (country: string) => ({
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  test_card: '4242',
  billing_address: { country },
});
const send = (action: 'quote' | 'pay', id: string, product: string, amount: number, country = 'DE') =>
  api.call(`POST /checkout/${id}/${action}`, {
    body: { ...buyerIn(country), amounts: { [product]: amount } },
    ...anyone,
  });

const plain = (answer: ApiAnswer): string => answer.text.replace(/[\u00A0\u202F]/g, ' ');
const pageOf = async (id: string): Promise<string> => plain(await api.call(`GET /checkout/${id}`, anyone));
const buttonsOn = (page: string) =>
  [...page.matchAll(/name="preset" value="[^"]*:(\d+)"/g)].map(([, amount]) => amount);

describe('preset_amounts', () => {
  it('are the buttons of the page, in their order, and a pressed one is what is paid', async () => {
    const product = await chosenProduct({ preset_amounts: [700, 1_200, 9_900] });
    const { body } = await api.call(`GET /products/${product}`);
    expect(body.price).toMatchObject({ preset_amounts: [700, 1_200, 9_900], allow_zero: false });
    const page = await pageOf(await sessionOf(product));
    expect(buttonsOn(page)).toEqual(['700', '1200', '9900']);
  });

  it.each([
    { preset_amounts: [], buttons: [] },
    { preset_amounts: [2_500], buttons: ['2500'] },
    { preset_amounts: null, buttons: ['500', '1000', '1500', '3000'] },
  ])('$preset_amounts: the page has the buttons $buttons', async ({ preset_amounts, buttons }) => {
    const product = await chosenProduct({ preset_amounts });
    expect(buttonsOn(await pageOf(await sessionOf(product)))).toEqual(buttons);
  });

  it('go with the price that a change replaces', async () => {
    const product = await chosenProduct({ preset_amounts: [700], allow_zero: true });
    const { body } = await api.call(`PATCH /products/${product}`, { body: { price: support.price } });
    expect(body.price).toMatchObject({ preset_amounts: null, allow_zero: false });
  });
});

describe('allow_zero', () => {
  it('lets a buyer take it for nothing: no processor, an event, no refund, and a free session without a card', async () => {
    const product = await chosenProduct({ allow_zero: true });
    const id = await sessionOf(product);
    const page = await pageOf(id);
    expect(page).toContain('Pay what you want, from €5.00. Or pay nothing.</p>');
    const paid = await send('pay', id, product, 0);
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 0, tax: 0 });
    const paymentId = paid.body.payment_id;
    const { body: payment } = await api.call(`GET /payments/${paymentId}`);
    expect(payment).toMatchObject({ status: 'succeeded', total_amount: 0, settlement_amount: 0, card_last_four: null });
    const { body: lines } = await api.call(`GET /payments/${paymentId}/line-items`);
    expect(lines.items).toMatchObject([{ amount: 0, tax: 0, net_amount: 0, unit_amount: 0, refundable_amount: 0 }]);
    const refused = await api.call('POST /refunds', { body: { payment_id: paymentId } });
    expectProblem(refused, 422, 'ZERO_AMOUNT_PAYMENT_REFUND_NOT_ALLOWED');
    const { body: events } = await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` });
    expect(events.items).toMatchObject([{ type: 'payment.succeeded' }]);
    expect(await stateOf(id)).toMatchObject({ payment_status: 'succeeded', payment_id: paymentId });
  });

  it.each([1, 499])('refuses %i, which lies between nothing and the minimum, and names the minimum', async (amount) => {
    const product = await chosenProduct({ allow_zero: true });
    const id = await sessionOf(product);
    for (const action of ['quote', 'pay'] as const) {
      const refused = await send(action, id, product, amount);
      expectProblem(refused, 422, 'REQUEST_AMOUNT_BELOW_MINIMUM');
      expect(refused.body).toMatchObject({ minimum_amount: 500 });
    }
    const cart = [{ product_id: product, quantity: 1, amount }];
    expectProblem(
      await api.call('POST /checkouts', { body: { product_cart: cart } }),
      422,
      'REQUEST_AMOUNT_BELOW_MINIMUM',
    );
    expect((await send('pay', id, product, 500)).body).toMatchObject({ status: 'succeeded', total_amount: 500 });
  });

  it('locks nothing: a session that names 0 is free, and one without it asks', async () => {
    const product = await chosenProduct({ allow_zero: true });
    const free = await sessionOf(product, { amount: 0 }, { billing_address: { country: 'DE' } });
    const page = await pageOf(free);
    expect(page).toContain('Complete the order');
    expectProblem(await send('pay', free, product, 500), 422, 'INVALID_REQUEST_PARAMETERS', `amounts.${product}`);
    expect((await send('pay', free, product, 0)).body).toMatchObject({ status: 'succeeded', total_amount: 0 });
  });
});

describe('minimum_net', () => {
  const keeping = (fields: object = {}) => chosenProduct({ suggested_price: null, minimum_net: 1_000, ...fields });
  const quoted = async (id: string, product: string, amount: number, country: string) =>
    (await send('quote', id, product, amount, country)).body;

  it.each([
    { country: 'DE', least: 1_190 },
    { country: 'HU', least: 1_270 },
    { country: 'JP', least: 1_100 },
  ])('with the tax inside: $least is the least in $country, of which the merchant keeps 1000', async (asked) => {
    const { country, least } = asked;
    const product = await keeping();
    const id = await sessionOf(product);
    const refused = await send('pay', id, product, least - 1, country);
    expectProblem(refused, 422, 'REQUEST_AMOUNT_BELOW_MINIMUM', `amounts.${product}`);
    expect(refused.body).toMatchObject({ minimum_amount: least });
    expect(await quoted(id, product, least, country)).toMatchObject({ net_amount: 1_000, total_amount: least });
    expect((await send('pay', id, product, least, country)).body).toMatchObject({ total_amount: least });
  });

  it('with the tax added: the net itself is the least, in every country and when the session is created', async () => {
    const product = await keeping({ tax_inclusive: false });
    const cart = [{ product_id: product, quantity: 1, amount: 999 }];
    const early = await api.call('POST /checkouts', { body: { product_cart: cart } });
    expectProblem(early, 422, 'REQUEST_AMOUNT_BELOW_MINIMUM', 'product_cart[0].amount');
    const id = await sessionOf(product);
    expect(await quoted(id, product, 999, 'DE')).toMatchObject({ minimum_amount: 1_000 });
    // 1000 + 19 %
    expect(await quoted(id, product, 1_000, 'DE')).toMatchObject({ net_amount: 1_000, total_amount: 1_190 });
  });

  it('a higher minimum price holds where the tax is low', async () => {
    const product = await keeping({ price: 1_200 });
    const id = await sessionOf(product);
    expect(await quoted(id, product, 1_199, 'DE')).toMatchObject({ minimum_amount: 1_200 });
    expect(await quoted(id, product, 1_200, 'HU')).toMatchObject({ minimum_amount: 1_270 });
  });

  it('a locked amount that is too little where the buyer is, is refused there: nothing is charged', async () => {
    const product = await keeping();
    const id = await sessionOf(product, { amount: 1_100 });
    expectProblem(await send('pay', id, product, 1_100), 422, 'REQUEST_AMOUNT_BELOW_MINIMUM');
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
    const page = await pageOf(await sessionOf(product, { amount: 1_100 }, { billing_address: { country: 'DE' } }));
    expect(page).toContain('The amount must be at least €11.90.');
  });

  it('beside allow_zero: nothing, or what keeps the net', async () => {
    const product = await keeping({ allow_zero: true });
    const id = await sessionOf(product);
    expect(await quoted(id, product, 0, 'DE')).toMatchObject({ total_amount: 0 });
    expect(await quoted(id, product, 1_189, 'DE')).toMatchObject({ minimum_amount: 1_190 });
  });

  it('a preview without an amount takes the suggestion, or the least of the place', async () => {
    const product = await keeping({ suggested_price: 1_200 });
    const previewIn = async (country: string) => {
      const body = { product_cart: [{ product_id: product, quantity: 2 }], billing_address: { country } };
      return (await api.call('POST /checkouts/preview', { body })).body.total_price;
    };
    expect([await previewIn('DE'), await previewIn('HU')]).toEqual([2_400, 2_540]);
  });

  it('the page says the least of the buyer’s country, and without a country that it may be more', async () => {
    const product = await keeping({ preset_amounts: [1_000, 1_200, 2_000] });
    const offer = plain(await api.call(`GET /buy/${product}`, anyone));
    expect(offer).toContain('Pay what you want, from €10.00. The minimum may be higher in your country.');
    const page = await pageOf(await sessionOf(product, {}, { billing_address: { country: 'HU' } }));
    expect(page).toContain('Pay what you want, from €12.70.</p>');
    expect(buttonsOn(page)).toEqual(['2000']);
    expect(page).toMatch(/<input id="amount-0"[^>]* value="" /);
  });

  it.each([
    [{ maximum_price: 999 }, 'INVALID_MAXIMUM_PRICE'],
    [{ suggested_price: 999 }, 'INVALID_SUGGESTED_PRICE'],
    [{ preset_amounts: [999] }, 'INVALID_REQUEST_PARAMETERS'],
    [{ pay_what_you_want: false }, 'INVALID_REQUEST_PARAMETERS'],
    [{ minimum_net: -1 }, 'INTEGER_CONVERSION_FAILURE'],
  ])('a product with %j is refused', async (fields, code) => {
    const price = { ...support.price, suggested_price: null, minimum_net: 1_000, ...fields };
    expectProblem(await api.call('POST /products', { body: { ...support, price } }), 422, code);
  });
});
