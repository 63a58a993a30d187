import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessions } from '../../../../shared/wiring/runtime.ts';
import { type Api, type ApiAnswer, startApi } from '../../../support/shop/api.ts';
import { postForm } from '../../../support/shop/dashboard.ts';
import { addProduct, createSession, fieldGuide, support } from '../../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

/** A product of 19.99 EUR, or of a chosen amount, with prices in other markets. */
async function localized(prices: object[], product: { price: object } = fieldGuide, mode = 'by_currency') {
  const id = await addProduct(api, { ...product, pricing_mode: mode });
  for (const body of prices) await api.call(`POST /products/${id}/localized-prices`, { body });
  return id;
}
const dollars = { currency: 'USD', amount: 2_400 };
const yen = { currency: 'JPY', amount: 3_000 };

const opened = (product: string, fields: object = {}) =>
  createSession(api, [{ product_id: product, quantity: 1 }], fields);
const shown = (id: string, headers: Record<string, string> = {}) =>
  api.call(`GET /checkout/${id}`, { key: null, headers, query: 'lang=en' });

async function post(action: 'quote' | 'pay', id: string, fields: Record<string, string>) {
  const { formToken: token, currency } = await sessions().get(id);
  const buyer = { token, email: 'buyer@example.com', name: 'A Buyer', country: 'DE', card: '4242424242424242' };
  return postForm(api, `/checkout/${id}/${action}`, { ...buyer, shown_currency: currency, ...fields }, []);
}

const stateOf = ({ text }: ApiAnswer) => ({
  total: /name="expected_total" value="(\d*)"/.exec(text)?.[1],
  currency: /name="shown_currency" value="(\w*)"/.exec(text)?.[1],
  choices: [...(/<select id="currency".*?<\/select>/s.exec(text)?.[0] ?? '').matchAll(/value="(\w+)"/g)].map(
    ([, code]) => code,
  ),
});
const newsIn = ({ text }: ApiAnswer) => /id="currency-news" role="status">([^<]*)</.exec(text)?.[1];

describe('a discount code in the session that is valid only in euros', () => {
  let codes = 0;
  const euroCode = async (): Promise<string> => {
    codes += 1;
    const currency_options = [{ currency: 'EUR', max_amount_possible: 500 }];
    const body = { type: 'flat', amount: 500, code: `EUROS-${codes}`, currency_options };
    return (await api.call('POST /discounts', { body })).body.code;
  };
  const inSwitzerland = [{ country_code: 'CH', currency: 'CHF', amount: 2_100 }];

  it.each<['by_currency' | 'by_country', object[], string]>([
    ['by_currency', [yen], 'JP'],
    ['by_country', inSwitzerland, 'CH'],
  ])(
    'keeps the order in euros when a price %s would change the currency, and the order is paid',
    async (mode, prices, country) => {
      const product = await localized(prices, fieldGuide, mode);
      const flags = { feature_flags: { allow_currency_selection: false } };
      const id = await opened(product, { discount_codes: [await euroCode()], ...flags });
      const quoted = stateOf(await post('quote', id, { country }));
      expect(quoted).toMatchObject({ total: '1499', currency: 'EUR' }); // 19.99 − 5.00
      const paid = await post('pay', id, { country, expected_total: '1499' });
      expect(paid.status).toBe(303);
    },
  );

  it('keeps the order in euros when the request names a country with another currency', async () => {
    const product = await localized([dollars]);
    const discount_codes = [await euroCode()];
    const billing_address = { country: 'US', state: 'NY' };
    const id = await opened(product, { discount_codes, billing_address });
    expect((await sessions().get(id)).currency).toBe('EUR');
    const body = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes, billing_address };
    expect((await api.call('POST /checkouts/preview', { body })).body).toMatchObject({
      currency: 'EUR',
      total_price: 1_499,
    });
  });

  it('does not decide the currency if the code is valid in all currencies, or if the request names a currency', async () => {
    const product = await localized([dollars]);
    const { code } = (await api.call('POST /discounts', { body: { type: 'percentage', amount: 1_000 } })).body;
    const id = await opened(product, { discount_codes: [code], billing_address: { country: 'US', state: 'NY' } });
    expect((await sessions().get(id)).currency).toBe('USD');
    const body = {
      product_cart: [{ product_id: product, quantity: 1 }],
      discount_codes: [await euroCode()],
      billing_currency: 'USD',
    };
    expect((await api.call('POST /checkouts', { body })).body).toMatchObject({ code: 'EXCHANGE_RATE_NOT_FOUND' });
  });
});

describe('the choice of a currency', () => {
  it('is not shown for products that have only one price', async () => {
    const page = await shown(await opened(await addProduct(api)));
    expect(page.text).not.toContain('shown_currency');
  });

  it('asks for the amount, and names no total, if the buyer starts again without a suggested amount', async () => {
    const price = { ...support.price, suggested_price: null };
    const product = await localized([{ currency: 'USD', amount: 700 }], { ...support, price });
    const id = await opened(product);
    const entries = { [`amount.${product}`]: '10.00', expected_total: '1000', typed_total: '1000' };
    const { status, text } = await post('pay', id, { ...entries, currency: 'USD' });
    expect([status, text.includes('Enter the amount that you want to pay.')]).toEqual([422, true]);
    expect(text).not.toContain('id="pay-news"');
  });

  it('offers every currency of the cart, and the order is priced and paid in the chosen one', async () => {
    const id = await opened(await localized([dollars, yen]));
    expect(stateOf(await shown(id, { 'accept-language': 'de-DE' }))).toEqual({
      total: '1999',
      currency: 'EUR',
      choices: ['EUR', 'USD', 'JPY'],
    });
    const chosen = await post('quote', id, { currency: 'USD' });
    expect(stateOf(chosen)).toMatchObject({ total: '2400', currency: 'USD' });
    expect(newsIn(chosen)).toBe('The prices are now in USD.');
    expect((await post('pay', id, { currency: 'USD', expected_total: '2400' })).status).toBe(303);
    const { paymentId } = await sessions().get(id);
    const { body } = await api.call(`GET /payments/${paymentId}`);
    expect(body).toMatchObject({ currency: 'USD', total_amount: 2_400 });
  });

  it('offers only currencies in which every product has a price', async () => {
    const [one, two] = [await localized([dollars, yen]), await localized([dollars])];
    const cart = [one, two].map((product_id) => ({ product_id, quantity: 1 }));
    expect(stateOf(await shown(await createSession(api, cart))).choices).toEqual(['EUR', 'USD']);
  });

  it('is not offered when the session forbids it or sets an amount', async () => {
    const closed = await opened(await localized([dollars]), { feature_flags: { allow_currency_selection: false } });
    expect(stateOf(await shown(closed)).choices).toEqual([]);
    expect(stateOf(await post('quote', closed, { currency: 'USD' })).currency).toBe('EUR');
    const gift = await localized([{ ...dollars, amount: 600 }], support);
    const locked = await createSession(api, [{ product_id: gift, quantity: 1, amount: 900 }]);
    expect((await shown(locked)).text).not.toContain('shown_currency');
  });

  it.each(['XXX', '<b>', 'usd', 'CHF'])('of %s, in which the order has no price, changes nothing', async (currency) => {
    const id = await opened(await localized([dollars]));
    await shown(id, { 'accept-language': 'de-DE' });
    expect(stateOf(await post('quote', id, { currency }))).toMatchObject({ total: '1999', currency: 'EUR' });
  });
});

describe('the country that a buyer enters', () => {
  it('sets the currency from the first view, until the buyer chooses one', async () => {
    const id = await opened(await localized([dollars, yen]));
    expect(stateOf(await shown(id, { 'accept-language': 'ja-JP' }))).toMatchObject({ total: '3000', currency: 'JPY' });
    const american = await post('quote', id, { country: 'US', region: 'NY', postal_code: '10001' });
    expect(stateOf(american).currency).toBe('USD');
    expect(stateOf(await post('quote', id, { currency: 'EUR' })).currency).toBe('EUR');
    expect(stateOf(await post('quote', id, { country: 'JP' })).currency).toBe('EUR');
  });

  it('does not change a currency that the integrator has set', async () => {
    const id = await opened(await localized([dollars, yen]), { billing_currency: 'USD' });
    expect(stateOf(await shown(id, { 'accept-language': 'ja-JP' })).currency).toBe('USD');
  });

  it('with another price is never charged the price of the previous country', async () => {
    const prices = [
      { currency: 'EUR', amount: 900, country_code: 'PT' },
      { currency: 'EUR', amount: 2_900, country_code: 'CH' },
    ];
    const id = await opened(await localized(prices, fieldGuide, 'by_country'));
    expect(stateOf(await post('quote', id, { country: 'PT' })).total).toBe('900');
    const asked = await post('pay', id, { country: 'CH', expected_total: '900' });
    expect([asked.status, stateOf(asked).total]).toEqual([422, '2900']);
    expect(asked.text).toContain('The total is now €29.00. Check it, then pay.');
    const body = {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      test_card: '4242',
      billing_address: { country: 'PT' },
    };
    const expecting = (expected_total: number) => ({ body: { ...body, expected_total }, key: null });
    expect((await api.call(`POST /checkout/${id}/pay`, expecting(2_900))).status).toBe(409);
    const paid = await api.call(`POST /checkout/${id}/pay`, expecting(900));
    expect(paid.body).toMatchObject({ status: 'succeeded', total_amount: 900 });
  });
});

describe('a total with the same number in another currency', () => {
  it('gets 409 from the API until the program states the new currency', async () => {
    const id = await opened(await localized([{ currency: 'USD', amount: 1_999 }]), {
      billing_address: { country: 'DE' },
    });
    const body = {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      test_card: '4242',
      billing_address: { country: 'US', state: 'OR', zipcode: '97201' },
      expected_total: 1_999,
    };
    const refused = await api.call(`POST /checkout/${id}/pay`, { body, key: null });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(refused.body.message).toContain('in USD now');
    const paid = await api.call(`POST /checkout/${id}/pay`, { body, key: null });
    expect(paid.body).toMatchObject({ status: 'succeeded', currency: 'USD' });
  });

  it('gets 409 if the program states the old currency, and 422 if it states an unknown one', async () => {
    const id = await opened(await localized([{ currency: 'USD', amount: 1_999 }]), {
      billing_address: { country: 'DE' },
    });
    await post('quote', id, { currency: 'USD' });
    const body = {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      test_card: '4242',
      billing_address: { country: 'DE' },
      expected_total: 1_999,
    };
    const pay = (expected_currency: string) =>
      api.call(`POST /checkout/${id}/pay`, { body: { ...body, expected_currency }, key: null });
    for (const _ of [1, 2]) {
      const refused = await pay('EUR');
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    }
    expect((await pay('EURO')).status).toBe(422);
    expect((await pay('USD')).body).toMatchObject({ status: 'succeeded', currency: 'USD' });
  });
});

describe('an amount that the buyer chooses', () => {
  const gifts = [{ currency: 'USD', amount: 600, suggested_price: 2_000 }];

  it('is not converted to a new currency: the field starts again with that currency’s suggestion', async () => {
    const gift = await localized(gifts, support);
    const id = await opened(gift);
    await shown(id, { 'accept-language': 'de-DE' });
    const amount = `amount.${gift}`;
    expect(stateOf(await post('quote', id, { [amount]: '33.00' })).total).toBe('3300');
    const changed = await post('quote', id, { [amount]: '33.00', currency: 'USD' });
    expect(stateOf(changed)).toMatchObject({ total: '2000', currency: 'USD' });
    expect(changed.text).toContain('data-fresh="20.00"');
  });

  it('is not charged in the new currency when it was typed while the page showed the old one', async () => {
    const gift = await localized(gifts, support);
    const id = await opened(gift);
    await shown(id, { 'accept-language': 'de-DE' });
    await post('quote', id, { currency: 'USD' });
    const stale = { [`amount.${gift}`]: '20.00', shown_currency: 'EUR', currency: 'EUR', expected_total: '2000' };
    const asked = await post('pay', id, stale);
    expect([asked.status, stateOf(asked)]).toMatchObject([422, { total: '2000', currency: 'USD' }]);
    expect(await sessions().get(id)).toMatchObject({ status: 'open', paymentId: null });
  });
});

describe('an amount that a program sends', () => {
  it('is not charged in the currency of another country: the answer is 409, and nothing is paid', async () => {
    const gift = await localized([{ currency: 'JPY', amount: 600 }], support);
    const id = await opened(gift, { billing_address: { country: 'JP' } });
    expect((await sessions().get(id)).currency).toBe('JPY');
    const body = {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      test_card: '4242',
      billing_address: { country: 'DE' },
      amounts: { [gift]: 5_000 },
    };
    const refused = await api.call(`POST /checkout/${id}/pay`, { body, key: null });
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    expect(await sessions().get(id)).toMatchObject({ status: 'open', paymentId: null });
  });
});

describe('a discount code in another currency', () => {
  it('is reported as not valid there, and payment is refused until the buyer removes it', async () => {
    const terms = { type: 'flat', amount: 500, currency_options: [{ currency: 'EUR', max_amount_possible: 500 }] };
    const { code } = (await api.call('POST /discounts', { body: terms })).body;
    const id = await opened(await localized([dollars]));
    await shown(id, { 'accept-language': 'de-DE' });
    expect(stateOf(await post('quote', id, { discount_code: code })).total).toBe('1499');
    const changed = await post('quote', id, { currency: 'USD' });
    expect(changed.text).toContain('This code is not valid in USD.');
    const refused = await post('pay', id, { currency: 'USD', expected_total: '2400' });
    expect([refused.status, (await sessions().get(id)).paymentId]).toEqual([422, null]);
    await post('quote', id, { code_action: `remove:${code}` });
    expect((await post('pay', id, { expected_total: '2400' })).status).toBe(303);
  });
});
