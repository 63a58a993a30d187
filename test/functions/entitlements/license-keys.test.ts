import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '../../../shared/wiring/runtime.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { grantLicense } from '../../support/shop/grants.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
let readKey: string;
beforeAll(async () => {
  api = await startApi();
  readKey = await api.addKey({ access: 'read' });
});
afterAll(() => api.stop());

const aKey = async (terms?: Parameters<typeof grantLicense>[1]) => {
  const product = await addProduct(api);
  const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const { id } = await pay(session, { expectedTotal: 1_999 });
  return grantLicense(await payments().get(id), terms);
};
const activate = (key: string, name = 'Laptop') =>
  api.call('POST /licenses/activate', { body: { license_key: key, name }, key: null });
const get = (id: string, key?: string) => api.call(`GET /license_keys/${id}`, key ? { key } : {});
const change = (id: string, body: object) => api.call(`PATCH /license_keys/${id}`, { body });

describe('GET /license_keys/{id}', () => {
  it('200: answers a licence key with its sale and its status', async () => {
    const { licenseKey, grant } = await aKey({ activationsLimit: 2 });
    await activate(licenseKey.key);
    expect((await get(licenseKey.id)).body).toEqual({
      id: licenseKey.id,
      business_id: 'demo',
      brand_id: grant.brandId,
      product_id: grant.productId,
      customer_id: grant.customerId,
      payment_id: grant.paymentId,
      subscription_id: null,
      key: licenseKey.key,
      source: 'auto',
      status: 'active',
      activations_limit: 2,
      instances_count: 1,
      expires_at: null,
      created_at: expect.any(String),
    });
  });

  it('200: shows a read-only API key only the last characters of a licence key', async () => {
    const { licenseKey } = await aKey();
    const { body, text } = await get(licenseKey.id, readKey);
    expect(body.key).toBe(`••••${licenseKey.key.slice(-4)}`);
    expect(text).not.toContain(licenseKey.key);
    expect((await api.call('GET /license_keys', { key: readKey, query: 'page_size=100' })).text).not.toContain(
      licenseKey.key,
    );
  });

  it('200: answers the status “disabled” after a refund, alone and in the list', async () => {
    const { licenseKey, grant } = await aKey();
    await api.call('POST /refunds', { body: { payment_id: grant.paymentId } });
    expect((await get(licenseKey.id)).body.status).toBe('disabled');
    const { items } = (await api.call('GET /license_keys', { query: `customer_id=${grant.customerId}&page_size=100` }))
      .body;
    expect(items.find(({ id }: { id: string }) => id === licenseKey.id).status).toBe('disabled');
  });

  it('404: does not find an unknown key', async () => {
    expectProblem(await get(`lic_${'x'.repeat(21)}`), 404, 'NOT_FOUND');
  });
});

describe('PATCH /license_keys/{id}', () => {
  it('200: changes limit, expiry and status, and null removes limit and expiry', async () => {
    const { licenseKey } = await aKey({ activationsLimit: 2 });
    const { body } = await change(licenseKey.id, {
      activations_limit: 5,
      expires_at: '2099-01-01T00:00:00Z',
      disabled: true,
    });
    expect(body).toMatchObject({ activations_limit: 5, expires_at: '2099-01-01T00:00:00.000Z', status: 'disabled' });
    const again = await change(licenseKey.id, { activations_limit: null, expires_at: null, disabled: false });
    expect(again.body).toMatchObject({ activations_limit: null, expires_at: null, status: 'active' });
  });

  it('200: keeps existing activations when the limit is lowered below their number, and allows no further ones', async () => {
    const { licenseKey } = await aKey({ activationsLimit: 2 });
    const { id } = (await activate(licenseKey.key)).body;
    await activate(licenseKey.key);
    await change(licenseKey.id, { activations_limit: 1 });
    expectProblem(await activate(licenseKey.key), 422, 'LICENSE_KEY_LIMIT_REACHED');
    const body = { license_key: licenseKey.key, license_key_instance_id: id };
    expect((await api.call('POST /licenses/validate', { body, key: null })).body).toEqual({ valid: true });
  });

  it('403: refuses a read-only API key', async () => {
    const { licenseKey } = await aKey();
    const answer = await api.call(`PATCH /license_keys/${licenseKey.id}`, { key: readKey, body: { disabled: true } });
    expectProblem(answer, 403, 'UNAUTHORIZED');
  });
});

describe('POST /license_keys', () => {
  const importKey = async (fields: object = {}) => {
    const { grant } = await aKey();
    const body = { customer_id: grant.customerId, product_id: grant.productId, key: `old-${grant.id}`, ...fields };
    return { body, answer: await api.call('POST /license_keys', { body }) };
  };

  it('200: imports a key that is found only in its exact spelling', async () => {
    const { body, answer } = await importKey({ activations_limit: 1 });
    expect(answer.body).toMatchObject({ ...body, source: 'import', status: 'active', payment_id: null });
    expect((await activate(body.key)).status).toBe(200);
    expect((await activate(body.key.toUpperCase())).status).toBe(404);
  });

  it('409: refuses a key that already exists', async () => {
    const { body } = await importKey();
    expectProblem(await api.call('POST /license_keys', { body }), 409, 'LICENSE_KEY_ALREADY_EXISTS');
  });

  it('200: imports a key that looks like a card number, and keeps it out of the audit log', async () => {
    const key = '4111 1111 1111 1111';
    const { answer } = await importKey({ key });
    expect([answer.status, answer.body.key]).toEqual([200, key]);
    expect((await activate(key)).status).toBe(200);
    expect((await api.call('GET /audit-log', { query: 'page_size=100' })).text).not.toContain(key);
  });

  it('404: refuses an unknown product and an unknown customer', async () => {
    expectProblem((await importKey({ product_id: `pdt_${'x'.repeat(21)}` })).answer, 404, 'NOT_FOUND');
    expectProblem((await importKey({ customer_id: `cus_${'x'.repeat(21)}` })).answer, 404, 'NOT_FOUND');
  });
});

describe('GET /license_keys', () => {
  it('200: filters by customer, product, source and status', async () => {
    const { licenseKey, grant } = await aKey();
    await change(licenseKey.id, { disabled: true });
    const ids = async (query: string) =>
      (await api.call('GET /license_keys', { query })).body.items.map(({ id }: { id: string }) => id);
    const product = `product_id=${grant.productId}`;
    expect(await ids(product)).toEqual([licenseKey.id]);
    expect(await ids(`${product}&source=auto&status=disabled&customer_id=${grant.customerId}`)).toEqual([
      licenseKey.id,
    ]);
    expect(await ids(`${product}&status=active`)).toEqual([]);
    expect(await ids(`${product}&source=import`)).toEqual([]);
  });
});

describe('GET /license_keys with the filter status', () => {
  /** The keys of one customer: of a sale that stands, of a refunded one, and of one that has expired. */
  async function threeKeys() {
    const [standing, refunded, late] = [
      await aKey(),
      await aKey(),
      await aKey({ expiresAt: '2020-01-01T00:00:00.000Z' }),
    ];
    await api.call('POST /refunds', { body: { payment_id: refunded.grant.paymentId } });
    return { active: standing.licenseKey.id, disabled: refunded.licenseKey.id, expired: late.licenseKey.id };
  }
  const listed = async (status: string): Promise<{ id: string; status: string }[]> =>
    (await api.call('GET /license_keys', { query: `status=${status}&page_size=100` })).body.items;

  it('200: finds each key under its shown status, and under no other', async () => {
    const made = await threeKeys();
    for (const [status, id] of Object.entries(made)) {
      const found = await listed(status);
      expect(new Set(found.map((key) => key.status))).toEqual(new Set([status]));
      const ours = found.filter((key) => Object.values(made).includes(key.id));
      expect(ours.map((key) => key.id)).toEqual([id]);
    }
  });

  it('200: fills a page even if keys of refunded sales are left out of it', async () => {
    const { grant } = await aKey();
    for (let count = 0; count < 2; count += 1) {
      const other = await aKey();
      await api.call('POST /refunds', { body: { payment_id: other.grant.paymentId } });
    }
    const query = `status=active&customer_id=${grant.customerId}&page_size=2`;
    const { items, has_more } = (await api.call('GET /license_keys', { query })).body;
    expect([items.length, has_more]).toEqual([2, true]);
  });
});

describe('/license_key_instances', () => {
  it('200: lists, shows and renames the devices of a key', async () => {
    const { licenseKey, grant } = await aKey();
    const { id } = (await activate(licenseKey.key, 'Old name')).body;
    const renamed = await api.call(`PATCH /license_key_instances/${id}`, { body: { name: 'New name' } });
    expect(renamed.body).toMatchObject({ id, license_key_id: licenseKey.id, name: 'New name' });
    expect((await api.call(`GET /license_key_instances/${id}`)).body).toEqual(renamed.body);
    for (const query of [`license_key_id=${licenseKey.id}`, `grant_id=${grant.id}`])
      expect((await api.call('GET /license_key_instances', { query })).body.items).toEqual([renamed.body]);
    expect((await api.call('GET /license_key_instances')).body.items).toContainEqual(renamed.body);
  });

  it('200: lists nothing for a grant without a key', async () => {
    const query = `grant_id=entg_${'x'.repeat(21)}`;
    expect((await api.call('GET /license_key_instances', { query })).body.items).toEqual([]);
  });

  it('404: refuses to rename or show a device whose activation has ended', async () => {
    const { licenseKey } = await aKey();
    const { id } = (await activate(licenseKey.key)).body;
    await api.call('POST /licenses/deactivate', {
      body: { license_key: licenseKey.key, license_key_instance_id: id },
      key: null,
    });
    expectProblem(await api.call(`PATCH /license_key_instances/${id}`, { body: { name: 'X' } }), 404, 'NOT_FOUND');
    expectProblem(await api.call(`GET /license_key_instances/${id}`), 404, 'NOT_FOUND');
  });
});
