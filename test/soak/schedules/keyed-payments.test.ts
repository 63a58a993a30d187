import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sweepDue } from '../../../shared/use-cases/sweep-due.ts';
import {
  countedPayments,
  deliveries,
  dueRows,
  events,
  newId,
  now,
  sessions,
  table,
  webhookHealth,
  webhooks,
} from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Explored, explore } from '../../support/schedules/explore.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import { campaign } from '../../support/seeded.ts';
import type { ApiAnswer } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { disputing } from '../../support/shop/settle.ts';
import { createSession } from '../../support/shop/shop.ts';
import { withoutConditions } from '../../support/table/without-conditions.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 120_000) });

const noon = '2026-03-01T12:00:00.000Z';

let shop: RacingShop;
beforeAll(async () => {
  shop = await openRacingShop(noon);
});
afterAll(() => shop.stop());

interface Tried {
  key?: string;
  card: string;
}

const payFor =
  (sessionId: string, { key, card }: Tried) =>
  (): Promise<ApiAnswer> =>
    shop.api.call(`POST /checkout/${sessionId}/pay`, {
      key: null,
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body: {
        customer: { email: 'buyer@example.com', name: 'A Buyer' },
        billing_address: { country: 'DE' },
        test_card: card,
        expected_total: 1_999,
      },
    });

const sweeping = () => ({
  events: events(),
  webhooks: webhooks(),
  health: webhookHealth(),
  deliveries: deliveries(),
  ...{ now, newId, random: () => 0, pause: async () => {}, speed: 1, report: () => {}, countDisabled: () => {} },
  send: async () => ({ status: 200, error: null, latencyMs: 1, answer: '', retryAfter: null }),
  ...{ due: dueRows(), payments: countedPayments(), sessions: sessions(), ...disputing() },
  bus: { publish: async () => [] },
  documentQueue: { send: async () => [], waiting: async () => 0 },
});

/** What a dead process has begun, the sweeper ends a minute later. */
const sweep = async () => {
  clock.forward({ minutes: 1 });
  await sweepDue(sweeping(), () => 60_000);
};

/** Payments of one session at the same time, with a death at every point; before they are repeated, `meanwhile` runs. */
async function race(tried: readonly Tried[], meanwhile: () => Promise<void>): Promise<Explored> {
  await shop.reopen();
  clock.stopAt(noon);
  const sessionId = await createSession(shop.api, [{ product_id: shop.productId, quantity: 1 }]);
  const restore = await shop.keep();
  const reset = async () => {
    clock.stopAt(noon);
    await restore();
  };
  const racers = tried.map((one) => payFor(sessionId, one));
  const verify = async (heard: readonly unknown[]) => {
    await meanwhile();
    const answers = [...(heard as (ApiAnswer | undefined)[])];
    for (const [index, ask] of racers.entries()) if (!isFinal(answers[index])) answers[index] = await ask();
    for (const [index, ask] of racers.entries()) {
      if (tried[index]?.key === undefined) continue;
      const { status, text } = await ask();
      expect([status, text], 'a repetition').toEqual([answers[index]?.status, answers[index]?.text]);
    }
    assertOneAnswerPerKey(tried, answers as ApiAnswer[]);
    await assertOneChargePerKey(sessionId, tried);
  };
  return explore(table().client, { racers, reset, verify });
}

const isFinal = (answer: ApiAnswer | undefined): boolean =>
  answer !== undefined && answer.body.code !== 'IDEMPOTENCY_IN_PROGRESS';

function assertOneAnswerPerKey(tried: readonly Tried[], answers: readonly ApiAnswer[]): void {
  const byRequest = Map.groupBy(answers, (_, index) => JSON.stringify(tried[index]));
  for (const [request, given] of byRequest)
    if (JSON.parse(request).key !== undefined) expect(new Set(given.map(({ text }) => text)).size).toBe(1);
}

/** A key charges once at most, and a session succeeds once at most. */
async function assertOneChargePerKey(sessionId: string, tried: readonly Tried[]): Promise<void> {
  const rows = await scanRows(table().client, table().name);
  expect(await moneyContradictions(rows)).toEqual([]);
  const { attempts } = await sessions().get(sessionId);
  const keys = new Set(tried.flatMap(({ key }) => key ?? []));
  const unkeyed = tried.filter(({ key }) => key === undefined).length;
  expect(attempts).toBeGreaterThan(0);
  expect(attempts).toBeLessThanOrEqual(keys.size + 2 * unkeyed); // without a key, a repetition is a new attempt
}

const repeatAtOnce = async () => {};
const good = '4242';
const declined = '0002';
const confirmed = '3063';
const keyed = (card: string): Tried => ({ key: 'a', card });

describe('payments of one session under one key charge once and have one answer, in every order, with crashes', () => {
  it.each([
    { name: 'a payment, sent twice', tried: [keyed(good), keyed(good)], counts: [36, 64, 774] },
    { name: 'a declined payment, sent twice', tried: [keyed(declined), keyed(declined)], counts: [56, 108, 1_476] },
    {
      name: 'a payment that the buyer must confirm, sent twice',
      tried: [keyed(confirmed), keyed(confirmed)],
      counts: [36, 64, 774],
    },
    { name: 'two different payments with the same key', tried: [keyed(good), keyed(declined)], counts: [13, 20, 169] },
    {
      name: 'a declined payment, and a payment with another key',
      tried: [keyed(declined), { key: 'b', card: good }],
      counts: [18, 75, 776],
    },
    { name: 'a payment with a key and one without', tried: [keyed(good), { card: good }], counts: [14, 50, 473] },
  ])('$name', async ({ tried, counts }) => {
    // who repeats at once meets what a dead process has left; who waits meets what the sweeper has ended
    for (const meanwhile of campaign([repeatAtOnce, sweep], [repeatAtOnce])) {
      const { schedules, crashes, calls } = await race(tried, meanwhile);
      expect([schedules, crashes, calls]).toEqual(counts);
    }
  });

  it('charge twice in some order when the condition of the record is missing', async () => {
    const restore = withoutConditions(['IDEM']);
    const twice = [keyed(declined), keyed(declined)];
    await expect(race(twice, repeatAtOnce).finally(restore)).rejects.toThrow(/in the order/);
  });
});
