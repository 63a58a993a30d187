import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localKey } from '../../../infra/local/local-key.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
let product: string;
let customer: string;

const email = 'purchasing@example.com';
const texas = { country: 'US', state: 'TX', city: null, street: null, zipcode: '78701' };

/** A customer of an earlier, taxed sale. 100.00 net; Texas taxes downloads with 6.25 %. */
beforeAll(async () => {
  api = await startApi();
  const price = { type: 'one_time_price', currency: 'USD', price: 10_000 };
  product = await addProduct(api, { tax_category: 'digital_products', price, tax_inclusive: false });
  const first = await sellTo({});
  expect([first.tax, first.gross]).toEqual([625, 10_625]);
  customer = first.customer.id;
});
afterAll(() => api.stop());

async function sellTo(fields: object) {
  const session = await createSession(api, [{ product_id: product, quantity: 1 }], fields);
  return pay(session, { expectedTotal: null, email, billing: texas });
}

const exemption = (fields: object = {}) => ({
  ...{ country: 'US', region: 'TX', mode: 'replace', taxability: 'exempt', reason: 'Resale' },
  ...{ effective_from: '2020-01-01', customer_id: customer, certificate: '01-339-4477' },
  ...fields,
});

/** Lets a sale happen under an exemption, and removes it. */
async function underExemption<Result>(fields: object, act: () => Promise<Result>): Promise<Result> {
  const { status, body } = await api.call('POST /tax/overrides', { body: exemption(fields) });
  expect([status, body.message]).toEqual([200, undefined]);
  expect(body).toMatchObject({ customer_id: customer, certificate: '01-339-4477' });
  try {
    return await act();
  } finally {
    await api.call(`DELETE /tax/overrides/${body.id}`);
  }
}

const known = () => ({ customer: { customer_id: customer } });

describe('a customer with a tax exemption', () => {
  it('pays no tax, and payment, invoice and credit note keep the certificate after the exemption is removed', async () => {
    const sold = await underExemption({}, () => sellTo(known()));
    expect([sold.tax, sold.gross]).toEqual([0, 10_000]);
    expect(sold.lines[0]?.components).toMatchObject([{ reason: 'exempt', rate: null, amount: 0 }]);
    const { body } = await api.call(`GET /payments/${sold.id}/calculation`);
    expect(body).toMatchObject({ verified: true, exemptions: ['Resale (01-339-4477)'] });
    const refund = (await api.call('POST /refunds', { body: { payment_id: sold.id } })).body;
    for (const path of [`/invoices/payments/${sold.id}`, `/invoices/refunds/${refund.refund_id}`]) {
      const page = await api.call(`GET ${path}`, { query: 'format=html&lang=en' });
      expect(page.text).toContain('Exempt from tax: Resale (01-339-4477)');
    }
  });

  it('sees the exemption in the quote, and pays the shown total', async () => {
    await underExemption({}, async () => {
      const session = await createSession(api, [{ product_id: product, quantity: 1 }], known());
      const body = { billing_address: { country: 'US', state: 'TX' } };
      const quote = await api.call(`POST /checkout/${session}/quote`, { body, key: null });
      expect(quote.body).toMatchObject({ tax: 0, total_amount: 10_000 });
      expect((await pay(session, { expectedTotal: 10_000, email, billing: texas })).status).toBe('succeeded');
    });
  });

  it.each([
    ['before it holds', { effective_from: '2090-01-01' }],
    ['after it has ended', { effective_to: '2021-01-01' }],
    ['in another state', { region: 'FL' }],
    ['for another category', { category: 'saas' }],
  ])('pays the tax %s', async (_, fields) => {
    expect((await underExemption(fields, () => sellTo(known()))).tax).toBe(625);
  });

  it('pays the displayed price when it includes tax, and all of it is net revenue', async () => {
    const price = { type: 'one_time_price', currency: 'USD', price: 10_000 };
    const included = await addProduct(api, { tax_category: 'digital_products', price, tax_inclusive: true });
    const sold = await underExemption({}, async () => {
      const session = await createSession(api, [{ product_id: included, quantity: 1 }], known());
      return pay(session, { expectedTotal: 10_000, email, billing: texas });
    });
    expect([sold.net, sold.tax, sold.gross]).toEqual([10_000, 0, 10_000]);
  });
});

describe('a buyer without a tax exemption', () => {
  it('does not get one by typing an exempt customer’s e-mail: the session must name the customer', async () => {
    expect((await underExemption({}, () => sellTo({}))).tax).toBe(625);
    expect((await underExemption({}, () => sellTo({ customer: { email } }))).tax).toBe(625);
  });
});

describe('a tax exemption', () => {
  it.each([
    ['without its certificate', { certificate: null }, 'certificate'],
    ['without its customer', { customer_id: null }, 'customer_id'],
    ['that taxes', { taxability: 'taxable', components: [{ name: 'Tax', rate: '0.01' }] }, 'taxability'],
    ['of somebody who is no customer id', { customer_id: 'me' }, 'customer_id'],
  ])('is refused %s', async (_, fields, param) => {
    const answer = await api.call('POST /tax/overrides', { body: exemption(fields) });
    expect([answer.status, answer.body.param]).toEqual([422, param]);
  });

  it('may not overlap another one of the same customer, but may overlap a rate override for all customers', async () => {
    const everybody = { customer_id: null, certificate: null };
    await underExemption({}, async () => {
      expect((await api.call('POST /tax/overrides', { body: exemption() })).status).toBe(422);
      const general = await api.call('POST /tax/overrides', { body: exemption(everybody) });
      expect(general.status).toBe(200);
      await api.call(`DELETE /tax/overrides/${general.body.id}`);
    });
  });

  it('can be added in the dashboard, which shows customer and certificate', async () => {
    const { cookies, token } = await browse(api, localKey);
    const page = await api.call('GET /dashboard/tax', { cookies, key: null });
    const form_id = /name="form_id" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const { components: _, ...fields } = { ...exemption(), components: [] };
    const posted = await postForm(
      api,
      '/dashboard/tax',
      { ...fields, token, form_id, action: 'add_override' },
      cookies,
    );
    expect(posted.status).toBe(303);
    const shown = await api.call('GET /dashboard/tax', { cookies, key: null });
    expect(shown.text).toContain(`<code>${customer}</code> 01-339-4477`);
    const [given] = (await api.call('GET /tax/overrides')).body.items;
    expect(given).toMatchObject({ customer_id: customer, taxability: 'exempt' });
    await api.call(`DELETE /tax/overrides/${given.id}`);
  });
});
