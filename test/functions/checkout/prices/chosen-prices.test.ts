import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type ApiAnswer, startApi } from '../../../support/shop/api.ts';
import { addProduct, createSession, support } from '../../../support/shop/shop.ts';
import { expectProblem } from '../../../support/wire/problem.ts';

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
  it('are the buttons of the page in the same order, and the pressed one is charged', async () => {
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
  ])('that are $preset_amounts give the page the buttons $buttons', async ({ preset_amounts, buttons }) => {
    const product = await chosenProduct({ preset_amounts });
    expect(buttonsOn(await pageOf(await sessionOf(product)))).toEqual(buttons);
  });

  it('are removed when the product gets a new price', async () => {
    const product = await chosenProduct({ preset_amounts: [700], allow_zero: true });
    const { body } = await api.call(`PATCH /products/${product}`, { body: { price: support.price } });
    expect(body.price).toMatchObject({ preset_amounts: null, allow_zero: false });
  });
});

describe('allow_zero', () => {
  it('lets a buyer choose 0: an event is sent, no card or processor is used, and no refund is possible', async () => {
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

  it.each([1, 499])('refuses %i, which lies between zero and the minimum, and names the minimum', async (amount) => {
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

  it('accepts 0 as an amount in the session, and lets the buyer choose when the session names none', async () => {
    const product = await chosenProduct({ allow_zero: true });
    const free = await sessionOf(product, { amount: 0 }, { billing_address: { country: 'DE' } });
    const page = await pageOf(free);
    expect(page).toContain('Get it for free');
    expectProblem(await send('pay', free, product, 500), 422, 'INVALID_REQUEST_PARAMETERS', `amounts.${product}`);
    expect((await send('pay', free, product, 0)).body).toMatchObject({ status: 'succeeded', total_amount: 0 });
  });
});

describe('minimum_net, the amount that the merchant keeps after tax,', () => {
  const keeping = (fields: object = {}) => chosenProduct({ suggested_price: null, minimum_net: 1_000, ...fields });
  const quoted = async (id: string, product: string, amount: number, country: string) =>
    (await send('quote', id, product, amount, country)).body;

  it.each([
    { country: 'DE', least: 1_190 },
    { country: 'HU', least: 1_270 },
    { country: 'JP', least: 1_100 },
  ])('sets the lowest tax-inclusive amount to $least in $country, so the merchant keeps 1000', async (asked) => {
    const { country, least } = asked;
    const product = await keeping();
    const id = await sessionOf(product);
    const refused = await send('pay', id, product, least - 1, country);
    expectProblem(refused, 422, 'REQUEST_AMOUNT_BELOW_MINIMUM', `amounts.${product}`);
    expect(refused.body).toMatchObject({ minimum_amount: least });
    expect(await quoted(id, product, least, country)).toMatchObject({ net_amount: 1_000, total_amount: least });
    expect((await send('pay', id, product, least, country)).body).toMatchObject({ total_amount: least });
  });

  it('is the lowest amount in every country when tax is added, also when a session is created', async () => {
    const product = await keeping({ tax_inclusive: false });
    const cart = [{ product_id: product, quantity: 1, amount: 999 }];
    const early = await api.call('POST /checkouts', { body: { product_cart: cart } });
    expectProblem(early, 422, 'REQUEST_AMOUNT_BELOW_MINIMUM', 'product_cart[0].amount');
    const id = await sessionOf(product);
    expect(await quoted(id, product, 999, 'DE')).toMatchObject({ minimum_amount: 1_000 });
    // 1000 + 19 %
    expect(await quoted(id, product, 1_000, 'DE')).toMatchObject({ net_amount: 1_000, total_amount: 1_190 });
  });

  it('does not lower a minimum price that is higher in countries with a low tax', async () => {
    const product = await keeping({ price: 1_200 });
    const id = await sessionOf(product);
    expect(await quoted(id, product, 1_199, 'DE')).toMatchObject({ minimum_amount: 1_200 });
    expect(await quoted(id, product, 1_200, 'HU')).toMatchObject({ minimum_amount: 1_270 });
  });

  it('refuses a fixed session amount that is too low for the buyer’s country, and charges nothing', async () => {
    const product = await keeping();
    const id = await sessionOf(product, { amount: 1_100 });
    expectProblem(await send('pay', id, product, 1_100), 422, 'REQUEST_AMOUNT_BELOW_MINIMUM');
    expect(await stateOf(id)).toMatchObject({ status: 'open', payment_id: null });
    const page = await pageOf(await sessionOf(product, { amount: 1_100 }, { billing_address: { country: 'DE' } }));
    expect(page).toContain('The amount must be at least €11.90.');
  });

  it('together with allow_zero accepts zero or an amount that keeps the net', async () => {
    const product = await keeping({ allow_zero: true });
    const id = await sessionOf(product);
    expect(await quoted(id, product, 0, 'DE')).toMatchObject({ total_amount: 0 });
    expect(await quoted(id, product, 1_189, 'DE')).toMatchObject({ minimum_amount: 1_190 });
  });

  it('raises the amount of a preview to the lowest amount of the country', async () => {
    const product = await keeping({ suggested_price: 1_200 });
    const previewIn = async (country: string) => {
      const body = { product_cart: [{ product_id: product, quantity: 2 }], billing_address: { country } };
      return (await api.call('POST /checkouts/preview', { body })).body.total_price;
    };
    expect([await previewIn('DE'), await previewIn('HU')]).toEqual([2_400, 2_540]);
  });

  it('shows the lowest amount for the buyer’s country, and without a country warns that it may be more', async () => {
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
  ])('is refused in a product with %j', async (fields, code) => {
    const price = { ...support.price, suggested_price: null, minimum_net: 1_000, ...fields };
    expectProblem(await api.call('POST /products', { body: { ...support, price } }), 422, code);
  });
});

describe('the field purpose', () => {
  const purpose = 'It pays for <b>clean</b> wells.';

  it('is shown below the amount and on the product’s link page, as plain text', async () => {
    const product = await chosenProduct({ purpose });
    expect((await api.call(`GET /products/${product}`)).body.price).toMatchObject({ purpose, show_net: false });
    const said = 'It pays for &lt;b&gt;clean&lt;/b&gt; wells.';
    expect(await pageOf(await sessionOf(product))).toContain(said);
    expect((await api.call(`GET /buy/${product}`, anyone)).text).toContain(said);
  });

  it.each(['x'.repeat(201), 'two\nlines', ''])('refuses %j', async (text) => {
    const body = { ...support, price: { ...support.price, purpose: text } };
    expectProblem(await api.call('POST /products', { body }), 422, 'INVALID_REQUEST_BODY', 'price.purpose');
  });

  it.each([{ purpose }, { show_net: true }])('refuses %j beside a fixed price', async (fields) => {
    const body = {
      ...support,
      price: { ...support.price, pay_what_you_want: false, suggested_price: null, ...fields },
    };
    expectProblem(await api.call('POST /products', { body }), 422, 'INVALID_REQUEST_PARAMETERS');
  });
});

describe('the option show_net', () => {
  const stays = (page: string) => [...page.matchAll(/Of (\S+), (\S+) stays with Example Books after tax\./g)];
  const quotedPage = async (id: string, fields: Record<string, string>): Promise<string> => {
    const page = await pageOf(id);
    const token = /name="token" value="([^"]*)"/.exec(page)?.[1] ?? '';
    const raw = Buffer.from(String(new URLSearchParams({ token, country: 'DE', ...fields })));
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    return plain(await api.call(`POST /checkout/${id}/quote`, { raw, headers, ...anyone }));
  };

  it('shows how much of each line remains after tax, as in the quote', async () => {
    const [one, two] = [await chosenProduct({ show_net: true }), await chosenProduct({ show_net: true })];
    const silent = await chosenProduct({});
    const cart = [
      { product_id: one, quantity: 2 },
      { product_id: two, quantity: 1 },
      { product_id: silent, quantity: 1 },
    ];
    const id = await createSession(api, cart);
    const page = await quotedPage(id, {
      [`amount.${one}`]: '10.00',
      [`amount.${two}`]: '11.90',
      [`amount.${silent}`]: '7',
    });
    // 19 % of 38.90 together is 6.21: 3.19 of 20.00, 1.90 of 11.90 and 1.12 of 7.00
    expect(stays(page).map(([, gross, net]) => [gross, net])).toEqual([
      ['€20.00', '€16.81'],
      ['€11.90', '€10.00'],
    ]);
  });

  it('subtracts a discount, and shows nothing if no tax is due or no amount is chosen', async () => {
    const product = await chosenProduct({ show_net: true });
    const { body } = await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } });
    const id = await sessionOf(product, {}, { discount_codes: [body.code] });
    // 10 % off 13.22 is 1.32, and 11.90 is left
    const page = await quotedPage(id, { [`amount.${product}`]: '13.22' });
    expect(stays(page).map(([, gross, net]) => [gross, net])).toEqual([['€11.90', '€10.00']]);
    expect(stays(await quotedPage(id, { [`amount.${product}`]: '' }))).toEqual([]);
    expect(stays(await quotedPage(id, { [`amount.${product}`]: '13.22', country: 'AQ' }))).toEqual([]);
  });
});

describe('digital_product_delivery', () => {
  const delivery = {
    external_url: 'https://files.example.com/guide',
    instructions: 'Open the address.\nUse the key 7.',
  };

  it('shows only the buyer how to get the product', async () => {
    const product = await addProduct(api, { digital_product_delivery: delivery });
    const kept = (await api.call(`GET /products/${product}`)).body.digital_product_delivery;
    expect(kept).toEqual({ ...delivery, files: [] });
    const id = await sessionOf(product);
    expect(await pageOf(id)).not.toContain('files.example.com');
    const cookies = await payByForm(id);
    const ofBuyer = plain(await api.call(`GET /checkout/${id}`, { ...anyone, cookies }));
    expect(ofBuyer).toContain('How to get it');
    expect(ofBuyer).toContain('href="https://files.example.com/guide"');
    expect(ofBuyer).toContain('Use the key 7.');
    const ofOthers = await pageOf(id);
    expect(ofOthers).toContain('Thank you');
    expect(ofOthers).not.toMatch(/How to get it|files\.example\.com|Use the key/);
    const { body } = await api.call(`GET /payments/${(await stateOf(id)).payment_id}`);
    expect(JSON.stringify(body)).not.toContain('files.example.com');
  });

  it.each([
    ['is free', { price: { type: 'one_time_price', currency: 'EUR', price: 0 } }, {}],
    ['a code makes free', {}, { discount_codes: ['EVERYTHING'] }],
  ])('shows the buyer how to get a product that %s', async (_, fields, terms) => {
    await api.call('POST /discounts', { body: { type: 'percentage', amount: 10_000, code: 'EVERYTHING' } });
    const product = await addProduct(api, { ...fields, digital_product_delivery: delivery });
    const id = await sessionOf(product, {}, terms);
    const cookies = await payByForm(id);
    const ofBuyer = plain(await api.call(`GET /checkout/${id}`, { ...anyone, cookies }));
    expect(ofBuyer).toContain('href="https://files.example.com/guide"');
    expect(await pageOf(id)).not.toContain('files.example.com');
  });

  it('is hidden when everything is refunded', async () => {
    const product = await addProduct(api, { digital_product_delivery: delivery });
    const id = await sessionOf(product);
    const cookies = await payByForm(id);
    await api.call('POST /refunds', { body: { payment_id: (await stateOf(id)).payment_id } });
    const page = plain(await api.call(`GET /checkout/${id}`, { ...anyone, cookies }));
    expect(page).toContain('Refunded');
    expect(page).toContain('/invoices/payments/');
    expect(page).not.toContain('files.example.com');
  });

  it.each(['http://files.example.com', 'https:files.example.com', 'javascript:alert(1)', 'files'])(
    'refuses the address %j',
    async (external_url) => {
      const body = { ...support, digital_product_delivery: { external_url } };
      const path = 'digital_product_delivery.external_url';
      expectProblem(await api.call('POST /products', { body }), 422, 'INVALID_REQUEST_BODY', path);
    },
  );

  it('is removed when it is set to null', async () => {
    const product = await addProduct(api, { digital_product_delivery: delivery });
    const { body } = await api.call(`PATCH /products/${product}`, { body: { digital_product_delivery: null } });
    expect(body.digital_product_delivery).toBeNull();
  });
});

/** Pays as the page does. Returns what it leaves in the browser. */
async function payByForm(id: string): Promise<string[]> {
  const page = await pageOf(id);
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const buyer = { email: 'buyer@example.com', name: 'A Buyer', country: 'DE', card: '4242424242424242' };
  const form = new URLSearchParams({ token: hidden('token'), expected_total: hidden('expected_total'), ...buyer });
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const paid = await api.call(`POST /checkout/${id}/pay`, { raw: Buffer.from(String(form)), headers, ...anyone });
  expect(paid.status).toBe(303);
  return paid.cookies.map((cookie) => cookie.split(';')[0] ?? '');
}
