import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runBooks } from '../../../infra/commands/books.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { closeDispute, openDispute, warnOfFraud } from '../../../infra/local/stripe/disputes.ts';
import { createStripeRefund, failRefund } from '../../../infra/local/stripe/refunds.ts';
import { afterPayment } from '../../../shared/domain/checkout/checkout-session.ts';
import { sessionChargeOf } from '../../../shared/domain/payments/charge.ts';
import type { Payment } from '../../../shared/domain/payments/payment.ts';
import { payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { pay } from '../../support/shop/shop.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { typed } from '../../support/wire/command.ts';

let shop: StripeShop;
let day = 0;
beforeAll(async () => {
  shop = await startStripeShop();
});
/** Days apart, so that each comparison sees only its own payments. */
beforeEach(() => {
  day += 1;
  clock.stopAt(`${2030 + day}-03-01T12:00:00.000Z`);
});
afterEach(() => {
  shop.fake.fate = () => 'answered';
  shop.fake.account.settlement = undefined;
});
afterAll(async () => {
  clock.run();
  await shop.stop();
});

const tell = (type: string) =>
  shop.notify(JSON.stringify(shop.fake.notifications.events.findLast((event) => event.type === type)));
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));

/** Compares an hour later, and says which differences rang the alarm. */
async function compare(): Promise<string[]> {
  clock.forward({ hours: 1 });
  const before = shop.api.log.length;
  await invokeFunction('processor/reconcile-account', {});
  const said = shop.api.log.slice(before).map((line) => JSON.parse(line));
  return said.flatMap(({ alert, difference }) => (alert ? [difference ?? alert] : []));
}

/** What is asked first: whether the key may read each list, and which events the endpoint hears. */
const rightsAsked = [
  'payment_intents',
  'disputes',
  'balance_transactions',
  'balance',
  'payouts',
  'radar/early_fraud_warnings',
  'webhook_endpoints',
];

async function begun(means?: string) {
  const payment = await shop.begin();
  shop.payAt(String(payment.reference), means);
  const session = shop.fake.account.sessions.get(String(payment.reference));
  const intent = shop.fake.account.intents.get(String(session?.payment_intent));
  if (!intent) throw new Error('There is no intent.');
  return { id: payment.id, sessionId: payment.sessionId, intent, reference: String(payment.reference) };
}

async function paid() {
  const payment = await begun();
  await tell('checkout.session.completed');
  return payment;
}

const refundAtStripe = (intentId: string, amount?: number) =>
  createStripeRefund(shop.fake.account, { intentId, amount, metadata: {}, reason: null });

describe('the daily comparison of our books with the processor’s account', () => {
  it('finds no difference when there is none, with one request for each list', async () => {
    const { id } = await paid();
    await shop.api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
    const before = shop.fake.calls.length;
    expect(await compare()).toEqual([]);
    const asked = shop.fake.calls.slice(before).map(({ path }) => path);
    expect(asked.slice(0, 7)).toEqual(rightsAsked);
    expect(asked.slice(7)).toEqual([
      'checkout/sessions',
      'balance_transactions',
      'balance_transactions',
      'refunds',
      'disputes',
      'radar/early_fraud_warnings',
      'payouts',
    ]);
  });

  it('notes an early fraud warning whose notification was lost, once, with its own alarm', async () => {
    const { id, intent } = await paid();
    const older = warnOfFraud(shop.fake.account, intent);
    clock.forward({ minutes: 30 });
    const warning = warnOfFraud(shop.fake.account, intent);
    expect(await compare()).toEqual(['fraud-warning']);
    expect((await payments().get(id)).fraudWarning).toMatchObject({ reference: warning.id, isActionable: true });
    expect(older.id).not.toBe(warning.id);
    expect(await compare()).toEqual([]);
    await shop.api.call('POST /refunds', { body: { payment_id: id } });
    expect(await compare()).toEqual([]);
    expect((await payments().get(id)).fraudWarning).toMatchObject({ isActionable: false });
    expect(await faults()).toEqual([]);
  });

  it('completes a payment whose notification was lost', async () => {
    const { id } = await begun();
    expect(await compare()).toEqual(['payment-behind']);
    expect((await payments().get(id)).status).toBe('succeeded');
    expect(await compare()).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  it('returns money that came after the payment had failed and whose notification was lost', async () => {
    const { id, sessionId } = await begun();
    const { payAt: _, ...open } = await payments().get(id);
    const ended: Payment = { ...open, status: 'cancelled' };
    const session = afterPayment(await sessions().get(sessionId), sessionChargeOf(ended), false);
    await payments().saveCharge({ session, payment: ended });
    await pay(sessionId, { expectedTotal: 1_999 });
    expect(await compare()).toEqual(['payment-behind', 'late-payment-returned']);
    expect(await payments().get(id)).toMatchObject({ refunded: 1_999 });
  });

  it.each([
    { days: 5, keeps: 'with its reference', reference: {} },
    { days: 60, keeps: 'without its reference', reference: { reference: null } },
  ])('finds money that came $days days after its payment was marked as failed, $keeps', async ({ days, reference }) => {
    const { id, sessionId, intent } = await begun('debit');
    const { payAt: _, ...open } = await payments().get(id);
    const ended: Payment = { ...open, status: 'cancelled', ...reference };
    const session = afterPayment(await sessions().get(sessionId), sessionChargeOf(ended), false);
    await payments().saveCharge({ session, payment: ended });
    clock.forward({ hours: 24 * days });
    shop.fake.finish();
    expect(intent.status).toBe('succeeded');
    expect(await compare()).toEqual(['payment-behind']);
    expect(await payments().get(id)).toMatchObject({ status: 'succeeded', refundable: 1_999 });
    expect(await compare()).toEqual([]);
    expect(await faults()).toEqual([]);
  });

  it('works with a key that may not read the balance', async () => {
    const { id, intent } = await paid();
    refundAtStripe(intent.id, 700);
    const lists = ['GET checkout/sessions', 'GET refunds', 'GET disputes'];
    shop.fake.account.rights = new Set([...lists, 'GET checkout/sessions/{id}']);
    expect(await compare()).toEqual(['refund-foreign', 'refund-adopted']);
    shop.fake.account.rights = undefined;
    expect((await payments().get(id)).refunded).toBe(700);
  });

  it('adopts a refund that was made in the processor’s dashboard, and never refunds it again', async () => {
    const { id, intent } = await paid();
    refundAtStripe(intent.id, 700);
    expect(await compare()).toEqual(['refund-foreign', 'refund-adopted']);
    expect(await payments().get(id)).toMatchObject({ refundable: 1_299, refunded: 700 });
    const [refund] = (await payments().get(id)).refunds;
    expect(await payments().getRefund(String(refund?.id))).toMatchObject({ status: 'succeeded', origin: 'processor' });
    expect(await compare()).toEqual([]);
    expect(shop.fake.ledger().find(({ paymentId }) => paymentId === id)).toMatchObject({ refunded: 700 });
    expect(await faults()).toEqual([]);
  });

  it('reports a dashboard refund that does not fit our books', async () => {
    const { id, intent } = await paid();
    const { body } = await shop.api.call('POST /refunds', { body: { payment_id: id, amount: 1_500 } });
    const charge = shop.fake.account.charges.get(String(intent.latest_charge));
    if (charge) charge.amount_refunded = 0;
    refundAtStripe(intent.id, 700);
    expect(body.status).toBe('succeeded');
    expect(await compare()).toEqual(['refund-foreign', 'refund-not-adopted']);
    expect(await payments().get(id)).toMatchObject({ refundable: 499, refunded: 1_500 });
  });

  it('notices that a refund was returned by the bank, also one made in the processor’s dashboard', async () => {
    const { id, intent } = await paid();
    await shop.api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
    refundAtStripe(intent.id, 700);
    await compare();
    for (const refund of shop.fake.account.refunds.values())
      if (refund.payment_intent === intent.id) failRefund(shop.fake.account, refund.id);
    expect((await compare()).sort()).toEqual([
      'refund-behind',
      'refund-behind',
      'refund-came-back',
      'refund-came-back',
    ]);
    expect(await payments().get(id)).toMatchObject({ refundable: 1_999, refunded: 0 });
    expect(await faults()).toEqual([]);
  });

  it('notices a dispute, and its end', async () => {
    const { id, intent } = await paid();
    const dispute = openDispute(shop.fake.account, intent, { reason: 'fraudulent', status: 'needs_response' });
    expect(await compare()).toEqual(['dispute-behind']);
    expect((await payments().get(id)).disputed).toBe(1_999);
    closeDispute(shop.fake.account, dispute.id, 'won');
    expect(await compare()).toEqual(['dispute-behind']);
    expect(await payments().get(id)).toMatchObject({ disputed: 0, disputes: [{ status: 'won' }] });
  });

  it('stores a fee that the processor reported late, without an alarm', async () => {
    const { id, intent } = await begun();
    const charge = shop.fake.account.charges.get(String(intent.latest_charge));
    const transaction = charge?.balance_transaction ?? null;
    if (charge) charge.balance_transaction = null;
    await tell('checkout.session.completed');
    expect(await payments().get(id)).toMatchObject({ status: 'succeeded', reviewAt: expect.any(String) });
    if (charge) charge.balance_transaction = transaction;
    expect(await compare()).toEqual([]);
    expect((await payments().get(id)).fee).toEqual({ amount: 55, currency: 'EUR' });
    expect((await payments().get(id)).reviewAt).toBeUndefined();
  });

  it('leaves a fee in the account’s currency to the sweep, which reads it an hour after the payment', async () => {
    shop.fake.account.settlement = { currency: 'usd', rate: 1.1, afterSeconds: 3_600 };
    const { id } = await paid();
    expect(await payments().get(id)).toMatchObject({ status: 'succeeded', refundable: 1_999 });
    expect((await payments().get(id)).fee).toBeUndefined();
    clock.forward({ hours: 2 });
    await invokeFunction('events/sweep-due', {});
    // 1.5 % of 19.99 EUR is 0.30, and 0.25: 0.55 EUR at 1.1 is 0.605 USD
    expect((await payments().get(id)).fee).toEqual({ amount: 61, currency: 'USD' });
    expect((await payments().get(id)).reviewAt).toBeUndefined();
    expect(await compare()).toEqual([]);
  });

  it('checks each day for a fee that cannot be read, without an alarm, and the sweep stops after a day', async () => {
    shop.fake.account.settlement = { currency: 'isk', rate: 140, afterSeconds: 0 };
    const { id } = await paid();
    clock.forward({ hours: 25 });
    await invokeFunction('events/sweep-due', {});
    expect((await payments().get(id)).reviewAt).toBeUndefined();
    const before = shop.fake.calls.length;
    expect(await compare()).toEqual([]);
    const { reference } = await payments().get(id);
    expect(shop.fake.calls.slice(before).map(({ path }) => path)).toContain(`checkout/sessions/${reference}`);
    expect(await payments().get(id)).toMatchObject({ status: 'succeeded', refundable: 1_999 });
  });

  it.each([
    { gone: 'the charge', from: 'sessions', says: ['charge-missing'] },
    { gone: 'the refund', from: 'refunds', says: ['refund-missing'] },
    { gone: 'the dispute', from: 'disputes', says: ['dispute-missing'] },
  ] as const)('reports when $gone is missing in the account', async ({ from, says }) => {
    const { id, intent } = await paid();
    await shop.api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
    openDispute(shop.fake.account, intent, { reason: 'fraudulent', status: 'needs_response', amount: 100 });
    await tell('charge.dispute.created');
    const kept = new Map(shop.fake.account[from] as Map<string, never>);
    shop.fake.account[from].clear();
    expect(await compare()).toEqual(says);
    for (const [key, value] of kept) (shop.fake.account[from] as Map<string, unknown>).set(key, value);
  });

  it('reports a charge or refund of ours in the account that our table does not have', async () => {
    const { intent, reference } = await paid();
    const session = shop.fake.account.sessions.get(reference);
    if (session) session.client_reference_id = 'pay_lost';
    const refund = createStripeRefund(shop.fake.account, {
      intentId: intent.id,
      amount: 100,
      metadata: { refund_id: 'ref_lost' },
      reason: null,
    });
    expect((await compare()).sort()).toEqual(['charge-missing', 'charge-unknown', 'refund-unknown']);
    shop.fake.account.refunds.delete(refund.id);
  });

  it('never advises a refund of a charge that may belong to another stack', async () => {
    const { reference, intent } = await paid();
    const session = shop.fake.account.sessions.get(reference);
    if (session) session.client_reference_id = 'pay_of_another_stack';
    intent.metadata = { ...intent.metadata, payment_id: 'pay_of_another_stack' };
    const before = shop.api.log.length;
    expect(await compare()).toContain('charge-unknown');
    const advice = shop.api.log.slice(before).join(' ');
    expect(advice).toContain('another stack');
    expect(advice).not.toMatch(/refund the (charge|difference)/);
  });

  it('reports amounts that differ', async () => {
    const { reference } = await paid();
    const session = shop.fake.account.sessions.get(reference);
    if (session) session.amount_total = 1_998;
    expect(await compare()).toEqual(['amount-differs']);
  });
});

describe('npm run books -- check', () => {
  const merchants = mkdtempSync(join(tmpdir(), 'merchants-'));
  const check = (...more: string[]) => {
    const stage = ['--merchant', 'demo', '--stage', 'sandbox', '--merchants', merchants];
    return typed(runBooks, ['check', ...stage, '--table', shop.api.tableName, ...more]);
  };
  const write = (stages: object) =>
    writeFileSync(
      join(merchants, 'demo.json'),
      JSON.stringify({ merchant: { id: 'demo', name: 'Example Books', country: 'DE' }, stages }),
    );
  afterAll(() => rmSync(merchants, { recursive: true }));

  it('prints each difference with the account and what to do about it, and changes nothing', async () => {
    clock.stopAt(new Date(Date.now() - 3_600_000).toISOString());
    const { id, intent } = await paid();
    const refund = refundAtStripe(intent.id, 700);
    write({ sandbox: { processor: { name: 'stripe' } } });
    const { code, out } = await check('--processor-url', shop.fake.url);
    expect(code).toBe(1);
    expect(out).toContain(`refund-foreign (${refund.id}). A refund was made at the processor.`);
    expect(await payments().get(id)).toMatchObject({ refundable: 1_999, refunded: 0 });
    write({ sandbox: {} });
    expect((await check('--processor-url', shop.fake.url)).out).not.toContain('refund-foreign');
    shop.fake.account.refunds.delete(refund.id);
  });

  it('prints an error when the processor’s key is not set', async () => {
    write({ sandbox: { processor: { name: 'stripe' } } });
    const values = new Map(shop.parameters.values);
    shop.parameters.values.clear();
    const { code, out, error } = await check('--processor-url', shop.fake.url);
    for (const [name, value] of values) shop.parameters.values.set(name, value);
    expect([code, out + error]).toEqual([1, expect.stringContaining('key is not set')]);
  });
});

describe('a notification from Stripe', () => {
  it('adopts a refund that was made in the processor’s dashboard, once', async () => {
    const { id, intent } = await paid();
    refundAtStripe(intent.id, 700);
    for (const _ of [1, 2, 3]) expect((await tell('refund.created')).status).toBe(200);
    expect(await payments().get(id)).toMatchObject({
      refundable: 1_299,
      refunded: 700,
      refunds: [{ status: 'succeeded' }],
    });
    expect(await faults()).toEqual([]);
  });

  it('stores a fee that the processor reported late', async () => {
    const { id, intent } = await begun();
    const charge = shop.fake.account.charges.get(String(intent.latest_charge));
    const transaction = charge?.balance_transaction ?? null;
    if (charge) charge.balance_transaction = null;
    await tell('checkout.session.completed');
    expect((await payments().get(id)).fee).toBeUndefined();
    if (charge) charge.balance_transaction = transaction;
    expect((await tell('charge.updated')).status).toBe(200);
    expect((await payments().get(id)).fee).toEqual({ amount: 55, currency: 'EUR' });
  });
});
