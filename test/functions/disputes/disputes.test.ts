import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FoundDispute } from '../../../shared/outside/processor/payment-processor.ts';
import { dataIn } from '../../../shared/store/table/packed.ts';
import { settleDispute } from '../../../shared/use-cases/payments/settle-dispute.ts';
import { countedPayments, dueRows, newId, now, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { disputing, sweep } from '../../support/shop/settle.ts';
import { sell } from '../../support/shop/shop.ts';
import { dialect, missingKeys, strayKeys } from '../../support/wire/dialect.ts';
import { expectProblem } from '../../support/wire/problem.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(async () => {
  clock.run();
  await api.stop();
});
beforeEach(() => clock.stopAt('2031-03-01T12:00:00.000Z'));

const paymentOf = async (id: string) => (await api.call(`GET /payments/${id}`)).body;
const eventsOf = async (id: string): Promise<string[]> => {
  const events: { type: string; sequence: number }[] = (
    await api.call('GET /webhook-events', { query: `payment_id=${id}` })
  ).body.items;
  return events.sort((a, b) => a.sequence - b.sequence).map(({ type }) => type);
};
const faults = async () => moneyContradictions(await scanRows(table().client, table().name));
const keysOf = (answer: object, keys: readonly string[]) => ({
  missing: missingKeys(answer, keys),
  stray: strayKeys(answer, keys),
});
const complete = { missing: [], stray: [] };

/** A payment that a bank disputes, as the sweeper finds it a few seconds later. */
async function disputed(card: string = cards.disputeLost, email = 'buyer@example.com') {
  const { paymentId } = await sell(api, { card, email });
  clock.forward({ milliseconds: 6_000 });
  await sweep();
  const [dispute] = (await paymentOf(paymentId)).disputes;
  return { paymentId, disputeId: dispute.dispute_id as string };
}

describe('a disputed test card', () => {
  it.each([
    { card: cards.disputeLost, end: 'lost', refundable: 0 },
    { card: cards.disputeWon, end: 'won', refundable: 1_999 },
  ])('succeeds, gets a dispute, and $end five minutes later', async ({ card, end, refundable }) => {
    const { paymentId, disputeId } = await disputed(card);
    const opened = (await api.call(`GET /disputes/${disputeId}`)).body;
    expect(opened).toMatchObject({
      dispute_status: 'dispute_opened',
      amount: '1999',
      evidence_due_by: '2031-03-01T12:05:00.000Z',
    });
    expect((await paymentOf(paymentId)).refundable_amount).toBe(0);
    expect(await faults()).toEqual([]);
    clock.forward({ milliseconds: 30_000 });
    await sweep();
    clock.forward({ minutes: 5 });
    await sweep();
    expect((await api.call(`GET /disputes/${disputeId}`)).body.dispute_status).toBe(`dispute_${end}`);
    expect((await paymentOf(paymentId)).refundable_amount).toBe(refundable);
    expect(await eventsOf(paymentId)).toEqual(['payment.succeeded', 'dispute.opened', `dispute.${end}`]);
    expect(await faults()).toEqual([]);
  });

  it.each([
    { every: 60, first: 6 },
    { every: 60, first: 20 },
    { every: 60, first: 35 },
    { every: 60, first: 59 },
    { every: 2, first: 2 },
    { every: 2, first: 7 },
  ])(
    'ends in the first sweep after the bank’s decision: a sweep every $every s, first $first s after the sale',
    async ({ every, first }) => {
      const { paymentId } = await sell(api, { card: cards.disputeLost });
      clock.forward({ milliseconds: 1_000 * first });
      for (let seconds = first; seconds < 300 + every; seconds += every) {
        await sweep();
        clock.forward({ milliseconds: 1_000 * every });
      }
      expect((await paymentOf(paymentId)).disputes).toMatchObject([{ dispute_status: 'dispute_lost' }]);
    },
  );

  it('can be refunded only after the dispute was won', async () => {
    const { paymentId } = await disputed(cards.disputeWon);
    const refund = () => api.call('POST /refunds', { body: { payment_id: paymentId, amount: 500 } });
    expectProblem(await refund(), 422, 'PAYMENT_DISPUTED');
    clock.forward({ minutes: 5 });
    await sweep();
    expect((await refund()).status).toBe(200);
  });
});

describe('GET /disputes/{dispute_id}', () => {
  it('200: has every documented key, and agrees with the list and with the payment', async () => {
    clock.stopAt('2033-03-01T12:00:00.000Z');
    const { paymentId, disputeId } = await disputed();
    const dispute = (await api.call(`GET /disputes/${disputeId}`)).body;
    expect(keysOf(dispute, dialect.dispute)).toEqual(complete);
    const [item] = (await api.call('GET /disputes')).body.items;
    expect(keysOf(item, dialect.disputeItem)).toEqual(complete);
    expect(dispute).toMatchObject(item);
    const [summary] = (await paymentOf(paymentId)).disputes;
    expect(keysOf(summary, dialect.disputeSummary)).toEqual(complete);
    expect(item).toMatchObject(summary);
    const [listed] = (await api.call('GET /payments')).body.items;
    expect(listed).toMatchObject({ payment_id: paymentId, dispute_status: 'dispute_opened' });
  });

  it('404, 401: refuses an unknown id, and a request without a key', async () => {
    expectProblem(await api.call('GET /disputes/dsp_unknown'), 404, 'NOT_FOUND');
    expectProblem(await api.call('GET /disputes/dsp_unknown', { key: null }), 401, 'UNAUTHORIZED');
  });
});

describe('GET /disputes', () => {
  it('200: filters by status, stage, customer and time', async () => {
    clock.stopAt('2034-03-01T12:00:00.000Z');
    const first = await disputed(cards.disputeLost, 'first@example.com');
    clock.forward({ minutes: 10 });
    const second = await disputed(cards.disputeWon, 'second@example.com');
    await sweep();
    const { customer } = (await api.call(`GET /disputes/${second.disputeId}`)).body;
    const ids = async (query: string) =>
      (await api.call('GET /disputes', { query: `created_at_gte=2034-03-01T12:00:00Z&${query}` })).body.items.map(
        (one: { dispute_id: string }) => one.dispute_id,
      );
    expect(await ids('')).toEqual([second.disputeId, first.disputeId]);
    expect(await ids('dispute_status=dispute_lost')).toEqual([first.disputeId]);
    expect(await ids('dispute_stage=pre_dispute')).toEqual([]);
    expect(await ids(`customer_id=${customer.customer_id}`)).toEqual([second.disputeId]);
    expect(await ids('created_at_lte=2034-03-01T12:05:00Z')).toEqual([first.disputeId]);
    expectProblem(
      await api.call('GET /disputes', { query: 'dispute_status=open' }),
      422,
      'INVALID_QUERY_PARAMS',
      'dispute_status',
    );
  });
});

describe('a report from the processor about a dispute', () => {
  const asked = async (paymentId: string, fields: Partial<FoundDispute>) => {
    const alerts: string[] = [];
    const state: FoundDispute = {
      paymentId,
      reference: `du_${paymentId}`,
      amount: 1_999,
      currency: 'EUR',
      status: 'opened',
      stage: 'dispute',
      withdrawn: 1_999,
      isRefundable: false,
      reason: 'fraudulent',
      dueBy: null,
      url: 'https://processor.example/payments/1',
      createdAt: now().toISOString(),
      ...fields,
    };
    const processor = { ...disputing().processor, findDispute: async () => state };
    const deps = { payments: countedPayments(), sessions: sessions(), ...disputing(), processor, now, newId };
    await settleDispute({ ...deps, alert: (alert) => void alerts.push(alert) }, state.reference);
    return alerts;
  };

  it('with an unknown status changes the money but not our status, and raises an alarm', async () => {
    const { paymentId } = await sell(api);
    expect(await asked(paymentId, {})).toEqual([]);
    expect(await asked(paymentId, { status: null, withdrawn: 1_000 })).toEqual(['dispute-unknown-status']);
    expect(await paymentOf(paymentId)).toMatchObject({
      refundable_amount: 999,
      disputes: [{ dispute_status: 'dispute_opened' }],
    });
    expect(await eventsOf(paymentId)).toEqual(['payment.succeeded', 'dispute.opened']);
    expect(await faults()).toEqual([]);
  });

  it('can arrive before the report that the payment succeeded', async () => {
    const { paymentId } = await sell(api, { card: cards.slowSuccess });
    await asked(paymentId, {});
    expect(await eventsOf(paymentId)).toEqual(['payment.processing', 'payment.succeeded', 'dispute.opened']);
  });

  it('is ignored for a payment of another shop, and refused for a failed payment', async () => {
    expect(await asked('pay_ofAnotherShop', {})).toEqual([]);
    const { paymentId } = await sell(api, { card: cards.declined });
    await expect(asked(paymentId, {})).rejects.toThrow('but it is failed');
  });

  it('that says the dispute is unknown is reported, and the dispute is checked again later', async () => {
    const { disputeId } = await disputed();
    clock.forward({ milliseconds: 6_000 });
    const gone = { ...disputing().processor, findDispute: async () => undefined };
    const reported: object[] = [];
    await sweep({ processor: gone, report: (_: string, about: object) => void reported.push(about) });
    expect(reported).toContainEqual({ kind: 'dispute', id: disputeId });
    const due = await dueRows().list(now().toISOString(), 1_000);
    expect(due.map(({ id }) => id)).not.toContain(disputeId);
  });

  it('updates the dispute at each change, and can reopen a lost dispute', async () => {
    const { paymentId } = await sell(api);
    for (const status of ['opened', 'opened', 'challenged', 'lost', 'challenged', 'won'] as const)
      await asked(paymentId, { status, withdrawn: status === 'won' ? 0 : 1_999, isRefundable: status === 'won' });
    expect(await eventsOf(paymentId)).toEqual([
      'payment.succeeded',
      ...['opened', 'challenged', 'lost', 'challenged', 'won'].map((status) => `dispute.${status}`),
    ]);
    expect((await paymentOf(paymentId)).refundable_amount).toBe(1_999);
    expect(await faults()).toEqual([]);
  });
});

describe('the check of the stored books', () => {
  const damaged = async (entity: string, change: (data: never) => object) => {
    const { disputeId, paymentId } = await disputed(cards.disputeLost);
    const rows = await scanRows(table().client, table().name);
    const pk = entity === 'DISPUTE' ? `DISPUTE#${disputeId}` : `PAYMENT#${paymentId}`;
    const changed = rows.map((row) => (row['pk'] === pk ? { ...row, data: change(dataIn(row) as never) } : row));
    return (await moneyContradictions(changed)).join('\n');
  };

  it.each([
    {
      damage: 'a cent that is not disputed',
      entity: 'DISPUTE',
      change: (dispute: { lines: { amount: number }[] }) => ({
        ...dispute,
        lines: dispute.lines.map((line) => ({ ...line, amount: line.amount - 1 })),
      }),
      says: 'its disputes do not add up to disputed',
    },
    {
      damage: 'more held than was withdrawn',
      entity: 'DISPUTE',
      change: (dispute: object) => ({ ...dispute, withdrawn: 1 }),
      says: 'a dispute holds more than was withdrawn',
    },
    {
      damage: 'a dispute that the payment does not list',
      entity: 'PAYMENT',
      change: (payment: object) => ({ ...payment, disputes: [] }),
      says: 'its list of disputes differs from the dispute rows',
    },
    {
      damage: 'a status without its event',
      entity: 'DISPUTE',
      change: (dispute: object) => ({ ...dispute, status: 'won' }),
      says: 'it is won, and its newest event is dispute.opened',
    },
  ])('finds this damage: $damage', async ({ entity, change, says }) => {
    expect(await damaged(entity, change as never)).toContain(says);
  });
});
