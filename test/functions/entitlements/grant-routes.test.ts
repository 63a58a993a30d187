import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;

beforeAll(async () => {
  api = await startApi();
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

describe('DELETE /entitlements/{id}/grants/{grant_id}', () => {
  it('200: revokes a grant permanently, answers it, and answers the same when repeated', async () => {
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

  it('404: refuses a grant of another entitlement', async () => {
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

  it('200: delivers the merchant’s own key, with the terms of the entitlement or of the request', async () => {
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

  it('409: refuses a grant that has a key, was refunded, or has no licence key', async () => {
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

  it('409: refuses a key that another grant already has', async () => {
    const [first, second] = [await waiting(), await waiting()];
    await fulfill(first.grant, { key: `SAME-${first.grant.id}` });
    const again = await fulfill(second.grant, { key: `SAME-${first.grant.id}` });
    expectProblem(again, 409, 'LICENSE_KEY_ALREADY_EXISTS');
    expect(await grantOf(second.id)).toMatchObject({ status: 'Pending', license_key: null });
  });
});

describe('GET /customers/{customer_id}/entitlements and …/entitlement-grants', () => {
  it('200: answer the grants of a customer, with the status in lower case and capitalized', async () => {
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

describe('a product with entitlements', () => {
  it('shows its entitlements alone and in the list, and a payment line keeps them', async () => {
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

  it('creates one entitlement from the older fields, which is read by its id and not listed', async () => {
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

  it('refuses an unknown entitlement, a repeated one, an eleventh one, and older fields without effect', async () => {
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

  it('is not sold with more than 20 keys in a cart, at the creation and at a change of quantity', async () => {
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
