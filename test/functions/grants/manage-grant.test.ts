import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { withDownload } from '../../../shared/domain/entitlements/downloads.ts';
import { grants, licenseKeys } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { finishRefund, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

const mails = mkdtempSync(join(tmpdir(), 'grants-'));
let api: Api;
let member: Browsing;
let reader: Browsing;
beforeAll(async () => {
  api = await startApi(testMerchant, { MAIL_FOLDER: mails });
  member = await browse(api, localKey);
  reader = await browse(api, await api.addKey({ access: 'read' }));
});
afterEach(() => clock.run());
afterAll(async () => {
  await api.stop();
  rmSync(mails, { recursive: true });
});

const configs = {
  license_key: { activations_limit: 3 },
  digital_files: { digital_file_ids: [], external_url: 'https://example.com/book' },
  feature_flag: { feature_id: 'pro' },
};
const pool = { fulfillment_mode: 'manual', pool: true };

interface Offer {
  entitlementId: string;
  productId: string;
}

async function offer(type: keyof typeof configs, config: object = configs[type], codes?: string[]): Promise<Offer> {
  const body = { name: `Atlas ${type}`, integration_type: type, integration_config: config };
  const { id: entitlementId } = (await api.call('POST /entitlements', { body })).body;
  if (codes) await api.call(`POST /entitlements/${entitlementId}/codes`, { body: { codes } });
  return { entitlementId, productId: await addProduct(api, { entitlements: [{ entitlement_id: entitlementId }] }) };
}

/** A sale whose grant is issued. */
async function buy({ entitlementId, productId }: Offer, email = 'ada@example.com') {
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const { id: paymentId, customer } = await pay(session, { expectedTotal: 1_999, email });
  await sweep();
  const grant = await grantOf(entitlementId);
  return { paymentId, customerId: customer.id, entitlementId, productId, grant, key: grant.license_key };
}
const sold = async (type: keyof typeof configs, config?: object, codes?: string[]) =>
  buy(await offer(type, config, codes));

const grantOf = async (id: string) => (await api.call(`GET /entitlements/${id}/grants`)).body.items[0];
const show = async (path: string, { cookies } = member): Promise<string> => {
  const [place, query = ''] = path.split('?');
  return (await api.call(`GET ${place}`, { cookies, key: null, query })).text.replaceAll('&amp;', '&');
};
const pageOf = ({ grant }: { grant: { id: string } }) => `/dashboard/grants/${grant.id}`;
const pageOfEntitlement = ({ productId, entitlementId }: Offer) =>
  `/dashboard/products/${productId}/entitlements/${entitlementId}`;

let forms = 0;
/** Presses a button of a page; the same form again if it has the same number. Answers where it leads. */
async function press(path: string, action: string, fields: object = {}, form_id = `form-${++forms}`) {
  const { status, headers, text } = await postForm(
    api,
    path,
    { action, token: member.token, form_id, ...fields },
    member.cookies,
  );
  return { status, to: headers['location'] ?? '', text };
}
const isValid = async (license_key: string) =>
  (await api.call('POST /licenses/validate', { body: { license_key }, key: null })).body.valid;
const activate = async (license_key: string, name: string): Promise<string> =>
  (await api.call('POST /licenses/activate', { body: { license_key, name }, key: null })).body.id;
const commandsOn = async (subject: string): Promise<string[]> =>
  (await api.call('GET /audit-log', { query: 'page_size=100' })).body.items
    .filter(({ subject_id }: { subject_id: string }) => subject_id === subject)
    .map(({ command, by }: { command: string; by: { via: string } }) => `${command} ${by?.via ?? ''}`.trim());

describe('the dashboard page of an entitlement', () => {
  it('says that nobody has it yet, and later lists buyer, payment, state, licence key and devices', async () => {
    const made = await offer('license_key');
    expect(await show(pageOfEntitlement(made))).toContain('Nobody has bought it yet.');
    const sale = await buy(made, 'grace@example.com');
    await activate(sale.key.key, 'Laptop');
    const page = await show(pageOfEntitlement(made));
    expect(page).toContain(`href="${pageOf(sale)}"`);
    expect(page).toContain('grace@example.com');
    expect(page).toContain(`href="/dashboard/payments/${sale.paymentId}"`);
    expect(page).toContain('has access');
    expect(page).toContain(sale.key.key);
    expect(page).toContain('1 of 3 devices');
  });

  it('shows a member with read access only the last characters of licence keys, and no button', async () => {
    const sale = await sold('license_key');
    for (const path of [pageOfEntitlement(sale), pageOf(sale), `/dashboard/payments/${sale.paymentId}`]) {
      const page = await show(path, reader);
      expect(page).not.toContain(sale.key.key);
      expect(page).toContain(`••••${sale.key.key.slice(-4)}`);
    }
    expect(await show(pageOf(sale), reader)).not.toMatch(/name="action"/);
  });

  it('lists twenty grants on a page, newest first, with links to older ones and back', async () => {
    const made = await offer('feature_flag');
    for (let buyer = 0; buyer < 21; buyer += 1) {
      const session = await createSession(api, [{ product_id: made.productId, quantity: 1 }]);
      await pay(session, { expectedTotal: 1_999, email: `buyer-${buyer}@example.com` });
    }
    await sweep();
    const first = await show(pageOfEntitlement(made));
    const [, older = ''] = /<a href="([^"]+after=[^"]+)">/.exec(first) ?? [];
    const second = await show(older);
    const count = (page: string) => page.match(/class="leads" href="\/dashboard\/grants\//g)?.length;
    expect([count(first), count(second)]).toEqual([20, 1]);
    expect(second).toContain(`href="${pageOfEntitlement(made)}"`);
  });
});

describe('the dashboard page of a grant', () => {
  it('shows the number of downloads of each file, with the first and the last download', async () => {
    const sale = await sold('digital_files');
    expect(await show(pageOf(sale))).toContain('Not downloaded yet');
    const stored = await grants().get(sale.grant.id);
    const once = withDownload(stored, 'fil_gone', new Date('2026-03-01T10:00:00Z'));
    await grants().save({ grant: withDownload(once, 'fil_gone', new Date('2026-03-02T11:30:00Z')) });
    const page = await show(pageOf(sale));
    expect(page).toContain('A file that was removed');
    expect(page).toContain('2026-03-01T10:00:00.000Z');
    expect(page).toContain('2026-03-02T11:30:00.000Z');
    expect(await show(pageOfEntitlement(sale))).toContain('2 downloads');
  });

  it('can revoke the grant with a reason, which webhooks contain, and can restore it', async () => {
    const sale = await sold('license_key');
    const revoked = await press(pageOf(sale), 'revoke', { reason: 'Shared in a forum' });
    expect(revoked).toMatchObject({ status: 303, to: `${pageOf(sale)}?done=accessRevoked` });
    expect(await grantOf(sale.entitlementId)).toMatchObject({
      status: 'Revoked',
      revocation_reason: 'Shared in a forum',
    });
    expect(await isValid(sale.key.key)).toBe(false);
    expect(await show(revoked.to)).toContain('Shared in a forum');
    expect((await press(pageOf(sale), 'restore')).to).toBe(`${pageOf(sale)}?done=accessRestored`);
    expect(await isValid(sale.key.key)).toBe(true);
    expect(await commandsOn(sale.grant.id)).toEqual(['grant.restore dashboard', 'grant.revoke dashboard']);
  });

  it('offers and allows no restoration of a grant that a refund has revoked', async () => {
    const sale = await sold('feature_flag');
    const { body } = await api.call('POST /refunds', { body: { payment_id: sale.paymentId } });
    await finishRefund(body.refund_id);
    await sweep();
    const page = await show(pageOf(sale));
    expect(page).toContain('comes back by itself');
    expect(page).not.toContain('value="restore"');
    const refused = await press(pageOf(sale), 'restore');
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('It was not given back')]);
  });

  it('replaces a licence key once for two clicks on one form, and refuses a second form', async () => {
    const sale = await sold('license_key');
    const device = await activate(sale.key.key, 'Laptop');
    expect(await show(pageOf(sale))).toContain(device);
    const fields = { key_id: sale.key.id };
    const both = await Promise.all([
      press(pageOf(sale), 'reissue', fields, 'same'),
      press(pageOf(sale), 'reissue', fields, 'same'),
    ]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    const { license_key: made } = await grantOf(sale.entitlementId);
    expect(made.id).not.toBe(sale.key.id);
    expect([await isValid(sale.key.key), await isValid(made.key)]).toEqual([false, true]);
    expect(await show(pageOf(sale))).not.toContain(device);
    const late = await press(pageOf(sale), 'reissue', fields);
    expect([late.status, late.text]).toEqual([422, expect.stringContaining('It was not replaced')]);
    expect((await grantOf(sale.entitlementId)).license_key).toEqual(made);
    expect(await commandsOn(sale.key.id)).toEqual(['license_key.reissue dashboard']);
  });

  it('says whether the buyer was notified of the new licence key', async () => {
    const sale = await sold('license_key');
    const first = await press(pageOf(sale), 'reissue', { key_id: sale.key.id });
    expect(first.to).toBe(`${pageOf(sale)}?done=keyReplacedUnmailed`);
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${sale.paymentId}` })).body;
    const { event_id } = items.find(({ type }: { type: string }) => type === 'payment.succeeded');
    const detail = { event_id, payment_id: sale.paymentId, data: {} };
    await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
    const before = readdirSync(mails).length;
    const { id } = (await grantOf(sale.entitlementId)).license_key;
    expect((await press(pageOf(sale), 'reissue', { key_id: id })).to).toBe(`${pageOf(sale)}?done=keyReplaced`);
    expect(readdirSync(mails).length).toBe(before + 1);
  });

  it('can assign another code from the pool, and shows no devices or terms for codes', async () => {
    const sale = await sold('license_key', pool, ['GAME-1', 'GAME-2']);
    const page = await show(pageOf(sale));
    expect(page).toContain('another code of the pool');
    expect(page).not.toMatch(/value="(change_key|end_device)"/);
    await press(pageOf(sale), 'reissue', { key_id: sale.key.id });
    const { key } = (await grantOf(sale.entitlementId)).license_key;
    expect(new Set([key, sale.key.key])).toEqual(new Set(['GAME-1', 'GAME-2']));
  });

  it('requires the new key as an entry if the merchant’s own code creates keys', async () => {
    const made = await offer('license_key', { fulfillment_mode: 'manual' });
    const { grant } = await buy(made);
    await api.call(`POST /grants/${grant.id}/license-key`, { body: { key: `OWN-${grant.id}` } });
    const { license_key: key } = await grantOf(made.entitlementId);
    expect(await show(pageOf({ grant }))).toContain('name="new_key"');
    expect((await press(pageOf({ grant }), 'reissue', { key_id: key.id })).status).toBe(422);
    const taken = await press(pageOf({ grant }), 'reissue', { key_id: key.id, new_key: key.key });
    expect(taken.text).toContain('Another key has this text');
    await press(pageOf({ grant }), 'reissue', { key_id: key.id, new_key: `NEW-${grant.id}` });
    expect((await grantOf(made.entitlementId)).license_key.key).toBe(`NEW-${grant.id}`);
  });

  it('changes limit and expiry, removes them when emptied, and keeps the time of an unchanged day', async () => {
    const sale = await sold('license_key');
    const fields = { key_id: sale.key.id };
    await api.call(`PATCH /license_keys/${sale.key.id}`, { body: { expires_at: '2099-05-06T07:08:09.000Z' } });
    await press(pageOf(sale), 'change_key', { ...fields, limit: '5', expires: '2099-05-06' });
    const termsOf = async () => {
      const { activations_limit: limit, expires_at: expires } = (await grantOf(sale.entitlementId)).license_key;
      return [limit, expires];
    };
    expect(await termsOf()).toEqual([5, '2099-05-06T07:08:09.000Z']);
    await press(pageOf(sale), 'change_key', { ...fields, limit: '5', expires: '2099-06-07' });
    expect(await termsOf()).toEqual([5, '2099-06-07T00:00:00.000Z']);
    await press(pageOf(sale), 'change_key', { ...fields, limit: '', expires: '' });
    expect(await termsOf()).toEqual([null, null]);
    expect(await commandsOn(sale.key.id)).toHaveLength(4);
  });

  it.each([
    ['limit', '0'],
    ['limit', '1000001'],
    ['expires', '2099-02-30'],
  ])('refuses the %s %s with an error at the field, and keeps the entry', async (field, typed) => {
    const sale = await sold('license_key');
    const answer = await press(pageOf(sale), 'change_key', { key_id: sale.key.id, limit: '7', [field]: typed });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(`<a href="#${field}">`);
    expect(answer.text).toContain(`value="${typed}"`);
    expect((await grantOf(sale.entitlementId)).license_key.activations_limit).toBe(3);
  });

  it('ends the activation of one device once, which frees it for another device', async () => {
    const sale = await sold('license_key');
    const [laptop] = [await activate(sale.key.key, 'Laptop'), await activate(sale.key.key, 'Desktop')];
    const fields = { key_id: sale.key.id, device_id: laptop };
    for (let again = 0; again < 2; again += 1)
      expect((await press(pageOf(sale), 'end_device', fields)).to).toBe(`${pageOf(sale)}?done=deviceEnded`);
    const page = await show(pageOf(sale));
    expect(page).toContain('Desktop');
    expect(page).not.toContain('Laptop');
    expect(await licenseKeys().findActivation(laptop)).toMatchObject({ name: '', endedAt: expect.any(String) });
    expect((await grantOf(sale.entitlementId)).license_key.activations_used).toBe(1);
    expect(await commandsOn(sale.key.id)).toEqual(['license_key.end_instance dashboard']);
  });

  it('refuses the licence key and the device of another grant', async () => {
    const [one, other] = [await sold('license_key'), await sold('license_key')];
    const device_id = await activate(other.key.key, 'Laptop');
    expect((await press(pageOf(one), 'reissue', { key_id: other.key.id })).status).toBe(404);
    expect((await press(pageOf(one), 'end_device', { key_id: one.key.id, device_id })).status).toBe(404);
    expect(await isValid(other.key.key)).toBe(true);
  });

  it('has the order’s form to send the purchase mail again', async () => {
    const sale = await sold('feature_flag');
    expect(await show(pageOf(sale))).toContain(`action="/dashboard/payments/${sale.paymentId}/order"`);
  });
});

describe('the dashboard page of a payment', () => {
  it('lists its entitlements with links to the actions, and shows no list without entitlements', async () => {
    const sale = await sold('license_key');
    const page = await show(`/dashboard/payments/${sale.paymentId}`);
    expect(page).toContain('id="grants"');
    expect(page).toContain(`href="${pageOf(sale)}"`);
    expect(page).toContain(sale.key.key);
    expect(page).toContain('0 of 3 devices');
    const session = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const { id } = await pay(session, { expectedTotal: 1_999 });
    expect(await show(`/dashboard/payments/${id}`)).not.toContain('id="grants"');
  });

  it('says that an entitlement is not granted yet', async () => {
    const { productId } = await offer('feature_flag');
    const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
    const { id } = await pay(session, { expectedTotal: 1_999 });
    expect(await show(`/dashboard/payments/${id}`)).toContain('not issued yet');
  });
});

describe('the dashboard page of a customer', () => {
  it('lists the customer’s current grants of all payments, and no ended grant', async () => {
    const email = 'margaret@example.com';
    const key = await buy(await offer('license_key'), email);
    const flag = await buy(await offer('feature_flag'), email);
    const ended = await buy(await offer('digital_files'), email);
    await press(pageOf(ended), 'revoke');
    expect(new Set([key, flag, ended].map(({ customerId }) => customerId)).size).toBe(1);
    const page = await show(`/dashboard/customers/${key.customerId}`);
    for (const one of [key, flag]) expect(page).toContain(`href="${pageOf(one)}"`);
    expect(page).toContain(key.key.key);
    expect(page).not.toContain(`href="${pageOf(ended)}"`);
    await api.call('POST /refunds', { body: { payment_id: key.paymentId } });
    expect(await show(`/dashboard/customers/${key.customerId}`)).not.toContain(`href="${pageOf(key)}"`);
  });
});
