import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { watchWrites } from '../../support/table/rows.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let readKey: string;
beforeAll(async () => {
  api = await startApi();
  readKey = await api.addKey({ access: 'read' });
});
afterAll(() => api.stop());

const configs = {
  digital_files: { digital_file_ids: [], external_url: 'https://example.com/book' },
  license_key: { activations_limit: 3, duration_count: 1, duration_interval: 'Year' },
  feature_flag: { feature_id: 'pro' },
};
type Type = keyof typeof configs;

async function entitlement(type: Type, fields: object = {}): Promise<string> {
  const body = { name: `Atlas ${type}`, integration_type: type, integration_config: configs[type], ...fields };
  return (await api.call('POST /entitlements', { body })).body.id;
}

/** Sells units of a product that gives these entitlements. */
async function sold(ids: string[], { quantity = 1, card = cards.good }: { quantity?: number; card?: string } = {}) {
  const productId = await addProduct(api, { entitlements: ids.map((entitlement_id) => ({ entitlement_id })) });
  const session = await createSession(api, [{ product_id: productId, quantity }]);
  const payment = await pay(session, { expectedTotal: 1_999 * quantity, card });
  return { productId, paymentId: payment.id, customerId: payment.customer.id };
}

const grantsOf = async (id: string, call: { query?: string; key?: string } = {}) =>
  (await api.call(`GET /entitlements/${id}/grants`, call)).body.items;
const grantOf = async (id: string) => (await grantsOf(id))[0];

/** The types of a payment's events about grants and keys, with their numbers. */
async function toldOf(paymentId: string): Promise<string[]> {
  const { body } = await api.call('GET /webhook-events', { query: `payment_id=${paymentId}&page_size=100` });
  const told: { type: string; sequence: number }[] = body.items.toReversed();
  return told
    .filter(({ type }) => !/^(payment|refund|dispute)\./.test(type))
    .map(({ type, sequence }) => `${sequence} ${type}`)
    .sort();
}

async function refundAll(paymentId: string, fields: object = {}) {
  const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, ...fields } });
  await finishRefund(body.refund_id);
  return body;
}

describe('a sale of a product that gives something', () => {
  it('issues each entitlement once when the sweep runs, with its events, and a second sweep changes nothing', async () => {
    const ids = await Promise.all([
      entitlement('digital_files'),
      entitlement('license_key'),
      entitlement('feature_flag'),
    ]);
    const sale = await sold(ids);
    expect(await grantsOf(ids[0] as string)).toEqual([]);
    await sweep();
    await sweep();
    const [files, key, flag] = (await Promise.all(ids.map((id) => grantsOf(id)))) as [object[], object[], object[]];
    const common = {
      id: expect.stringMatching(/^entg_[A-Za-z0-9]{21}$/),
      business_id: 'demo',
      brand_id: expect.any(String),
      customer_id: sale.customerId,
      payment_id: sale.paymentId,
      product_id: sale.productId,
      status: 'Delivered',
      delivered_at: expect.any(String),
      revoked_at: null,
      revocation_reason: null,
      error_code: null,
      error_message: null,
      digital_product_delivery: null,
      feature: null,
      license_key: null,
      metadata: {},
      oauth_url: null,
      oauth_expires_at: null,
      subscription_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(files).toEqual([
      {
        ...common,
        entitlement_id: ids[0],
        integration_type: 'digital_files',
        digital_product_delivery: {
          files: [],
          external_url: 'https://example.com/book',
          instructions: null,
          downloads_limit: null,
        },
      },
    ]);
    expect(flag).toEqual([
      {
        ...common,
        entitlement_id: ids[2],
        integration_type: 'feature_flag',
        feature: { feature_id: 'pro', feature_type: 'boolean' },
      },
    ]);
    expect(key).toEqual([
      {
        ...common,
        entitlement_id: ids[1],
        integration_type: 'license_key',
        license_key: {
          id: expect.stringMatching(/^lic_/),
          key: expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/),
          status: 'active',
          activations_used: 0,
          activations_limit: 3,
          expires_at: expect.any(String),
        },
      },
    ]);
    expect((await toldOf(sale.paymentId)).sort()).toEqual(
      [
        '1 entitlement_grant.created',
        '1 entitlement_grant.created',
        '1 entitlement_grant.created',
        '2 entitlement_grant.delivered',
        '2 entitlement_grant.delivered',
        '2 license_key.created',
        '3 entitlement_grant.delivered',
      ].sort(),
    );
  });

  it('gives a licence key for each unit, all different', async () => {
    const id = await entitlement('license_key');
    await sold([id], { quantity: 3 });
    await sweep();
    const found = await grantsOf(id);
    expect(new Set(found.map((grant: { license_key: { key: string } }) => grant.license_key.key)).size).toBe(3);
  });

  it('shows a licence key to keys that write, and only its last signs to keys that read', async () => {
    const id = await entitlement('license_key');
    await sold([id]);
    await sweep();
    const { key } = (await grantOf(id)).license_key;
    const [masked] = await grantsOf(id, { key: readKey });
    expect(masked.license_key.key).not.toBe(key);
    expect(masked.license_key.key.endsWith(key.slice(-4))).toBe(true);
    expect(masked.license_key.key).not.toContain(key.slice(0, 5));
  });

  it('issues nothing for a payment that failed', async () => {
    const id = await entitlement('feature_flag');
    await sold([id], { card: cards.declined });
    await sweep();
    expect(await grantsOf(id)).toEqual([]);
  });

  it('keeps what a product gave when the checkout was opened', async () => {
    const [first, second] = [await entitlement('feature_flag'), await entitlement('feature_flag')];
    const productId = await addProduct(api, { entitlements: [{ entitlement_id: first }] });
    const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    await api.call(`PATCH /products/${productId}`, { body: { entitlements: [{ entitlement_id: second }] } });
    await api.call(`DELETE /entitlements/${first}`);
    await pay(session, { expectedTotal: 1_999 });
    await sweep();
    expect(await grantsOf(first)).toHaveLength(1);
    expect(await grantsOf(second)).toEqual([]);
  });
});

describe('a refund', () => {
  it('of the whole line revokes its grants when it succeeds, and disables the key while it is pending', async () => {
    const id = await entitlement('license_key');
    const { paymentId } = await sold([id]);
    await sweep();
    const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId } });
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'disabled' } });
    await finishRefund(body.refund_id);
    await sweep();
    expect(await grantOf(id)).toMatchObject({
      status: 'Revoked',
      revocation_reason: 'refund',
      revoked_at: expect.any(String),
      license_key: { status: 'disabled' },
    });
    expect((await toldOf(paymentId)).at(-1)).toBe('4 entitlement_grant.revoked');
  });

  it('of a part revokes nothing', async () => {
    const id = await entitlement('feature_flag');
    const { paymentId } = await sold([id]);
    await sweep();
    await refundAll(paymentId, { amount: 1_998 });
    await sweep();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered' });
  });

  it('before the grants are issued leaves nothing to issue', async () => {
    const id = await entitlement('license_key');
    const { paymentId } = await sold([id]);
    await refundAll(paymentId);
    await sweep();
    expect(await grantsOf(id)).toEqual([]);
    expect(await toldOf(paymentId)).toEqual([]);
  });

  it('that fails gives the access back', async () => {
    const id = await entitlement('license_key');
    const { paymentId } = await sold([id], { card: cards.failingRefunds });
    await sweep();
    await refundAll(paymentId);
    await sweep();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'active' } });
  });

  it('keeps the access with keep_access, also while it is pending', async () => {
    const id = await entitlement('license_key');
    const { paymentId } = await sold([id]);
    await sweep();
    const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId, keep_access: true } });
    expect(body.keep_access).toBe(true);
    expect((await grantOf(id)).license_key.status).toBe('active');
    await finishRefund(body.refund_id);
    await sweep();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'active' } });
  });

  it('revokes nothing if the entitlement says so', async () => {
    const id = await entitlement('feature_flag', { access: { full_refund_revokes: false } });
    const { paymentId } = await sold([id]);
    await sweep();
    await refundAll(paymentId);
    await sweep();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered' });
  });
});

describe('DELETE /entitlements/{id}/grants/{grant_id}', () => {
  it('200: revokes for good, answers the grant, and again the same', async () => {
    const id = await entitlement('feature_flag');
    const { paymentId } = await sold([id]);
    await sweep();
    const grant = await grantOf(id);
    const path = `DELETE /entitlements/${id}/grants/${grant.id}`;
    const first = await api.call(path);
    expect(first.body).toMatchObject({ id: grant.id, status: 'Revoked', revocation_reason: 'merchant' });
    expect((await api.call(path)).body).toEqual(first.body);
    await sweep();
    expect(await grantOf(id)).toMatchObject({ status: 'Revoked' });
    expect((await toldOf(paymentId)).filter((told) => told.endsWith('revoked'))).toEqual([
      '3 entitlement_grant.revoked',
    ]);
  });

  it('404: finds a grant only below its own entitlement', async () => {
    const [id, other] = [await entitlement('feature_flag'), await entitlement('feature_flag')];
    await sold([id]);
    await sweep();
    const grant = await grantOf(id);
    expectProblem(await api.call(`DELETE /entitlements/${other}/grants/${grant.id}`), 404, 'NOT_FOUND');
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered' });
  });
});

describe('POST /grants/{id}/license-key', () => {
  const manual = { integration_config: { fulfillment_mode: 'manual', activations_limit: 2 } };
  const waiting = async () => {
    const id = await entitlement('license_key', manual);
    const sale = await sold([id]);
    await sweep();
    return { id, ...sale, grant: await grantOf(id) };
  };
  const fulfill = (grant: { id: string }, body: object) => api.call(`POST /grants/${grant.id}/license-key`, { body });

  it('200: delivers the key of the merchant, with the terms of the entitlement or those that are sent', async () => {
    const { id, paymentId, grant } = await waiting();
    expect(grant).toMatchObject({ status: 'Pending', license_key: null, delivered_at: null });
    const { status, body } = await fulfill(grant, { key: `OWN-${grant.id}` });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'Delivered',
      license_key: { key: `OWN-${grant.id}`, activations_limit: 2, status: 'active' },
    });
    expect(await grantOf(id)).toEqual(body);
    expect(await toldOf(paymentId)).toEqual([
      '1 entitlement_grant.created',
      '2 license_key.created',
      '3 entitlement_grant.delivered',
    ]);
  });

  it('409: refuses a grant that has its key, was refunded, or gives no key', async () => {
    const { grant } = await waiting();
    await fulfill(grant, { key: `ONE-${grant.id}` });
    expectProblem(await fulfill(grant, { key: `TWO-${grant.id}` }), 409, 'CONFLICT');
    const refunded = await waiting();
    await api.call('POST /refunds', { body: { payment_id: refunded.paymentId } });
    expectProblem(await fulfill(refunded.grant, { key: `KEY-${refunded.grant.id}` }), 409, 'CONFLICT');
    const flag = await entitlement('feature_flag');
    await sold([flag]);
    await sweep();
    expectProblem(await fulfill(await grantOf(flag), { key: 'FLAG' }), 409, 'CONFLICT');
  });

  it('409: refuses a key that another grant has', async () => {
    const [first, second] = [await waiting(), await waiting()];
    await fulfill(first.grant, { key: `SAME-${first.grant.id}` });
    const again = await fulfill(second.grant, { key: `SAME-${first.grant.id}` });
    expectProblem(again, 409, 'LICENSE_KEY_ALREADY_EXISTS');
    expect(await grantOf(second.id)).toMatchObject({ status: 'Pending', license_key: null });
  });
});

describe('GET /customers/{customer_id}/entitlements and …/entitlement-grants', () => {
  it('200: answer what a customer has, in small letters and with capitals', async () => {
    const id = await entitlement('feature_flag', { description: 'All pages.' });
    const { customerId } = await sold([id]);
    await sweep();
    const grant = await grantOf(id);
    const { items } = (await api.call(`GET /customers/${customerId}/entitlements`)).body;
    expect(items.find((item: { grant_id: string }) => item.grant_id === grant.id)).toEqual({
      grant_id: grant.id,
      entitlement_id: id,
      entitlement_name: 'Atlas feature_flag',
      entitlement_description: 'All pages.',
      integration_type: 'feature_flag',
      status: 'delivered',
      delivered_at: grant.delivered_at,
      revoked_at: null,
      created_at: grant.created_at,
      updated_at: grant.updated_at,
    });
    const query = 'status=Delivered&integration_type=feature_flag&page_size=100';
    const listed = (await api.call(`GET /customers/${customerId}/entitlement-grants`, { query })).body.items;
    expect(listed.find((item: { id: string }) => item.id === grant.id)).toEqual(grant);
  });
});

describe('a product', () => {
  it('answers what it gives, alone and in the list, and a payment line takes it over', async () => {
    const id = await entitlement('license_key');
    const { productId, paymentId } = await sold([id]);
    const summary = {
      id,
      name: 'Atlas license_key',
      description: null,
      integration_type: 'license_key',
      integration_config: expect.objectContaining({ activations_limit: 3 }),
    };
    const { body } = await api.call(`GET /products/${productId}`);
    expect(body).toMatchObject({ entitlements: [summary], license_key_enabled: false });
    const { items } = (await api.call('GET /products', { query: 'page_size=100' })).body;
    expect(items.find((item: { product_id: string }) => item.product_id === productId).entitlements).toEqual([summary]);
    const [line] = (await payments().get(paymentId)).lines;
    expect(line?.entitlements).toEqual([{ id, name: 'Atlas license_key', type: 'license_key' }]);
  });

  it('makes one entitlement of the older fields, which is read by its id and not listed', async () => {
    const older = {
      license_key_enabled: true,
      license_key_activations_limit: 2,
      license_key_activation_message: 'Thank you.',
      license_key_duration: { count: 6, interval: 'Month' },
    };
    const productId = await addProduct(api, older);
    const { body } = await api.call(`GET /products/${productId}`);
    expect(body).toMatchObject(older);
    const [{ id }] = body.entitlements;
    expect((await api.call(`GET /entitlements/${id}`)).body).toMatchObject({ integration_type: 'license_key' });
    const { items } = (await api.call('GET /entitlements', { query: 'page_size=100' })).body;
    expect(items.map((item: { id: string }) => item.id)).not.toContain(id);
    const off = await api.call(`PATCH /products/${productId}`, { body: { license_key_enabled: false } });
    expect(off.body).toMatchObject({ license_key_enabled: false, entitlements: [], license_key_duration: null });
    const on = await api.call(`PATCH /products/${productId}`, {
      body: { license_key_enabled: true, license_key_duration: null },
    });
    expect(on.body).toMatchObject({
      license_key_enabled: true,
      license_key_duration: null,
      license_key_activations_limit: 2,
    });
    expect(on.body.entitlements[0].id).toBe(id);
  });

  it('refuses an unknown entitlement, one twice, an eleventh, and older fields that would have no effect', async () => {
    const id = await entitlement('license_key');
    const refused = (fields: object) =>
      api.call('POST /products', {
        body: {
          name: 'x',
          description: 'x',
          price: { type: 'one_time_price', currency: 'EUR', price: 1_999 },
          tax_category: 'e_book',
          ...fields,
        },
      });
    const unknown = `ent_${'x'.repeat(21)}`;
    const [one, none] = [{ entitlement_id: id }, { entitlement_id: unknown }];
    const path = 'entitlements[1].entitlement_id';
    expectProblem(await refused({ entitlements: [one, none] }), 404, 'NOT_FOUND', path);
    expectProblem(await refused({ entitlements: [one, one] }), 422, 'INVALID_REQUEST_PARAMETERS', path);
    expectProblem(await refused({ entitlements: Array(11).fill(one) }), 422, 'INVALID_REQUEST_BODY', 'entitlements');
    const field = 'license_key_enabled';
    expectProblem(await refused({ license_key_activations_limit: 3 }), 422, 'INVALID_REQUEST_PARAMETERS', field);
    const both = { entitlements: [one], license_key_enabled: true };
    expectProblem(await refused(both), 422, 'INVALID_REQUEST_PARAMETERS', field);
  });

  it('is not sold in a cart that needs more than 20 keys, when it is opened or its quantity is chosen', async () => {
    const id = await entitlement('license_key');
    const productId = await addProduct(api, { entitlements: [{ entitlement_id: id }] });
    const open = (line: object) =>
      api.call('POST /checkouts', { body: { product_cart: [{ product_id: productId, ...line }] } });
    expectProblem(await open({ quantity: 21 }), 422, 'INVALID_REQUEST_PARAMETERS', 'product_cart');
    expect((await open({ quantity: 20 })).status).toBe(200);
    const adjustable_quantity = { minimum: 1, maximum: 30 };
    const { session_id: session } = (await open({ quantity: 1, adjustable_quantity })).body;
    const chosen = { expectedTotal: 1_999 * 21, quantities: new Map([[productId, 21]]) };
    await expect(pay(session, chosen)).rejects.toMatchObject({ code: 'INVALID_REQUEST_PARAMETERS' });
  });
});

describe('a chargeback', () => {
  afterEach(() => clock.run());

  /** A sale that a bank disputes after its grants are issued. */
  async function disputed(card: string, fields: object = {}) {
    clock.stopAt('2031-03-01T12:00:00.000Z');
    const id = await entitlement('license_key', fields);
    const sale = await sold([id], { card });
    await sweep();
    clock.forward({ milliseconds: 6_000 });
    await sweep();
    return { id, ...sale };
  }
  async function decided() {
    clock.forward({ milliseconds: 30_000 });
    await sweep();
    clock.forward({ minutes: 5 });
    await sweep();
    await sweep();
  }

  it('suspends while it is open, and revokes when it is lost', async () => {
    const { id, paymentId } = await disputed(cards.disputeLost);
    expect((await payments().get(paymentId)).disputes).toHaveLength(1);
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'disabled' } });
    await decided();
    expect(await grantOf(id)).toMatchObject({ status: 'Revoked', revocation_reason: 'dispute' });
  });

  it('gives the access back when it is won', async () => {
    const { id } = await disputed(cards.disputeWon);
    expect((await grantOf(id)).license_key.status).toBe('disabled');
    await decided();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'active' } });
  });

  it('changes nothing where the entitlement says so', async () => {
    const access = { chargeback_suspends: false, lost_dispute_revokes: false };
    const { id } = await disputed(cards.disputeLost, { access });
    expect((await grantOf(id)).license_key.status).toBe('active');
    await decided();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'active' } });
  });
});

describe('a payment without entitlements', () => {
  it('writes no row more when it is paid, refunded and swept, and one with entitlements one more each', async () => {
    const id = await entitlement('feature_flag');
    const plain = await addProduct(api);
    const giving = await addProduct(api, { entitlements: [{ entitlement_id: id }] });
    await sweep();
    const rowsOf = async (productId: string) => {
      const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
      const writes = watchWrites(table().client);
      const payment = await pay(session, { expectedTotal: 1_999 });
      await api.call('POST /refunds', { body: { payment_id: payment.id, amount: 100 } });
      return writes.flat();
    };
    const [without, withThem] = [await rowsOf(plain), await rowsOf(giving)];
    expect(without).not.toContain('DUTY');
    const duties = withThem.filter((entity) => entity === 'DUTY');
    expect(duties).toHaveLength(2);
    expect(withThem.filter((entity) => entity !== 'DUTY')).toEqual(without);
  });
});
