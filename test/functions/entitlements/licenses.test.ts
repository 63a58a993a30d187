import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { keys } from '../../../shared/store/keys.ts';
import { hourlyUnknownKeys } from '../../../shared/use-cases/entitlements/use-license-key.ts';
import { grants, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, type Call, startApi } from '../../support/shop/api.ts';
import { grantLicense } from '../../support/shop/grants.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => clock.run());
afterAll(() => api.stop());

const bought = async (): Promise<Payment> => {
  const product = await addProduct(api);
  const session = await createSession(api, [{ product_id: product, quantity: 1 }]);
  const { id } = await pay(session, { expectedTotal: 1_999 });
  return payments().get(id);
};
const aKey = async (terms?: Parameters<typeof grantLicense>[1]) => grantLicense(await bought(), terms);
const call = (verb: string, body: object, options: Call = {}) =>
  api.call(`POST /licenses/${verb}`, { body, key: null, ...options });
const activate = (key: string, name = 'Laptop', options?: Call) =>
  call('activate', { license_key: key, name }, options);
const validate = (key: string, instance?: string, options?: Call) =>
  call('validate', { license_key: key, license_key_instance_id: instance }, options);
const deactivate = (key: string, instance: string) =>
  call('deactivate', { license_key: key, license_key_instance_id: instance });
const refund = (paymentId: string) => api.call('POST /refunds', { body: { payment_id: paymentId } });

describe('POST /licenses/activate', () => {
  it('200: activates a licence key without an API key, and does not reveal the buyer', async () => {
    const { licenseKey, grant } = await aKey({ activationsLimit: 3 });
    const { status, body, headers, text } = await activate(licenseKey.key);
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe('*');
    expect(body).toEqual({
      id: expect.stringMatching(/^lki_[A-Za-z0-9]{21}$/),
      business_id: 'demo',
      created_at: expect.any(String),
      license_key_id: licenseKey.id,
      name: 'Laptop',
      customer: {
        customer_id: grant.customerId,
        email: 'b***@e***',
        name: '',
        metadata: {},
        phone_number: null,
      },
      product: { product_id: grant.productId, name: 'Field Guide (e-book)' },
    });
    expect(text).not.toMatch(/buyer@|A Buyer/);
  });

  it('200: finds a licence key in lower case and without hyphens', async () => {
    const { licenseKey } = await aKey();
    expect((await activate(licenseKey.key.toLowerCase().replaceAll('-', ''))).status).toBe(200);
  });

  it('200: ignores an API key in the request, even a wrong one', async () => {
    const { licenseKey } = await aKey();
    expect((await activate(licenseKey.key, 'Laptop', { key: 'wrong' })).status).toBe(200);
  });

  it('422: accepts exactly three of fifty activations at once, when the limit is three', async () => {
    const { licenseKey } = await aKey({ activationsLimit: 3 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => activate(licenseKey.key, `PC ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expectProblem(answer, 422, 'LICENSE_KEY_LIMIT_REACHED');
    const { items } = (await api.call('GET /license_key_instances', { query: `license_key_id=${licenseKey.id}` })).body;
    expect(items).toHaveLength(3);
  });

  it('200: counts a repeated request with one Idempotency-Key once', async () => {
    const { licenseKey } = await aKey({ activationsLimit: 1 });
    const headers = { 'idempotency-key': 'first' };
    const [first, second] = [
      await activate(licenseKey.key, 'PC', { headers }),
      await activate(licenseKey.key, 'PC', { headers }),
    ];
    expect(second.body).toEqual(first.body);
    expectProblem(await activate(licenseKey.key, 'Mac', { headers }), 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('200: accepts the same Idempotency-Key for two different licence keys', async () => {
    const headers = { 'idempotency-key': 'the same' };
    const [one, other] = [await aKey(), await aKey()];
    const first = await activate(one.licenseKey.key, 'PC', { headers });
    const second = await activate(other.licenseKey.key, 'PC', { headers });
    expect(first.body.id).not.toBe(second.body.id);
  });

  it.each(['', 'x'.repeat(256), 5])('422: refuses %j as a licence key', async (key) => {
    expect((await activate(key as string)).status).toBe(422);
  });

  it('404: refuses an unknown licence key', async () => {
    expectProblem(await activate('unknown'), 404, 'LICENSE_KEY_NOT_FOUND');
  });

  it('403: refuses a licence key that the merchant disabled, and an expired one', async () => {
    const { licenseKey } = await aKey();
    await api.call(`PATCH /license_keys/${licenseKey.id}`, { body: { disabled: true } });
    expectProblem(await activate(licenseKey.key), 403, 'INACTIVE_LICENSE_KEY');
    const late = await aKey({ expiresAt: '2020-01-01T00:00:00.000Z' });
    expectProblem(await activate(late.licenseKey.key), 403, 'INACTIVE_LICENSE_KEY');
  });

  it('403: refuses a licence key from the moment its sale is refunded', async () => {
    const payment = await bought();
    const { licenseKey } = await grantLicense(payment);
    expect((await refund(payment.id)).status).toBe(200);
    expectProblem(await activate(licenseKey.key), 403, 'INACTIVE_LICENSE_KEY');
    expect((await validate(licenseKey.key)).body).toEqual({ valid: false });
  });

  it('403: refuses a licence key whose grant was revoked or has a newer key', async () => {
    const [revoked, reissued] = [await aKey(), await aKey()];
    await grants().save({ grant: { ...revoked.grant, status: 'revoked' } });
    await grants().save({ grant: { ...reissued.grant, licenseKeyId: `lic_${'n'.repeat(21)}` } });
    expectProblem(await activate(revoked.licenseKey.key), 403, 'INACTIVE_LICENSE_KEY');
    expectProblem(await activate(reissued.licenseKey.key), 403, 'INACTIVE_LICENSE_KEY');
  });
});

describe('POST /licenses/validate', () => {
  it('200: answers only whether a licence key is valid', async () => {
    const { licenseKey } = await aKey();
    expect((await validate(licenseKey.key)).body).toEqual({ valid: true });
    expect((await validate('unknown')).body).toEqual({ valid: false });
  });

  it('200: answers false for an instance that has ended or belongs to another licence key', async () => {
    const [mine, foreign] = [await aKey(), await aKey()];
    const { id } = (await activate(mine.licenseKey.key)).body;
    expect((await validate(mine.licenseKey.key, id)).body).toEqual({ valid: true });
    expect((await validate(foreign.licenseKey.key, id)).body).toEqual({ valid: false });
    await deactivate(mine.licenseKey.key, id);
    expect((await validate(mine.licenseKey.key, id)).body).toEqual({ valid: false });
  });

  it('429: refuses a network that tries many unknown keys, except for keys that the shop generated', async () => {
    const source = '192.0.2.77';
    const { licenseKey, grant } = await aKey();
    const imported = { customer_id: grant.customerId, product_id: grant.productId, key: 'SHORT-1' };
    expect((await api.call('POST /license_keys', { body: imported })).status).toBe(200);
    for (let index = 0; index < hourlyUnknownKeys; index += 1)
      expect((await validate(`guess ${index}`, undefined, { source })).status).toBe(200);
    expectProblem(await validate('one more', undefined, { source }), 429, 'TOO_MANY_REQUESTS');
    expectProblem(await validate('SHORT-1', undefined, { source }), 429, 'TOO_MANY_REQUESTS');
    expect((await validate(licenseKey.key, undefined, { source })).body).toEqual({ valid: true });
    expect((await validate('SHORT-1', undefined, { source: '192.0.2.78' })).body).toEqual({ valid: true });
  });
});

describe('POST /licenses/deactivate', () => {
  it('200: reduces the number of activations once, even when it is repeated', async () => {
    const { licenseKey } = await aKey({ activationsLimit: 1 });
    const { id } = (await activate(licenseKey.key)).body;
    await Promise.all([deactivate(licenseKey.key, id), deactivate(licenseKey.key, id)]);
    expect((await deactivate(licenseKey.key, id)).status).toBe(200);
    expect((await activate(licenseKey.key)).status).toBe(200);
    expectProblem(await activate(licenseKey.key), 422, 'LICENSE_KEY_LIMIT_REACHED');
  });

  it('200: keeps an ended activation for thirty days, and then deletes it', async () => {
    const { licenseKey } = await aKey();
    const { id } = (await activate(licenseKey.key)).body;
    clock.stopAt('2099-01-01T00:00:00.000Z');
    await deactivate(licenseKey.key, id);
    const row = new GetCommand({ TableName: table().name, Key: keys.activation(id) });
    const { Item } = await table().client.send(row);
    expect(Item).toMatchObject({ ttl: Date.parse('2099-01-31T00:00:00.000Z') / 1_000 });
    expect(Item).not.toHaveProperty('listPk');
  });

  it('404: refuses an unknown licence key', async () => {
    expectProblem(await deactivate('unknown', `lki_${'x'.repeat(21)}`), 404, 'LICENSE_KEY_NOT_FOUND');
  });

  it('404: refuses an instance of another licence key', async () => {
    const [mine, foreign] = [await aKey(), await aKey()];
    const { id } = (await activate(mine.licenseKey.key)).body;
    expectProblem(await deactivate(foreign.licenseKey.key, id), 404, 'LICENSE_KEY_INSTANCE_NOT_FOUND');
    expect((await validate(mine.licenseKey.key, id)).body).toEqual({ valid: true });
  });
});

describe('OPTIONS /licenses/activate', () => {
  it('204: allows pages of every origin to call the route', async () => {
    const { status, headers } = await api.call('OPTIONS /licenses/activate', { key: null });
    expect(status).toBe(204);
    expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST' });
    expect(headers['access-control-allow-headers']).toContain('content-type');
  });

  it('204: allows other origins no other path', async () => {
    const { headers } = await api.call('OPTIONS /license_keys', { key: null });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
