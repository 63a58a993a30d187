import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRates } from '../../../infra/local/example-rates.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { issueDocuments } from '../../../shared/use-cases/documents/issue-documents.ts';
import { documents, exchangeRates } from '../../../shared/wiring/books.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { issuing } from '../../support/shop/dependencies.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  clock.run();
  await api.stop();
});

const keepRates = (date: string, perEuro: Readonly<Record<string, string>> = exampleRates.perEuro) =>
  exchangeRates().keep({ date, source: 'European Central Bank', perEuro });

/** A paid software subscription of 120.00 in a currency, tax included, by a buyer in a country. */
async function sell(currency: string, country: string): Promise<string> {
  const price = { type: 'one_time_price', currency, price: 12_000, tax_inclusive: true };
  const productId = await addProduct(api, { price, tax_category: 'saas' });
  const sessionId = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const billing = { country, state: null, city: null, street: null, zipcode: null };
  const payment = await pay(sessionId, { expectedTotal: 12_000, billing });
  return payment.id;
}

const invoiceOf = (id: string) => api.call(`GET /invoices/payments/${id}`, { query: 'format=json' });

describe('the tax in local currency', { shuffle: false }, () => {
  it('is on the invoice of a sale in another currency, converted with the last rates before its date', async () => {
    clock.stopAt('2031-06-03T12:00:00Z'); // a Tuesday
    await keepRates('2031-05-30', { ...exampleRates.perEuro, GBP: '0.5' });
    await keepRates('2031-06-02');
    await keepRates('2031-06-03', { ...exampleRates.perEuro, GBP: '0.5' });
    const { status, body } = await invoiceOf(await sell('USD', 'GB'));
    expect(status).toBe(200);
    // 120.00 with 20 % inside: 20.00 tax; 20.00 ÷ 1.0705 × 0.84638 = 15.8127…
    expect(body).toMatchObject({
      currency: 'USD',
      tax: 2_000,
      local_tax: { currency: 'GBP', tax: 1_581, per_euro: { USD: '1.0705', GBP: '0.84638' } },
      fx_rate: '0.79063989',
      fx_date: '2031-06-02',
      fx_source: 'European Central Bank',
    });
  });

  it.each([
    { currency: 'EUR', country: 'PL', local: 'PLN' },
    { currency: 'EUR', country: 'SE', local: 'SEK' },
    { currency: 'EUR', country: 'NO', local: 'NOK' },
    { currency: 'EUR', country: 'CH', local: 'CHF' },
    { currency: 'EUR', country: 'CZ', local: 'CZK' },
    { currency: 'EUR', country: 'DK', local: 'DKK' },
    { currency: 'EUR', country: 'HU', local: 'HUF' },
    { currency: 'EUR', country: 'RO', local: 'RON' },
    { currency: 'EUR', country: 'LI', local: 'CHF' },
    { currency: 'USD', country: 'DE', local: 'EUR' },
    { currency: 'USD', country: 'BG', local: 'EUR' },
    { currency: 'USD', country: 'MC', local: 'EUR' },
    { currency: 'GBP', country: 'IM', local: undefined },
    { currency: 'EUR', country: 'BG', local: undefined },
    { currency: 'EUR', country: 'JP', local: undefined },
    { currency: 'SEK', country: 'SE', local: undefined },
  ])('of a sale in $currency to $country is shown in $local', async ({ currency, country, local }) => {
    const { body } = await invoiceOf(await sell(currency, country));
    expect(body.tax).toBeGreaterThan(0);
    expect(body.local_tax?.currency).toBe(local);
  });

  it('of a refund uses the rates of its invoice, not newer rates', async () => {
    const id = await sell('USD', 'GB');
    await invoiceOf(id);
    clock.stopAt('2031-06-20T12:00:00Z');
    await keepRates('2031-06-19', { ...exampleRates.perEuro, GBP: '0.1' });
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: id, amount: 6_000 } });
    const { body } = await api.call(`GET /invoices/refunds/${refund.refund_id}`, { query: 'format=json' });
    // 10.00 ÷ 1.0705 × 0.84638 = 7.9064
    expect(body).toMatchObject({ tax: -1_000, local_tax: { currency: 'GBP', tax: -791 }, fx_date: '2031-06-02' });
  });

  it('delays a live invoice only until the rates are new enough, and no invoice without a conversion', async () => {
    clock.stopAt('2031-08-01T12:00:00Z'); // the newest rates are of 19 June
    const [late, plain] = [await sell('USD', 'GB'), await sell('GBP', 'GB')];
    const issue = (paymentId: string) =>
      issueDocuments({ ...issuing(), awaitsRates: true }, [{ paymentId }], () => true);
    await expect(issue(late)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await issue(plain)).size).toBe(1);
    await keepRates('2031-07-22'); // ten days before the sale
    const issued = await issue(late);
    expect(issued.get(late)?.document.localTax?.rates.date).toBe('2031-07-22');
  });

  it('delays no invoice when no rate exists for the currency of the sale', async () => {
    clock.stopAt('2031-08-01T12:00:00Z');
    const id = await sell('AED', 'GB');
    const issued = await issueDocuments({ ...issuing(), awaitsRates: true }, [{ paymentId: id }], () => true);
    expect(issued.get(id)?.document.localTax).toBeUndefined();
    expect(api.log.join()).toContain('A document shows no tax in local currency: there is no rate.');
  });

  it('is on the invoices that the worker issues', async () => {
    clock.stopAt('2031-06-03T12:00:00Z');
    const id = await sell('USD', 'GB');
    const [event] = (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body.items;
    await invokeFunction('documents/issue-documents', {
      'detail-type': 'payment.succeeded',
      detail: { event_id: event.event_id, payment_id: id, data: {} },
    });
    expect((await documents().find(id)).document?.localTax).toMatchObject({ currency: 'GBP', tax: 1_581 });
  });

  it('is printed with the exchange rates, their date and their source', async () => {
    clock.stopAt('2031-06-03T12:00:00Z');
    const { body } = await api.call(`GET /invoices/payments/${await sell('USD', 'GB')}`, {
      query: 'format=html&lang=en',
    });
    expect(body).toContain('Tax in GBP');
    expect(body).toContain('£15.81');
    expect(body).toMatch(/June 2, 2031: EUR 1 = USD 1\.0705 = GBP 0\.84638\. Source: European Central Bank\./);
  });
});
