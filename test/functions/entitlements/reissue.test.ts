import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { licenseKeys, payments } from '../../../shared/wiring/runtime.ts';
import { orderUrlOf } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { waitingGrant } from '../../support/shop/grants.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { expectProblem } from '../../support/wire/problem.ts';

const mails = mkdtempSync(join(tmpdir(), 'reissue-'));
let api: Api;
let readKey: string;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
  readKey = await api.addKey({ access: 'read' });
});
afterEach(() => clock.run());
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const pool = { fulfillment_mode: 'manual', pool: true };

/** A sale of one licence key, whose grant is issued. */
async function sold(integration_config: object = { activations_limit: 2 }, codes?: string[]) {
  const entitlement = { name: 'Atlas', integration_type: 'license_key', integration_config };
  const { id: entitlementId } = (await api.call('POST /entitlements', { body: entitlement })).body;
  if (codes) await api.call(`POST /entitlements/${entitlementId}/codes`, { body: { codes } });
  const productId = await addProduct(api, { entitlements: [{ entitlement_id: entitlementId }] });
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const { id: paymentId } = await pay(session, { expectedTotal: 1_999 });
  await sweep();
  const grant = await grantOf(entitlementId);
  return { entitlementId, productId, paymentId, grant, key: grant.license_key };
}

const grantOf = async (id: string) => (await api.call(`GET /entitlements/${id}/grants`)).body.items[0];
const reissue = (id: string, body?: object, more: object = {}) =>
  api.call(`POST /license_keys/${id}/reissue`, { ...(body && { body }), ...more });
const activate = (license_key: string, name = 'Laptop') =>
  api.call('POST /licenses/activate', { body: { license_key, name }, key: null });
const isValid = async (license_key: string, license_key_instance_id: string | null = null) =>
  (await api.call('POST /licenses/validate', { body: { license_key, license_key_instance_id }, key: null })).body.valid;
const devicesOf = async (id: string): Promise<string[]> =>
  (await api.call('GET /license_key_instances', { query: `license_key_id=${id}` })).body.items.map(
    ({ name }: { name: string }) => name,
  );

async function toldOf(paymentId: string): Promise<string[]> {
  const { body } = await api.call('GET /webhook-events', { query: `payment_id=${paymentId}&page_size=100` });
  return body.items
    .filter(({ type }: { type: string }) => /grant|license/.test(type))
    .map(({ sequence, type }: { sequence: number; type: string }) => `${sequence} ${type}`)
    .sort();
}

async function lastCommand() {
  const { command, subject_id, details } = (await api.call('GET /audit-log')).body.items[0];
  return { command, subject_id, details };
}

/** The first mail of a purchase, which also makes the invoice and the secret of links. */
async function mailFirst(paymentId: string): Promise<void> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const { event_id } = items.find(({ type }: { type: string }) => type === 'payment.succeeded');
  const detail = { event_id, payment_id: paymentId, data: {} };
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
}

/** The texts of the mails that something sends. */
async function sentBy(act: () => Promise<unknown>): Promise<string[]> {
  const before = new Set(readdirSync(mails));
  await act();
  const fresh = readdirSync(mails).filter((name) => !before.has(name) && name.endsWith('.eml'));
  return fresh.map((name) => {
    const [, text = ''] =
      /text\/plain[\s\S]*?\r\n\r\n([\w+/=\r\n]+)/.exec(readFileSync(join(mails, name), 'utf8')) ?? [];
    return Buffer.from(text, 'base64').toString();
  });
}

describe('POST /license_keys/{id}/reissue', () => {
  it('200: creates a new licence key with the terms of the old one, and ends the old one on all devices', async () => {
    const { paymentId, entitlementId, grant, key } = await sold();
    await api.call(`PATCH /license_keys/${key.id}`, {
      body: { activations_limit: 5, expires_at: '2099-01-01T00:00:00Z' },
    });
    const devices = [(await activate(key.key)).body.id, (await activate(key.key, 'Desktop')).body.id];
    const { status, body } = await reissue(key.id);
    expect(status).toBe(200);
    const ended = await Promise.all(devices.map((id) => licenseKeys().findActivation(id)));
    expect(ended.map((one) => one?.name)).toEqual(['', '']);
    expect(body).toMatchObject({
      payment_id: paymentId,
      source: 'auto',
      status: 'active',
      activations_limit: 5,
      instances_count: 0,
      expires_at: '2099-01-01T00:00:00.000Z',
    });
    expect(body.key).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
    expect([body.id, body.key]).not.toContain(key.id);
    expect(body.key).not.toBe(key.key);
    expect(await grantOf(entitlementId)).toMatchObject({
      status: 'Delivered',
      delivered_at: grant.delivered_at,
      license_key: { id: body.id, key: body.key, status: 'active' },
    });
    expect((await api.call(`GET /license_keys/${key.id}`)).body).toMatchObject({
      status: 'disabled',
      instances_count: 0,
    });
    expect([await isValid(key.key), await isValid(key.key, devices[0]), await isValid(body.key)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await devicesOf(key.id)).toEqual([]);
    expectProblem(await activate(key.key), 403, 'INACTIVE_LICENSE_KEY');
    expect((await activate(body.key)).status).toBe(200);
    expect(await toldOf(paymentId)).toEqual([
      '1 entitlement_grant.created',
      '2 license_key.created',
      '3 entitlement_grant.delivered',
      '4 license_key.created',
      '5 entitlement_grant.delivered',
    ]);
    expect(await lastCommand()).toEqual({
      command: 'license_key.reissue',
      subject_id: key.id,
      details: { grant: grant.id, new_key: body.id },
    });
  });

  it('200: leaves the old licence key invalid, even if it is enabled again', async () => {
    const { key } = await sold();
    await reissue(key.id);
    await api.call(`PATCH /license_keys/${key.id}`, { body: { disabled: false } });
    expect(await isValid(key.key)).toBe(false);
  });

  it('200: creates one licence key for repeated requests with one Idempotency-Key', async () => {
    const { key } = await sold();
    const headers = { 'idempotency-key': `reissue ${key.id}` };
    const [first, second] = [await reissue(key.id, {}, { headers }), await reissue(key.id, {}, { headers })];
    expect(second.text).toBe(first.text);
  });

  it('409: creates one licence key for two requests at the same time', async () => {
    const { key, entitlementId } = await sold();
    const answers = await Promise.all([reissue(key.id), reissue(key.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const made = answers.find(({ status }) => status === 200)?.body;
    expect((await grantOf(entitlementId)).license_key.id).toBe(made.id);
  });

  it('200: takes another code from the pool, and the shown code never returns to the pool', async () => {
    const { key, productId, entitlementId } = await sold(pool, ['GAME-1', 'GAME-2', 'GAME-3']);
    const { body } = await reissue(key.id);
    expect(['GAME-1', 'GAME-2', 'GAME-3']).toContain(body.key);
    expect(body.key).not.toBe(key.key);
    const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    await pay(session, { expectedTotal: 1_999 });
    await sweep();
    const third = (await grantOf(entitlementId)).license_key.key;
    expect(new Set([key.key, body.key, third]).size).toBe(3);
  });

  it('409: changes nothing while the pool is empty', async () => {
    const { key, entitlementId } = await sold(pool, ['LAST']);
    expectProblem(await reissue(key.id), 409, 'CONFLICT');
    expect((await grantOf(entitlementId)).license_key).toEqual(key);
  });

  it('409: requires the new key in the request if the merchant’s own code creates keys', async () => {
    const { grantId } = await waitingGrant(api);
    const given = await api.call(`POST /grants/${grantId}/license-key`, { body: { key: `OWN-${grantId}` } });
    const { id } = given.body.license_key;
    expectProblem(await reissue(id), 409, 'CONFLICT');
    expect((await reissue(id, { key: `NEW-${grantId}` })).body).toMatchObject({
      key: `NEW-${grantId}`,
      source: 'manual',
    });
  });

  it('409: refuses a key text that already exists, an imported key without a sale, and a replaced key', async () => {
    const { key, grant } = await sold();
    expectProblem(await reissue(key.id, { key: key.key }), 409, 'LICENSE_KEY_ALREADY_EXISTS');
    const body = { customer_id: grant.customer_id, product_id: grant.product_id, key: `OLD-${key.id}` };
    expectProblem(await reissue((await api.call('POST /license_keys', { body })).body.id), 409, 'CONFLICT');
    await reissue(key.id);
    expectProblem(await reissue(key.id), 409, 'CONFLICT');
  });

  it('409: refuses the licence key of a refunded sale or a revoked grant', async () => {
    const refunded = await sold();
    await api.call('POST /refunds', { body: { payment_id: refunded.paymentId } });
    expectProblem(await reissue(refunded.key.id), 409, 'CONFLICT');
    const revoked = await sold();
    await api.call(`DELETE /entitlements/${revoked.entitlementId}/grants/${revoked.grant.id}`);
    expectProblem(await reissue(revoked.key.id), 409, 'CONFLICT');
  });

  it('403: refuses a read-only API key', async () => {
    const { key } = await sold();
    expectProblem(await reissue(key.id, {}, { key: readKey }), 403, 'UNAUTHORIZED');
  });

  it('200: mails the buyer a link to the order page, without the licence key', async () => {
    const { paymentId, key } = await sold();
    await mailFirst(paymentId);
    let made = '';
    const sent = await sentBy(async () => {
      made = (await reissue(key.id)).body.key;
    });
    expect(sent).toHaveLength(1);
    const [text] = sent;
    expect(text).toContain('has replaced the licence key');
    expect(text).toContain(await orderUrlOf(await payments().get(paymentId)));
    expect(text).not.toContain(made);
    const { cookies } = await browse(api, localKey);
    const { text: page } = await api.call(`GET /dashboard/payments/${paymentId}`, { cookies, key: null });
    expect(page).toContain('Buyer told of the new licence key');
  });

  it('200: mails at most five times an hour, but replaces the licence key every time', async () => {
    clock.stopAt('2026-03-01T12:00:00.000Z');
    const { paymentId, key } = await sold();
    await mailFirst(paymentId);
    let id = key.id;
    const sent = await sentBy(async () => {
      for (let again = 0; again < 7; again += 1) {
        clock.forward({ minutes: 1 });
        id = (await reissue(id)).body.id;
      }
    });
    expect(sent).toHaveLength(5);
  });
});

describe('POST /entitlements/{id}/grants/{grant_id}/restore', () => {
  const revoke = ({ entitlementId, grant }: { entitlementId: string; grant: { id: string } }) =>
    api.call(`DELETE /entitlements/${entitlementId}/grants/${grant.id}`);
  const restore = ({ entitlementId, grant }: { entitlementId: string; grant: { id: string } }) =>
    api.call(`POST /entitlements/${entitlementId}/grants/${grant.id}/restore`);

  it('200: restores a grant that was revoked by hand, with its licence key, and sends an event', async () => {
    const sale = await sold();
    await revoke(sale);
    expect(await isValid(sale.key.key)).toBe(false);
    const { status, body } = await restore(sale);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'Delivered', revoked_at: null, revocation_reason: null });
    expect(body.license_key).toEqual(sale.key);
    expect(await isValid(sale.key.key)).toBe(true);
    expect((await toldOf(sale.paymentId)).slice(3)).toEqual([
      '4 entitlement_grant.revoked',
      '5 entitlement_grant.delivered',
    ]);
    expect(await lastCommand()).toEqual({ command: 'grant.restore', subject_id: sale.grant.id, details: {} });
  });

  it('200: restores a grant that a later refund can still revoke', async () => {
    const sale = await sold();
    await revoke(sale);
    await restore(sale);
    const { body } = await api.call('POST /refunds', { body: { payment_id: sale.paymentId } });
    await finishRefund(body.refund_id);
    await sweep();
    expect(await grantOf(sale.entitlementId)).toMatchObject({ status: 'Revoked', revocation_reason: 'refund' });
  });

  it('200: lets a restored grant wait for a code again, until the sweep assigns one', async () => {
    const sale = await sold(pool);
    await revoke(sale);
    await sweep();
    await api.call(`POST /entitlements/${sale.entitlementId}/codes`, { body: { codes: ['GAME-9'] } });
    expect((await restore(sale)).body).toMatchObject({ status: 'Pending', license_key: null });
    await sweep();
    expect(await grantOf(sale.entitlementId)).toMatchObject({ status: 'Delivered', license_key: { key: 'GAME-9' } });
  });

  it('409: refuses a grant that is not revoked, or whose payment is refunded', async () => {
    const sale = await sold();
    expectProblem(await restore(sale), 409, 'CONFLICT');
    await revoke(sale);
    await api.call('POST /refunds', { body: { payment_id: sale.paymentId } });
    expectProblem(await restore(sale), 409, 'CONFLICT');
  });

  it('409: refuses a grant that a refund has revoked', async () => {
    const sale = await sold();
    const { body } = await api.call('POST /refunds', { body: { payment_id: sale.paymentId } });
    await finishRefund(body.refund_id);
    await sweep();
    expectProblem(await restore(sale), 409, 'CONFLICT');
  });

  it('404: refuses a grant of another entitlement', async () => {
    const [one, other] = [await sold(), await sold()];
    await revoke(one);
    expectProblem(await restore({ ...one, entitlementId: other.entitlementId }), 404, 'NOT_FOUND');
    expect(await grantOf(one.entitlementId)).toMatchObject({ status: 'Revoked' });
  });
});
