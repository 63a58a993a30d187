import { afterEach, describe, expect, it } from 'vitest';
import { paySession, sessionById } from '../../../../infra/local/stripe/checkout.ts';
import { openDispute } from '../../../../infra/local/stripe/disputes.ts';
import type { CallFate, FakeStripe } from '../../../../infra/local/stripe/fake-stripe.ts';
import { paymentMeansNamed } from '../../../../infra/local/stripe/payment-means.ts';
import { failRefund } from '../../../../infra/local/stripe/refunds.ts';
import type { ChargeAttempt, PaymentProcessor } from '../../../../shared/outside/processor/payment-processor.ts';
import { anAttempt, aRefund, type SteppedClock, stripeAt, stripeBench } from '../../../support/processors.ts';
import { useShortPauses } from '../../../support/short-pauses.ts';

let fake: FakeStripe;
let clock: SteppedClock;
let stripe: PaymentProcessor;
afterEach(() => fake.stop());

/** How many times shorter all pauses are: those of the client, and those of a slow Stripe. */
const hurry = 5;
useShortPauses(hurry);

async function start({ timeoutMs = 1_000 } = {}): Promise<void> {
  const bench = await stripeBench();
  ({ fake, clock } = bench);
  stripe = stripeAt(fake, clock, { timeoutMs });
}

/** The client gives up on what takes longer than a second, at the same pace. */
const hurriedTimeout = { timeoutMs: 1_000 / hurry };

/** Fates for the next calls, then good days. */
const fates = (...next: CallFate[]) => {
  fake.fate = () => next.shift() ?? 'answered';
};

async function begun(fields: Partial<ChargeAttempt> = {}) {
  const attempt = anAttempt(clock, fields);
  const state = await stripe.begin(attempt);
  if (state.status !== 'open') throw new Error(`It is ${state.status}.`);
  return { attempt, charge: { ...attempt, reference: state.reference } };
}

const pay = (reference: string, means = '4242424242424242') =>
  paySession(fake.account, sessionById(fake.account, reference), paymentMeansNamed(means));

async function paid(fields: Partial<ChargeAttempt> = {}) {
  const { attempt, charge } = await begun(fields);
  pay(charge.reference);
  const state = await stripe.find(charge);
  if (state.status !== 'succeeded') throw new Error(`It is ${state.status}.`);
  return { attempt, charge, order: aRefund(attempt, state) };
}

const returned = () => fake.ledger().reduce((sum, { refunded }) => sum + refunded, 0);

describe('a charge', () => {
  it.each<CallFate>(['request-lost', 'answer-lost', { lateMs: 1_500 }, { busyMs: 1_200 }])(
    'is begun once if the first call has the fault %j',
    async (fate) => {
      await start(hurriedTimeout);
      fates(fate);
      await begun();
      expect(fake.account.sessions.size).toBe(1);
    },
  );

  it('is requested again after 80 minutes with the same key and the same bytes', async () => {
    await start();
    const { attempt } = await begun();
    clock.forward({ minutes: 80 });
    await stripe.begin(attempt);
    const [first, second] = fake.calls;
    expect(second).toEqual(first);
  });

  it.each([
    { minutes: 1, status: 'open' },
    { minutes: 40, status: 'open' },
    { minutes: 89, status: 'open' },
    { minutes: 91, status: 'refused' },
    { minutes: 119, status: 'refused' },
    { minutes: 1_400, status: 'refused' },
    { minutes: 4_000, status: 'refused' },
  ])('has the status $status $minutes minutes after its first request was lost', async ({ minutes, status }) => {
    await start();
    const attempt = anAttempt(clock);
    clock.forward({ minutes });
    expect(await stripe.begin(attempt)).toMatchObject(status === 'open' ? { status } : { status, reason: 'late' });
    expect(fake.account.sessions.size).toBe(status === 'open' ? 1 : 0);
  });

  it.each([
    { minutes: 1, isPaid: true, status: 'open' },
    { minutes: 121, isPaid: true, status: 'succeeded' },
    { minutes: 121, isPaid: false, status: 'cancelled' },
    { minutes: 1_400, isPaid: true, status: 'succeeded' },
    { minutes: 4_000, isPaid: false, status: 'cancelled' },
  ])('is found $minutes minutes after its answer was lost: $status', async ({ minutes, isPaid, status }) => {
    await start();
    const { attempt, charge } = await begun();
    for (let other = 0; other < 105; other += 1) await begun();
    if (isPaid) pay(charge.reference);
    clock.forward({ minutes });
    expect(await stripe.begin(attempt)).toMatchObject({ status, reference: charge.reference });
    expect(fake.account.sessions.size).toBe(106);
  });

  it('stays unknown after a server error of Stripe, and counts as never begun after it has expired', async () => {
    await start();
    const attempt = anAttempt(clock);
    fates('broken', 'broken', 'broken');
    await expect(stripe.begin(attempt)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(stripe.begin(attempt)).rejects.toMatchObject({ kind: 'unavailable' });
    clock.forward({ hours: 2 });
    expect(await stripe.begin(attempt)).toMatchObject({ status: 'refused', reason: 'late' });
  });

  it.each([
    { minutes: 1, isKept: true },
    { minutes: 1, isKept: false },
    { minutes: 95, isKept: true },
    { minutes: 95, isKept: false },
  ])(
    'without the refused text for statements is found $minutes minutes after its answer was lost, if Stripe keeps refusals: $isKept',
    async ({ minutes, isKept }) => {
      await start();
      fake.account.profile.takesSuffixes = false;
      fake.keepsRefusals = isKept;
      const attempt = anAttempt(clock, { statementSuffix: 'MAPS' });
      fates('answered', 'answer-lost', 'answer-lost', 'answer-lost');
      await expect(stripe.begin(attempt, true)).rejects.toMatchObject({ kind: 'unavailable' });
      clock.forward({ minutes });
      // After 90 minutes, Stripe refuses the expiry before it looks at the text.
      fake.account.profile.takesSuffixes = minutes > 90;
      const [begun] = fake.account.sessions.keys();
      expect(await stripe.begin(attempt)).toMatchObject({ status: 'open', reference: begun });
      expect(fake.account.sessions.size).toBe(1);
    },
  );

  it('without the refused text for statements keeps Stripe’s reason for the merchant', async () => {
    await start();
    fake.account.profile.takesSuffixes = false;
    const state = await stripe.begin(anAttempt(clock, { statementSuffix: 'MAPS' }), true);
    expect(state).toMatchObject({
      status: 'open',
      leftOut: { message: expect.stringContaining('descriptor'), requestId: expect.stringMatching(/^req_/) },
    });
  });

  it.each([
    {
      name: 'a missing business name',
      break: () => Object.assign(fake.account.profile, { businessName: null }),
      code: 'INVALID_REQUEST',
      reason: 'request',
      says: 'set an account or business name',
    },
    {
      name: 'a missing right',
      break: () => Object.assign(fake.account, { rights: new Set() }),
      code: 'INVALID_REQUEST',
      reason: 'request',
      says: 'rak_checkout_session_write',
    },
    {
      name: 'a revoked key',
      break: () => Object.assign(fake, { key: 'rk_test_other' }),
      code: 'INVALID_REQUEST',
      reason: 'request',
      says: 'Invalid API Key provided',
    },
  ])(
    'that is refused at first for $name never began, and keeps the reason',
    async ({ break: breakIt, code, reason, says }) => {
      await start();
      const old = fake.key;
      breakIt();
      const connected = { ...fake, key: old };
      const state = await stripeAt(connected, clock).begin(anAttempt(clock), true);
      expect(state).toMatchObject({ status: 'refused', reason, errorCode: code });
      expect(state).toMatchObject({ refusal: { message: expect.stringContaining(says) } });
      expect(fake.account.sessions.size).toBe(0);
    },
  );

  it('leads to a request for another e-mail address if Stripe refuses the address', async () => {
    await start();
    const state = await stripe.begin(anAttempt(clock, { email: 'a..b@example.com' }), true);
    expect(state).toMatchObject({ status: 'refused', reason: 'buyer', errorCode: 'INVALID_EMAIL' });
    expect(JSON.stringify(state)).not.toContain('a..b');
  });

  it.each([
    { name: 'a missing business name', break: () => Object.assign(fake.account.profile, { businessName: null }) },
    {
      name: 'a missing right',
      break: () => Object.assign(fake.account, { rights: new Set(['GET checkout/sessions']) }),
    },
    { name: 'the buyer’s address', break: () => {}, email: 'a..b@example.com' },
  ])(
    'stays unknown if a repetition is refused for $name, because the first request may have begun it',
    async ({ break: breakIt, email = 'b@example.com' }) => {
      await start();
      const attempt = anAttempt(clock, { email });
      breakIt();
      await expect(stripe.begin(attempt)).rejects.toMatchObject({ name: 'StripeRefusal' });
      clock.forward({ hours: 2 });
      expect(await stripe.begin(attempt)).toMatchObject({ status: 'refused', reason: 'late' });
    },
  );

  it.each<CallFate>(['answer-lost', 'broken', 'too-many', 'request-lost'])(
    'is not treated as refused if the first attempt was %j and the second is refused',
    async (fate) => {
      await start();
      const attempt = anAttempt(clock);
      fake.fate = () => {
        if (fake.calls.length > 1) Object.assign(fake, { key: 'rk_test_other' });
        return fake.calls.length > 1 ? 'answered' : fate;
      };
      await expect(stripeAt({ ...fake, key: fake.key }, clock).begin(attempt, true)).rejects.toMatchObject({
        status: 401,
      });
    },
  );

  it('is unknown after a server error, until two complete lists after its expiry are read', async () => {
    await start();
    const attempt = anAttempt(clock);
    fates('broken', 'broken', 'broken');
    await expect(stripe.begin(attempt, true)).rejects.toMatchObject({ kind: 'unavailable' });
    clock.forward({ minutes: 119 });
    await expect(stripe.begin(attempt)).rejects.toMatchObject({ kind: 'unavailable' });
    clock.forward({ minutes: 1 });
    const before = fake.calls.length;
    expect(await stripe.begin(attempt)).toMatchObject({ status: 'refused', reason: 'late' });
    expect(fake.calls.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill('GET checkout/sessions'),
    );
  });

  it('is not treated as refused when its id is used again with other parameters', async () => {
    await start();
    const { attempt } = await begun();
    await expect(stripe.begin({ ...attempt, email: 'other@example.com' })).rejects.toMatchObject({
      type: 'idempotency_error',
    });
  });

  it.each([
    { amount: 12_345, currency: 'KWD' },
    { amount: 150, currency: 'MGA' },
    { amount: 5_000, currency: 'UGX' },
  ])('is refused before a request is sent when Stripe cannot charge $amount $currency', async (fields) => {
    await start();
    const state = await stripe.begin(anAttempt(clock, fields));
    expect(state).toMatchObject({ status: 'refused', reason: 'amount', errorCode: 'INVALID_AMOUNT' });
    expect(fake.calls).toEqual([]);
  });

  it.each([
    { amount: 49, currency: 'EUR', reason: 'amount' },
    { amount: 29, currency: 'GBP', reason: 'amount' },
    { amount: 100_000_000, currency: 'EUR', reason: 'amount' },
  ])(
    'of $amount $currency is refused because of $reason, and does not count as an attempt',
    async ({ amount, currency, reason }) => {
      await start();
      const state = await stripe.begin(anAttempt(clock, { amount, currency }), true);
      expect(state).toMatchObject({ status: 'refused', reason, errorCode: 'INVALID_AMOUNT' });
    },
  );

  it('stays open after a decline on Stripe’s page, and can still be paid', async () => {
    await start();
    const { charge } = await begun();
    pay(charge.reference, '4000000000000002');
    expect((await stripe.find(charge)).status).toBe('open');
    pay(charge.reference);
    expect((await stripe.find(charge)).status).toBe('succeeded');
  });

  it('has the processor’s fee, the card’s country and the reason of a failed debit', async () => {
    await start();
    const { charge } = await begun();
    pay(charge.reference);
    // 1.5 % of 19.99 is 0.29985, rounded up 0.30, and 0.25
    expect(await stripe.find(charge)).toMatchObject({
      fee: { amount: 55, currency: 'EUR' },
      paidBy: { country: 'DE' },
    });
    const debit = await begun();
    pay(debit.charge.reference, 'debit-fails');
    fake.finish();
    expect(await stripe.find(debit.charge)).toMatchObject({ status: 'failed', errorCode: 'INSUFFICIENT_FUNDS' });
  });

  it.each([
    { form: 'in the account’s currency', settlement: { currency: 'usd', rate: 1.1, afterSeconds: 0 }, fee: 61 },
    { form: 'in a currency that we do not know', settlement: { currency: 'isk', rate: 140, afterSeconds: 0 } },
    { form: 'in a currency whose unit is uncertain', settlement: { currency: 'ugx', rate: 4_000, afterSeconds: 0 } },
    { form: 'an hour later', settlement: { currency: 'eur', rate: 1, afterSeconds: 3_600 } },
  ])('succeeds when its balance transaction comes $form', async ({ settlement, fee }) => {
    await start();
    fake.account.settlement = settlement;
    const { charge } = await begun();
    pay(charge.reference);
    const known = fee === undefined ? null : { amount: fee, currency: 'USD' };
    expect(await stripe.find(charge)).toMatchObject({ status: 'succeeded', fee: known });
    expect(fake.ledger()).toMatchObject([{ currency: 'eur', paid: 1_999 }]);
  });

  it.each([
    { form: 'without a fee', transaction: { currency: 'eur' } },
    { form: 'with half a unit', transaction: { currency: 'eur', fee: 54.5 } },
    { form: 'with a negative fee', transaction: { currency: 'eur', fee: -1 } },
    { form: 'with a currency of null', transaction: { currency: null, fee: 55 } },
    { form: 'as an unexpanded id', transaction: 'txn_1' },
    { form: 'as a number', transaction: 7 },
  ])('succeeds without a fee when its balance transaction comes $form', async ({ transaction }) => {
    await start();
    const { charge } = await begun();
    pay(charge.reference);
    for (const one of fake.account.charges.values()) one.balance_transaction = transaction as never;
    expect(await stripe.find(charge)).toMatchObject({ status: 'succeeded', fee: null });
  });

  it('treats null and an absent field of Stripe alike', async () => {
    await start();
    const { charge } = await begun();
    pay(charge.reference, 'debit-fails');
    fake.finish();
    const [intent] = fake.account.intents.values();
    Object.assign(intent?.last_payment_error ?? {}, { decline_code: null, message: null });
    expect(await stripe.find(charge)).toMatchObject({
      status: 'failed',
      errorCode: 'CARD_DECLINED',
      errorMessage: null,
    });
    const paidLater = await begun();
    pay(paidLater.charge.reference);
    for (const one of fake.account.charges.values()) Object.assign(one, { disputed: undefined });
    expect(await stripe.find(paidLater.charge)).toMatchObject({ status: 'succeeded', isDisputed: false });
  });

  it('is either closed or paid, never both', async () => {
    await start();
    const { charge } = await begun();
    fates('answer-lost', 'answer-lost', 'answer-lost');
    await expect(stripe.close(charge)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(() => pay(charge.reference)).toThrow('not open');
    expect((await stripe.close(charge)).status).toBe('cancelled');
    expect(fake.ledger()).toEqual([]);
  });

  it.each([
    { name: 'another payment', fields: { paymentId: 'pay_other' } },
    { name: 'another amount', fields: { amount: 1_998 } },
    { name: 'another currency', fields: { currency: 'USD' } },
  ])('is rejected as a contradiction to our books when it has $name', async ({ fields }) => {
    await start();
    const { charge } = await begun();
    await expect(stripe.find({ ...charge, ...fields })).rejects.toMatchObject({ kind: 'contradiction' });
    pay(charge.reference);
    await expect(stripe.find({ ...charge, ...fields })).rejects.toMatchObject({ kind: 'contradiction' });
  });
});

describe('a refund', () => {
  it.each<CallFate>(['request-lost', 'answer-lost', { lateMs: 1_500 }, { busyMs: 1_200 }])(
    'is paid once if the first call has the fault %j',
    async (fate) => {
      await start(hurriedTimeout);
      const { order } = await paid();
      fates(fate);
      expect((await stripe.refund(order)).status).toBe('succeeded');
      expect((await stripe.refund(order)).status).toBe('succeeded');
      expect(returned()).toBe(500);
    },
  );

  it.each([{ hours: 22 }, { hours: 24 }, { hours: 80 }])(
    'whose answer was lost is found $hours hours later, and not paid again',
    async ({ hours }) => {
      await start();
      const { order } = await paid();
      fates('answer-lost', 'answer-lost', 'answer-lost');
      await expect(stripe.refund(order)).rejects.toMatchObject({ kind: 'unavailable' });
      clock.forward({ hours });
      expect((await stripe.refund(order)).status).toBe('succeeded');
      expect(returned()).toBe(500);
    },
  );

  it('is paid days later if its request never arrived', async () => {
    await start();
    const { order } = await paid();
    clock.forward({ days: 4 });
    expect(await stripe.findRefund(order)).toBeUndefined();
    expect((await stripe.refund(order)).status).toBe('succeeded');
    expect(returned()).toBe(500);
  });

  it('is found even after the first page of a list', async () => {
    await start();
    const { order } = await paid({ amount: 20_000 });
    const first = await stripe.refund({ ...order, amount: 100 });
    for (let other = 0; other < 101; other += 1)
      await stripe.refund({ ...order, refundId: `ref_other_${other}`, key: `ref_other_${other}`, amount: 100 });
    expect(await stripe.findRefund({ ...order, amount: 100 })).toEqual(first);
  });

  it.each([
    { name: 'of what was paid back already', prepare: async () => {}, code: 'charge_already_refunded' },
    {
      name: 'of what the bank took back',
      prepare: async (transaction: string) => {
        const intent = fake.account.intents.get(transaction);
        if (intent) openDispute(fake.account, intent, { reason: 'fraudulent', status: 'needs_response' });
      },
      code: 'charge_disputed',
    },
  ])('fails with its reason: a refund $name', async ({ prepare, code }) => {
    await start();
    const { order } = await paid();
    if (code === 'charge_already_refunded')
      await stripe.refund({ ...order, refundId: 'ref_all', key: 'ref_all', amount: 1_999 });
    await prepare(order.transaction);
    expect(await stripe.refund(order)).toMatchObject({
      status: 'failed',
      reference: null,
      failureReason: code,
      refusal: { code, requestId: expect.stringMatching(/^req_/) },
    });
  });

  it('succeeds even if optional fields of Stripe are null', async () => {
    await start();
    const { order } = await paid();
    await stripe.refund(order);
    for (const one of fake.account.refunds.values())
      Object.assign(one, { failure_reason: null, pending_reason: null, receipt_number: undefined });
    expect((await stripe.findRefund(order))?.status).toBe('succeeded');
  });

  it('fails with its reason when the bank returns it after it had succeeded', async () => {
    await start();
    const { order } = await paid();
    const state = await stripe.refund(order);
    if (state.status !== 'succeeded') throw new Error(state.status);
    failRefund(fake.account, state.reference);
    expect(await stripe.findRefund(order)).toEqual({
      status: 'failed',
      reference: state.reference,
      failureReason: 'expired_or_canceled_card',
    });
    expect(returned()).toBe(0);
  });

  it('fails at once when Stripe cannot move its amount, and is not repeated', async () => {
    await start();
    const { order } = await paid({ amount: 12_340, currency: 'KWD' });
    const asked = fake.calls.length;
    expect(await stripe.refund({ ...order, amount: 1_234 })).toEqual({
      status: 'failed',
      reference: null,
      failureReason: 'amount_not_payable',
    });
    expect(fake.calls.length).toBe(asked);
  });

  it('is rejected as a contradiction to our books when a known id has another amount', async () => {
    await start();
    const { order } = await paid();
    await stripe.refund(order);
    await expect(stripe.findRefund({ ...order, amount: 501 })).rejects.toMatchObject({ kind: 'contradiction' });
  });
});
