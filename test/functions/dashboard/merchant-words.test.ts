import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct } from '../../support/shop/shop.ts';

let api: Api;
let browsing: Browsing;
beforeAll(async () => {
  api = await startApi();
  browsing = await browse(api, localKey);
});
afterAll(() => api.stop());

async function shownAt(path: string, language = 'en'): Promise<string> {
  const headers = { 'accept-language': language };
  return (await api.call(`GET ${path}`, { cookies: browsing.cookies, key: null, headers })).text;
}

/** A payment of one book, with a card that ends like this. */
async function soldWith(test_card: string): Promise<string> {
  const product_cart = [{ product_id: await addProduct(api), quantity: 1 }];
  const { session_id } = (await api.call('POST /checkouts', { body: { product_cart } })).body;
  const customer = { email: 'buyer@example.com', name: 'A Buyer' };
  const body = { customer, billing_address: { country: 'DE' }, test_card };
  return (await api.call(`POST /checkout/${session_id}/pay`, { body, key: null })).body.payment_id;
}

describe('the pages of a merchant', () => {
  it('do not show a failed payment as paid, or as refundable', async () => {
    const [failed, paid] = [await shownAt(`/dashboard/payments/${await soldWith('0002')}`), await soldWith('4242')];
    expect(failed).not.toMatch(/Left to refund|<dt>Paid</);
    expect(failed).toContain('<dt>Total</dt>');
    expect(await shownAt(`/dashboard/payments/${paid}`)).toMatch(/Left to refund.*<dt>Paid</s);
  });

  it('show an event by its subject and status, with its technical name below', async () => {
    const id = await soldWith('4242');
    const named = (noun: string, status: string) =>
      new RegExp(
        `<strong>${noun}</strong> <span class="badge good">${status}</span>.*<code>payment\\.succeeded</code>`,
        's',
      );
    expect(await shownAt(`/dashboard/payments/${id}`)).toMatch(named('Payment', 'succeeded'));
    expect(await shownAt(`/dashboard/payments/${id}`, 'de')).toMatch(named('Zahlung', 'erfolgreich'));
  });

  it('show amounts in the audit log as money with a currency, not as a number of cents', async () => {
    const payment_id = await soldWith('4242');
    await api.call('POST /refunds', { body: { payment_id, amount: 725 } });
    const page = await shownAt('/dashboard/audit-log');
    expect(page).toContain('amount\u00A0€7.25');
    expect(page).not.toMatch(/amount.{1,3}725|currency.{1,3}EUR/);
    await api.call('POST /api-keys', { body: { name: 'Web shop' } });
    expect(await shownAt('/dashboard/audit-log', 'de')).toMatch(/Zugriff\u00A0lesen · darf erstatten\u00A0nein/);
  });

  it('allow a line break in a date and time only between the day and the hour', async () => {
    await soldWith('4242');
    expect(await shownAt('/dashboard/payments')).toMatch(/>\d+\u00A0\w+\u00A0\d{4}, \d\d:\d\d\u00A0UTC<\/time>/);
  });

  it('name the countries where the tax is added', async () => {
    expect(await shownAt('/dashboard/products/new', 'de')).toContain('Kanada, Vereinigte Staaten');
  });

  it.each(['en', 'fr'])(
    'explain in %s why there is no price example, without technical names of the API',
    async (language) => {
      const sent = { token: browsing.token, form_id: language, name: 'A', description: 'B', currency: 'EUR' };
      const terms = { pay_what_you_want: 'true', minimum: '5', suggested: '3', tax_category: 'e_book', place: 'DE' };
      const cookies = [...browsing.cookies, `tillstack-language=${language}`];
      const { text } = await postForm(api, '/dashboard/products', { ...sent, ...terms, action: 'preview' }, cookies);
      const [, example = ''] = /<div id="example"[^>]*>(.*?)<\/div>/s.exec(text) ?? [];
      expect(example).toMatch(/5[.,]00/);
      expect(example).not.toContain('suggested_price');
    },
  );
});
