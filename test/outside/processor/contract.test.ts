import { afterEach, describe, expect, it } from 'vitest';
import { currencies } from '../../../shared/domain/money/currency.ts';
import type { ChargeState } from '../../../shared/domain/payments/charge-state.ts';
import {
  anAttempt,
  aRefund,
  type Bench,
  type BuyerMood,
  sandboxBench,
  stripeBench,
  stripeTestModeProcessor,
} from '../../support/processors.ts';

let bench: Bench;
afterEach(() => bench.stop());

/** Begins a charge, and lets the buyer do what they do where the charge is open. */
async function buy(mood: BuyerMood) {
  const attempt = anAttempt(bench.clock, { card: bench.card(mood) });
  const begun = await bench.processor.begin(attempt);
  if (begun.status === 'refused') throw new Error(begun.errorMessage);
  const charge = { ...attempt, reference: begun.reference };
  const returned = begun.status === 'open' ? bench.visit(begun.reference, mood) : undefined;
  return { attempt, charge, begun, state: () => bench.processor.find(charge, returned) };
}

async function paid(mood: BuyerMood = 'pays') {
  const { attempt, charge, state } = await buy(mood);
  return { attempt, charge, succeeded: asSucceeded(await state()) };
}

function asSucceeded(state: ChargeState): Extract<ChargeState, { status: 'succeeded' }> {
  if (state.status !== 'succeeded') throw new Error(`It is ${state.status}.`);
  return state;
}

/** What every processor guarantees. */
describe.each([
  { name: 'the sandbox', open: sandboxBench },
  { name: 'Stripe, on the fake', open: stripeBench },
])('the processor $name', ({ open }) => {
  const start = async () => {
    bench = await open();
    return bench.processor;
  };

  it('charges the amount, and answers the same when it is requested again', async () => {
    await start();
    const { charge, succeeded } = await paid();
    expect(succeeded).toMatchObject({ paidBy: { method: 'card', network: 'VISA', lastFour: '4242' } });
    expect(await bench.processor.find(charge)).toEqual(succeeded);
  });

  it('starts a charge once, even if it is requested several times', async () => {
    const processor = await start();
    const attempt = anAttempt(bench.clock, { card: bench.card('hesitates') });
    const begun = await processor.begin(attempt);
    bench.clock.forward({ minutes: 80 });
    expect(await processor.begin(attempt)).toEqual(begun);
  });

  it('keeps a charge open for the buyer, and returns its expiry time', async () => {
    await start();
    const { attempt, begun } = await buy('hesitates');
    expect(begun).toMatchObject({
      status: 'open',
      url: expect.stringMatching(/^https?:/),
      expiresAt: attempt.expiresAt,
    });
  });

  it('takes the money when the buyer has confirmed', async () => {
    await start();
    const { begun, state } = await buy('confirms');
    expect(begun.status).toBe('open');
    expect((await state()).status).toBe('succeeded');
  });

  it.each([
    { mood: 'pays-later', end: 'succeeded' },
    { mood: 'fails-later', end: 'failed' },
  ] as const)('leaves a charge processing first and then $end, for a buyer who $mood', async ({ mood, end }) => {
    await start();
    const { begun, state } = await buy(mood);
    const waiting = begun.status === 'open' ? await state() : begun;
    expect(waiting.status).toBe('processing');
    bench.finish();
    expect(await state()).toMatchObject({
      status: end,
      ...(end === 'failed' ? { errorCode: expect.any(String) } : {}),
    });
  });

  it('cancels an unpaid charge permanently when it is closed', async () => {
    const processor = await start();
    const { charge } = await buy('hesitates');
    expect((await processor.close(charge)).status).toBe('cancelled');
    expect((await processor.close(charge)).status).toBe('cancelled');
  });

  it('answers the paid state when a charge is closed after its payment', async () => {
    const processor = await start();
    const { charge, succeeded } = await paid();
    expect(await processor.close(charge)).toEqual(succeeded);
  });

  it('cancels a charge when it has expired', async () => {
    const processor = await start();
    const { charge } = await buy('hesitates');
    bench.clock.forward({ hours: 2, seconds: 1 });
    expect((await processor.find(charge)).status).toBe('cancelled');
  });

  it('starts no charge after the attempt has expired', async () => {
    const processor = await start();
    const attempt = anAttempt(bench.clock, { card: bench.card('pays') });
    bench.clock.forward({ hours: 2, seconds: 1 });
    expect(await processor.begin(attempt)).toMatchObject({ status: 'refused', reason: 'late' });
  });

  it('pays a refund once, even if it is requested several times', async () => {
    const processor = await start();
    const { attempt, succeeded } = await paid();
    const order = aRefund(attempt, succeeded);
    const refunded = await processor.refund(order);
    expect(refunded.status).toBe('succeeded');
    expect(await processor.refund(order)).toEqual(refunded);
    expect(await processor.findRefund(order)).toEqual(refunded);
  });

  it('reports a slow refund as pending first and as paid later', async () => {
    const processor = await start();
    const { attempt, succeeded } = await paid('gets-refunds-later');
    const order = aRefund(attempt, succeeded);
    expect((await processor.refund(order)).status).toBe('pending');
    bench.finish();
    expect((await processor.findRefund(order))?.status).toBe('succeeded');
  });

  it('finds a dispute by its payment and by its reference, with the amount taken, until the bank has decided', async () => {
    const processor = await start();
    const { attempt, succeeded } = await paid('disputes');
    expect(succeeded.isDisputed).toBe(true);
    const [dispute, ...others] = await processor.disputesOf({ ...attempt, ...succeeded });
    expect(others).toEqual([]);
    expect(dispute).toMatchObject({
      ...{ paymentId: attempt.paymentId, amount: 1_999, currency: 'EUR', withdrawn: 1_999, isRefundable: false },
      ...{ status: 'opened', stage: 'dispute', reason: 'fraudulent', createdAt: attempt.createdAt },
      dueBy: expect.any(String),
    });
    const reference = dispute?.reference ?? '';
    expect(await processor.findDispute(reference)).toEqual(dispute);
    bench.decide();
    expect(await processor.findDispute(reference)).toMatchObject({ status: 'lost', withdrawn: 1_999 });
    expect(await processor.findDispute('du_unknown')).toBeUndefined();
  });

  it('finds no dispute where there is none', async () => {
    const processor = await start();
    const { attempt, succeeded } = await paid();
    expect(succeeded.isDisputed).toBe(false);
    expect(await processor.disputesOf({ ...attempt, ...succeeded })).toEqual([]);
  });

  it('states whole steps between a minimum and a maximum for each currency', async () => {
    const processor = await start();
    const known = currencies.flatMap((currency) => processor.limits(currency) ?? []);
    expect(known.length).toBeGreaterThan(135);
    for (const { minimum, maximum, step, unit } of known)
      expect({
        minimum: minimum % step,
        maximum: maximum % step,
        step: step % unit,
        isRange: 0 < minimum && minimum < maximum,
      }).toEqual({
        minimum: 0,
        maximum: 0,
        step: 0,
        isRange: true,
      });
  });
});

/** The part that needs no buyer, against Stripe itself; its answers are those that the fake gives. */
describe.skipIf(!process.env['STRIPE_TEST_KEY'])('Stripe’s test mode', () => {
  const clock = { now: () => new Date() };
  const stripe = stripeTestModeProcessor(process.env['STRIPE_TEST_KEY'] ?? '');

  it('begins a charge once, keeps it open, and cancels it permanently when it is closed', async () => {
    const attempt = anAttempt(clock, { paymentId: `pay_contract_${Date.now()}` });
    const begun = await stripe.begin(attempt);
    if (begun.status !== 'open') throw new Error(`It is ${begun.status}.`);
    expect(begun).toMatchObject({ url: expect.stringMatching(/^https:/) });
    expect(await stripe.begin(attempt)).toMatchObject({ reference: begun.reference });
    await expect(stripe.begin({ ...attempt, email: 'other@example.com' })).rejects.toMatchObject({
      type: 'idempotency_error',
    });
    const charge = { ...attempt, reference: begun.reference };
    expect((await stripe.find(charge)).status).toBe('open');
    expect((await stripe.close(charge)).status).toBe('cancelled');
    expect((await stripe.close(charge)).status).toBe('cancelled');
  });

  it('refuses a too small amount, and a charge that expires too soon', async () => {
    const id = `pay_contract_${Date.now()}`;
    expect(await stripe.begin(anAttempt(clock, { paymentId: `${id}a`, amount: 1 }))).toMatchObject({
      reason: 'amount',
    });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    expect(await stripe.begin(anAttempt(clock, { paymentId: `${id}b`, expiresAt }))).toMatchObject({ reason: 'late' });
  });
});
