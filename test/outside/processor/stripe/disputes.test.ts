import type Stripe from 'stripe';
import { afterEach, describe, expect, it } from 'vitest';
import { paySession, sessionById } from '../../../../infra/local/stripe/checkout.ts';
import { challengeDispute, closeDispute, openDispute } from '../../../../infra/local/stripe/disputes.ts';
import { type FakeStripe, startFakeStripe } from '../../../../infra/local/stripe/fake-stripe.ts';
import { paymentMeansNamed } from '../../../../infra/local/stripe/payment-means.ts';
import { anAttempt, steppedClock, stripeAt } from '../../../support/processors.ts';

const clock = steppedClock();
let fake: FakeStripe;
afterEach(() => fake.stop());

/** A dispute of a payment of 19.99 on the fake. */
async function opened(
  fields: { status?: 'needs_response' | 'warning_needs_response'; amount?: number; metadata?: object } = {},
): Promise<{ dispute: Stripe.Dispute; found: () => ReturnType<ReturnType<typeof stripeAt>['findDispute']> }> {
  fake = await startFakeStripe({ now: clock.now, seed: 'disputes' });
  const processor = stripeAt(fake, clock);
  const begun = await processor.begin(anAttempt(clock));
  if (begun.status !== 'open') throw new Error(begun.status);
  paySession(fake.account, sessionById(fake.account, begun.reference), paymentMeansNamed('4242424242424242'));
  const [intent] = fake.account.intents.values();
  if (!intent) throw new Error('There is no intent.');
  Object.assign(intent.metadata, fields.metadata);
  const { status = 'needs_response' } = fields;
  const dispute = openDispute(fake.account, intent, { reason: 'fraudulent', status, ...fields });
  return { dispute, found: () => processor.findDispute(dispute.id) };
}

const moved = (dispute: Stripe.Dispute, amount: number, currency: string) =>
  void dispute.balance_transactions.push({
    ...dispute.balance_transactions[0],
    amount,
    currency,
  } as Stripe.BalanceTransaction);

describe('a dispute at Stripe', () => {
  it('names the page for evidence and its deadline', async () => {
    const { dispute, found } = await opened();
    expect(await found()).toMatchObject({
      url: `https://dashboard.stripe.com/test/payments/${dispute.payment_intent}`,
      dueBy: new Date(clock.now().getTime() + 7 * 86_400_000).toISOString(),
    });
  });

  it('takes no money while it is an inquiry, and is cancelled when the inquiry closes', async () => {
    const { dispute, found } = await opened({ status: 'warning_needs_response' });
    expect(await found()).toMatchObject({ status: 'opened', stage: 'pre_dispute', withdrawn: 0, isRefundable: true });
    challengeDispute(fake.account, dispute.id);
    expect(await found()).toMatchObject({ status: 'challenged', stage: 'pre_dispute' });
    closeDispute(fake.account, dispute.id, 'warning_closed');
    expect(await found()).toMatchObject({ status: 'cancelled', stage: 'pre_dispute', withdrawn: 0 });
  });

  it('returns won money when the money arrives, not when the status changes', async () => {
    const { dispute, found } = await opened({ amount: 500 });
    dispute.status = 'won';
    expect(await found()).toMatchObject({ status: 'won', withdrawn: 500 });
    dispute.status = 'needs_response';
    closeDispute(fake.account, dispute.id, 'won');
    expect(await found()).toMatchObject({ status: 'won', withdrawn: 0, isRefundable: true });
  });

  it('counts partial returns in the buyer’s currency', async () => {
    const { dispute, found } = await opened();
    moved(dispute, 600, 'eur');
    expect(await found()).toMatchObject({ withdrawn: 1_399 });
  });

  it('takes and returns its whole amount where the account settles in another currency', async () => {
    const { dispute, found } = await opened();
    dispute.balance_transactions.splice(0, 1, {
      ...dispute.balance_transactions[0],
      amount: -2_214,
      currency: 'usd',
    } as Stripe.BalanceTransaction);
    expect(await found()).toMatchObject({ amount: 1_999, withdrawn: 1_999 });
    moved(dispute, 2_180, 'usd');
    expect(await found()).toMatchObject({ withdrawn: 0 });
  });

  it.each([
    { currency: 'usd', amount: 2_214, read: 2_214 },
    { currency: 'ugx', amount: 8_000_000, read: null },
    { currency: 'isk', amount: 300_000, read: null },
  ])('is read in another currency than the payment: $currency', async ({ currency, amount, read }) => {
    const { dispute, found } = await opened();
    Object.assign(dispute, { currency, amount });
    expect(await found()).toMatchObject({ amount: read, currency: currency.toUpperCase() });
    expect((await found())?.withdrawn).toBeGreaterThan(0);
  });

  it('is read even if its optional fields are null or absent', async () => {
    const { dispute, found } = await opened({ status: 'warning_needs_response' });
    Object.assign(dispute, { reason: null, evidence_details: null, balance_transactions: undefined });
    expect(await found()).toMatchObject({ status: 'opened', reason: null, dueBy: null, withdrawn: 0 });
  });

  it('is rejected as a contradiction to our books when it returned more than it took', async () => {
    const { dispute, found } = await opened();
    moved(dispute, 2_000, 'eur');
    await expect(found()).rejects.toMatchObject({ kind: 'contradiction' });
  });

  it('reports an unknown status, and still reports its amounts', async () => {
    const { dispute, found } = await opened();
    dispute.status = 'solar_storm' as Stripe.Dispute.Status;
    expect(await found()).toMatchObject({ status: null, withdrawn: 1_999 });
  });

  it.each([{ merchant_id: 'another' }, { payment_id: undefined }])(
    'is ignored with %j in its metadata',
    async (metadata) => {
      const { found } = await opened({ metadata });
      expect(await found()).toBeUndefined();
    },
  );

  it('is rejected as a contradiction to our books when it is of the other mode, test or live', async () => {
    const { dispute, found } = await opened();
    dispute.livemode = true;
    await expect(found()).rejects.toMatchObject({ kind: 'contradiction' });
  });
});
