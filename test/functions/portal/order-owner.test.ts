import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { customerIdOf } from '../../../shared/domain/ids.ts';
import { documents } from '../../../shared/wiring/books.ts';
import { customers, payments, portals, world } from '../../../shared/wiring/runtime.ts';
import { type Api, testMerchant } from '../../support/shop/api.ts';
import { type Browsing, browse, postForm } from '../../support/shop/dashboard.ts';
import { sell } from '../../support/shop/shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';
import { dumpRows } from '../../support/table/rows.ts';
import { openPortal, type PortalVisitor } from './portal-visitor.ts';

let api: Api;
let shop: Awaited<ReturnType<typeof openPortal>>;
let admin: Browsing;
beforeAll(async () => {
  shop = await openPortal();
  api = shop.api;
  admin = await browse(api, await api.addKey({ access: 'admin' }));
});
afterAll(() => shop.close());
useShortPauses();
afterEach(() => vi.restoreAllMocks());

let count = 0;
const newEmail = (): string => {
  count += 1;
  return `buyer${count}@owner.example`;
};

/** A sale whose first mail was sent. */
async function sold(email = newEmail()) {
  const { paymentId } = await sell(api, { email });
  const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const detail = { event_id: items[0].event_id, payment_id: paymentId, data: {} };
  await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
  return { email, paymentId, customerId: (await payments().get(paymentId)).customer.id };
}

async function signedIn(email: string): Promise<PortalVisitor> {
  const visitor = shop.visitor();
  await visitor.signIn(email);
  return visitor;
}

let forms = 0;
/** Presses a button of an order's page in the dashboard. */
async function press(paymentId: string, action: string, more = {}): Promise<string> {
  forms += 1;
  const fields = { action, token: admin.token, form: `form-${forms}`, ...more };
  const { headers } = await postForm(api, `/dashboard/payments/${paymentId}/order`, fields, admin.cookies);
  return headers['location']?.split('?')[1] ?? '';
}

/** Corrects the address of an order, and returns the new one. */
async function corrected(paymentId: string, email = newEmail()): Promise<string> {
  expect(await press(paymentId, 'correct', { email })).toBe('said=corrected');
  return email;
}

const send = (visitor: PortalVisitor, paymentId: string) =>
  visitor.post(`/portal/orders/${paymentId}`, { step: 'send' });
const sees = async (visitor: PortalVisitor, paymentId: string) => {
  const { text } = await visitor.get('/portal');
  const opened = await visitor.post(`/portal/orders/${paymentId}`, { step: 'open' });
  return [text.includes(paymentId), opened.status];
};
const erase = async (customerId: string) => {
  expect((await api.call(`POST /customers/${customerId}/erase`)).status).toBe(200);
  await invokeFunction('customers/erase-customers', {});
};
const requests = async () => (await portals().listErasureRequests()).map(({ customerId }) => customerId);

describe('an order whose e-mail address the merchant corrected', () => {
  it('is listed in the portal of the corrected address, and no longer in that of the mistyped one', async () => {
    const { email, paymentId } = await sold();
    const stranger = await signedIn(email);
    expect(await sees(stranger, paymentId)).toEqual([true, 303]);
    const buyer = await signedIn(await corrected(paymentId));
    expect(await sees(buyer, paymentId)).toEqual([true, 303]);
    expect(await sees(stranger, paymentId)).toEqual([false, 404]);
    const before = shop.mailsTo(email).length;
    await shop.visitor().ask(email);
    expect(shop.mailsTo(email)).toHaveLength(before);
  });

  it('gets the mail about its refund at the corrected address, and not at the mistyped one', async () => {
    const { email, paymentId } = await sold();
    const right = await corrected(paymentId);
    const before = shop.mailsTo(email).length;
    const { body } = await api.call('POST /refunds', { body: { payment_id: paymentId } });
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
    const event = items.find(({ type }: { type: string }) => type === 'refund.succeeded');
    const detail = { event_id: event.event_id, payment_id: paymentId, data: { refund_id: body.refund_id } };
    await invokeFunction('documents/issue-documents', { 'detail-type': 'refund.succeeded', detail });
    const { document } = await documents().find(body.refund_id);
    expect(document?.number).toMatch(/^CRN-/);
    expect(shop.mailsTo(right).at(-1)?.text).toContain(document?.number);
    expect(shop.mailsTo(email)).toHaveLength(before);
  });

  it('is listed with the other orders of that address, and moves again with a second correction', async () => {
    const [wrong, mine] = [await sold(), await sold()];
    await corrected(wrong.paymentId, mine.email);
    const visitor = await signedIn(mine.email);
    const { text } = await visitor.get('/portal');
    expect([text.includes(wrong.paymentId), text.includes(mine.paymentId)]).toEqual([true, true]);
    const last = await signedIn(await corrected(wrong.paymentId));
    expect(await sees(last, wrong.paymentId)).toEqual([true, 303]);
    expect(await sees(visitor, wrong.paymentId)).toEqual([false, 404]);
  });

  it('stays when the customer of the mistyped address is erased', async () => {
    const wrong = await sold();
    const other = await sold(wrong.email);
    const email = await corrected(wrong.paymentId);
    await erase(wrong.customerId);
    expect((await customers().find(wrong.customerId))?.erasure?.endedAt).toEqual(expect.any(String));
    expect((await payments().get(wrong.paymentId)).customer.email).toBe(email);
    expect((await payments().get(other.paymentId)).customer.email).toBe('');
    expect(await sees(await signedIn(email), wrong.paymentId)).toEqual([true, 303]);
  });

  it('is erased with the customer of the corrected address, whom the buyer’s request names', async () => {
    const wrong = await sold();
    const kept = await sold(wrong.email);
    const email = await corrected(wrong.paymentId);
    const ownId = customerIdOf(testMerchant.id, email);
    const visitor = await signedIn(email);
    expect((await visitor.post('/portal/data', { step: 'erase' })).text).toContain('has your request');
    expect(await requests()).toContain(ownId);
    expect(await requests()).not.toContain(wrong.customerId);
    const page = await api.call(`GET /dashboard/customers/${ownId}`, { key: null, cookies: admin.cookies });
    expect([page.status, page.text.includes(email)]).toEqual([200, true]);
    await erase(ownId);
    expect((await payments().get(wrong.paymentId)).erasedAt).toEqual(expect.any(String));
    expect((await payments().get(kept.paymentId)).erasedAt).toBeUndefined();
    expect((await customers().find(ownId))?.erasure?.endedAt).toEqual(expect.any(String));
    expect(await requests()).not.toContain(ownId);
  });

  it('is not erased while it is still pending', async () => {
    const { paymentId } = await sold();
    const email = await corrected(paymentId);
    const payment = await payments().get(paymentId);
    await payments().save({ ...payment, status: 'processing' });
    const refused = await api.call(`POST /customers/${customerIdOf(testMerchant.id, email)}/erase`);
    expect(refused.status).toBe(409);
    const now = await payments().get(paymentId);
    await payments().save({ ...now, status: 'succeeded' });
  });
});

describe('an order of a customer whose e-mail address the merchant changed', () => {
  it('moves to the new address, even if the customer has bought again with another one', async () => {
    const first = await sold();
    const second = newEmail();
    await api.call(`PATCH /customers/${first.customerId}`, { body: { email: second } });
    const payment = await payments().get(first.paymentId);
    await payments().save({ ...payment, customer: { ...payment.customer, email: second } }); // as a sale to the named customer has it
    const third = newEmail();
    await api.call(`PATCH /customers/${first.customerId}`, { body: { email: third } });
    expect(await sees(await signedIn(third), first.paymentId)).toEqual([true, 303]);
  });

  it('is mailed to the new address when it is requested again', async () => {
    const { email, paymentId, customerId } = await sold();
    const moved = newEmail();
    await api.call(`PATCH /customers/${customerId}`, { body: { email: moved } });
    const visitor = await signedIn(moved);
    const before = [shop.mailsTo(email).length, shop.mailsTo(moved).length];
    expect((await send(visitor, paymentId)).text).toContain('is on its way again');
    expect([shop.mailsTo(email).length, shop.mailsTo(moved).length]).toEqual([before[0], (before[1] ?? 0) + 1]);
  });
});

describe('the mails of the portal’s button “send it to me again”', () => {
  it('go to the corrected address of the order', async () => {
    const { email, paymentId } = await sold();
    const now = await corrected(paymentId);
    const visitor = await signedIn(now);
    const before = [shop.mailsTo(email).length, shop.mailsTo(now).length];
    await send(visitor, paymentId);
    expect([shop.mailsTo(email).length, shop.mailsTo(now).length]).toEqual([before[0], (before[1] ?? 0) + 1]);
  });

  it('do not use up the mails for portal links and for corrections by the merchant', async () => {
    const { email, paymentId } = await sold();
    const visitor = await signedIn(email);
    for (let index = 0; index < 8; index += 1) await send(visitor, paymentId);
    const before = shop.mailsTo(email).length;
    await shop.visitor().ask(email);
    expect(shop.mailsTo(email)).toHaveLength(before + 1);
    await corrected(paymentId);
  });

  it('are limited to twenty an hour for all orders of an address', async () => {
    const email = newEmail();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await sold(email)).paymentId);
    const visitor = await signedIn(email);
    const before = shop.mailsTo(email).length;
    for (const id of ids) for (let index = 0; index < 5; index += 1) await send(visitor, id);
    expect(shop.mailsTo(email)).toHaveLength(before + 20);
  });
});

describe('a buyer’s request for erasure', () => {
  it('is refused in a session whose address has no orders any more', async () => {
    const { email, customerId } = await sold();
    const visitor = await signedIn(email);
    await api.call(`PATCH /customers/${customerId}`, { body: { email: newEmail() } });
    const before = await requests();
    expect((await visitor.post('/portal/data', { step: 'erase' })).status).toBe(404);
    expect(await requests()).toEqual(before);
  });

  it('stays in the merchant’s list until the erasure, with the oldest request first, page by page', async () => {
    const { email, customerId } = await sold();
    const visitor = await signedIn(email);
    await visitor.post('/portal/data', { step: 'erase' });
    const year = Date.now() + 365 * 86_400_000;
    const later = new Date(year);
    vi.spyOn(world, 'now').mockImplementation(() => later);
    for (let index = 0; index < 120; index += 1) {
      const requestedAt = new Date(year + index).toISOString();
      await portals().saveErasureRequest({ customerId: `cus_waiting${index}`, requestedAt }, undefined);
    }
    const own = (await dumpRows(api.table)).find(({ name }) => name.startsWith(`PORTAL#ERASURE#${customerId} `));
    expect(own?.text).toContain(customerId);
    expect(own?.text).not.toContain('ttl');
    vi.restoreAllMocks();
    const show = async (from: number) =>
      (
        await api.call('GET /dashboard/customers', {
          key: null,
          cookies: admin.cookies,
          query: from === 0 ? '' : `erasures_from=${from}`,
          headers: { 'accept-language': 'en' },
        })
      ).text;
    const first = await show(0);
    expect(first).toContain(customerId);
    expect(first).toContain('erasures_from=50');
    const listed = [first, await show(50), await show(100)].join();
    for (let index = 0; index < 120; index += 1) expect(listed).toContain(`>cus_waiting${index}<`);
    await erase(customerId);
    expect(await requests()).not.toContain(customerId);
  });
});

describe('the language of mails to a buyer', () => {
  const choose = (visitor: PortalVisitor, language: string) =>
    visitor.post('/portal/data', { step: 'name', name: 'Ann Buyer', language });

  it('is the one that the buyer chooses in the portal, for purchases, later purchases, refunds and links', async () => {
    const { email, paymentId } = await sold();
    expect(shop.mailsTo(email)[0]?.text).toContain('has received your payment');
    const visitor = await signedIn(email);
    expect((await choose(visitor, 'de')).text).toMatch(/<option value="de"[^>]* selected>/);
    await send(visitor, paymentId);
    expect(shop.mailsTo(email).at(-1)?.text).toContain('erhalten');
    await shop.visitor().ask(email);
    expect(shop.mailsTo(email).at(-1)?.text).toContain('Der Link gilt 15 Minuten');
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: paymentId } });
    const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
    const event = items.find(({ type }: { type: string }) => type === 'refund.succeeded');
    const detail = { event_id: event.event_id, payment_id: paymentId, data: { refund_id: refund.refund_id } };
    await invokeFunction('documents/issue-documents', { 'detail-type': 'refund.succeeded', detail });
    expect(shop.mailsTo(email).at(-1)?.text).toContain('Rechnungskorrektur');
    await sold(email);
    expect(shop.mailsTo(email).at(-1)?.text).toContain('erhalten');
  });

  it('stays unchanged for an unknown language, and is removed by an erasure', async () => {
    const { email, customerId } = await sold();
    const visitor = await signedIn(email);
    await choose(visitor, 'xx');
    expect((await customers().find(customerId))?.language).toBeUndefined();
    await choose(visitor, 'fr');
    expect((await customers().find(customerId))?.language).toBe('fr');
    await erase(customerId);
    expect((await customers().find(customerId))?.language).toBeUndefined();
  });
});
