import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChargeState } from '../../../shared/domain/payments/charge-state.ts';
import type { StartedCharge } from '../../../shared/outside/processor/payment-processor.ts';
import type { DueRow } from '../../../shared/store/events/due-store.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { disputing } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const runtime = () => import('../../../shared/wiring/runtime.ts');

/** What the sweeper has, but for the deliveries; no event is on its way here. */
async function sweeper(overrides: object = {}) {
  const { dueRows, events, newId, now, countedPayments, sessions, deliveries, webhooks, webhookHealth } =
    await runtime();
  const { sweepDue } = await import('../../../shared/use-cases/sweep-due.ts');
  const stores = {
    events: events(),
    webhooks: webhooks(),
    health: webhookHealth(),
    deliveries: deliveries(),
    sessions: sessions(),
  };
  const never = async () => {
    throw new Error('not expected');
  };
  const deps = {
    ...stores,
    payments: countedPayments(),
    ...disputing(),
    due: dueRows(),
    bus: { publish: async () => [] },
    documentQueue: { send: async () => [], waiting: async () => 0 },
    send: never,
    now,
    newId,
    random: () => 0.5,
    pause: async () => {},
    speed: 1,
    report: () => {},
    countDisabled: () => {},
    ...overrides,
  };
  return { deps, sweep: () => sweepDue(deps, () => 100_000) };
}

async function processingPayment(card: string): Promise<string> {
  const sessionId = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
  return (await pay(sessionId, { expectedTotal: 1_999, card })).id;
}

const later = (seconds: number) => async () => new Date((await runtime()).world.now().getTime() + seconds * 1_000);

async function afterSeconds<T>(seconds: number, act: () => Promise<T>): Promise<T> {
  const { world } = await runtime();
  const real = world.now;
  const at = await later(seconds)();
  world.now = () => at;
  try {
    return await act();
  } finally {
    world.now = real;
  }
}

/** In the order of their sequence: two of one millisecond are listed in any order. */
const eventsOf = async (paymentId: string): Promise<string[]> => {
  const { body } = await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` });
  return body.items.map(({ type, sequence }: { type: string; sequence: number }) => `${sequence} ${type}`).sort();
};

describe('a payment or refund that the processor has not finished', () => {
  it.each([
    { card: '4000000000003220', expected: 'succeeded', session: 'completed' },
    { card: '4000000000003238', expected: 'failed', session: 'open' },
  ])(
    'ends as $expected when the sweep checks the processor, with one event, and leaves the session $session',
    async ({ card, expected, session }) => {
      const id = await processingPayment(card);
      const { sweep } = await sweeper();
      await afterSeconds(6, () => Promise.all([sweep(), sweep(), sweep()]));
      const payment = (await api.call(`GET /payments/${id}`)).body;
      expect(payment.status).toBe(expected);
      expect(await eventsOf(id)).toEqual(['1 payment.processing', `2 payment.${expected}`]);
      expect((await api.call(`GET /checkouts/${payment.checkout_session_id}`)).body.status).toBe(session);
    },
  );

  it('is checked again a minute after the processor did not answer, without delaying the others', async () => {
    const id = await processingPayment('4000000000003220');
    const { deps } = await sweeper();
    const down = { ...deps.processor, find: () => Promise.reject(new Error('the processor is down')) };
    const { sweep: inVain } = await sweeper({ processor: down });
    const dueAfter = (seconds: number) =>
      afterSeconds(seconds, async () =>
        (await deps.due.list((await runtime()).now().toISOString(), 1_000)).some((row) => row.id === id),
      );
    expect(await dueAfter(6)).toBe(true);
    await afterSeconds(6, inVain);
    expect([await dueAfter(60), await dueAfter(67)]).toEqual([false, true]);
    const { sweep } = await sweeper();
    await afterSeconds(67, sweep);
    expect((await api.call(`GET /payments/${id}`)).body.status).toBe('succeeded');
  });

  it('gets exactly one event for its change after a crash at any step', async () => {
    let points = 0;
    for (let crashAt = 1; crashAt <= 6; crashAt += 1) {
      const id = await processingPayment('4000000000003220');
      let calls = 0;
      const crashing = <T extends object>(store: T): T =>
        new Proxy(store, {
          get: (target, name) => {
            const method = Reflect.get(target, name);
            if (typeof method !== 'function') return method;
            return async (...given: unknown[]) => {
              calls += 1;
              if (calls === crashAt) throw new Error('killed before');
              const result = await Reflect.apply(method, target, given);
              calls += 1;
              if (calls === crashAt) throw new Error('killed after');
              return result;
            };
          },
        });
      const { countedPayments, sessions } = await runtime();
      const { settlePayment } = await import('../../../shared/use-cases/payments/settle-payment.ts');
      const { deps, sweep } = await sweeper();
      const dying = { ...deps, payments: crashing(countedPayments()), sessions: crashing(sessions()) };
      await settlePayment(dying, id).catch(() => (points += 1));
      await afterSeconds(6, sweep);
      expect(await eventsOf(id)).toEqual(['1 payment.processing', '2 payment.succeeded']);
    }
    console.log(`C1: killed at ${points} points, 0 events too many, 0 too few`);
    expect(points).toBe(4);
  });

  it('stays pending until the processor answers, so a refund is never paid twice (own-pay/OwnPay#222)', async () => {
    const sessionId = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const payment = await pay(sessionId, { expectedTotal: 1_999, card: '4000000000005126' });
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: payment.id } });
    const { sweep } = await sweeper();
    for (const hours of [1, 25, 100]) await afterSeconds(hours * 3_600, sweep);
    expect((await api.call(`GET /refunds/${refund.refund_id}`)).body.status).toBe('pending');
    const { deps } = await sweeper();
    const findRefund = async () => ({ status: 'succeeded' as const, reference: 're_1' });
    const answers = { ...deps.processor, findRefund };
    const { sweep: answered } = await sweeper({ processor: answers });
    await afterSeconds(200 * 3_600, answered);
    expect((await api.call(`GET /refunds/${refund.refund_id}`)).body.status).toBe('succeeded');
    expect(await eventsOf(payment.id)).toEqual(['1 payment.succeeded', '2 refund.succeeded']);
  });

  it.each([
    { card: '4000000000000341', status: 'failed' },
    { card: '4000000000007726', status: 'succeeded' },
  ])('is settled by the sweeper when it is a refund that $status in the end', async ({ card, status }) => {
    const sessionId = await createSession(api, [{ product_id: await addProduct(api), quantity: 1 }]);
    const payment = await pay(sessionId, { expectedTotal: 1_999, card });
    const { body: refund } = await api.call('POST /refunds', { body: { payment_id: payment.id } });
    const { sweep } = await sweeper();
    await afterSeconds(6, () => Promise.all([sweep(), sweep()]));
    expect((await api.call(`GET /refunds/${refund.refund_id}`)).body.status).toBe(status);
    expect(await eventsOf(payment.id)).toEqual(['1 payment.succeeded', `2 refund.${status}`]);
  });

  it('is checked less often the longer it is open, but at least once an hour', async () => {
    const id = await processingPayment('4000000000003220');
    const { deps } = await sweeper();
    let asked = 0;
    const find = async ({ paymentId, reference }: StartedCharge): Promise<ChargeState> => {
      if (paymentId === id) asked += 1;
      return { status: 'processing', reference };
    };
    const { sweep } = await sweeper({ processor: { ...deps.processor, find } });
    for (const seconds of [6, 10, 14, 20, 25, 30, 50, 55, 62]) await afterSeconds(seconds, sweep);
    expect(asked).toBe(4);
    await afterSeconds(1_000_000, sweep);
    const rows = await afterSeconds(1_003_590, async () => deps.due.list((await runtime()).now().toISOString(), 1_000));
    expect(rows.map((row: DueRow) => row.id)).not.toContain(id);
  });
});
