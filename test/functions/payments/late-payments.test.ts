import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { afterPayment, type CheckoutSession } from '../../../shared/domain/checkout/checkout-session.ts';
import { sessionChargeOf } from '../../../shared/domain/payments/charge.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { recordPaymentEvent } from '../../../shared/events/catalogue.ts';
import { newId, now, payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { pay } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

let shop: StripeShop;
const mails = mkdtempSync(join(tmpdir(), 'late-'));
beforeAll(async () => {
  process.env['MAIL_FOLDER'] = mails;
  shop = await startStripeShop({}, { ...testMerchant, supportEmail: 'help@example.com' });
});
afterEach(() => {
  shop.fake.fate = () => 'answered';
});
afterAll(async () => {
  await shop.stop();
  rmSync(mails, { recursive: true });
});
useShortPauses();

/** Tells that the session of a payment was completed. */
const tell = (reference: string) =>
  shop.notify(
    JSON.stringify(
      shop.fake.notifications.events.findLast(
        (event) => event.type === 'checkout.session.completed' && JSON.stringify(event).includes(reference),
      ),
    ),
  );
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));
const ledgerOf = (id: string) => shop.fake.ledger().find(({ paymentId }) => paymentId === id);
const alerts = () => shop.api.log.filter((line) => line.includes('late-payment-returned')).length;
const eventsOf = async (id: string): Promise<string[]> => {
  const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
  return (items as { type: string; sequence: number }[])
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ type }) => type);
};

/** The headers of the mails that the documents of a refund cause. */
async function mailsOf(paymentId: string, refundId: string): Promise<string[]> {
  const before = new Set(readdirSync(mails));
  const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const { event_id } = items.find(({ type }: { type: string }) => type === 'refund.succeeded');
  const detail = { event_id, payment_id: paymentId, data: { refund_id: refundId } };
  await invokeFunction('documents/issue-documents', { 'detail-type': 'refund.succeeded', detail });
  const added = readdirSync(mails).filter((name) => !before.has(name));
  return added.map((name) => readFileSync(join(mails, name), 'utf8').split('\r\n\r\n')[0] ?? '');
}

/** A payment that we have given up, and that the buyer can still pay. */
async function givenUp(fields: Partial<Payment> = {}, email = 'buyer@example.com') {
  const begun = await shop.begin({ email });
  const reference = String(begun.reference);
  const { payAt: _, ...open } = await payments().get(begun.id);
  const ended: Payment = { ...open, status: 'cancelled', updatedAt: now().toISOString(), ...fields };
  const { payment, event } = recordPaymentEvent(ended, { id: newId('evt'), now: ended.updatedAt });
  const session = afterPayment(await sessions().get(payment.sessionId), sessionChargeOf(payment), false);
  await payments().saveCharge({ session, payment, event });
  return { id: begun.id, sessionId: begun.sessionId, reference };
}

/** Expires a session, and records that its event was sent. */
async function expire(sessionId: string, fields: Partial<CheckoutSession> = {}): Promise<void> {
  const session = await sessions().get(sessionId);
  const told = { announcesExpiry: true, status: 'expired' as const, expiresAt: now().toISOString() };
  await sessions().save({ ...session, ...told, ...fields });
}

/** The session to which the recovery link of another leads. */
async function opened(sessionId: string): Promise<string> {
  const options = { key: null, headers: { 'sec-fetch-site': 'same-origin' } };
  const { headers } = await shop.api.call(`POST /checkout/${sessionId}/recover`, options);
  return /\/checkout\/(cks_\w+)/.exec(headers['location'] ?? '')?.[1] ?? '';
}

describe('money that arrives after its payment was marked as failed', () => {
  it.each([
    { gaveUp: 'cancelled', fields: {} },
    { gaveUp: 'failed before it had a reference', fields: { status: 'failed' as const, reference: null } },
  ])('completes its session if the session is still unpaid: $gaveUp', async ({ fields }) => {
    const { id, sessionId, reference } = await givenUp(fields);
    shop.payAt(reference);
    for (const _ of [1, 2, 3]) expect((await tell(reference)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({
      status: 'succeeded',
      refundable: 1_999,
      late: { isReturned: false },
    });
    expect(await sessions().get(sessionId)).toMatchObject({ status: 'completed', paymentId: id });
    expect((await eventsOf(id)).at(-1)).toBe('payment.succeeded');
    expect(await faults()).toEqual([]);
  });

  it('is booked and returned in full, once and with an alarm, when the session is already paid', async () => {
    const { id, sessionId, reference } = await givenUp();
    const other = await pay(sessionId, { expectedTotal: 1_999 });
    const before = alerts();
    shop.payAt(reference);
    await Promise.all([tell(reference), tell(reference), tell(reference)]);
    expect((await tell(reference)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({
      status: 'succeeded',
      refundable: 0,
      refunded: 1_999,
      late: { isReturned: true },
    });
    const [refund] = (await payments().get(id)).refunds;
    expect(await payments().getRefund(String(refund?.id))).toMatchObject({ status: 'succeeded', origin: 'late' });
    expect(ledgerOf(id)).toMatchObject({ paid: 1_999, refunded: 1_999 });
    expect(await sessions().get(sessionId)).toMatchObject({ status: 'completed', paymentId: other.id });
    expect(await eventsOf(id)).toEqual(['payment.cancelled', 'payment.succeeded', 'refund.succeeded']);
    expect(alerts() - before).toBe(1);
    expect(await faults()).toEqual([]);
  });

  it('is returned when the buyer has paid in a recovered session', async () => {
    const { id, sessionId, reference } = await givenUp();
    await expire(sessionId);
    const again = await opened(sessionId);
    const other = await pay(again, { expectedTotal: 1_999 });
    shop.payAt(reference);
    expect((await tell(reference)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({ refunded: 1_999, late: { isReturned: true } });
    expect(await sessions().get(sessionId)).toMatchObject({ status: 'expired' });
    expect(await sessions().get(again)).toMatchObject({ status: 'completed', paymentId: other.id });
    expect(await faults()).toEqual([]);
  });

  it('completes an expired session that was not recovered, and the recovery link leads to it', async () => {
    const { id, sessionId, reference } = await givenUp();
    await expire(sessionId);
    shop.payAt(reference);
    await tell(reference);
    expect(await payments().get(id)).toMatchObject({ status: 'succeeded', late: { isReturned: false } });
    expect(await opened(sessionId)).toBe(sessionId);
  });

  it('is returned when it is for a recovered session that expired and was recovered again', async () => {
    const { id, sessionId, reference } = await givenUp();
    const first = (await shop.begin()).sessionId;
    await expire(first, { recoveredBy: sessionId, paymentStatus: 'cancelled' });
    await sessions().save({ ...(await sessions().get(sessionId)), expiresAt: now().toISOString() });
    const third = await opened(first);
    expect([first, sessionId]).not.toContain(third);
    await pay(third, { expectedTotal: 1_999 });
    shop.payAt(reference);
    await tell(reference);
    expect(await payments().get(id)).toMatchObject({ refunded: 1_999, late: { isReturned: true } });
  });

  it('is returned later when the processor cannot take the refund request at once', async () => {
    const { id, sessionId, reference } = await givenUp();
    await pay(sessionId, { expectedTotal: 1_999 });
    shop.payAt(reference);
    shop.fake.fate = ({ method, path }) => (method === 'POST' && path === 'refunds' ? 'request-lost' : 'answered');
    expect((await tell(reference)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({ status: 'succeeded', pending: 1_999, refundable: 0 });
    expect(await faults()).toEqual([]);
  });

  it('makes the processor send its notification again while the processor does not answer our check', async () => {
    const { id, reference } = await givenUp();
    shop.payAt(reference);
    shop.fake.fate = () => 'broken';
    expect((await tell(reference)).status).toBe(503);
    expect((await payments().get(id)).status).toBe('cancelled');
  });

  it('is not booked when the processor reports that no money has arrived', async () => {
    const { id, reference } = await givenUp();
    const body = JSON.stringify({
      ...{ id: 'evt_1', object: 'event', type: 'checkout.session.completed', livemode: false },
      data: { object: { id: reference, client_reference_id: id, metadata: { payment_id: id, merchant_id: 'demo' } } },
    });
    expect((await shop.notify(body)).status).toBe(200);
    expect((await payments().get(id)).status).toBe('cancelled');
  });
});

describe('money that arrives after the buyer’s data was erased', () => {
  it('completes its session, and its invoice does not name the erased buyer', async () => {
    const { id, sessionId, reference } = await givenUp({}, 'erased@example.com');
    const { customer } = await payments().get(id);
    expect((await shop.api.call(`POST /customers/${customer.id}/erase`)).status).toBe(200);
    await invokeFunction('customers/erase-customers', {});
    shop.payAt(reference);
    expect((await tell(reference)).status).toBe(200);
    expect(await sessions().get(sessionId)).toMatchObject({ status: 'completed', paymentId: id });
    const { erasedAt, ...payment } = await payments().get(id);
    expect(payment).toMatchObject({
      status: 'succeeded',
      customer: { email: '', name: '' },
      card: { lastFour: '4242' },
    });
    expect([typeof erasedAt, payment.cardDetails]).toEqual(['string', undefined]);
    const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
    const { event_id } = items.find(({ type }: { type: string }) => type === 'payment.succeeded');
    const { data } = (await shop.api.call(`GET /webhook-events/${event_id}`)).body.body;
    expect(data).toMatchObject({ card_exp_year: null, three_ds_flow: null });
    const sent = readdirSync(mails).length;
    const detail = { event_id, payment_id: id, data: {} };
    await invokeFunction('documents/issue-documents', { 'detail-type': 'payment.succeeded', detail });
    expect(readdirSync(mails)).toHaveLength(sent);
    const { body } = await shop.api.call(`GET /invoices/payments/${id}`, { query: 'format=json' });
    expect(body).toMatchObject({ total_amount: 1_999, buyer: { name: '', email: '', address: { country: 'DE' } } });
    expect(await faults()).toEqual([]);
  });
});

/** Last, because it issues documents without the mails of their sales. */
describe('the return of late money', () => {
  it('is mailed to the buyer and, unlike an ordinary refund, also to the merchant', async () => {
    const { id, sessionId, reference } = await givenUp();
    const other = await pay(sessionId, { expectedTotal: 1_999 });
    shop.payAt(reference);
    await tell(reference);
    const [late] = (await payments().get(id)).refunds;
    const [returned, ...more] = await mailsOf(id, String(late?.id));
    expect(more).toEqual([]);
    expect(returned).toContain('To: buyer@example.com');
    expect(returned).toContain('Bcc: help@example.com');
    const { refund_id } = (await shop.api.call('POST /refunds', { body: { payment_id: other.id, amount: 100 } })).body;
    const [ordinary] = await mailsOf(other.id, refund_id);
    expect(ordinary).toContain('To: buyer@example.com');
    expect(ordinary).not.toContain('Bcc:');
  });
});
