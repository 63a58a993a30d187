import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { watchWrites } from '../../support/table/rows.ts';

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

describe('a sale of a product with entitlements', () => {
  it('grants each entitlement once when the sweep runs, with its events, and a second sweep changes nothing', async () => {
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

  it('grants a different licence key for each unit', async () => {
    const id = await entitlement('license_key');
    await sold([id], { quantity: 3 });
    await sweep();
    const found = await grantsOf(id);
    expect(new Set(found.map((grant: { license_key: { key: string } }) => grant.license_key.key)).size).toBe(3);
  });

  it('shows a licence key to keys with write access, and its last characters to read-only keys', async () => {
    const id = await entitlement('license_key');
    await sold([id]);
    await sweep();
    const { key } = (await grantOf(id)).license_key;
    const [masked] = await grantsOf(id, { key: readKey });
    expect(masked.license_key.key).not.toBe(key);
    expect(masked.license_key.key.endsWith(key.slice(-4))).toBe(true);
    expect(masked.license_key.key).not.toContain(key.slice(0, 5));
  });

  it('grants nothing if the payment fails', async () => {
    const id = await entitlement('feature_flag');
    await sold([id], { card: cards.declined });
    await sweep();
    expect(await grantsOf(id)).toEqual([]);
  });

  it('grants the entitlements that the product had when the checkout was opened', async () => {
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

describe('a refund of a sale with entitlements', () => {
  it('of the whole line disables the licence key while pending, and revokes the grant on success', async () => {
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

  it('of a part of the amount revokes nothing', async () => {
    const id = await entitlement('feature_flag');
    const { paymentId } = await sold([id]);
    await sweep();
    await refundAll(paymentId, { amount: 1_998 });
    await sweep();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered' });
  });

  it('before the sweep runs leaves no entitlement to grant', async () => {
    const id = await entitlement('license_key');
    const { paymentId } = await sold([id]);
    await refundAll(paymentId);
    await sweep();
    expect(await grantsOf(id)).toEqual([]);
    expect(await toldOf(paymentId)).toEqual([]);
  });

  it('that fails restores the access', async () => {
    const id = await entitlement('license_key');
    const { paymentId } = await sold([id], { card: cards.failingRefunds });
    await sweep();
    await refundAll(paymentId);
    await sweep();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'active' } });
  });

  it('with keep_access keeps the access, also while it is pending', async () => {
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

describe('a chargeback of a sale with entitlements', () => {
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

  it('disables the access while it is open, and revokes it when it is lost', async () => {
    const { id, paymentId } = await disputed(cards.disputeLost);
    expect((await payments().get(paymentId)).disputes).toHaveLength(1);
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'disabled' } });
    await decided();
    expect(await grantOf(id)).toMatchObject({ status: 'Revoked', revocation_reason: 'dispute' });
  });

  it('restores the access when it is won', async () => {
    const { id } = await disputed(cards.disputeWon);
    expect((await grantOf(id)).license_key.status).toBe('disabled');
    await decided();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'active' } });
  });

  it('changes nothing if the entitlement says so', async () => {
    const access = { chargeback_suspends: false, lost_dispute_revokes: false };
    const { id } = await disputed(cards.disputeLost, { access });
    expect((await grantOf(id)).license_key.status).toBe('active');
    await decided();
    expect(await grantOf(id)).toMatchObject({ status: 'Delivered', license_key: { status: 'active' } });
  });
});

describe('a payment without entitlements', () => {
  it('writes no additional row when it is paid, refunded and swept, unlike one with entitlements', async () => {
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
