import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { localKey } from '../../../infra/local/local-key.ts';
import {
  arrivePayout,
  cancelPayout,
  completePayout,
  enterOther,
  failPayout,
  payOut,
  sellElsewhere,
} from '../../../infra/local/stripe/balance/payouts.ts';
import { closeDispute, openDispute } from '../../../infra/local/stripe/disputes.ts';
import { createStripeRefund, failRefund } from '../../../infra/local/stripe/refunds.ts';
import { differenceOf, kindSumOf, matchingOf, type Payout } from '../../../shared/domain/payouts/payout.ts';
import { netOf, type PayoutLine } from '../../../shared/domain/payouts/payout-line.ts';
import type { Period } from '../../../shared/outside/processor/payment-processor.ts';
import {
  type FollowPayoutsDeps,
  followPayout,
  followPayouts,
} from '../../../shared/use-cases/payouts/follow-payouts.ts';
import { notePayout } from '../../../shared/use-cases/payouts/note-payout.ts';
import { readPayout } from '../../../shared/use-cases/payouts/read-payout.ts';
import { accountPayouts } from '../../../shared/wiring/processor.ts';
import { disputes, now, payments, payouts } from '../../../shared/wiring/runtime.ts';
import { browse } from '../../support/shop/dashboard.ts';
import { type StripeShop, startStripeShop } from '../../support/shop/stripe-shop.ts';
import { useShortPauses } from '../../support/short-pauses.ts';

let shop: StripeShop;
beforeAll(async () => {
  shop = await startStripeShop();
});
afterEach(() => {
  shop.fake.fate = () => 'answered';
  shop.fake.account.rights = undefined;
  shop.fake.account.settlement = undefined;
});
afterAll(() => shop.stop());
useShortPauses();

/** The daily call, which reads the payouts. */
const follow = () => invokeFunction('processor/reconcile-account', {});
/** The dependencies of a reader of payouts. */
function reading() {
  const account = accountPayouts();
  if (!account) throw new Error('There is no account.');
  return { payouts: payouts(), payments: payments(), disputes: disputes(), ...account, merchantId: 'demo', now };
}
const linesOf = async (id: string): Promise<PayoutLine[]> => {
  const { read } = await payouts().get(id);
  return read.parts === 0 ? [] : payouts().lines(id, { from: 1, to: read.parts });
};
const total = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Sends every notification that the account has not sent yet, in any order. */
let told = 0;
async function tellAll(types: RegExp): Promise<void> {
  const news = shop.fake.notifications.events.slice(told);
  told = shop.fake.notifications.events.length;
  for (const event of news) if (types.test(String(event['type']))) await shop.notify(JSON.stringify(event));
}

/** A sale of 19.99 that is paid and booked. */
async function sold() {
  const payment = await shop.begin();
  shop.payAt(String(payment.reference));
  const session = shop.fake.account.sessions.get(String(payment.reference));
  const intent = shop.fake.account.intents.get(String(session?.payment_intent));
  if (!intent) throw new Error('There is no intent.');
  await tellAll(/^checkout/);
  return { id: payment.id, intent };
}

/** Pays out what is in the balance, as it is in reality: the list of what is in it is complete later. */
function paidOut(currency = 'eur'): string {
  const { id } = payOut(shop.fake.account, { currency });
  completePayout(shop.fake.account, id);
  return id;
}

/** What a payout has to be: its lines are its amount, and nothing is unexplained. */
async function expectMatched(id: string): Promise<{ payout: Payout; lines: PayoutLine[] }> {
  const payout = await payouts().get(id);
  const lines = await linesOf(id);
  expect([id, matchingOf(payout), differenceOf(payout)]).toEqual([id, 'matched', 0]);
  expect(total(lines.map(netOf))).toBe(payout.amount);
  for (const kind of new Set(lines.map((line) => line.kind))) {
    const ofKind = lines.filter((line) => line.kind === kind);
    expect(kindSumOf(payout, kind)).toEqual({
      count: ofKind.length,
      amount: total(ofKind.map(({ amount }) => amount)),
      fee: total(ofKind.map(({ fee }) => fee)),
    });
  }
  return { payout, lines };
}

describe('a payout of Stripe', () => {
  it('contains sales, refunds, disputes and fees of ours, and names what is not ours', async () => {
    const [kept, refunded, disputed] = [await sold(), await sold(), await sold()];
    const { body } = await shop.api.call('POST /refunds', { body: { payment_id: refunded.id, amount: 500 } });
    const dispute = openDispute(shop.fake.account, disputed.intent, { reason: 'fraudulent', status: 'needs_response' });
    await tellAll(/^charge.dispute/);
    sellElsewhere(shop.fake.account, { amount: 777, currency: 'eur' });
    sellElsewhere(shop.fake.account, {
      amount: 888,
      currency: 'eur',
      metadata: { payment_id: 'pay_x', merchant_id: 'other' },
    });
    enterOther(shop.fake.account, { type: 'stripe_fee', amount: -200, currency: 'eur', description: 'Radar' });
    enterOther(shop.fake.account, { type: 'contribution', amount: -15, currency: 'eur', description: 'Climate' });
    enterOther(shop.fake.account, { type: 'reserve_transaction', amount: -100, currency: 'eur' });
    const id = paidOut();
    await follow();
    const { payout, lines } = await expectMatched(id);
    // each charge of 19.99 costs 29.985, rounded up to 30, and 25
    const feeOfSale = 55;
    expect(payout.sums).toEqual({
      sale: { count: 3, amount: 3 * 1_999, fee: 3 * feeOfSale },
      refund: { count: 1, amount: -500, fee: 0 },
      dispute: { count: 1, amount: -1_999, fee: 1_500 },
      other_sale: { count: 2, amount: 777 + 888, fee: 37 + 39 },
      processor_fee: { count: 1, amount: -200, fee: 0 },
      reserve: { count: 1, amount: -100, fee: 0 },
      other: { count: 1, amount: -15, fee: 0 },
    });
    expect(lines.find(({ kind }) => kind === 'refund')).toMatchObject({
      paymentId: refunded.id,
      refundId: body.refund_id,
    });
    expect(lines.find(({ kind }) => kind === 'dispute')).toMatchObject({
      paymentId: disputed.id,
      reference: dispute.id,
    });
    expect(lines.find(({ kind }) => kind === 'processor_fee')?.note).toBe('Radar');
    for (const { paymentId } of lines.filter(({ kind }) => kind === 'other_sale')) expect(paymentId).toBeNull();
    for (const payment of [kept, refunded, disputed]) expect((await payouts().ofPayment(payment.id))?.id).toBe(id);
  });

  it('is read when Stripe notifies, without the daily call', async () => {
    const { id: paymentId } = await sold();
    const { id } = payOut(shop.fake.account, { currency: 'eur' });
    await tellAll(/^payout/);
    expect(matchingOf(await payouts().get(id))).toBe('waiting');
    expect(await payouts().ofPayment(paymentId)).toBeUndefined();
    completePayout(shop.fake.account, id);
    await tellAll(/^payout/);
    await expectMatched(id);
    const { body } = await shop.api.call(`GET /payments/${paymentId}`);
    const { arrivesOn } = await payouts().get(id);
    expect(body.payout).toEqual({ payout_id: id, status: 'in_progress', arrives_on: arrivesOn });
    arrivePayout(shop.fake.account, id);
    await tellAll(/^payout/);
    expect((await shop.api.call(`GET /payments/${paymentId}`)).body.payout.status).toBe('success');
  });

  it('is not read before Stripe has listed all that is in it', async () => {
    await sold();
    await sold();
    const { id } = payOut(shop.fake.account, { currency: 'eur' });
    await follow();
    const payout = await payouts().get(id);
    expect([matchingOf(payout), payout.read.parts]).toEqual(['waiting', 0]);
    completePayout(shop.fake.account, id);
    await follow();
    await expectMatched(id);
  });

  it('that fails days later stays with its sales, and a later payout contains its money', async () => {
    const { id: paymentId } = await sold();
    const id = paidOut();
    await follow();
    arrivePayout(shop.fake.account, id);
    failPayout(shop.fake.account, id);
    await tellAll(/^payout/);
    const { payout } = await expectMatched(id);
    expect(payout).toMatchObject({ status: 'failed', failure: 'The bank account has been closed.' });
    const { body } = await shop.api.call(`GET /payments/${paymentId}`);
    expect(body.payout).toMatchObject({ payout_id: id, status: 'failed' });
    const later = paidOut();
    await follow();
    const { lines } = await expectMatched(later);
    expect(lines).toMatchObject([{ kind: 'payout_returned', amount: payout.amount, reference: id }]);
  });

  it.each([
    { source: 'a notification', slow: (deps: FollowPayoutsDeps, id: string) => followPayout(deps, id, () => true) },
    { source: 'the daily list', slow: (deps: FollowPayoutsDeps) => followPayouts(deps, () => true) },
  ])('keeps its newest state when an older answer to $source comes later', async ({ slow }) => {
    await sold();
    const id = paidOut();
    await follow();
    const deps = reading();
    const other = () => followPayout(deps, id, () => true);
    let isOvertaken = false;
    /** The answer waits while the payout fails at the bank and another reader learns it. */
    const overtaken = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
      const old = await answer;
      if (isOvertaken) return old;
      isOvertaken = true;
      failPayout(shop.fake.account, id);
      await other();
      return old;
    };
    arrivePayout(shop.fake.account, id);
    const account = {
      ...deps.account,
      payout: (one: string) => overtaken(deps.account.payout(one)),
      payouts: (period: Period) => overtaken(deps.account.payouts(period)),
    };
    await slow({ ...deps, account }, id);
    expect(await payouts().get(id)).toMatchObject({ status: 'failed', failure: expect.any(String) });
  });

  it('that is cancelled gives its money to a later one', async () => {
    await sold();
    const id = paidOut();
    cancelPayout(shop.fake.account, id);
    const later = paidOut();
    await follow();
    expect((await payouts().get(id)).status).toBe('canceled');
    expect((await expectMatched(later)).payout.amount).toBe((await payouts().get(id)).amount);
  });

  it('debits the bank account when refunds and disputes are more than sales', async () => {
    const { id: paymentId, intent } = await sold();
    paidOut();
    openDispute(shop.fake.account, intent, { reason: 'fraudulent', status: 'needs_response' });
    await tellAll(/^charge.dispute/);
    const id = paidOut();
    await follow();
    const { payout, lines } = await expectMatched(id);
    expect([payout.amount, lines[0]?.paymentId]).toEqual([-(1_999 + 1_500), paymentId]);
  });

  it('contains a refund that came back, and a dispute that was won', async () => {
    const [refunded, disputed] = [await sold(), await sold()];
    await shop.api.call('POST /refunds', { body: { payment_id: refunded.id, amount: 700 } });
    const dispute = openDispute(shop.fake.account, disputed.intent, { reason: 'general', status: 'needs_response' });
    await tellAll(/^charge.dispute/);
    paidOut();
    const [refund] = [...shop.fake.account.refunds.values()].slice(-1);
    failRefund(shop.fake.account, String(refund?.id));
    closeDispute(shop.fake.account, dispute.id, 'won');
    const id = paidOut();
    await follow();
    const { lines } = await expectMatched(id);
    expect(new Map(lines.map(({ kind, amount, paymentId }) => [kind, [amount, paymentId]]))).toEqual(
      new Map([
        ['refund_returned', [700, refunded.id]],
        ['dispute', [1_999, disputed.id]],
      ]),
    );
  });

  it('knows a refund that was made in Stripe’s dashboard', async () => {
    const { id: paymentId, intent } = await sold();
    createStripeRefund(shop.fake.account, { intentId: intent.id, amount: 300, metadata: {}, reason: null });
    await tellAll(/^refund/);
    const id = paidOut();
    await follow();
    const { lines } = await expectMatched(id);
    expect(lines.find(({ kind }) => kind === 'refund')).toMatchObject({ paymentId, amount: -300 });
  });

  it('in another currency than its sales shows both amounts and the rate', async () => {
    shop.fake.account.settlement = { currency: 'usd', rate: 1.25, afterSeconds: 0 };
    const { id: paymentId } = await sold();
    const id = paidOut('usd');
    await follow();
    const { payout, lines } = await expectMatched(id);
    // 19.99 EUR × 1.25 = 24.9875 USD; the fee of 0.55 EUR is 0.6875 USD
    expect([payout.currency, payout.amount]).toEqual(['USD', 2_499 - 69]);
    expect(lines).toMatchObject([
      { paymentId, amount: 2_499, original: { amount: 1_999, currency: 'EUR', rate: '1.25' } },
    ]);
  });

  it('in a currency whose unit is not certain is shown in Stripe’s own numbers', async () => {
    enterOther(shop.fake.account, { type: 'topup', amount: 123_400, currency: 'isk' });
    const id = paidOut('isk');
    await follow();
    expect((await expectMatched(id)).payout).toMatchObject({ amount: 123_400, currency: 'ISK', hasKnownUnit: false });
  });

  it('that somebody made by hand cannot be matched', async () => {
    await sold();
    const { id } = payOut(shop.fake.account, { currency: 'eur', manualAmount: 1_000 });
    await follow();
    const payout = await payouts().get(id);
    expect([matchingOf(payout), payout.read.parts]).toEqual(['manual', 0]);
    const { body } = await shop.api.call(`GET /payouts/${id}/breakup`);
    expect(body).toEqual([{ event_type: 'unattributed', total: 1_000 }]);
    // the next automatic payout lacks what was paid out by hand, and names it
    const next = paidOut();
    await follow();
    const { lines } = await expectMatched(next);
    expect(lines.find(({ type }) => type === 'payout')).toMatchObject({ kind: 'other', amount: -1_000, reference: id });
  });

  it('whose entries are not its amount says how much is not explained', async () => {
    await sold();
    const id = paidOut();
    const payout = shop.fake.account.payouts.get(id);
    if (payout) payout.amount += 7;
    await follow();
    expect([matchingOf(await payouts().get(id)), differenceOf(await payouts().get(id))]).toEqual(['differs', 7]);
    const { body } = await shop.api.call(`GET /payouts/${id}/breakup`);
    expect(body.at(-1)).toEqual({ event_type: 'unattributed', total: 7 });
  });

  it('with more entries than one answer has is read in parts, and goes on after a crash at any call', async () => {
    for (let count = 0; count < 230; count += 1)
      sellElsewhere(shop.fake.account, { amount: 100 + count, currency: 'eur' });
    const { id: paymentId } = await sold();
    const id = paidOut();
    let calls = 0;
    shop.fake.fate = ({ path }) => {
      if (path !== 'balance_transactions') return 'answered';
      calls += 1;
      return calls % 2 === 1 ? 'broken' : 'answered';
    };
    await follow();
    expect((await payouts().get(id)).read).toMatchObject({ parts: 3, isComplete: true });
    expect((await expectMatched(id)).lines).toHaveLength(231);
    expect((await payouts().ofPayment(paymentId))?.id).toBe(id);
  });

  it('counts each entry once when two readers read it at the same time, and when the table fails between two rows', async () => {
    for (let count = 0; count < 230; count += 1)
      sellElsewhere(shop.fake.account, { amount: 100 + count, currency: 'eur' });
    const id = payOut(shop.fake.account, { currency: 'eur' }).id;
    completePayout(shop.fake.account, id);
    const deps = reading();
    await notePayout(deps, id);
    let saves = 0;
    const failing = {
      ...deps,
      payouts: {
        ...deps.payouts,
        savePart: async (...part: Parameters<typeof deps.payouts.savePart>) => {
          saves += 1;
          if (saves === 2) throw new Error('The function dies here.');
          await deps.payouts.savePart(...part);
        },
      },
    };
    await expect(readPayout(failing, id, () => true)).rejects.toThrow('dies here');
    expect((await payouts().get(id)).read).toMatchObject({ parts: 1, isComplete: false });
    await Promise.all([readPayout(deps, id, () => true), readPayout(deps, id, () => true)]);
    await readPayout(deps, id, () => true);
    expect((await expectMatched(id)).lines).toHaveLength(230);
  });

  it('is left for the next call when no time is left', async () => {
    await sold();
    const id = paidOut();
    const deps = reading();
    await notePayout(deps, id);
    expect(await readPayout(deps, id, () => false)).toBe(false);
    expect((await payouts().get(id)).read.parts).toBe(0);
    await follow();
    await expectMatched(id);
  });
});

describe('a key without the right to read payouts', () => {
  const rights = (lacking: string) => {
    const all = [
      'payouts',
      'balance_transactions',
      'checkout/sessions',
      'refunds',
      'disputes',
      'checkout/sessions/{id}',
    ];
    return new Set(all.filter((name) => name !== lacking).map((name) => `GET ${name}`));
  };

  it.each([
    { lacking: 'payouts', right: 'Payouts: read' },
    { lacking: 'balance_transactions', right: 'Balance transactions: read' },
  ])('without $right rings no alarm, and the page names the right', async ({ lacking, right }) => {
    await sold();
    const id = paidOut();
    shop.fake.account.rights = rights(lacking);
    const lines = shop.api.log.length;
    await follow();
    expect(shop.api.log.slice(lines).filter((line) => line.includes('"alert"'))).toEqual([]);
    const { cookies } = await browse(shop.api, localKey);
    const page = () => shop.api.call('GET /dashboard/payouts', { cookies, key: null });
    expect((await page()).text).toContain(right);
    const told = await shop.notify(JSON.stringify(shop.fake.notifications.events.at(-1)));
    expect(told.status).toBe(200);
    shop.fake.account.rights = undefined;
    await follow();
    await expectMatched(id);
    expect((await page()).text).not.toContain(right);
  });

  it('is asked again later while Stripe does not answer, without an error', async () => {
    await sold();
    const id = paidOut();
    shop.fake.fate = ({ path }) => (path === 'payouts' ? 'broken' : 'answered');
    await follow();
    expect(await payouts().find(id)).toBeUndefined();
    const told = await shop.notify(JSON.stringify(shop.fake.notifications.events.at(-1)));
    expect(told.status).toBe(200);
    shop.fake.fate = ({ path }) => (path.startsWith('payouts/') ? 'broken' : 'answered');
    expect((await shop.notify(JSON.stringify(shop.fake.notifications.events.at(-1)))).status).toBe(503);
    shop.fake.fate = () => 'answered';
    await follow();
    await expectMatched(id);
  });
});

describe('the pages of payouts', () => {
  it('list payouts, show the sums of one with its lines, and give its lines as a file whose nets are the payout', async () => {
    const { id: paymentId } = await sold();
    await shop.api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
    sellElsewhere(shop.fake.account, { amount: 777, currency: 'eur' });
    const id = paidOut();
    await follow();
    const { cookies } = await browse(shop.api, localKey);
    const at = (path: string, query = '') => shop.api.call(`GET /dashboard/${path}`, { cookies, key: null, query });
    expect((await at('payouts')).text).toContain(`href="/dashboard/payouts/${id}"`);
    const page = (await at(`payouts/${id}`)).text;
    const { amount } = await payouts().get(id);
    for (const words of ['Sales (1)', 'Fees of these', 'Refunds (1)', 'Other sales of the account (1)'])
      expect(page).toContain(words);
    expect(page).toContain(`<dt>Payout</dt><dd>€${(amount / 100).toFixed(2)}`);
    expect(page).toContain(`href="/dashboard/payments/${paymentId}"`);
    expect(page).toMatch(/Field Guide \(e-book\).*A Buyer/s);
    const file = await at(`payouts/${id}`, 'csv=1');
    const [header = '', ...rows] = file.text.replace('\ufeff', '').trim().split('\r\n');
    const net = header.split(',').indexOf('net');
    const cents = rows.map((row) => Math.round(Number(row.split(',')[net]) * 100));
    expect(total(cents)).toBe(amount);
    expect(file.headers['content-type']).toContain('text/csv');
    expect((await at(`payouts/${id}`, 'csv=2')).status).toBe(404);
    expect((await at('payouts/po_none')).status).toBe(404);
    expect((await at(`payments/${paymentId}`)).text).toContain(`href="/dashboard/payouts/${id}"`);
  });
});

describe('the list of payouts of the API', () => {
  it('has the newest first, in the words of the dialect', async () => {
    await sold();
    const id = paidOut();
    await follow();
    const { body } = await shop.api.call('GET /payouts', { query: 'page_size=100' });
    const payout = await payouts().get(id);
    const told = { amount: payout.amount, currency: 'EUR', status: 'in_progress', fee: 0, matching: 'matched' };
    expect(body.items.find((one: { payout_id: string }) => one.payout_id === id)).toMatchObject(told);
    const { body: parts } = await shop.api.call(`GET /payouts/${id}/breakup`);
    expect(parts).toEqual([
      { event_type: 'payment', total: 1_999 },
      { event_type: 'payment_fees', total: -55 },
    ]);
  });
});

describe('payouts after any sales, refunds, disputes and other entries', () => {
  /** What happens between two payouts. */
  const step = fc.record({
    act: fc.constantFrom(
      'sell',
      'refund',
      'fail-refund',
      'dispute',
      'win',
      'elsewhere',
      'other',
      'pay-out',
      'fail-payout',
    ),
    amount: fc.integer({ min: 1, max: 1_999 }),
    at: fc.nat({ max: 20 }),
  });

  it('have lines that are their amounts to the cent, and together are what our books say', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        paidOut(); // what is left of the run before
        const made: string[] = [];
        const ours: { id: string; intent: Awaited<ReturnType<typeof sold>>['intent'] }[] = [];
        const { account } = shop.fake;
        for (const { act, amount, at } of steps) {
          const one = ours[at % Math.max(1, ours.length)];
          const payment = one && (await payments().get(one.id));
          if (act === 'sell') ours.push(await sold());
          if (act === 'refund' && one && payment)
            await shop.api.call('POST /refunds', { body: { payment_id: one.id, amount } });
          if (act === 'fail-refund')
            for (const { id } of [...account.refunds.values()].filter(
              (refund) => refund.payment_intent === one?.intent.id && refund.status === 'succeeded',
            ))
              failRefund(account, id);
          if (act === 'dispute' && one && payment && payment.disputes.length === 0 && payment.refundable > 0)
            openDispute(account, one.intent, { reason: 'general', status: 'needs_response' });
          if (act === 'win')
            for (const { id } of [...account.disputes.values()].filter(
              (dispute) => dispute.payment_intent === one?.intent.id && dispute.status === 'needs_response',
            ))
              closeDispute(account, id, 'won');
          if (act === 'elsewhere') sellElsewhere(account, { amount: amount + 50, currency: 'eur' });
          if (act === 'other') enterOther(account, { type: 'stripe_fee', amount: -amount, currency: 'eur' });
          if (act === 'pay-out') made.push(paidOut());
          if (act === 'fail-payout' && made.length > 0) {
            const id = made[at % made.length] ?? '';
            if (account.payouts.get(id)?.status === 'in_transit') failPayout(account, id);
          }
          await tellAll(/^(refund|charge)/);
        }
        made.push(paidOut());
        await follow();
        const all: PayoutLine[] = [];
        for (const id of made) all.push(...(await expectMatched(id)).lines);
        for (const { id } of ours) {
          const { gross, refunded, disputed } = await payments().get(id);
          const of = (...kinds: string[]) =>
            total(all.filter((line) => line.paymentId === id && kinds.includes(line.kind)).map(({ amount }) => amount));
          expect([of('sale'), of('refund', 'refund_returned'), of('dispute')]).toEqual([
            gross,
            0 - refunded,
            0 - disputed,
          ]);
          expect(made).toContain((await payouts().ofPayment(id))?.id);
        }
        const named = ['other_sale', 'processor_fee', 'payout_returned'];
        for (const line of all) expect(line.paymentId === null).toBe(named.includes(line.kind));
      }),
      { numRuns: 12 },
    );
  });
});
