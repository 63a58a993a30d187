import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { realPace } from '../../../shared/use-cases/retry.ts';
import { payments, table } from '../../../shared/wiring/runtime.ts';
import { admitGuardScript } from '../../support/faults/guards.ts';
import { campaign } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment, finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { keepRows } from '../../support/table/rows.ts';
import { type Send, sendThrough } from '../../support/table/send-through.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let productId: string;
let reset: () => Promise<void>;
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
  reset = await keepRows(api.table);
  admitGuardScript();
  vi.spyOn(realPace, 'pause').mockResolvedValue(undefined); // the scheduler decides who goes first, not the clock
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterAll(() => api.stop());

/** The process's own `send`, until the scheduler decides who goes first. */
let schedule: ((send: Send) => Send) | undefined;
const newSession = () => createSession(api, [{ product_id: productId, quantity: 1 }]);
const paid = async (card: string = cards.good) => pay(await newSession(), { expectedTotal: 1_999, card });
const refund = (id: string, amount: number, headers: Record<string, string> = {}) =>
  api.call('POST /refunds', { body: { payment_id: id, amount }, headers });

interface Race {
  /** Prepares what is raced for, then names the racers and what must be true of them. */
  prepare: () => Promise<{ racers: (() => Promise<unknown>)[]; verify: (outcomes: unknown[]) => void | Promise<void> }>;
}

let serial = 0;

const statusesOf = (outcomes: unknown[]) => (outcomes as { status: number }[]).map(({ status }) => status).sort();
const fulfilled = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'paid',
    ({ code }) => code,
  );

const races: Record<string, Race> = {
  'two tabs pay one session': {
    prepare: async () => {
      const sessionId = await newSession();
      const tab = () => fulfilled(pay(sessionId, { expectedTotal: 1_999 }));
      const verify = (outcomes: unknown[]) => expect(outcomes.sort()).toEqual(['CHECKOUT_SESSION_CONSUMED', 'paid']);
      return { racers: [tab, tab], verify };
    },
  },
  'a declined and a good card pay one session': {
    prepare: async () => {
      const sessionId = await newSession();
      const tab = (card: string) => () => fulfilled(pay(sessionId, { expectedTotal: 1_999, card }));
      // the good card has to wait while the processor looks at the other one
      const verify = async ([, outcome]: unknown[]) => {
        if (outcome === 'paid') return;
        expect(outcome).toBe('CHECKOUT_SESSION_CONSUMED');
        expect(await tab(cards.good)()).toBe('paid');
      };
      return { racers: [tab(cards.declined), tab(cards.good)], verify };
    },
  },
  'two refunds want more than is there': {
    prepare: async () => {
      const { id } = await paid();
      const verify = (outcomes: unknown[]) => expect(statusesOf(outcomes)).toEqual([200, 422]);
      return { racers: [() => refund(id, 1_200), () => refund(id, 1_200)], verify };
    },
  },
  'one refund is asked for twice under one key': {
    prepare: async () => {
      const { id } = await paid();
      serial += 1;
      const once = () => refund(id, 1_200, { 'idempotency-key': `race-${serial}` });
      const verify = (outcomes: unknown[]) => {
        expect(statusesOf(outcomes)).toEqual([200, 200]);
        expect(new Set((outcomes as { text: string }[]).map(({ text }) => text)).size).toBe(1);
      };
      return { racers: [once, once], verify };
    },
  },
  'a refund without a key meets its own automatic retry': {
    prepare: async () => {
      const { id } = await paid();
      const attempt = (count: string) => () => refund(id, 700, { 'x-stainless-retry-count': count });
      const verify = async (outcomes: unknown[]) => {
        expect(new Set((outcomes as { text: string }[]).map(({ text }) => text)).size).toBe(1);
        expect((await api.call(`GET /payments/${id}`)).body.refundable_amount).toBe(1_299);
      };
      return { racers: [attempt('0'), attempt('1')], verify };
    },
  },
  'a payment is settled twice, while a tab tries again': {
    prepare: async () => {
      const sessionId = await newSession();
      const { id } = await pay(sessionId, { expectedTotal: 1_999, card: cards.slowSuccess });
      const tab = () => fulfilled(pay(sessionId, { expectedTotal: 1_999 }));
      const verify = (outcomes: unknown[]) => expect(outcomes[2]).toBe('CHECKOUT_SESSION_CONSUMED');
      return { racers: [() => finishPayment(id), () => finishPayment(id), tab], verify };
    },
  },
  'a refund is settled twice, while another one is asked for': {
    prepare: async () => {
      const { id } = await paid(cards.failingRefunds);
      const { body } = await refund(id, 1_500);
      const verify = async () => {
        const { refundable, pending, gross } = await payments().get(id);
        expect(refundable + pending).toBe(gross);
      };
      return {
        racers: [() => finishRefund(body.refund_id), () => finishRefund(body.refund_id), () => refund(id, 600)],
        verify,
      };
    },
  },
};

describe('H5 commands that race at every await', () => {
  it.each(Object.entries(races))('leave correct books in every order: %s', async (name, { prepare }) => {
    const restore = sendThrough(table().client, (send) => (command) => (schedule ? schedule(send) : send)(command));
    const numRuns = campaign(2_000, 60);
    const orders = new Set<string>();
    const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      await reset();
      const { racers, verify } = await prepare();
      schedule = (send) => (command) =>
        scheduler.schedule(Promise.resolve(), command.constructor.name).then(() => send(command));
      const outcomes = await scheduler.waitFor(Promise.all(racers.map((racer) => racer())));
      schedule = undefined;
      orders.add(
        scheduler
          .report()
          .map(({ taskId }) => taskId)
          .join(),
      );
      await verify(outcomes);
      expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
    });
    await fc.assert(property, { numRuns, seed: 5 }).finally(restore);
    console.log(`H5 ${name}: ${numRuns} schedules, ${orders.size} different orders`);
    // two requests of two calls each can take their turns in 4! / (2! × 2!) = 6 ways
    expect(orders.size).toBeGreaterThanOrEqual(6);
  });
});
