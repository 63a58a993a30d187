import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { paymentIdOf } from '../../../shared/domain/ids.ts';
import { events, payments, products, sessions } from '../../../shared/wiring/runtime.ts';
import { dieAt, recordingIds } from '../../support/faults/crash.ts';
import { campaign, inTurn, times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment, finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay } from '../../support/shop/shop.ts';
import { countRows } from '../../support/table/rows.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let productId: string;
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
});
afterAll(() => api.stop());

const stores = async () => ({ events: events(), payments: payments(), products: products(), sessions: sessions() });

const existing = async (ids: readonly string[], find: (id: string) => Promise<unknown>): Promise<number> =>
  (await Promise.all(ids.map((id) => find(id).catch(() => undefined)))).filter(Boolean).length;

interface Command {
  /** The request, which a restart repeats. */
  run: () => Promise<unknown>;
  /** How often its effect is there: once, if all is well. `ids` are those that were given out. */
  effects: (ids: Record<string, string[]>) => Promise<number>;
}

let serial = 0;
const newKey = () => {
  serial += 1;
  return { 'idempotency-key': `crash-${serial}` };
};
const newSession = () => createSession(api, [{ product_id: productId, quantity: 1 }]);
const paid = async (card: string = cards.good) => pay(await newSession(), { expectedTotal: 1_999, card });

/** Whether the events of a payment are exactly those that it has counted. */
async function hasItsEvents(paymentId: string, ids: Record<string, string[]>, before: number): Promise<boolean> {
  const { events, payments } = await stores();
  return (await payments.get(paymentId)).events - before === (await existing(ids['evt'] ?? [], events.find));
}

const commands: Record<string, () => Promise<Command>> = {
  'create product': async () => {
    const headers = newKey();
    return {
      run: () => api.call('POST /products', { body: fieldGuide, headers }),
      effects: async ({ pdt = [] }) => existing(pdt, (await stores()).products.get),
    };
  },
  'change product': async () => {
    const [id, headers] = [await addProduct(api), newKey()];
    return {
      run: () => api.call(`PATCH /products/${id}`, { body: { name: 'Changed' }, headers }),
      effects: async () => (await (await stores()).products.get(id)).version - 1,
    };
  },
  'create session': async () => {
    const [headers, body] = [newKey(), { product_cart: [{ product_id: productId, quantity: 1 }] }];
    const sessions = async () => (await countRows(api))['SESSION'] ?? 0;
    const before = await sessions();
    return {
      run: () => api.call('POST /checkouts', { body, headers }),
      effects: async () => (await sessions()) - before,
    };
  },
  pay: async () => {
    const sessionId = await newSession();
    return {
      run: async () => {
        await pay(sessionId, { expectedTotal: 1_999 }).catch(() => {});
        // what a dead process began is finished by the sweeper, which may die as well
        await finishPayment(paymentIdOf(sessionId, 1)).catch(() => {});
      },
      effects: async (ids) => {
        const { payments, sessions } = await stores();
        const found = await existing(
          [1, 2, 3].map((attempt) => paymentIdOf(sessionId, attempt)),
          payments.get,
        );
        const { paymentId, status } = await sessions.get(sessionId);
        return status === 'completed' && (await hasItsEvents(paymentId ?? '', ids, 0)) ? found : -1;
      },
    };
  },
  refund: async () => {
    const headers = newKey();
    return refundCommand(() => headers);
  },
  'refund, repeated without a key by the client': async () => {
    let count = -1;
    return refundCommand(() => {
      count += 1;
      return { 'x-stainless-retry-count': String(count) };
    });
  },
  'settle payment': async () => {
    const { id } = await paid(cards.slowSuccess);
    return {
      run: () => finishPayment(id),
      effects: async (ids) => {
        const { status, events } = await (await stores()).payments.get(id);
        return status === 'succeeded' && (await hasItsEvents(id, ids, 1)) ? events - 1 : -1;
      },
    };
  },
  'settle refund that fails': async () => {
    const { id } = await paid(cards.failingRefunds);
    const { body } = await api.call('POST /refunds', { body: { payment_id: id, amount: 700 } });
    return {
      run: () => finishRefund(body.refund_id),
      effects: async (ids) => {
        const { refundable, pending, events } = await (await stores()).payments.get(id);
        return refundable === 1_999 && pending === 0 && (await hasItsEvents(id, ids, 1)) ? events - 1 : -1;
      },
    };
  },
};

async function refundCommand(headersOf: () => Record<string, string>): Promise<Command> {
  const { id } = await paid();
  return {
    run: () => api.call('POST /refunds', { body: { payment_id: id, amount: 500 }, headers: headersOf() }),
    effects: async (ids) => {
      const { payments } = await stores();
      const payment = await payments.get(id);
      const rows = await existing(ids['ref'] ?? [], payments.getRefund);
      const isRight = payment.refunds.length === rows && payment.refunded === 500 * rows;
      return isRight && (await hasItsEvents(id, ids, 1)) ? rows : -1;
    },
  };
}

describe('a process that crashes at any await of a command and then gets the same request again', () => {
  it.each(Object.entries(commands))('has the effect exactly once: %s', async (name, prepare) => {
    const rounds = campaign(50, 3);
    const counts = { points: 0, kills: 0, lost: 0, doubled: 0 };
    for (let point = 1; point < 50; point += 1) {
      const survivals = await inTurn(times(rounds), 1, async () => {
        const command = await prepare();
        let survived = false;
        const ids = await recordingIds(async () => {
          ({ survived } = await dieAt(point, command.run));
          await command.run();
        });
        const effects = await command.effects(ids);
        if (effects < 1) counts.lost += 1;
        if (effects > 1) counts.doubled += 1;
        return survived;
      });
      if (survivals.every(Boolean)) break;
      counts.points = point;
      counts.kills += rounds;
    }
    console.log(`A4 ${name}: ${counts.points} points × ${rounds}: ${counts.lost} lost, ${counts.doubled} doubled`);
    expect(counts).toMatchObject({ lost: 0, doubled: 0 });
    expect(counts.points).toBeGreaterThanOrEqual(4);
  });
});
