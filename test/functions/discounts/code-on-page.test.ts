import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sessions } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { postForm } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, support } from '../../support/shop/shop.ts';

let api: Api;
let product: string;
beforeAll(async () => {
  api = await startApi();
  product = await addProduct(api);
});
afterAll(() => api.stop());

/** A session of 19.99 with a code of 20 %. */
async function opened(terms: object = {}) {
  const body = { type: 'percentage', amount: 2_000, usage_limit: 1, ...terms };
  const { discount_id: discountId, code } = (await api.call('POST /discounts', { body })).body;
  const cart = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes: [code] };
  const { session_id: id } = (await api.call('POST /checkouts', { body: cart })).body;
  return { id, code, discountId, path: `/checkout/${id}` };
}

async function filled(id: string, expectedTotal: string) {
  const { formToken: token } = await sessions().get(id);
  const buyer = { token, email: 'buyer@example.com', name: 'A Buyer', country: 'DE' };
  return { ...buyer, card: '4242424242424242', expected_total: expectedTotal };
}

describe('a code on the page', () => {
  it('is shown as a discount below the lines, before and after the buyer gives a country', async () => {
    const { id, path } = await opened();
    const { text } = await api.call(`GET ${path}`, { key: null });
    expect(text).toMatch(/<dt>Discount <bdi class="code">\w+<\/bdi><\/dt><dd>.?€4\.00<\/dd>/);
    expect(text).toContain('name="expected_total" value="1599"');
    const quoted = await postForm(api, `${path}/quote`, await filled(id, ''), []);
    expect(quoted.text).toMatch(/<dt>Discount <bdi class="code">\w+<\/bdi><\/dt><dd>.?€4\.00<\/dd>/);
    expect(quoted.text).toContain('name="expected_total" value="1599"');
  });

  it('is shown on the receipt and the invoice, and their amounts include the discount', async () => {
    const { id, path } = await opened();
    const paid = await postForm(api, `${path}/pay`, await filled(id, '1599'), []);
    expect(paid.status).toBe(303);
    expect((await api.call(`GET ${path}`, { key: null })).text).toContain('<dt>Discount <bdi');
    const { paymentId } = await sessions().get(id);
    const invoice = await api.call(`GET /invoices/payments/${paymentId}`, { query: 'format=json' });
    expect(invoice.body.lines[0]).toMatchObject({
      unit_amount: 1_999,
      discount_amount: 400,
      net_unit_price: '14.94', // 15.99 less 7 %: 1.05
      amount: 1_599,
    });
    const page = await api.call(`GET /invoices/payments/${paymentId}`, { query: 'format=html&lang=en' });
    expect(page.text).toMatch(/(Discount|Rabatt)\s.?.?(€4\.00|4,00)/);
  });

  it('that was used up in the meantime is removed, and the buyer must confirm the total without it', async () => {
    const first = await opened();
    const { code } = first;
    const cart = { product_cart: [{ product_id: product, quantity: 1 }], discount_codes: [code] };
    const { session_id: other } = (await api.call('POST /checkouts', { body: cart })).body;
    await postForm(api, `/checkout/${other}/pay`, await filled(other, '1599'), []);
    const answer = await postForm(api, `${first.path}/pay`, await filled(first.id, '1599'), []);
    expect(answer.text).toContain(`The code ${code} can no longer be used. Without it, the total is €19.99.`);
    expect(answer.text).toContain('name="expected_total" value="1999"');
    expect(await sessions().get(first.id)).toMatchObject({ status: 'open', paymentId: null, discounts: [] });
    expect((await postForm(api, `${first.path}/pay`, await filled(first.id, '1999'), [])).status).toBe(303);
  });

  /** The form that a browser posts for a chosen amount of 10.00 with a code, as the page showed it. */
  async function chosenWithCode(percentage: number, country: string) {
    const gift = await addProduct(api, support);
    const terms = { type: 'percentage', amount: percentage, below_minimum: true };
    const { code } = (await api.call('POST /discounts', { body: terms })).body;
    const id = await createSession(api, [{ product_id: gift, quantity: 1 }]);
    const entries = { ...(await filled(id, '')), country, [`amount.${gift}`]: '10.00' };
    const applied = { ...entries, discount_code: code, code_action: 'apply' };
    const { text } = await postForm(api, `/checkout/${id}/quote`, applied, []);
    const names = ['expected_total', 'typed_total', 'label'];
    const shown = names.map((name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '']);
    return { id, code, form: { ...entries, ...Object.fromEntries(shown) } };
  }

  it('that has left the session makes the page ask again, although the total is the typed amount', async () => {
    const { id, code, form } = await chosenWithCode(5_000, 'DE');
    expect(form.expected_total).toBe('500');
    await postForm(api, `/checkout/${id}/quote`, { ...form, code_action: `remove:${code}` }, []);
    const answer = await postForm(api, `/checkout/${id}/pay`, form, []);
    expect([answer.status, answer.text.includes('The total is now €10.00.')]).toEqual([422, true]);
    expect(await sessions().get(id)).toMatchObject({ status: 'open', paymentId: null });
  });

  it('of 100 % on a chosen amount makes an order that is completed as free where the law has words for the button', async () => {
    const { id, form } = await chosenWithCode(10_000, 'FR');
    expect([form.expected_total, form.label]).toEqual(['0', 'free:en:FR']);
    expect((await postForm(api, `/checkout/${id}/pay`, form, [])).status).toBe(303);
  });

  it('with a minimum order states it when the chosen amounts are lower', async () => {
    const gift = await addProduct(api, support);
    const terms = {
      type: 'percentage',
      amount: 2_000,
      currency_options: [{ currency: 'EUR', minimum_subtotal: 2_000 }],
    };
    const { code } = (await api.call('POST /discounts', { body: terms })).body;
    const cart = { product_cart: [{ product_id: gift, quantity: 1 }], discount_codes: [code] };
    const { session_id: id } = (await api.call('POST /checkouts', { body: cart })).body;
    const entries = { ...(await filled(id, '')), [`amount.${gift}`]: '15.00' };
    const below = await postForm(api, `/checkout/${id}/quote`, entries, []);
    expect([below.status, below.text.includes('€20.00')]).toEqual([200, true]);
    const above = await postForm(api, `/checkout/${id}/quote`, { ...entries, [`amount.${gift}`]: '25.00' }, []);
    expect(above.text).toContain('name="expected_total" value="2000"');
  });
});
