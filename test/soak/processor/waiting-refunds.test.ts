import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { paySession, sessionById } from '../../../infra/local/stripe/checkout.ts';
import { type FakeStripe, startFakeStripe } from '../../../infra/local/stripe/fake-stripe.ts';
import { paymentMeansNamed } from '../../../infra/local/stripe/payment-means.ts';
import { topUp } from '../../../infra/local/stripe/refunds.ts';
import type { PaymentProcessor, RefundAttempt } from '../../../shared/outside/processor/payment-processor.ts';
import { now, payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { useProcessor } from '../../support/faults/remote-processor.ts';
import { stripeAt } from '../../support/processors.ts';
import { explore, type Race } from '../../support/schedules/explore.ts';
import type { Footprint } from '../../support/schedules/footprint.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import type { ScheduleStage } from '../../support/schedules/stage.ts';
import { campaign } from '../../support/seeded.ts';
import { finishPayment, finishRefund, sweep } from '../../support/shop/settle.ts';
import { createSession } from '../../support/shop/shop.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

const account = 'Stripe';
const asked: Footprint = { reads: new Set([account]), writes: new Set() };
const changed: Footprint = { reads: new Set([account]), writes: new Set([account]) };

let shop: RacingShop;
let fake: FakeStripe;
let putBack: () => void;
/** The stage of the present run. Each request to Stripe is a step of it. */
let stage: ScheduleStage | undefined;
/** Whether each request has a key that was not stored, and no list is read before it, as in a wrong program. */
let isWrong = false;
let requests = 0;

function unstored(order: RefundAttempt): RefundAttempt {
  requests += 1;
  return { ...order, key: `${order.refundId}-${requests}`, isRenewed: false };
}

const realFetch = globalThis.fetch;

beforeAll(async () => {
  shop = await openRacingShop('2026-03-01T12:00:00.000Z');
  fake = await startFakeStripe({ now });
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    const act = () => realFetch(input, init);
    return stage && input.startsWith(fake.url) ? stage.step(init.method === 'POST' ? changed : asked, act) : act();
  });
  const adapter = (): PaymentProcessor => stripeAt(fake, { now });
  putBack = useProcessor({
    ...adapter(),
    begin: (attempt, isFirst) => adapter().begin(attempt, isFirst),
    find: (charge) => adapter().find(charge),
    refund: (order) => adapter().refund(isWrong ? unstored(order) : order),
    findRefund: (order) => adapter().findRefund(order),
    disputesOf: async () => [],
  });
});
afterAll(async () => {
  vi.unstubAllGlobals();
  putBack();
  await fake.stop();
  await shop.stop();
});

/** A payment of 19.99 at Stripe, whose balance has nothing to refund from. */
async function sold(): Promise<string> {
  const sessionId = await createSession(shop.api, [{ product_id: shop.productId, quantity: 1 }]);
  await shop.api.call(`POST /checkout/${sessionId}/pay`, {
    key: null,
    body: {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      billing_address: { country: 'DE' },
      expected_total: 1_999,
    },
  });
  const id = String((await sessions().get(sessionId)).paymentId);
  const { reference } = await payments().get(id);
  paySession(fake.account, sessionById(fake.account, String(reference)), paymentMeansNamed('4242424242424242'));
  await finishPayment(id);
  return id;
}

const refundOf = (id: string) => () =>
  shop.api.call('POST /refunds', {
    body: { payment_id: id, amount: 500 },
    headers: { 'idempotency-key': 'one-refund' },
  });

const onStage =
  (act: () => Promise<unknown>) =>
  (present: ScheduleStage): Promise<unknown> => {
    stage = present;
    return act();
  };

const moneyArrives = (present: ScheduleStage) => present.step(changed, async () => topUp(fake.account, 'eur', 5_000));

const paidBack = () => fake.ledger().reduce((sum, { refunded }) => sum + refunded, 0);

async function timesTold(id: string): Promise<number> {
  const { items } = (await shop.api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
  return items.filter(({ type }: { type: string }) => type === 'refund.delayed').length;
}

/** Prepares each order of a race with a new sale, because Stripe's account cannot be set back. */
async function run(racersOf: (id: string, refundId: string) => Race['racers'], isAsked: boolean) {
  const prepare = async () => {
    stage = undefined;
    await fake.stop();
    fake = await startFakeStripe({ now });
    clock.stopAt('2026-03-01T12:00:00.000Z');
    await shop.reopen();
    const id = await sold();
    fake.account.available = new Map();
    const refundId = isAsked ? (await refundOf(id)()).body.refund_id : '';
    clock.forward({ minutes: 6 });
    return { id, refundId };
  };
  const racers = await prepare();
  return explore(table().client, {
    racers: racersOf(racers.id, racers.refundId),
    mortals: [0],
    reset: async () => void (await prepare()),
    verify: async () => {
      stage = undefined;
      expect(paidBack(), 'what was paid back').toBeLessThanOrEqual(500);
      topUp(fake.account, 'eur', 5_000);
      await refundOf(racers.id)();
      for (let hour = 0; hour < 3; hour += 1) {
        clock.forward({ hours: 1 });
        await sweep();
      }
      expect(paidBack(), 'what was paid back').toBe(500);
      expect(await payments().get(racers.id)).toMatchObject({ refunded: 500, pending: 0 });
      expect(await timesTold(racers.id), 'events of the wait').toBeLessThanOrEqual(1);
    },
  });
}

const races: Record<string, () => ReturnType<typeof run>> = {
  'a sweep, while money arrives': () => run((_, id) => [onStage(() => finishRefund(id)), moneyArrives], true),
};

/** They take minutes. */
const longRaces: typeof races = {
  'two sweeps, while money arrives': () =>
    run((_, id) => [onStage(() => finishRefund(id)), onStage(() => finishRefund(id)), moneyArrives], true),
  'the first request and its repetition, while money arrives': () =>
    run((id) => [onStage(refundOf(id)), onStage(refundOf(id)), moneyArrives], false),
};

describe('A refund that Stripe refuses for lack of balance, in every order of calls and with a crash at every point', () => {
  it.each(Object.entries({ ...races, ...campaign(longRaces, {}) }))(
    'is paid exactly once: %s',
    async (name, explored) => {
      const { schedules, crashes, calls } = await explored();
      console.log(`${name}: ${schedules} schedules, ${crashes} crashes, ${calls} calls`);
      expect(schedules).toBeGreaterThan(1);
      expect(crashes).toBeGreaterThan(1);
    },
  );

  it('is paid twice, and this test finds it, if its key is not stored first and no list is read', async () => {
    isWrong = true;
    const explored = (races['a sweep, while money arrives'] as () => Promise<unknown>)().finally(() => {
      isWrong = false;
    });
    await expect(explored).rejects.toThrow('what was paid back');
  });
});
