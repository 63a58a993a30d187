import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/store/keys.ts';
import { type Api, startApi } from '../support/shop/api.ts';
import { addProduct, createSession, pay, sell } from '../support/shop/shop.ts';
import { changeData } from '../support/table/change-data.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const texas = {
  country: 'US',
  region: 'TX',
  postal_code_prefix: '787',
  mode: 'add',
  components: [{ name: 'Austin', rate: '0.02' }],
  effective_from: '2020-01-01',
  reason: 'Local sales tax',
};

const address = (country: string, state: string | null = null, zipcode: string | null = null) => ({
  country,
  state,
  city: null,
  street: null,
  zipcode,
});

const preview = async (fields: object, product: object = {}) => {
  const id = await addProduct(api, product);
  return api.call('POST /checkouts/preview', { body: { product_cart: [{ product_id: id, quantity: 1 }], ...fields } });
};

describe('/tax/registrations', () => {
  it('200: creates, lists, changes and deletes', async () => {
    const created = await api.call('POST /tax/registrations', {
      body: { country: 'GB', tax_id: 'GB220430231', active_from: '2126-01-01' },
    });
    expect(created).toMatchObject({ status: 200, body: { country: 'GB', scheme: 'standard', expires_at: null } });
    const path = `/tax/registrations/${created.body.id}`;
    const changed = await api.call(`PATCH ${path}`, { body: { expires_at: '2127-01-01' } });
    expect(changed.body).toEqual({ ...created.body, expires_at: '2127-01-01' });
    expect((await api.call('GET /tax/registrations')).body.items).toEqual([changed.body]);
    expect(await api.call(`DELETE ${path}`)).toMatchObject({ status: 200, text: '{}' });
    expect(await api.call(`DELETE ${path}`)).toMatchObject({ status: 404 });
    expect((await api.call('GET /tax/registrations')).body.items).toEqual([]);
  });

  it('200: keeps the choice to charge businesses where the law is unclear, until it is cleared', async () => {
    const body = { country: 'TZ', active_from: '2126-01-01', business_buyers: 'charged' };
    const created = await api.call('POST /tax/registrations', { body });
    expect(created).toMatchObject({ status: 200, body: { business_buyers: 'charged' } });
    const path = `/tax/registrations/${created.body.id}`;
    const kept = await api.call(`PATCH ${path}`, { body: { tax_id: '100123456' } });
    expect(kept.body.business_buyers).toBe('charged');
    const cleared = await api.call(`PATCH ${path}`, { body: { business_buyers: null } });
    expect(cleared.body.business_buyers).toBeNull();
    await api.call(`DELETE ${path}`);
  });

  it.each([
    ['an unknown country', { country: 'XX', active_from: '2026-01-01' }, 'UNSUPPORTED_COUNTRY', 'country'],
    [
      'a US registration without a state',
      { country: 'US', active_from: '2026-01-01' },
      'INVALID_REQUEST_PARAMETERS',
      'region',
    ],
    [
      'an unknown state',
      { country: 'US', region: 'ZZ', active_from: '2026-01-01' },
      'INVALID_REQUEST_PARAMETERS',
      'region',
    ],
    [
      'one that ends before it begins',
      { country: 'FR', active_from: '2026-01-01', expires_at: '2025-01-01' },
      'INVALID_REQUEST_PARAMETERS',
      'expires_at',
    ],
    [
      'an own answer on businesses where the law is certain',
      { country: 'GB', active_from: '2026-01-01', business_buyers: 'charged' },
      'INVALID_REQUEST_PARAMETERS',
      'business_buyers',
    ],
    [
      'OSS outside of the Union',
      { country: 'GB', scheme: 'oss', active_from: '2026-01-01' },
      'INVALID_REQUEST_PARAMETERS',
      'scheme',
    ],
    [
      'a mistyped tax id of the seller',
      { country: 'DE', active_from: '2026-01-01', tax_id: 'DE123456789' },
      'INVALID_TAX_ID',
      'tax_id',
    ],
    ['a day that does not exist', { country: 'FR', active_from: '2026-02-30' }, 'INVALID_REQUEST_BODY', 'active_from'],
  ])('422: refuses %s and stores nothing', async (_, body, code, param) => {
    expect(await api.call('POST /tax/registrations', { body })).toMatchObject({ status: 422, body: { code, param } });
    expect((await api.call('GET /tax/registrations')).body.items).toEqual([]);
  });
});

it('409: a tax registration that has begun can only be ended, because sales were declared with it', async () => {
  const body = { country: 'PL', active_from: '2026-01-01' };
  const created = await api.call('POST /tax/registrations', { body });
  const path = `/tax/registrations/${created.body.id}`;
  expect(await api.call(`DELETE ${path}`)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const later = await api.call(`PATCH ${path}`, { body: { active_from: '2126-01-01' } });
  expect(later).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const ended = await api.call(`PATCH ${path}`, { body: { expires_at: '2026-02-01' } });
  expect(ended).toMatchObject({ status: 200, body: { ...created.body, expires_at: '2026-02-01' } });
  expect(await api.call(`DELETE ${path}`)).toMatchObject({ status: 409 });
  expect((await api.call('GET /tax/registrations')).body.items).toEqual([ended.body]);
});

describe('/tax/overrides', () => {
  it('200: adds a local rate for addresses by the beginning of the postal code', async () => {
    const created = await api.call('POST /tax/overrides', { body: texas });
    expect(created).toMatchObject({ status: 200, body: { taxability: 'taxable', effective_to: null } });
    // 29.99 at TX 6.25 % of 80 % and Austin 2 % of 80 %: 2999 × 0.05 / 1.066 = 140.7, 2999 × 0.016 / 1.066 = 45.0
    const price = { type: 'one_time_price', currency: 'USD', price: 2_999, tax_inclusive: true };
    const saas = { tax_category: 'saas', price };
    const austin = await preview({ billing_address: { country: 'US', state: 'TX', zipcode: '78701' } }, saas);
    expect(austin.body).toMatchObject({ total_price: 2_999, total_tax: 141 + 45 });
    const dallas = await preview({ billing_address: { country: 'US', state: 'TX', zipcode: '75201' } }, saas);
    expect(dallas.body).toMatchObject({ total_price: 2_999, total_tax: 143 });
    expect((await api.call(`DELETE /tax/overrides/${created.body.id}`)).status).toBe(200);
  });

  it('422: refuses a second override for the same place and time, and accepts one for a later time', async () => {
    const first = await api.call('POST /tax/overrides', { body: { ...texas, effective_to: '2026-01-01' } });
    const second = await api.call('POST /tax/overrides', { body: { ...texas, effective_from: '2025-06-01' } });
    expect(second).toMatchObject({
      status: 422,
      body: { code: 'INVALID_REQUEST_PARAMETERS', param: 'effective_from' },
    });
    const later = await api.call('POST /tax/overrides', { body: { ...texas, effective_from: '2026-01-01' } });
    expect(later.status).toBe(200);
    for (const { body } of [first, later]) await api.call(`DELETE /tax/overrides/${body.id}`);
  });

  it('stores only one of two equal overrides that are created at the same time', async () => {
    const answers = await Promise.all([1, 2].map(() => api.call('POST /tax/overrides', { body: texas })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    for (const { id } of (await api.call('GET /tax/overrides')).body.items)
      await api.call(`DELETE /tax/overrides/${id}`);
  });

  it.each([
    ['a rate above 100 %', { ...texas, components: [{ name: 'Austin', rate: '1.01' }] }, 'components[0].rate'],
    [
      'rates that add up to more than 100 %',
      {
        ...texas,
        components: [
          { name: 'A', rate: '0.6' },
          { name: 'B', rate: '0.6' },
        ],
      },
      'components',
    ],
    ['a number for a rate', { ...texas, components: [{ name: 'Austin', rate: 0.02 }] }, 'components[0].rate'],
    ['an exponent for a rate', { ...texas, components: [{ name: 'Austin', rate: '1e-2' }] }, 'components[0].rate'],
    ['an unknown region', { ...texas, region: 'ZZ' }, 'region'],
    ['an unknown category', { ...texas, category: 'books' }, 'category'],
  ])('422: refuses %s and stores nothing', async (_, body, param) => {
    const answer = await api.call('POST /tax/overrides', { body });
    expect({ status: answer.status, param: answer.body.param }).toEqual({ status: 422, param });
    expect((await api.call('GET /tax/overrides')).body.items).toEqual([]);
  });
});

describe('a tax-inclusive price', () => {
  it.each([
    ['DE', null, 131], // 1999 × 0.07 / 1.07 = 130.8
    ['GB', null, 0],
    ['US', 'OR', 0],
    ['HK', null, 0],
    ['CA', 'QC', 87 + 173], // 1999 × 0.05 / 1.14975 = 86.9, × 0.09975 / 1.14975 = 173.4
  ])('stays 19.99 for a buyer in %s %s, while the tax in it differs', async (country, state, tax) => {
    const { status, body } = await preview({ billing_address: { country, state } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total_price: 1_999, total_tax: tax, current_breakup: { subtotal: 1_999 - tax } });
  });

  it('422: is refused without a state where tax depends on it, and the answer names the field', async () => {
    const answer = await preview({ billing_address: { country: 'US' } });
    expect(answer).toMatchObject({ status: 422, body: { param: 'billing_address.state' } });
  });

  it('422: is refused for a country that does not exist', async () => {
    expect(await preview({ billing_address: { country: 'ZZ' } })).toMatchObject({
      status: 422,
      body: { code: 'UNSUPPORTED_COUNTRY' },
    });
  });

  it('is the same for a business under reverse charge, and a tax id of another country is refused', async () => {
    const valid = await preview({ billing_address: { country: 'FR' }, tax_id: 'FR40303265045' });
    expect(valid.body).toMatchObject({
      total_price: 1_999,
      total_tax: 0,
      tax_id_err_msg: null,
      tax_id_format_name: 'EU VAT',
    });
    const foreign = await preview({ billing_address: { country: 'FR' }, tax_id: 'DE136695976' });
    expect(foreign.body).toMatchObject({ total_price: 1_999 });
    expect(foreign.body.tax_id_err_msg).toMatch(/not a valid tax id of FR/);
  });
});

describe('GET /payments/{payment_id}/calculation', () => {
  it('200: explains every amount, with the rows of the rate table and their sources', async () => {
    const { paymentId } = await sell(api);
    const { status, body } = await api.call(`GET /payments/${paymentId}/calculation`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      verified: true,
      place: { country: 'DE' },
      tax: 131,
      location_status: 'one_only',
      location_evidence: [{ type: 'billing_address', country: 'DE' }],
    });
    expect(body.rates[0]).toMatchObject({ in_table: true, components: [{ rate: '0.07' }] });
    expect(body.rates[0].sources.length).toBeGreaterThan(0);
    expect(body.lines[0].components).toEqual([
      { name: 'VAT', jurisdiction: 'DE', rate: '0.07', base_fraction: '1', amount: 131, reason: null },
    ]);
  });

  it.each(['net', 'tax'])('answers verified: false after a stored %s was changed', async (part) => {
    const { paymentId } = await sell(api);
    const { table } = await import('../../shared/wiring/runtime.ts');
    await changeData(table(), keys.payment(paymentId), ({ lines: [line], ...payment }) => ({
      ...payment,
      lines: [{ ...line, [part]: line[part] + 1 }],
    }));
    expect((await api.call(`GET /payments/${paymentId}/calculation`)).body.verified).toBe(false);
  });

  it('records the countries of the buyer’s network and card, but does not use them for the tax', async () => {
    const { paymentId } = await sell(api, { ipCountry: 'FR' });
    const { body } = await api.call(`GET /payments/${paymentId}/calculation`);
    expect(body).toMatchObject({ tax: 131, location_status: 'one_only' });
    expect(body.location_evidence).toHaveLength(2);
  });
});

describe('a sale', () => {
  it('keeps its tax rate: a refund in 2026 of a Finnish e-book from 2025 returns 14 %', async () => {
    const { world } = await import('../../shared/wiring/runtime.ts');
    const today = world.now;
    world.now = () => new Date('2025-12-30T12:00:00Z');
    const { paymentId } = await sell(api, { billing: address('FI') });
    world.now = () => new Date('2026-06-01T12:00:00Z');
    const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId } });
    world.now = today;
    expect(body).toMatchObject({ amount: 1_999, tax: 245 }); // 1999 × 0.14 / 1.14 = 245.49…
  });

  it('is taxed by the date in the buyer’s country: Romania changes its rate at Romanian midnight', async () => {
    const { world } = await import('../../shared/wiring/runtime.ts');
    const today = world.now;
    const taxAt = async (instant: string) => {
      world.now = () => new Date(instant);
      const { body } = await preview({ billing_address: { country: 'RO' } }, { tax_category: 'saas' });
      return body.total_tax;
    };
    // 2025-08-01 begins in Bucharest at 21:00 UTC: 1999 × 0.19 / 1.19 = 319.2, 1999 × 0.21 / 1.21 = 346.9
    expect(await taxAt('2025-07-31T20:59:59Z')).toBe(319);
    expect(await taxAt('2025-07-31T21:00:00Z')).toBe(347);
    world.now = today;
  });

  it('can be previewed with the rates of a given day', async () => {
    const taxOn = async (fields: object) => {
      const asked = { billing_address: { country: 'RO' }, ...fields };
      return (await preview(asked, { tax_category: 'saas' })).body.total_tax;
    };
    // 1999 × 0.19 / 1.19 = 319.2, 1999 × 0.21 / 1.21 = 346.9
    expect(await taxOn({ tax_date: '2025-07-31' })).toBe(319);
    expect(await taxOn({ tax_date: '2025-08-01' })).toBe(347);
    expect(await taxOn({ tax_date: null })).toBe(347);
  });

  it.each(['2025-02-29', '31.07.2025', '2025-07-31T00:00:00Z', '1999-12-31', '2100-01-01', '', 20250731])(
    '422: cannot be previewed for the day %j',
    async (tax_date) => {
      const { status, body } = await preview({ billing_address: { country: 'RO' }, tax_date });
      const message = 'tax_date: must be a date of this century, such as 2026-03-01';
      expect({ status, body }).toMatchObject({ status: 422, body: { param: 'tax_date', message } });
    },
  );

  it('422: cannot be made with a day other than the day of the payment', async () => {
    const body = { product_cart: [{ product_id: await addProduct(api), quantity: 1 }], tax_date: '2025-07-31' };
    const answer = await api.call('POST /checkouts', { body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY', param: 'tax_date' } });
  });

  it('uses the tax_inclusive flag from when its session was created, even if the product changes later', async () => {
    const id = await addProduct(api);
    const before = await createSession(api, [{ product_id: id, quantity: 1 }]);
    await api.call(`PATCH /products/${id}`, { body: { tax_inclusive: false } });
    const after = await createSession(api, [{ product_id: id, quantity: 1 }]);
    expect((await pay(before, { expectedTotal: 1_999 })).gross).toBe(1_999);
    expect((await pay(after, { expectedTotal: 2_139 })).tax).toBe(140); // 1999 × 0.07 = 139.93
  });
});
