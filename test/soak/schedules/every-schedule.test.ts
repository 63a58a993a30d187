import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { WebhookRequest } from '../../../shared/domain/webhooks/webhook-request.ts';
import type { DueRow } from '../../../shared/store/events/due-store.ts';
import { keys, timeKey } from '../../../shared/store/keys.ts';
import { issueDocuments } from '../../../shared/use-cases/documents/issue-documents.ts';
import { settleDispute } from '../../../shared/use-cases/payments/settle-dispute.ts';
import { sweepDue } from '../../../shared/use-cases/sweep-due.ts';
import { dispatchAgain } from '../../../shared/use-cases/webhooks/dispatch-again.ts';
import { dispatchEvents } from '../../../shared/use-cases/webhooks/dispatch-events.ts';
import { sweepDeliveries } from '../../../shared/use-cases/webhooks/sweep-deliveries.ts';
import {
  countedPayments,
  deliveries,
  dueRows,
  events,
  newId,
  now,
  payments,
  sessions,
  table,
  webhookHealth,
  webhooks,
} from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import { explore, type Race, sample } from '../../support/schedules/explore.ts';
import { everything, type Footprint } from '../../support/schedules/footprint.ts';
import { openRacingShop, type RacingShop } from '../../support/schedules/racing-shop.ts';
import type { ScheduleStage } from '../../support/schedules/stage.ts';
import { campaign, seeded, times } from '../../support/seeded.ts';
import type { Api, ApiAnswer } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { issuing } from '../../support/shop/dependencies.ts';
import { disputing, finishPayment, finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession } from '../../support/shop/shop.ts';
import { withoutConditions } from '../../support/table/without-conditions.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

const noon = '2026-03-01T12:00:00.000Z';

let shop: RacingShop;
let api: Api;
let productId: string;
beforeAll(async () => {
  // the secret of the stack, which each process reads once
  shop = await openRacingShop(noon, (opened) => openSession(opened, 'secret'));
  ({ api, productId } = shop);
});
afterAll(() => shop.stop());

const newSession = () => createSession(api, [{ product_id: productId, quantity: 1 }]);
const payWith = (sessionId: string, testCard: string) => () =>
  api.call(`POST /checkout/${sessionId}/pay`, {
    key: null,
    body: {
      customer: { email: 'buyer@example.com', name: 'A Buyer' },
      billing_address: { country: 'DE' },
      test_card: testCard,
      expected_total: 1_999,
    },
  });
const cards = {
  asksToConfirm: '3063',
  declined: '0002',
  good: '4242',
  slow: '3220',
  refundsFail: '0341',
  refundsTakeLong: '7726',
  disputed: '0259',
};
const paid = async (card: string): Promise<string> => (await payWith(await newSession(), card)()).body.payment_id;

/** Settles the dispute of a payment with a disputed card, as a notification of it would. */
async function hearingOf(id: string): Promise<() => Promise<unknown>> {
  const { gross, currency, createdAt, sessionId, reference: charge, transaction } = await payments().get(id);
  const of = { paymentId: id, sessionId, amount: gross, currency, createdAt };
  const [found] = await processor().disputesOf({ ...of, reference: charge ?? '', transaction: transaction ?? '' });
  if (!found) throw new Error(`${id} is not disputed.`);
  return () => settleDispute(sweeping(), found.reference);
}

const openSession = ({ api, productId }: Pick<RacingShop, 'api' | 'productId'>, key: string) =>
  api.call('POST /checkouts', {
    body: { product_cart: [{ product_id: productId, quantity: 1 }] },
    headers: { 'idempotency-key': key },
  });
const keyedSession = (key: string) => () => openSession(shop, key);

let serial = 0;
/** A refund under a key, which a client that heard nothing repeats as it is. */
function refundOf(paymentId: string, amount: number) {
  serial += 1;
  const headers = { 'idempotency-key': `schedule-${serial}` };
  return () => api.call('POST /refunds', { body: { payment_id: paymentId, amount }, headers });
}

const statuses = (answers: readonly ApiAnswer[]): number[] => answers.map(({ status }) => status).sort();

/** Racers without an answer ask again, one after another. A racer with an answer gets the same one again. */
async function askAgain(
  racers: readonly (() => Promise<ApiAnswer>)[],
  heard: readonly unknown[],
): Promise<ApiAnswer[]> {
  const answers: ApiAnswer[] = [];
  for (const [index, ask] of racers.entries()) answers.push((heard[index] as ApiAnswer | undefined) ?? (await ask()));
  return answers;
}

async function assertSameBytes(
  racers: readonly (() => Promise<ApiAnswer>)[],
  answers: readonly ApiAnswer[],
): Promise<void> {
  for (const [index, ask] of racers.entries()) expect((await ask()).text).toBe(answers[index]?.text);
}

const assertSoundBooks = async (): Promise<void> =>
  expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);

const ofPayment = async (id: string) => {
  const { status, refundable, pending, refunded, disputed, gross } = await payments().get(id);
  return { status, refundable, pending, refunded, disputed, gross };
};

/** A race, and the instant at which it begins. */
type Setting = Omit<Race, 'reset'> & { at?: string };

/** Two refunds of 12.00 from a payment of 19.99, under keys: one is paid, the others are refused as too much. */
const refundsOf = (count: number) => async (): Promise<Setting> => {
  const id = await paid(cards.good);
  const racers = times(count).map(() => refundOf(id, 1_200));
  return {
    racers,
    verify: async (heard) => {
      const answers = await askAgain(racers, heard);
      expect(statuses(answers)).toEqual([200, ...times(count - 1).map(() => 422)]);
      await assertSameBytes(racers, answers);
      expect(await ofPayment(id)).toMatchObject({ refundable: 799, refunded: 1_200 });
    },
  };
};

/** A minute later the sweeper finishes what a dead process began. */
async function sweepLater(): Promise<void> {
  clock.forward({ minutes: 1 });
  await sweepDue(sweeping(), () => 60_000);
}

const tabsOf = (count: number) => async (): Promise<Setting> => {
  const sessionId = await newSession();
  const racers = times(count).map(() => payWith(sessionId, cards.good));
  return {
    racers,
    verify: async (heard) => {
      const answers = heard.filter(Boolean) as ApiAnswer[];
      await sweepLater();
      const again = await payWith(sessionId, cards.good)();
      const all = statuses([...answers, again]);
      expect(all.every((status) => status === 200 || status === 409)).toBe(true);
      expect(all.filter((status) => status === 200).length).toBeLessThan(2);
      if (answers.length === count) expect(statuses(answers)).toEqual([200, ...times(count - 1).map(() => 409)]);
      expect((await api.call(`GET /checkouts/${sessionId}`)).body.payment_status).toBe('succeeded');
    },
  };
};

/** Issuers in separate processes. The second one wants a document that no other one wants. */
const issuersOf = (count: number) => async (): Promise<Setting> => {
  const [shared, own] = [await paid(cards.good), await paid(cards.good)];
  const wanted = (index: number) => (index === 1 ? [shared, own] : [shared]).map((paymentId) => ({ paymentId }));
  const issue = (index: number) =>
    issueDocuments({ ...issuing(), inTurn: (act) => act(), random: () => 0 }, wanted(index), () => true);
  return {
    racers: times(count).map((index) => () => issue(index)),
    verify: async () => {
      const issued = await issue(1);
      for (const { paymentId, serial } of [...issued.values()].map(({ document }) => document))
        expect((await issuing().documents.find(paymentId)).taken?.serial).toBe(serial);
      const { body } = await api.call('GET /invoices/audit', { query: 'series=INV-2026' });
      expect(body).toMatchObject({ is_continuous: true, count: 2 });
    },
  };
};

/** A buyer in two tabs: one gives the open payment up, the other comes back from the processor and has confirmed it. */
const changers = async (): Promise<Setting> => {
  const sessionId = await newSession();
  const { body } = await payWith(sessionId, cards.asksToConfirm)();
  const { formToken } = await sessions().get(sessionId);
  const { documentSecret } = await payments().get(body.payment_id);
  const cookies = [`buyer=${body.payment_id}.${documentSecret}`];
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const change = () =>
    api.call(`POST /checkout/${sessionId}/change`, {
      ...{ key: null, headers, cookies },
      raw: Buffer.from(`token=${formToken}`),
    });
  const comeBack = () => api.call(`GET /checkout/${sessionId}/return`, { key: null, query: 'step=confirmed' });
  return {
    racers: [change, comeBack],
    verify: async () => {
      await change();
      const { status, events } = await payments().get(body.payment_id);
      const { paymentStatus, spared = 0, status: sessionStatus } = await sessions().get(sessionId);
      const ends = { cancelled: ['cancelled', 1, 'open'], succeeded: ['succeeded', 0, 'completed'] };
      expect(events).toBe(1);
      expect([paymentStatus, spared, sessionStatus]).toEqual(ends[status as keyof typeof ends]);
    },
  };
};

const settlersOf = (refunds: number) => async (): Promise<Setting> => {
  const id = await paid(cards.refundsFail);
  const { body } = await refundOf(id, 1_500)();
  const more = times(refunds).map(() => refundOf(id, 600));
  return {
    racers: [() => finishRefund(body.refund_id), ...more],
    verify: async ([, ...heard]) => {
      await finishRefund(body.refund_id);
      const answers = await askAgain(more, heard);
      await assertSameBytes(more, answers);
      for (const { status, body: refund } of answers) if (status === 200) await finishRefund(refund.refund_id);
      expect(await ofPayment(id)).toMatchObject({ refundable: 1_999, pending: 0, refunded: 0 });
    },
  };
};

/** Two processes settle a slow payment, while a second tab pays its session. */
const tabAndSettlers = async (): Promise<Setting> => {
  const sessionId = await newSession();
  const { body } = await payWith(sessionId, cards.slow)();
  const tab = payWith(sessionId, cards.good);
  const settle = () => finishPayment(body.payment_id);
  return {
    at: '2026-03-01T12:00:10.000Z',
    racers: [tab, settle, settle],
    verify: async ([heard]) => {
      await settle();
      expect(((heard as ApiAnswer | undefined) ?? (await tab())).status).toBe(409);
      expect(await payments().get(body.payment_id)).toMatchObject({ status: 'succeeded', events: 2 });
    },
  };
};

/** A delivery as the sweeper finds it. */
function dueDelivery(id: string, endpointId: string, at: string): DueRow {
  return {
    kind: 'delivery',
    id,
    endpointId,
    discountId: '',
    at,
    seen: timeKey(at, `${id}/${endpointId}`),
    key: keys.delivery(id, endpointId),
  };
}

const races: Record<string, () => Promise<Setting>> = {
  'two payments of one session': tabsOf(2),
  'a declined card and a good card': async () => {
    const sessionId = await newSession();
    return {
      racers: [payWith(sessionId, cards.declined), payWith(sessionId, cards.good)],
      verify: async ([, heard]) => {
        await sweepLater();
        const { status, body } = await payWith(sessionId, cards.good)();
        const paid = (heard as ApiAnswer | undefined)?.status === 200;
        expect([status, body.code ?? body.status]).toEqual(
          paid || status === 409 ? [409, 'CHECKOUT_SESSION_CONSUMED'] : [200, 'succeeded'],
        );
        expect((await api.call(`GET /checkouts/${sessionId}`)).body.payment_status).toBe('succeeded');
      },
    };
  },
  'a second payment, and two processes that finish the first': tabAndSettlers,
  'a payment and the expiry of its session': async () => {
    const sessionId = await newSession();
    return {
      racers: [
        payWith(sessionId, cards.good),
        (stage) => stage.step(everything, async () => clock.forward({ hours: 25 })),
      ],
      mortals: [0],
      verify: async ([heard]) => {
        await sweepLater();
        const answer = (heard as ApiAnswer | undefined) ?? (await payWith(sessionId, cards.good)());
        const { body } = await api.call(`GET /checkouts/${sessionId}`);
        // a payment that began in time, and was not asked for in time, has failed
        if (answer.status === 200) expect(body.payment_status).toBe(answer.body.status);
        else if (answer.status === 409) expect(body.payment_status).toBe('succeeded');
        else expect([answer.status, [null, 'failed'].includes(body.payment_status)]).toEqual([410, true]);
      },
    };
  },
  'two refunds of one payment': refundsOf(2),
  // its processor says pending to the first one who asks, and succeeded to the next one
  'one refund, sent twice with one Idempotency-Key': async () => {
    const id = await paid(cards.refundsTakeLong);
    const once = refundOf(id, 1_200);
    return {
      racers: [once, once],
      verify: async (heard) => {
        const answers = await askAgain([once, once], heard);
        const told = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
        expect(told.size).toBe(1);
        expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
        const { body, text } = await once();
        expect(told).toEqual(new Set([text]));
        await finishRefund(body.refund_id);
        expect((await once()).text).toBe(text);
        expect(await ofPayment(id)).toMatchObject({ refundable: 799, refunded: 1_200 });
      },
    };
  },
  'one refund without a key, and its automatic retry': async () => {
    const id = await paid(cards.good);
    const attempt = (count: string) => () =>
      api.call('POST /refunds', {
        body: { payment_id: id, amount: 700 },
        headers: { 'x-stainless-retry-count': count },
      });
    return {
      racers: [attempt('0'), attempt('1')],
      verify: async (heard) => {
        const answers = [...(heard.filter(Boolean) as ApiAnswer[]), await attempt('2')()];
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
        expect(await ofPayment(id)).toMatchObject({ refundable: 1_299, refunded: 700 });
      },
    };
  },
  // the session is its own record
  'one session, sent twice with one Idempotency-Key': async () => {
    serial += 1;
    const once = keyedSession(`schedule-${serial}`);
    const all = async () => (await scanRows(table().client, table().name)).filter(({ entity }) => entity === 'SESSION');
    const before = (await all()).length;
    return {
      racers: [once, once],
      verify: async (heard) => {
        for (const answer of heard as (ApiAnswer | undefined)[])
          if (answer?.status === 200)
            expect((await api.call(`GET /checkouts/${answer.body.session_id}`)).status).toBe(200);
        const answers = await askAgain([once, once], heard);
        expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
        const { text, body } = await once();
        for (const answer of answers) if (answer.status === 200) expect(answer.text).toBe(text);
        expect((await api.call(`GET /checkouts/${body.session_id}`)).body.payment_status).toBe(null);
        expect(await all()).toHaveLength(before + 1);
      },
    };
  },
  'a refund and the end of another one': settlersOf(1),
  'two processes that finish one refund': async () => {
    const id = await paid(cards.refundsFail);
    const { body } = await refundOf(id, 1_500)();
    const settle = () => finishRefund(body.refund_id);
    return {
      racers: [settle, settle],
      verify: async () => {
        await settle();
        expect(await ofPayment(id)).toMatchObject({ refundable: 1_999, pending: 0, refunded: 0 });
        expect((await payments().getRefund(body.refund_id)).status).toBe('failed');
      },
    };
  },
  'a refund and a dispute': async () => {
    const id = await paid(cards.disputed);
    const hear = await hearingOf(id);
    const refund = refundOf(id, 1_200);
    return {
      racers: [refund, hear],
      verify: async ([heard]) => {
        await hear();
        const answer = (heard as ApiAnswer | undefined) ?? (await refund());
        await assertSameBytes([refund], [answer]);
        const refunded = answer.status === 200 ? 1_200 : 0;
        expect([200, 422]).toContain(answer.status);
        const taken = { refundable: 0, refunded, disputed: 1_999 - refunded };
        expect(await ofPayment(id)).toMatchObject(taken);
      },
    };
  },
  'one dispute, reported twice': async () => {
    const id = await paid(cards.disputed);
    const hear = await hearingOf(id);
    return {
      racers: [hear, hear],
      verify: async () => {
        await hear();
        expect(await ofPayment(id)).toMatchObject({ refundable: 0, disputed: 1_999 });
        const { items } = (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body;
        expect(items.filter(({ type }: { type: string }) => type === 'dispute.opened')).toHaveLength(1);
      },
    };
  },
  'a dispute that is lost while it is reported': async () => {
    const id = await paid(cards.disputed);
    const hear = await hearingOf(id);
    return {
      racers: [hear, (stage) => stage.step(everything, async () => clock.forward({ minutes: 5 }))],
      mortals: [0],
      verify: async () => {
        await hear();
        expect((await payments().get(id)).disputes).toMatchObject([{ status: 'lost', amount: 1_999 }]);
      },
    };
  },
  'a buyer who changes a payment and confirms it in another tab': changers,
  'the end of a payment and a sweep': async () => {
    const id = await paid(cards.slow);
    const sweep = () => sweepDue(sweeping(), () => 60_000);
    return {
      at: '2026-03-01T12:00:10.000Z',
      racers: [() => finishPayment(id), sweep],
      verify: async () => {
        await finishPayment(id);
        expect((await payments().get(id)).status).toBe('succeeded');
      },
    };
  },
  'the first two API keys of a stack': async () => {
    const create = (name: string) => () => api.call('POST /api-keys', { body: { name, access: 'read' } });
    return {
      racers: [create('One'), create('Two')],
      verify: async (heard) => {
        const created = heard.filter(Boolean) as ApiAnswer[];
        expect(statuses(created)).toEqual(created.map(() => 200));
        const { items } = (await api.call('GET /api-keys')).body;
        for (const { body } of created) {
          expect(items).toContainEqual(expect.objectContaining({ id: body.id }));
          expect((await api.call('GET /products', { key: body.key })).status).toBe(200);
        }
      },
    };
  },
  'the archiving of a product and its sale': async () => {
    const archived = await addProduct(api);
    const sessionId = await createSession(api, [{ product_id: archived, quantity: 1 }]);
    const archive = () => api.call(`DELETE /products/${archived}`);
    return {
      racers: [archive, payWith(sessionId, cards.good)],
      verify: async (heard) => {
        expect(statuses(heard.filter(Boolean) as ApiAnswer[]).every((status) => status === 200)).toBe(true);
        expect([200, 410]).toContain((await archive()).status);
        await sweepLater();
        expect([200, 409]).toContain((await payWith(sessionId, cards.good)()).status);
        expect((await api.call(`GET /checkouts/${sessionId}`)).body.payment_status).toBe('succeeded');
      },
    };
  },
  'a new webhook secret and a delivery': async () => {
    const { body: endpoint } = await api.call('POST /webhooks', { body: { url: 'https://merchant.example.com/hook' } });
    const secretOf = async () => (await api.call(`GET /webhooks/${endpoint.id}/secret`)).body.secret;
    const first = await secretOf();
    await paid(cards.good);
    const [event] = (await api.call('GET /webhook-events')).body.items;
    const rotate = () => api.call(`POST /webhooks/${endpoint.id}/rotate`);
    return {
      racers: [rotate, (stage) => dispatchEvents(sending(stage), [event.event_id], () => 60_000)],
      verify: async ([heard]) => {
        if (!heard) await rotate();
        clock.forward({ minutes: 3 });
        await sweepDue(sweeping(), () => 60_000);
        await dispatchEvents(sweeping(), [event.event_id], () => 60_000);
        const [delivery] = await deliveries().ofEvent(event.event_id);
        expect(delivery?.status).toBe('delivered');
        for (const { secrets } of sent) expect(secrets).toContain(first);
        expect(await secretOf()).not.toBe(first);
      },
    };
  },
  'a repeated delivery and the first one': async () => {
    const { body: endpoint } = await api.call('POST /webhooks', { body: { url: 'https://merchant.example.com/hook' } });
    await paid(cards.good);
    const [{ event_id: id }] = (await api.call('GET /webhook-events')).body.items;
    const resendAndSweep = async (stage: ScheduleStage) => {
      const { deliveries: resent } = await dispatchAgain(sweeping(), id, endpoint.id, () => []);
      await stage.step(everything, async () => clock.forward({ milliseconds: 5_001 }));
      const rows = resent.map(({ nextAttemptAt }) => dueDelivery(id, endpoint.id, nextAttemptAt ?? ''));
      await sweepDeliveries(sweeping(stage), rows, () => 60_000);
    };
    return {
      racers: [(stage) => dispatchEvents(sending(stage), [id], () => 60_000), resendAndSweep],
      mortals: [0],
      verify: async () => {
        expect(mostAtOnce).toBeLessThan(2);
        clock.forward({ minutes: 3 });
        await dispatchEvents(sweeping(), [id], () => 60_000);
        await sweepDue(sweeping(), () => 60_000);
        expect((await deliveries().ofEvent(id)).map(({ status }) => status)).toEqual(['delivered']);
        expect((await events().get(id)).open.deliveries).toBe(false);
      },
    };
  },
  'two processes that issue one document': issuersOf(2),
};

const threes: Record<string, () => Promise<Setting>> = {
  'three payments of one session': tabsOf(3),
  'three refunds of one payment': refundsOf(3),
  'two refunds and the end of another one': settlersOf(2),
  'three processes that issue one document': issuersOf(3),
};

/**
 * How many schedules there are, how many more with a death, and the calls of all of them: the same on every machine. Another number
 * means that a command makes other calls than before, or that they depend on each other in another way.
 */
const counts: Readonly<Record<string, [schedules: number, crashes: number, calls: number]>> = {
  'two payments of one session': [14, 38, 342],
  'a declined card and a good card': [18, 45, 421],
  'a second payment, and two processes that finish the first': [18, 52, 494],
  'a payment and the expiry of its session': [4, 4, 23],
  'two refunds of one payment': [10, 32, 258],
  'one refund, sent twice with one Idempotency-Key': [28, 48, 582],
  'one refund without a key, and its automatic retry': [45, 98, 1_244],
  'one session, sent twice with one Idempotency-Key': [4, 8, 42],
  'a refund and the end of another one': [2, 8, 43],
  'two processes that finish one refund': [6, 18, 136],
  'a refund and a dispute': [9, 41, 396],
  'one dispute, reported twice': [6, 12, 94],
  'a dispute that is lost while it is reported': [4, 6, 30],
  'a buyer who changes a payment and confirms it in another tab': [9, 18, 237],
  'the end of a payment and a sweep': [8, 349, 2_855],
  'the first two API keys of a stack': [4, 10, 54],
  'the archiving of a product and its sale': [1, 5, 21],
  'a new webhook secret and a delivery': [2, 16, 104],
  'a repeated delivery and the first one': [96, 158, 4_093],
  'two processes that issue one document': [18, 87, 1_709],
  'three payments of one session': [561, 2_277, 34_587],
  'three refunds of one payment': [132, 591, 7_020],
  'two refunds and the end of another one': [7, 41, 420],
};

/** What was sent in one schedule. */
let sent: WebhookRequest[] = [];
/** Attempts under way, now and at most. */
let atOnce = 0;
let mostAtOnce = 0;
/** What is seen of an attempt by another one. */
const receiving: Footprint = { reads: new Set(), writes: new Set(['receiver']) };
const taken = { status: 200, error: null, latencyMs: 1, answer: '', retryAfter: null };

/** What delivers webhooks; the receiver takes everything; an attempt begins and ends in two steps. */
const sending = (stage?: ScheduleStage) => ({
  events: events(),
  webhooks: webhooks(),
  health: webhookHealth(),
  deliveries: deliveries(),
  ...{ now, newId, random: () => 0, pause: async () => {}, speed: 1, report: () => {}, countDisabled: () => {} },
  send: async (request: WebhookRequest) => {
    const step = (act: () => void) => (stage ? stage.step(receiving, async () => act()) : act());
    await step(() => {
      sent.push(request);
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
    });
    await step(() => {
      atOnce -= 1;
    });
    return taken;
  },
});

const sweeping = (stage?: ScheduleStage) => ({
  ...sending(stage),
  ...{ due: dueRows(), payments: countedPayments(), sessions: sessions(), ...disputing() },
  bus: { publish: async () => [] },
  documentQueue: { send: async () => [], waiting: async () => 0 },
});

/** A race with more orders than this is run in a few random ones. `npm run guards` runs every order. */
const mostOrders = campaign(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 60);
const randomOrders = 25;

async function raceOf(prepare: () => Promise<Setting>): Promise<Race> {
  await shop.reopen();
  clock.stopAt(noon);
  const { at = noon, ...setting } = await prepare();
  const restore = await shop.keep();
  const reset = async () => {
    clock.stopAt(at);
    sent = [];
    atOnce = 0;
    mostAtOnce = 0;
    await restore();
  };
  const verify = async (outcomes: readonly unknown[]) => {
    await assertSoundBooks();
    await setting.verify(outcomes);
    await assertSoundBooks();
  };
  return { ...setting, reset, verify };
}

describe('Simultaneous commands leave correct books in every tried order of calls and crashes:', () => {
  it.each(Object.entries({ ...races, ...campaign(threes, {}) }))('%s', async (name, prepare) => {
    const race = await raceOf(prepare);
    const [expected, deaths] = counts[name] ?? [0, 0];
    if (expected + deaths > mostOrders) {
      const mortals = race.mortals ?? race.racers.map((_, index) => index);
      const orders = await sample(table().client, race, { random: seeded(36), runs: randomOrders, mortals });
      expect(orders).toBeGreaterThan(randomOrders / 2);
      return;
    }
    const { schedules, crashes, calls } = await explore(table().client, race);
    console.log(`${name}: ${schedules} schedules, ${crashes} with a death, ${calls} calls`);
    // three processes that issue have more orders than were counted so far
    expect([schedules, crashes, calls]).toEqual(counts[name] ?? [schedules, crashes, calls]);
  });

  it.each([
    { entities: ['SESSION', 'PAYMENT'], race: tabsOf(2), name: 'a session is paid twice' },
    { entities: ['PAYMENT'], race: refundsOf(2), name: 'more is refunded than was paid' },
    { entities: ['SESSION', 'PAYMENT'], race: changers, name: 'a payment ends twice' },
    {
      entities: ['PAYMENT'],
      race: () => (races['a refund and a dispute'] as () => Promise<Setting>)(),
      name: 'what was refunded is disputed as well',
    },
    {
      entities: ['SERIES', 'NUMBER', 'DOCUMENT', 'DOCUMENT_NUMBER'],
      race: issuersOf(2),
      name: 'a number is given twice',
    },
  ])(
    'this test finds the order in which $name, if the conditions on $entities are missing',
    async ({ entities, race }) => {
      const restore = withoutConditions(entities);
      const exploring = raceOf(race).then((one) => explore(table().client, one));
      await expect(exploring.finally(restore)).rejects.toThrow(/in the order/);
    },
  );
});
