import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { withDownload } from '../../../shared/domain/entitlements/downloads.ts';
import { customers, grants, licenseKeys, payments } from '../../../shared/wiring/runtime.ts';
import type { Api } from '../../support/shop/api.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay, sell } from '../../support/shop/shop.ts';
import { declareByForm, declareByLink } from '../../support/shop/withdrawals.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { openPortal, type PortalVisitor } from './portal-visitor.ts';

let api: Api;
let shop: Awaited<ReturnType<typeof openPortal>>;
beforeAll(async () => {
  shop = await openPortal();
  api = shop.api;
});
afterAll(() => shop.close());
useShortPauses();

let count = 0;

interface Buyer {
  email: string;
  paymentId: string;
  customerId: string;
  visitor: PortalVisitor;
}

/** A buyer with an order, whose browser has a session of the portal. */
async function signedIn(): Promise<Buyer> {
  count += 1;
  const email = `ann${count}@account.example`;
  const { paymentId } = await sell(api, { email });
  const visitor = shop.visitor();
  await visitor.signIn(email);
  return { email, paymentId, visitor, customerId: (await payments().get(paymentId)).customer.id };
}

const crossSite = { 'sec-fetch-site': 'cross-site' };
const pathOf = ({ paymentId }: Buyer) => `/portal/orders/${paymentId}`;

async function issue(paymentId: string): Promise<void> {
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}&page_size=100` })).body;
  const event = items.find(({ type }: { type: string }) => type === 'payment.succeeded').event_id;
  await invokeFunction('documents/issue-documents', {
    'detail-type': 'payment.succeeded',
    detail: { event_id: event, payment_id: paymentId, data: {} },
  });
}

describe('“Send it to me again”', () => {
  it('mails the purchase to the order’s address, and mails nothing for another buyer’s order', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    await issue(owner.paymentId);
    const before = shop.mailsTo(owner.email).length;
    expect((await other.visitor.post(pathOf(owner), { step: 'send' })).status).toBe(404);
    expect((await owner.visitor.post(pathOf(owner), { step: 'send' }, crossSite)).status).toBe(404);
    expect(shop.mailsTo(owner.email)).toHaveLength(before);
    const { text } = await owner.visitor.post(pathOf(owner), { step: 'send' });
    expect(text).toContain('is on its way again');
    expect(shop.mailsTo(owner.email)).toHaveLength(before + 1);
  });

  it('mails one order at most five times an hour', async () => {
    const owner = await signedIn();
    await issue(owner.paymentId);
    const before = shop.mailsTo(owner.email).length;
    for (let index = 0; index < 5; index += 1) await owner.visitor.post(pathOf(owner), { step: 'send' });
    const { text } = await owner.visitor.post(pathOf(owner), { step: 'send' });
    expect(text).toContain('could not be sent now');
    expect(shop.mailsTo(owner.email)).toHaveLength(before + 5);
  });
});

describe('the devices of licence keys', () => {
  async function withDevice() {
    const buyer = await signedIn();
    const text = `OLD-KEY-OF-THE-BUYER-${count}`;
    const { body: key } = await api.call('POST /license_keys', {
      body: { customer_id: buyer.customerId, product_id: await addProduct(api), key: text, activations_limit: 2 },
    });
    const { body: device } = await api.call('POST /licenses/activate', {
      key: null,
      body: { license_key: text, name: 'The laptop' },
    });
    return { buyer, text, fields: { key: key.id as string, device: device.id as string } };
  }

  it('are listed for keys with and without a sale, and their activation ends once', async () => {
    const { buyer, text, fields } = await withDevice();
    const page = await buyer.visitor.get('/portal/keys');
    for (const shown of ['The laptop', text]) expect(page.text).toContain(shown);
    for (let press = 0; press < 2; press += 1)
      expect((await buyer.visitor.post('/portal/keys', fields)).text).not.toContain('The laptop');
    expect((await licenseKeys().get(fields.key)).activations).toBe(0);
  });

  it('are hidden from other buyers, other sites and visitors without a session', async () => {
    const { fields, text } = await withDevice();
    const other = await signedIn();
    expect((await other.visitor.get('/portal/keys')).text).not.toContain(text);
    const answers = [
      await other.visitor.post('/portal/keys', fields),
      await other.visitor.post('/portal/keys', { ...fields, key: 'lic_x' }),
      await shop.visitor().post('/portal/keys', fields),
      await other.visitor.post('/portal/keys', fields, crossSite),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 303, 404]);
    expect((await licenseKeys().get(fields.key)).activations).toBe(1);
  });
});

describe('the data of a buyer in the portal', () => {
  it('can be downloaded as a file, which has nothing of another buyer', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    const file = await owner.visitor.post('/portal/data', { step: 'file' });
    expect(file.headers['content-disposition']).toBe('attachment; filename="my-data.json"');
    expect(file.body).toMatchObject({
      email: owner.email,
      customers: [{ customer_id: owner.customerId, email: owner.email }],
      orders: [{ payment_id: owner.paymentId, total: 1_999, address: { country: 'DE' } }],
      has_older_orders: false,
    });
    expect(file.text).not.toContain(other.email);
    expect(file.text).not.toContain((await payments().get(owner.paymentId)).documentSecret);
  });

  it('include what was typed with the address into the form of withdrawals, and nothing about orders of others', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    await sell(api, { email: owner.email }); // one of two orders cannot be meant
    const lost = await declareByForm(api, { reference: 'The book that I bought', email: owner.email.toUpperCase() });
    const foreign = await declareByForm(api, { reference: other.paymentId, email: owner.email });
    const own = await declareByForm(api, { reference: `mine: ${owner.paymentId}`, email: owner.email });
    for (const id of [lost, foreign])
      await api.call(`POST /withdrawals/${id}/decide`, {
        body: { outcome: id === lost ? 'close' : 'refund', note: 'As agreed.' },
      });
    const file = (await owner.visitor.post('/portal/data', { step: 'file' })).body;
    expect(file.typed_withdrawals).toMatchObject([
      { withdrawal_id: lost, reference: 'The book that I bought', decision: { outcome: 'closed' } },
      { withdrawal_id: foreign, reference: other.paymentId, decision: null },
    ]);
    expect(file.orders.map(({ withdrawals }: { withdrawals: object[] }) => withdrawals)).toMatchObject([
      [],
      [{ withdrawal_id: own, email: owner.email }],
    ]);
  });

  it('leave out who typed a declaration about an order with an address of somebody else', async () => {
    const owner = await signedIn();
    const id = await declareByForm(api, { reference: `her ${owner.paymentId}`, email: 'eve@account.example' });
    const file = await owner.visitor.post('/portal/data', { step: 'file' });
    expect(file.body.orders[0].withdrawals).toMatchObject([
      { withdrawal_id: id, name: null, email: null, reference: null },
    ]);
    expect([file.body.typed_withdrawals, file.text.includes('eve@')]).toEqual([[], false]);
  });

  it('include the name, which the buyer can change, also for the API', async () => {
    const [owner, other] = [await signedIn(), await signedIn()];
    expect((await owner.visitor.post('/portal/data', { step: 'name', name: ' ' })).status).toBe(422);
    await owner.visitor.post('/portal/data', { step: 'name', name: 'Ann Again' });
    const nameOf = async ({ customerId }: Buyer) => (await api.call(`GET /customers/${customerId}`)).body.name;
    expect([await nameOf(owner), await nameOf(other)]).toEqual(['Ann Again', 'A Buyer']);
    expect((await owner.visitor.get('/portal')).text).toContain(owner.paymentId);
  });

  it('can be read and changed only in a session, and not from another site', async () => {
    const owner = await signedIn();
    const stranger = shop.visitor();
    const answers = [
      await stranger.get('/portal/data'),
      await stranger.post('/portal/data', { step: 'file' }),
      await owner.visitor.post('/portal/data', { step: 'erase' }, crossSite),
      await owner.visitor.post('/portal/data', { step: 'name', name: 'x'.repeat(300_000) }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 404, 413]);
  });
});

/** A purchase with all that is stored about one: consents, goods, a device, a download, mails and a withdrawal. */
async function fullPurchase() {
  count += 1;
  const email = `all${count}@account.example`;
  const licence = { name: 'Atlas', integration_type: 'license_key', integration_config: { activations_limit: 3 } };
  const { id: entitlement_id } = (await api.call('POST /entitlements', { body: licence })).body;
  const productId = await addProduct(api, { entitlements: [{ entitlement_id }] });
  const session = await createSession(api, [{ product_id: productId, quantity: 1 }]);
  const consents = [{ kind: 'terms' as const, language: 'en', text: 'I agree to the terms.' }];
  const supplyConsents = [{ kind: 'immediate_supply' as const, language: 'en', text: 'At once, please.', lines: [0] }];
  const { id: paymentId } = await pay(session, { expectedTotal: 1_999, email, consents, supplyConsents });
  await sweep();
  await issue(paymentId);
  const [grant] = (
    await grants().list({ of: { entitlementId: entitlement_id } }, { size: 1, skip: 0, after: undefined })
  ).items;
  if (!grant) throw new Error('The purchase gave nothing.');
  await grants().save({
    grant: withDownload(await grants().get(grant.id), 'fil_atlas', new Date('2026-11-26T10:00:00.000Z')),
  });
  const { key } = await licenseKeys().get(grant.licenseKeyId ?? '');
  await api.call('POST /licenses/activate', { key: null, body: { license_key: key, name: 'The old laptop' } });
  return { email, paymentId, withdrawalId: await declareByLink(api, paymentId), key };
}

it('the file of a buyer’s data contains consents, goods, downloads, devices, mails and declarations, but no licence key', async () => {
  const { email, withdrawalId, key } = await fullPurchase();
  const visitor = shop.visitor();
  await visitor.signIn(email);
  const { body, text } = await visitor.post('/portal/data', { step: 'file' });
  expect(body.orders).toMatchObject([
    {
      consents: [{ kind: 'terms', language: 'en', text: 'I agree to the terms.', at: expect.any(String) }],
      supply_consents: [{ kind: 'immediate_supply', text: 'At once, please.', lines: [0], at: expect.any(String) }],
      goods: [
        {
          name: 'Atlas',
          type: 'license_key',
          status: 'delivered',
          downloads: [{ file_id: 'fil_atlas', first_at: '2026-11-26T10:00:00.000Z', count: 1 }],
        },
      ],
      withdrawals: [{ withdrawal_id: withdrawalId, source: 'order_link', email, received_at: expect.any(String) }],
      mails: [{ what: 'sent', about: 'document', at: expect.any(String) }],
    },
  ]);
  expect(body.license_keys).toMatchObject([{ product: 'Field Guide (e-book)', devices: [{ name: 'The old laptop' }] }]);
  expect(text).not.toContain(key);
});

describe('a buyer’s request for the erasure of data', () => {
  it('is in the merchant’s list with its deadline until the merchant erases, and erases nothing by itself', async () => {
    const owner = await signedIn();
    const key = await api.addKey({ access: 'admin' });
    const { cookies } = await browse(api, key);
    const list = async () =>
      (await api.call('GET /dashboard/customers', { key: null, cookies, headers: { 'accept-language': 'en' } })).text;
    const listed = async () => (await list()).includes('Buyers ask for erasure');
    expect(await listed()).toBe(false);
    for (let press = 0; press < 3; press += 1)
      expect((await owner.visitor.post('/portal/data', { step: 'erase' })).text).toContain('has your request');
    expect(await customers().find(owner.customerId)).toBeUndefined();
    const text = await list();
    expect(text.split(`/dashboard/customers/${owner.customerId}">${owner.customerId}`)).toHaveLength(2);
    expect(text).toContain('to be answered by');
    await api.call(`POST /customers/${owner.customerId}/erase`);
    expect(await listed()).toBe(false);
  });
});
