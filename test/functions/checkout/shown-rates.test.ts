import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../../shared/store/keys.ts';
import { superseded } from '../../../shared/tax/rates/superseded-tables.ts';
import { tableVersion } from '../../../shared/tax/rates/table-version.ts';
import { sessions, table, world } from '../../../shared/wiring/runtime.ts';
import { earlierTable } from '../../support/earlier-table.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';

let api: Api;
const realNow = world.now;
beforeAll(async () => {
  superseded.tables = [earlierTable];
  api = await startApi();
});
afterEach(() => {
  world.now = realNow;
});
afterAll(() => api.stop());

const at = (instant: string): void => {
  world.now = () => new Date(instant);
};

/** Two o'clock before and after the midnight in Bucharest with which Romania's rate went from 19 to 21 %, and a day without a change. */
const [evening, night, ordinary] = ['2025-07-31T20:00:00Z', '2025-07-31T22:00:00Z', '2025-06-10T20:00:00Z'];
const ordinaryNight = '2025-06-10T22:00:00Z';

// 2000 net: 19 % are 380, 21 % are 420
const exclusive = { tax_category: 'saas', price: { type: 'one_time_price', currency: 'EUR', price: 2_000 } };

async function open(country = 'RO', fields: object = {}) {
  const product = await addProduct(api, { ...exclusive, tax_inclusive: false });
  const id = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const body = {
    billing_address: { country, street: '1 Main Street', city: 'Newtown' },
    customer: { email: 'a@example.com', name: 'A' },
    test_card: '4242',
    ...fields,
  };
  const ask = (action: 'quote' | 'pay', more: object = {}) =>
    api.call(`POST /checkout/${id}/${action}`, { body: { ...body, ...more }, key: null });
  const writes = async () => (await sessions().get(id)).version;
  return { id, ask, writes };
}

const override = (fields: object) => ({
  country: 'RO',
  mode: 'replace',
  taxability: 'taxable',
  components: [{ name: 'VAT', rate: '0.10' }],
  effective_from: '2025-06-11',
  reason: 'An example',
  ...fields,
});

async function addOverride(fields: object = {}): Promise<() => Promise<void>> {
  const { status, body } = await api.call('POST /tax/overrides', { body: override(fields) });
  expect([status, body.message]).toEqual([200, undefined]);
  return async () => void (await api.call(`DELETE /tax/overrides/${body.id}`));
}

describe('the tax that a page or a quote has shown', () => {
  it('is not stored when no rate can change before the session expires', async () => {
    at(ordinary);
    const { ask, writes } = await open();
    const shown = (await ask('quote')).body;
    for (let times = 0; times < 3; times += 1) await ask('quote');
    expect([shown.tax, await writes()]).toEqual([380, 1]);
    at(ordinaryNight);
    expect((await ask('pay', { expected_total: shown.total_amount })).body).toMatchObject({
      status: 'succeeded',
      tax: 380,
    });
  });

  it('is charged even when the payment comes after the date of a rate change', async () => {
    at(evening);
    const { ask, writes } = await open();
    const shown = (await ask('quote')).body;
    expect([shown.tax, await writes()]).toEqual([380, 2]);
    at(night);
    expect((await ask('quote')).body.tax).toBe(380);
    expect((await ask('pay', { expected_total: shown.total_amount })).body).toMatchObject({
      status: 'succeeded',
      tax: 380,
    });
  });

  it('is calculated for the day of the sale when it was not shown earlier', async () => {
    at(evening);
    const { ask } = await open();
    at(night);
    expect((await ask('pay', { expected_total: null })).body).toMatchObject({ status: 'succeeded', tax: 420 });
  });

  it('is charged even when an older rate override begins at midnight', async () => {
    at('2025-06-10T10:00:00Z');
    const remove = await addOverride();
    at(ordinary);
    const { ask, writes } = await open();
    const shown = (await ask('quote')).body;
    expect([shown.tax, await writes()]).toEqual([380, 2]);
    at(ordinaryNight);
    expect((await ask('pay', { expected_total: shown.total_amount })).body).toMatchObject({
      status: 'succeeded',
      tax: 380,
    });
    await remove();
  });

  it('is charged even when a rate override for midnight is created between page and payment', async () => {
    at('2025-06-20T20:00:00Z');
    const { ask, writes } = await open();
    const shown = (await ask('quote')).body;
    expect([shown.tax, await writes()]).toEqual([380, 1]);
    at('2025-06-20T20:30:00Z');
    const remove = await addOverride({ effective_from: '2025-06-21' });
    at('2025-06-20T22:00:00Z');
    expect((await ask('quote')).body.tax, 'and shown again').toBe(380);
    expect((await ask('pay', { expected_total: shown.total_amount })).body).toMatchObject({
      status: 'succeeded',
      tax: 380,
    });
    await remove();
  });

  it('is replaced and shown again when a rate override with immediate effect is created before payment', async () => {
    at('2025-06-25T20:00:00Z');
    const { ask } = await open();
    const shown = (await ask('quote')).body;
    const remove = await addOverride({ effective_from: '2025-06-01' });
    const refused = await ask('pay', { expected_total: shown.total_amount });
    expect([refused.status, refused.body.total_amount]).toEqual([409, 2_200]);
    expect((await ask('quote')).body.tax).toBe(200);
    expect((await ask('pay', { expected_total: 2_200 })).body).toMatchObject({ status: 'succeeded', tax: 200 });
    await remove();
  });

  it('is stored and charged in a session that was opened with another rate table', async () => {
    at(ordinary);
    const { id, ask, writes } = await open();
    const { client, name: TableName } = table();
    const names = { '#data': 'data' };
    const change = (UpdateExpression: string, values?: object) =>
      client.send(
        new UpdateCommand({
          ...{ TableName, Key: keys.session(id), UpdateExpression, ExpressionAttributeNames: names },
          ...(values && { ExpressionAttributeValues: { ...values } }),
        }),
      );
    await change('SET #data.tableVersion = :other', { ':other': '2025-01-01.00000000' });
    const shown = (await ask('quote')).body;
    expect([shown.tax, await writes()]).toEqual([380, 2]);
    expect((await ask('pay', { expected_total: shown.total_amount })).body).toMatchObject({
      status: 'succeeded',
      tax: 380,
    });
  });
});

/** An open session in a place whose facts a new table has corrected, as a deployment leaves it. */
async function openedUnder(version: string, country: string, fields: object = {}) {
  const { id, ask, writes } = await open(country, fields);
  const { client, name: TableName } = table();
  await client.send(
    new UpdateCommand({
      ...{ TableName, Key: keys.session(id), UpdateExpression: 'SET #data.tableVersion = :version' },
      ExpressionAttributeNames: { '#data': 'data' },
      ExpressionAttributeValues: { ':version': version },
    }),
  );
  return { id, ask, writes };
}

describe('a table of rates that is deployed while a session is open', () => {
  afterEach(() => {
    world.now = realNow;
  });

  // 2000 net: Kazakhstan 12 % are 240 by the earlier table, 16 % are 320 by today's
  it.each([
    ['of the earlier table', earlierTable.version, 240],
    ['of today', tableVersion, 320],
  ])('changes nothing in a session %s, and needs no database write', async (_, version, tax) => {
    at(ordinary.replace('2025', '2026'));
    const { ask, writes } = await openedUnder(version, 'KZ');
    const shown = (await ask('quote')).body;
    expect([shown.tax, shown.total_amount, await writes()]).toEqual([tax, 2_000 + tax, 1]);
    const paid = (await ask('pay', { expected_total: shown.total_amount })).body;
    expect(paid).toMatchObject({ status: 'succeeded', tax, total_amount: 2_000 + tax });
    const calculation = (await api.call(`GET /payments/${paid.payment_id}/calculation`)).body;
    expect(calculation).toMatchObject({ table_version: version, verified: true });
    expect(calculation.rates).toMatchObject([
      { in_table: true, components: [{ rate: tax === 240 ? '0.12' : '0.16' }] },
    ]);
  });

  it('changes nothing for a business: a Swiss one still pays no tax in a session of the earlier table', async () => {
    at(ordinary.replace('2025', '2026'));
    const business = { tax_id: 'CHE-116.281.710 MWST', customer_business_name: 'Alpenbuch' };
    for (const [version, tax] of [
      [earlierTable.version, 0],
      [tableVersion, 162],
    ] as const) {
      const { ask } = await openedUnder(version, 'CH');
      const shown = (await ask('quote', business)).body;
      expect(shown.tax).toBe(tax); // 2000 × 8.1 % = 162
      const paid = await ask('pay', { ...business, expected_total: shown.total_amount });
      expect(paid.body).toMatchObject({ status: 'succeeded', tax });
    }
  });

  it('does not affect a preview, which uses today’s rates', async () => {
    at(ordinary.replace('2025', '2026'));
    const product = await addProduct(api, { ...exclusive, tax_inclusive: false });
    const body = { product_cart: [{ product_id: product, quantity: 1 }], billing_address: { country: 'KZ' } };
    expect((await api.call('POST /checkouts/preview', { body })).body.total_tax).toBe(320);
  });
});

it('a tax registration that begins at midnight does not change a tax that was shown before', async () => {
  const registered = await sellAcrossMidnight();
  expect(registered).toEqual({ shown: 0, charged: 0, next: 380 });
});

/** What a merchant who collects only where it is registered shows in the evening, charges in the night, and shows somebody else then. */
async function sellAcrossMidnight() {
  const { env } = await import('../../../shared/env.ts');
  const known = env.merchant;
  env.merchant = () => ({ ...known(), collectPolicy: 'registered_only', country: 'US', region: 'CA' });
  at('2025-07-02T10:00:00Z');
  const { body } = await api.call('POST /tax/registrations', {
    body: { country: 'RO', active_from: '2025-07-03' },
  });
  at('2025-07-02T20:00:00Z');
  const { ask } = await open();
  const shown = (await ask('quote')).body;
  at('2025-07-02T22:00:00Z');
  const charged = (await ask('pay', { expected_total: shown.total_amount })).body;
  const next = await open();
  const other = (await next.ask('quote')).body;
  await api.call(`PATCH /tax/registrations/${body.id}`, { body: { expires_at: '2025-07-04' } });
  env.merchant = known;
  return { shown: shown.tax, charged: charged.tax, next: other.tax };
}

describe('the tax of a cart in Japan with one price that includes tax and one that does not', () => {
  const yen = { type: 'one_time_price', currency: 'JPY' };
  const billing_address = { country: 'JP' };
  const customer = { email: 'a@example.com', name: 'A' };

  async function sellMixed() {
    const product = (price: number, tax_inclusive: boolean) =>
      addProduct(api, { tax_category: 'saas', price: { ...yen, price }, tax_inclusive });
    const id = await createSession(api, [
      { product_id: await product(115, true), quantity: 1 },
      { product_id: await product(114, false), quantity: 1 },
    ]);
    const body = { billing_address, customer, test_card: '4242' };
    const paid = await api.call(`POST /checkout/${id}/pay`, { body, key: null });
    expect(paid.body.status).toBe('succeeded');
    const path = `/payments/${paid.body.payment_id}`;
    const headers = { accept: 'application/json' };
    const invoice = (await api.call(`GET /invoices${path}`, { headers })).body;
    const refund = (await api.call('POST /refunds', { body: { payment_id: paid.body.payment_id } })).body;
    const note = (await api.call(`GET /invoices/refunds/${refund.refund_id}`, { headers })).body;
    return {
      tax: paid.body.tax,
      groups: [invoice.taxes.length, note.taxes.length],
      calculation: (await api.call(`GET ${path}/calculation`)).body,
    };
  }

  // 115 × 10/110 = 10.4545 and 114 × 10/100 = 11.4: apart 10 + 11 = 21, together 21.8545, so 22
  it('is rounded once per rate, and is one group on the invoice and on its credit note', async () => {
    const { tax, groups, calculation } = await sellMixed();
    expect([tax, groups]).toEqual([22, [1, 1]]);
    expect(calculation).toMatchObject({ verified: true, rounding: expect.stringContaining('once per rate set;') });
  });
});
