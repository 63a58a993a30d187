import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import { cancelStripeRefund, endStripeRefund, topUp, traceRefund } from '../../../infra/local/stripe/refunds.ts';
import type { RefundState } from '../../../shared/domain/payments/refund.ts';
import { type SettleRefundDeps, settleRefund } from '../../../shared/use-cases/payments/settle-refund.ts';
import { newId, now, payments, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { stripeAt } from '../../support/processors.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { browse, postForm } from '../../support/shop/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterAll(() => shop.stop());
afterEach(() => {
  const { account } = shop.fake;
  topUp(account, 'eur', 10_000);
  Object.assign(account, { available: undefined, shortage: 'refused', rights: undefined });
  shop.fake.fate = () => 'answered';
  clock.run();
});

async function sold(means = '4242424242424242'): Promise<string> {
  const { id, reference } = await shop.begin();
  shop.payAt(String(reference), means);
  const paid = shop.fake.notifications.events.findLast(({ type }) => type === 'checkout.session.completed');
  expect((await shop.notify(JSON.stringify(paid))).status).toBe(200);
  return id;
}

const refund = async (payment_id: string, amount = 500) =>
  (await shop.api.call('POST /refunds', { body: { payment_id, amount } })).body;
const readRefund = async (id: string) => (await shop.api.call(`GET /refunds/${id}`)).body;
const sweepAfter = async (passed: { hours?: number; minutes?: number; days?: number }) => {
  clock.forward(passed);
  await invokeFunction('events/sweep-due', {});
};
const logFrom = (from: number) => shop.api.log.slice(from).map((line) => JSON.parse(line));
const refunded = (paymentId: string) => shop.fake.ledger().find((line) => line.paymentId === paymentId)?.refunded;
const keysOf = (refundId: string) =>
  shop.fake.calls.flatMap(({ method, path, idempotencyKey: key = '' }) =>
    `${method} ${path}` === 'POST refunds' && key.startsWith(refundId) ? [key] : [],
  );
async function pageOf(paymentId: string): Promise<string> {
  const { cookies } = await browse(shop.api, localKey);
  return (await shop.api.call(`GET /dashboard/payments/${paymentId}`, { cookies, key: null })).text;
}

describe('a refund that Stripe refuses because the balance is too low', () => {
  it('is requested again within an hour with a new key, which is stored first, and is paid once', async () => {
    const id = await sold();
    shop.fake.account.available = new Map([['eur', 499]]);
    const { refund_id, status, pending_reason } = await refund(id);
    expect([status, pending_reason]).toEqual(['pending', 'balance']);
    const stored = await payments().getRefund(refund_id);
    expect(stored).toMatchObject({ reference: null, ask: { number: 2 }, refusal: { code: 'balance_insufficient' } });
    await sweepAfter({ minutes: 4 });
    expect(keysOf(refund_id)).toEqual([refund_id]);
    topUp(shop.fake.account, 'eur', 1);
    await sweepAfter({ minutes: 2 });
    expect(keysOf(refund_id)).toEqual([refund_id, `${refund_id}-2`]);
    expect(await readRefund(refund_id)).toMatchObject({ status: 'succeeded', pending_reason: null });
    expect([refunded(id), (await payments().get(id)).refunded]).toEqual([500, 500]);
  });

  it('is requested with one new key after another while money is missing, after a check of Stripe’s list each time', async () => {
    const id = await sold();
    shop.fake.account.available = new Map();
    const { refund_id } = await refund(id);
    for (let hour = 0; hour < 5; hour += 1) await sweepAfter({ hours: 1 });
    expect(keysOf(refund_id)).toEqual([refund_id, ...[2, 3, 4, 5, 6].map((number) => `${refund_id}-${number}`)]);
    const calls = shop.fake.calls.map(({ method, path }) => `${method} ${path}`);
    const last = calls.lastIndexOf('POST refunds');
    expect(calls.slice(last - 1, last + 2)).toEqual(['GET refunds', 'POST refunds', 'GET refunds']);
    shop.fake.account.available = undefined;
    await sweepAfter({ hours: 1 });
    expect([refunded(id), (await readRefund(refund_id)).status]).toEqual([500, 'succeeded']);
  });

  it('is paid once even if the answer to its new key is lost for days', async () => {
    const id = await sold();
    shop.fake.account.available = new Map();
    const { refund_id } = await refund(id);
    shop.fake.account.available = undefined;
    shop.fake.fate = ({ method }) => (method === 'POST' ? 'answer-lost' : 'answered');
    await sweepAfter({ hours: 1 });
    expect((await readRefund(refund_id)).status).toBe('pending');
    expect(refunded(id)).toBe(500);
    shop.fake.fate = () => 'answered';
    await sweepAfter({ days: 3 });
    expect([refunded(id), (await readRefund(refund_id)).status]).toEqual([500, 'succeeded']);
  });

  it('raises one alarm after a day, which says what the refund waits for', async () => {
    const id = await sold();
    shop.fake.account.available = new Map();
    const { refund_id } = await refund(id);
    const from = shop.api.log.length;
    await sweepAfter({ hours: 23 });
    expect(logFrom(from).filter(({ alert }) => alert === 'refund-waits')).toEqual([]);
    for (let hour = 0; hour < 5; hour += 1) await sweepAfter({ hours: 1 });
    const alerts = logFrom(from).filter(
      ({ alert, refund_id: about }) => alert === 'refund-waits' && about === refund_id,
    );
    expect(alerts).toMatchObject([{ payment_id: id, waits_for: 'balance', code: 'balance_insufficient' }]);
  });
});

interface TellingEvent {
  type: string;
  refund_id: string;
  pending_reason: string | null;
  sequence: number;
}

/** A refund that has not reached Stripe yet, whose balance is empty. */
async function neverAsked(paymentId: string): Promise<string> {
  Object.assign(shop.fake.account, { available: new Map(), shortage: 'pending' });
  shop.fake.fate = () => 'request-lost';
  const { refund_id } = await refund(paymentId);
  shop.fake.fate = () => 'answered';
  return refund_id;
}

/** The parts of a sweep that asks about a refund. `ask` answers instead of Stripe. */
function settlingBy(ask?: () => Promise<RefundState>): SettleRefundDeps {
  const account = stripeAt(shop.fake, { now });
  const processor = ask ? { ...account, refund: ask, findRefund: ask } : account;
  return { payments: payments(), processor, alert: () => {}, now, newId };
}

/** The events about the refund of a payment, oldest first, with what endpoints read in them. */
async function toldOf(paymentId: string): Promise<TellingEvent[]> {
  const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body;
  const bodies = await Promise.all(
    items.map(
      async ({ event_id }: { event_id: string }) => (await shop.api.call(`GET /webhook-events/${event_id}`)).body.body,
    ),
  );
  return bodies
    .filter(({ data }) => data.refund_id)
    .map(({ type, sequence, data }) => ({
      type,
      sequence,
      refund_id: data.refund_id,
      pending_reason: data.pending_reason,
    }))
    .sort((a, b) => a.sequence - b.sequence);
}

describe('The event of a refund that waits', () => {
  it('is sent once, names the reason of the delay, and has a place in the payment’s sequence', async () => {
    const id = await sold();
    shop.fake.account.available = new Map();
    const { refund_id } = await refund(id);
    const first = { type: 'refund.delayed', refund_id, pending_reason: 'balance', sequence: 2 };
    expect(await toldOf(id)).toEqual([first]);
    for (let hour = 0; hour < 3; hour += 1) await sweepAfter({ hours: 1 });
    expect(keysOf(refund_id)).toHaveLength(4);
    expect(await toldOf(id)).toEqual([first]);
    expect((await payments().get(id)).events).toBe(2);
    expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
    shop.fake.account.available = undefined;
    await sweepAfter({ hours: 1 });
    expect(await toldOf(id)).toMatchObject([first, { type: 'refund.succeeded', sequence: 3 }]);
  });

  it('is sent again if the refund later waits for another reason', async () => {
    const id = await sold('4000000000007726');
    shop.fake.account.available = new Map();
    await refund(id);
    shop.fake.account.available = undefined;
    await sweepAfter({ hours: 1 });
    await sweepAfter({ hours: 1 });
    expect((await toldOf(id)).map(({ type, pending_reason }) => `${type} ${pending_reason}`)).toEqual([
      'refund.delayed balance',
      'refund.delayed bank',
    ]);
  });

  it('is sent once even if a slower answer of Stripe names no reason', async () => {
    const id = await sold();
    const refund_id = await neverAsked(id);
    let answers = 0;
    const slow = settlingBy(async () => {
      answers += 1;
      if (answers === 1) await settleRefund(settlingBy(), refund_id);
      const { reference, waitsFor } = await payments().getRefund(refund_id);
      return { status: 'pending', reference, why: answers === 1 ? null : (waitsFor ?? null) };
    });
    await settleRefund(slow, refund_id);
    await sweepAfter({ minutes: 10 });
    expect(await toldOf(id)).toMatchObject([{ type: 'refund.delayed', pending_reason: 'balance', sequence: 2 }]);
  });

  it('is not sent again because an alarm is noted while another sweep learns the reason', async () => {
    const id = await sold();
    const refund_id = await neverAsked(id);
    clock.forward({ days: 15 });
    const alerts: string[] = [];
    const meanwhile = () => settleRefund(settlingBy(), refund_id);
    const { saveRefund } = payments();
    let saves = 0;
    const alerting: SettleRefundDeps = {
      ...settlingBy(async () => ({ status: 'pending', reference: null, why: null })),
      alert: (alert) => void alerts.push(alert),
      payments: {
        ...payments(),
        saveRefund: async (change) => {
          saves += 1;
          if (saves === 1) await meanwhile();
          return saveRefund(change);
        },
      },
    };
    await settleRefund(alerting, refund_id);
    await sweepAfter({ minutes: 10 });
    expect(await toldOf(id)).toMatchObject([{ type: 'refund.delayed', pending_reason: 'balance' }]);
    const noted = { status: 'pending', waitsFor: 'balance', overdueAt: expect.any(String) };
    expect([await payments().getRefund(refund_id), alerts]).toMatchObject([noted, ['refund-waits']]);
  });

  it('is not sent for a refund that is paid at once', async () => {
    const id = await sold();
    await refund(id);
    expect((await toldOf(id)).map(({ type }) => type)).toEqual(['refund.succeeded']);
  });
});

describe('a refund that waits at Stripe', () => {
  it.each([
    { reason: 'balance', means: '4242424242424242', text: 'Waits for money in your balance' },
    { reason: 'charge', means: 'debit-settling', text: 'Waits until the money of the payment itself' },
    { reason: 'buyer', means: 'transfer', text: 'Waits for the buyer, whom the processor has asked by mail' },
    { reason: 'bank', means: '4000000000007726', text: 'Waits for the buyer’s bank' },
  ])('shows the reason in the API and on the dashboard: $reason', async ({ reason, means, text }) => {
    const id = await sold(means);
    if (reason === 'balance') Object.assign(shop.fake.account, { available: new Map(), shortage: 'pending' });
    const { refund_id, pending_reason } = await refund(id);
    expect(pending_reason).toBe(reason);
    expect(await pageOf(id)).toContain(text);
    const reference = [...shop.fake.account.refunds.keys()].at(-1) ?? '';
    if (reason === 'balance') topUp(shop.fake.account, 'eur', 500);
    else endStripeRefund(shop.fake.account, reference);
    await sweepAfter({ minutes: 10 });
    expect(await readRefund(refund_id)).toMatchObject({ status: 'succeeded', pending_reason: null });
    expect(await pageOf(id)).not.toContain(text);
    expect(refunded(id)).toBe(500);
  });

  it('for the buyer’s bank account and is cancelled has failed, with a reason, and can be refunded again', async () => {
    const id = await sold('transfer');
    const { refund_id } = await refund(id);
    cancelStripeRefund(shop.fake.account, [...shop.fake.account.refunds.keys()].at(-1) ?? '');
    await sweepAfter({ minutes: 10 });
    expect(await readRefund(refund_id)).toMatchObject({ status: 'failed', pending_reason: null });
    expect(await pageOf(id)).toContain('the buyer named no account in time');
    expect(await payments().get(id)).toMatchObject({ refundable: 1_999, pending: 0 });
  });

  it('for a bank raises no alarm for two weeks, because the merchant cannot speed it up', async () => {
    const id = await sold('4000000000007726');
    await refund(id);
    const from = shop.api.log.length;
    const alerts = () =>
      logFrom(from).filter(({ alert, payment_id: about }) => alert === 'refund-waits' && about === id);
    await sweepAfter({ days: 13 });
    expect(alerts()).toEqual([]);
    await sweepAfter({ days: 2 });
    expect(alerts()).toMatchObject([{ waits_for: 'bank' }]);
  });
});

describe('the form for a refund', () => {
  it('warns if the balance at Stripe is too low, and otherwise shows no warning', async () => {
    const id = await sold();
    shop.fake.account.available = new Map([['eur', 1_500]]);
    const { cookies, token } = await browse(shop.api, localKey);
    const fields = { action: 'preview', scope: 'all', expected: '1999', token };
    const preview = async () => (await postForm(shop.api, `/dashboard/payments/${id}`, fields, cookies)).text;
    expect(await preview()).toMatch(/Only €15\.00 is available at the processor now/);
    shop.fake.account.available = new Map([['eur', 1_999]]);
    expect(await preview()).not.toContain('is available at the processor now');
  });

  it.each([
    {
      name: 'may not read the balance',
      hide: () => Object.assign(shop.fake.account, { rights: new Set(['POST refunds', 'GET refunds']) }),
    },
    {
      name: 'cannot read it now',
      hide: () =>
        Object.assign(shop.fake, {
          fate: ({ path }: { path: string }) => (path === 'balance' ? 'broken' : 'answered'),
        }),
    },
  ])('shows no warning, raises no alarm and refunds if the key $name', async ({ hide }) => {
    const id = await sold();
    hide();
    const from = shop.api.log.length;
    const page = await pageOf(id);
    expect(page).toContain('id="refund-preview"');
    expect(page).not.toContain('is available at the processor now');
    const { cookies, token } = await browse(shop.api, localKey);
    const asked = { action: 'refund', scope: 'all', expected: '1999', confirmed: '1999' };
    const fields = { ...asked, basis: 'gross', token, form_id: id };
    expect((await postForm(shop.api, `/dashboard/payments/${id}`, fields, cookies)).status).toBe(303);
    expect(refunded(id)).toBe(1_999);
    expect(logFrom(from).filter((line) => 'MoneyAlerts' in line)).toEqual([]);
  });
});

describe('a refund that Stripe does not permit', () => {
  it('because the key lacks the right stays pending, and raises an alarm with Stripe’s message at once', async () => {
    const id = await sold();
    shop.fake.account.rights = new Set(['GET refunds']);
    const from = shop.api.log.length;
    const { refund_id, status } = await refund(id);
    expect(status).toBe('pending');
    expect(logFrom(from).filter(({ alert }) => alert === 'processor-refuses')).toMatchObject([
      { refund_id, payment_id: id, reason: expect.stringContaining('rak_charge_write') },
    ]);
    shop.fake.account.rights = undefined;
    await sweepAfter({ minutes: 2 });
    expect([refunded(id), (await readRefund(refund_id)).status]).toEqual([500, 'succeeded']);
  });
});

describe('the number of a refund at the card’s network', () => {
  it('is answered with its kind and time once Stripe reports it, and nothing else changes', async () => {
    const { refund_id } = await refund(await sold());
    const before = await readRefund(refund_id);
    expect(before).toMatchObject({ status: 'succeeded', network_reference: null, network_reference_type: null });
    clock.forward({ days: 3 });
    traceRefund(shop.fake.account, String((await payments().getRefund(refund_id)).reference), '74857346258');
    const told = shop.fake.notifications.events.findLast(({ type }) => type === 'refund.updated');
    for (let time = 0; time < 2; time += 1) {
      expect((await shop.notify(JSON.stringify(told))).status).toBe(200);
      expect(await readRefund(refund_id)).toEqual({
        ...before,
        network_reference: '74857346258',
        network_reference_type: 'acquirer_reference_number',
        network_reference_updated_at: expect.stringMatching(/Z$/),
      });
    }
    expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
  });
});
