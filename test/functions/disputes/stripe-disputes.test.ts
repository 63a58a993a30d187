import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import {
  challengeDispute,
  closeDispute,
  escalateDispute,
  openDispute,
  warnOfFraud,
} from '../../../infra/local/stripe/disputes.ts';
import { failRefund } from '../../../infra/local/stripe/refunds.ts';
import { revertRefund } from '../../../shared/use-cases/payments/revert-refund.ts';
import { reviewPayment } from '../../../shared/use-cases/payments/review-payment.ts';
import { settleRefund } from '../../../shared/use-cases/payments/settle-refund.ts';
import { everythingButNotifications } from '../../../shared/wiring/processor.ts';
import { countedPayments, disputes, newId, now, payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterEach(() => {
  shop.fake.fate = () => 'answered';
});
afterAll(() => shop.stop());
useShortPauses();

function eventOf(type: string, id: string): string {
  const event = shop.fake.notifications.events.findLast((one) => JSON.stringify(one).includes(id) && one.type === type);
  if (!event) throw new Error(`There is no ${type} of ${id}.`);
  return JSON.stringify(event);
}

/** Sends the notification of the newest event of a type about an object. */
const tell = (type: string, id: string) => shop.notify(eventOf(type, id));
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));

/** A payment that was paid, booked and disputed. */
async function disputed(means = '4242424242424242') {
  const payment = await shop.begin();
  shop.payAt(String(payment.reference), means);
  const session = shop.fake.account.sessions.get(String(payment.reference));
  const intent = shop.fake.account.intents.get(String(session?.payment_intent));
  if (!intent) throw new Error('There is no intent.');
  await tell('checkout.session.completed', String(payment.reference));
  const dispute = openDispute(shop.fake.account, intent, { reason: 'fraudulent', status: 'needs_response' });
  return { id: payment.id, dispute };
}

describe('a Stripe notification of a dispute', () => {
  it('lowers the refundable amount, and restores it when the dispute is won', async () => {
    const { id, dispute } = await disputed();
    for (const type of ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.created'])
      expect((await tell(type, dispute.id)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({
      refundable: 0,
      disputed: 1_999,
      disputes: [{ status: 'opened' }],
    });
    challengeDispute(shop.fake.account, dispute.id);
    await tell('charge.dispute.updated', dispute.id);
    closeDispute(shop.fake.account, dispute.id, 'won');
    await tell('charge.dispute.closed', dispute.id);
    expect(await payments().get(id)).toMatchObject({ refundable: 1_999, disputed: 0, disputes: [{ status: 'won' }] });
    const { body } = await shop.api.call('GET /webhook-events', { query: `payment_id=${id}` });
    const types = body.items
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith('dispute'));
    expect(types.sort()).toEqual(['dispute.challenged', 'dispute.opened', 'dispute.won']);
    expect(await faults()).toEqual([]);
  });

  it('holds the whole payment while the bank holds money in another currency', async () => {
    const { id, dispute } = await disputed();
    Object.assign(dispute, { currency: 'usd', amount: 2_300 });
    expect((await tell('charge.dispute.created', dispute.id)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({ disputed: 1_999, refundable: 0, currency: 'EUR' });
    const {
      disputes: [listed],
    } = await payments().get(id);
    const booked = await disputes().get(String(listed?.id));
    expect(booked).toMatchObject({ amount: 1_999, currency: 'EUR', claimed: { amount: 2_300, currency: 'USD' } });
    const { cookies } = await browse(shop.api, localKey);
    const page = await shop.api.call(`GET /dashboard/disputes/${booked.id}`, { cookies, key: null });
    expect(page.text).toContain('$23.00');
    closeDispute(shop.fake.account, dispute.id, 'won');
    await tell('charge.dispute.closed', dispute.id);
    expect(await payments().get(id)).toMatchObject({ disputed: 0, refundable: 1_999 });
    expect(await faults()).toEqual([]);
  });

  it('first completes the payment when its own notification was lost', async () => {
    const payment = await shop.begin();
    shop.payAt(String(payment.reference), '4000000000000259');
    const [dispute] = [...shop.fake.account.disputes.values()].slice(-1);
    expect((await tell('charge.dispute.created', String(dispute?.id))).status).toBe(200);
    expect(await payments().get(payment.id)).toMatchObject({ status: 'succeeded', disputed: 1_999 });
    expect(await faults()).toEqual([]);
  });

  it('is refused, so Stripe sends it again, while Stripe does not answer our check', async () => {
    const { id, dispute } = await disputed();
    shop.fake.fate = ({ path }) => (path.startsWith('disputes') ? 'broken' : 'answered');
    const answer = await tell('charge.dispute.created', dispute.id);
    expect([answer.status, answer.body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect((await payments().get(id)).disputed).toBe(0);
    shop.fake.fate = () => 'answered';
    expect((await tell('charge.dispute.created', dispute.id)).status).toBe(200);
    expect((await payments().get(id)).disputed).toBe(1_999);
  });

  it('is ignored when the charge in the account is not ours', async () => {
    const { id, dispute } = await disputed();
    const intent = shop.fake.account.intents.get(String(dispute.payment_intent));
    if (intent) intent.metadata = {};
    expect((await tell('charge.dispute.created', dispute.id)).status).toBe(200);
    expect((await payments().get(id)).disputes).toEqual([]);
  });

  it('keeps the disputed amount not refundable when the bank has made the refund impossible', async () => {
    const begun = await shop.begin();
    shop.payAt(String(begun.reference));
    await tell('checkout.session.completed', String(begun.reference));
    const { id, transaction } = await payments().get(begun.id);
    shop.fake.fate = ({ method, path }) => (method === 'POST' && path === 'refunds' ? 'request-lost' : 'answered');
    const { body } = await shop.api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
    expect(body.status).toBe('pending');
    const intent = shop.fake.account.intents.get(String(transaction));
    if (!intent) throw new Error('There is no intent.');
    const dispute = openDispute(shop.fake.account, intent, { reason: 'fraudulent', status: 'needs_response' });
    await tell('charge.dispute.created', dispute.id);
    closeDispute(shop.fake.account, dispute.id, 'lost');
    await tell('charge.dispute.closed', dispute.id);
    expect(await payments().get(id)).toMatchObject({ pending: 500, disputed: 1_499, refundable: 0 });
    shop.fake.fate = () => 'answered';
    const stores = { payments: countedPayments(), sessions: sessions(), disputes: disputes() };
    const deps = { ...stores, processor: everythingButNotifications(), alert: () => {}, now, newId };
    await settleRefund(deps, body.refund_id);
    expect((await payments().getRefund(body.refund_id)).status).toBe('failed');
    expect(await reviewPayment(deps, await payments().get(id))).toBeNull();
    const payment = await payments().get(id);
    expect(payment).toMatchObject({ pending: 0, disputed: 1_999, refundable: 0, refunded: 0 });
    expect(payment.reviewAt).toBeUndefined();
    expect(await faults()).toEqual([]);
  });

  it('causes one more check of the dispute when a refund fails, and then none', async () => {
    const { id, dispute } = await disputed();
    await tell('charge.dispute.created', dispute.id);
    closeDispute(shop.fake.account, dispute.id, 'won');
    await tell('charge.dispute.closed', dispute.id);
    const { body } = await shop.api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
    expect(body.status).toBe('succeeded');
    failRefund(shop.fake.account, String((await payments().getRefund(body.refund_id)).reference));
    const stores = { payments: countedPayments(), sessions: sessions(), disputes: disputes() };
    const deps = { ...stores, processor: everythingButNotifications(), alert: () => {}, now, newId };
    await revertRefund(deps, body.refund_id);
    expect((await payments().get(id)).reviewAt).toEqual(expect.any(String));
    expect(await reviewPayment(deps, await payments().get(id))).toBeNull();
    const payment = await payments().get(id);
    expect(payment).toMatchObject({ disputed: 0, refundable: 1_999, refunded: 0 });
    expect(payment.reviewAt).toBeUndefined();
    expect(await faults()).toEqual([]);
  });

  it('is unnecessary if the charge is already disputed at its first report: the sweep checks the charge', async () => {
    const payment = await shop.begin();
    shop.payAt(String(payment.reference), '4000000000000259');
    await tell('checkout.session.completed', String(payment.reference));
    expect((await payments().get(payment.id)).reviewAt).toEqual(expect.any(String));
  });

  it('has its effect even if the fee of the charge is reported first', async () => {
    const { transaction, ...payment } = await shop.begin();
    expect(transaction).toBeUndefined();
    shop.payAt(String(payment.reference), '4000000000000259');
    const intent = [...shop.fake.account.intents.values()].at(-1);
    const charge = [...shop.fake.account.charges.values()].at(-1);
    const fee = charge?.balance_transaction;
    if (!intent || !charge || !fee) throw new Error('There is no charge.');
    charge.balance_transaction = null;
    await tell('checkout.session.completed', String(payment.reference));
    charge.balance_transaction = fee;
    await tell('charge.updated', charge.id);
    expect((await payments().get(payment.id)).fee).toEqual({ amount: 55, currency: 'EUR' });
    expect((await payments().get(payment.id)).reviewAt).toEqual(expect.any(String));
    clock.stopAt(new Date(Date.now() + 10_000).toISOString());
    await invokeFunction('events/sweep-due', {});
    clock.run();
    expect(await payments().get(payment.id)).toMatchObject({ disputed: 1_999, disputes: [{ status: 'opened' }] });
    expect((await payments().get(payment.id)).reviewAt).toBeUndefined();
  });
});

/** What rang the alarm for money, by the names of the alerts. */
const alertsAbout = (id: string) =>
  shop.api.log.flatMap((line) => {
    const { alert, payment_id } = JSON.parse(line);
    return alert && payment_id === id ? [alert as string] : [];
  });
const typesOf = async (id: string): Promise<string[]> => {
  const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
  return (items as { type: string; sequence: number }[])
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ type }) => type);
};
const look = async (path: string) => {
  const { cookies } = await browse(shop.api, localKey);
  return (await shop.api.call(`GET ${path}`, { cookies, key: null })).text;
};

/** A payment that was paid and booked, with its intent. */
async function paid() {
  const { id, reference } = await shop.begin();
  shop.payAt(String(reference));
  await tell('checkout.session.completed', String(reference));
  const session = shop.fake.account.sessions.get(String(reference));
  const intent = shop.fake.account.intents.get(String(session?.payment_intent));
  if (!intent) throw new Error('There is no intent.');
  return { id, intent };
}

describe('an inquiry that becomes a chargeback', () => {
  it.each([
    { after: 'while it waits', challenges: false, told: ['dispute.opened', 'dispute.opened'] },
    { after: 'after evidence', challenges: true, told: ['dispute.opened', 'dispute.challenged', 'dispute.opened'] },
  ])('$after sends an event and raises an alarm, and the pages show the new deadline', async ({ challenges, told }) => {
    const { id, intent } = await paid();
    const opening = { reason: 'general', status: 'warning_needs_response' } as const;
    const dispute = openDispute(shop.fake.account, intent, opening);
    await tell('charge.dispute.created', dispute.id);
    expect(await payments().get(id)).toMatchObject({ disputed: 0, refundable: 1_999 });
    const [inquiry] = (await payments().get(id)).disputes;
    expect(await look(`/dashboard/disputes/${inquiry?.id}`)).toContain('inquiry: the bank only asks');
    if (challenges) {
      challengeDispute(shop.fake.account, dispute.id);
      await tell('charge.dispute.updated', dispute.id);
    }
    expect(alertsAbout(id)).toEqual([]);
    dispute.evidence_details.due_by = 1;
    escalateDispute(shop.fake.account, dispute.id);
    for (const type of ['charge.dispute.updated', 'charge.dispute.funds_withdrawn', 'charge.dispute.updated'])
      expect((await tell(type, dispute.id)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({ disputed: 1_999, refundable: 0 });
    expect((await typesOf(id)).filter((type) => type.startsWith('dispute'))).toEqual(told);
    expect(alertsAbout(id)).toEqual(['dispute-escalated']);
    const due = new Date((dispute.evidence_details.due_by ?? 0) * 1_000).toISOString();
    const { body } = await shop.api.call(`GET /disputes/${inquiry?.id}`);
    expect(body).toMatchObject({ dispute_stage: 'dispute', dispute_status: 'dispute_opened', evidence_due_by: due });
    const page = await look(`/dashboard/disputes/${inquiry?.id}`);
    for (const text of ['now a chargeback', `datetime="${due}"`]) expect(page).toContain(text);
    expect(await look('/dashboard/disputes')).toContain(`due until <time datetime="${due}"`);
    expect(await faults()).toEqual([]);
  });
});

describe('an early fraud warning', () => {
  it('is shown on its payment and sent as an event, with an alarm, until a refund has avoided the dispute', async () => {
    const { id, intent } = await paid();
    const warning = warnOfFraud(shop.fake.account, intent);
    for (const _ of [1, 2, 3]) expect((await tell('radar.early_fraud_warning.created', warning.id)).status).toBe(200);
    expect((await typesOf(id)).at(-1)).toBe('payment.fraud_warned');
    expect((await typesOf(id)).filter((type) => type === 'payment.fraud_warned')).toHaveLength(1);
    expect(alertsAbout(id)).toEqual(['fraud-warning']);
    const shown = { fraud_type: 'made_with_stolen_card', is_actionable: true };
    expect((await shop.api.call(`GET /payments/${id}`)).body.early_fraud_warning).toMatchObject(shown);
    const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
    const { event_id } = items.find(({ type }: { type: string }) => type === 'payment.fraud_warned');
    const event = (await shop.api.call(`GET /webhook-events/${event_id}`)).body.body;
    expect(event.data).toMatchObject({ payload_type: 'Payment', early_fraud_warning: shown });
    expect(await look(`/dashboard/payments/${id}`)).toContain('Refund it in full before it becomes a dispute');
    await shop.api.call('POST /refunds', { body: { payment_id: id } });
    await tell('radar.early_fraud_warning.updated', warning.id);
    expect(await payments().get(id)).toMatchObject({ refunded: 1_999, fraudWarning: { isActionable: false } });
    expect(await look(`/dashboard/payments/${id}`)).not.toContain('before it becomes a dispute');
    expect(alertsAbout(id)).toEqual(['fraud-warning']);
    expect(await faults()).toEqual([]);
  });

  it('first completes the payment when its own notification was lost', async () => {
    const { id, reference } = await shop.begin();
    shop.payAt(String(reference));
    const session = shop.fake.account.sessions.get(String(reference));
    const intent = shop.fake.account.intents.get(String(session?.payment_intent));
    if (!intent) throw new Error('There is no intent.');
    const warning = warnOfFraud(shop.fake.account, intent);
    expect((await tell('radar.early_fraud_warning.created', warning.id)).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({ status: 'succeeded', fraudWarning: { reference: warning.id } });
  });

  it.each([
    { why: 'the key lacks the new right', rights: ['GET checkout/sessions/{id}'], metadata: {} },
    { why: 'the charge belongs to another shop', rights: undefined, metadata: { merchant_id: 'another' } },
  ])('is accepted without any effect when $why', async ({ rights, metadata }) => {
    const { id, intent } = await paid();
    const warning = warnOfFraud(shop.fake.account, intent);
    const charge = shop.fake.account.charges.get(String(intent.latest_charge));
    Object.assign(charge?.metadata ?? {}, metadata);
    shop.fake.account.rights = rights && new Set(rights);
    const answer = await tell('radar.early_fraud_warning.created', warning.id);
    shop.fake.account.rights = undefined;
    expect(answer.status).toBe(200);
    expect((await payments().get(id)).fraudWarning).toBeUndefined();
    expect(alertsAbout(id)).toEqual([]);
  });

  it('is refused, so Stripe sends it again, while Stripe does not answer our check', async () => {
    const { id, intent } = await paid();
    const warning = warnOfFraud(shop.fake.account, intent);
    shop.fake.fate = ({ path }) => (path.startsWith('radar') ? 'broken' : 'answered');
    expect((await tell('radar.early_fraud_warning.created', warning.id)).status).toBe(503);
    shop.fake.fate = () => 'answered';
    expect((await tell('radar.early_fraud_warning.created', warning.id)).status).toBe(200);
    expect((await payments().get(id)).fraudWarning).toMatchObject({ isActionable: true });
  });
});

describe('the dashboard page of a disputed payment', () => {
  it('shows the evidence and its deadline, links to the processor’s page, and offers no refund during the dispute', async () => {
    const { id, dispute } = await disputed();
    await tell('charge.dispute.created', dispute.id);
    const { cookies } = await browse(shop.api, localKey);
    const look = async (path: string) => (await shop.api.call(`GET ${path}`, { cookies, key: null })).text;
    const list = await look('/dashboard/disputes');
    const due = new Date((dispute.evidence_details.due_by ?? 0) * 1_000).toISOString();
    expect(list).toMatch(/Field Guide \(e-book\).*A Buyer/s);
    expect(list).toContain(`due until <time datetime="${due}"`);
    expect(list).toContain(`<a href="${shop.fake.url}" rel="noreferrer">Answer at the processor</a>`);
    const [, row = 'none'] = /href="(\/dashboard\/disputes\/[^"]+)"/.exec(list) ?? [];
    expect(await look(row)).toContain(`href="/dashboard/payments/${id}"`);
    const page = await look(`/dashboard/payments/${id}`);
    for (const text of ['Taken by the bank', 'Processor’s fee', '€0.55', '€19.44']) expect(page).toContain(text);
    expect(page).not.toContain('value="refund"');
    const overview = await look('/dashboard');
    expect(overview).toContain('Processor’s fees');
  });
});
