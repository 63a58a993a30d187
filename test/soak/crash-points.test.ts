import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paymentIdOf } from '../../shared/domain/ids.ts';
import { world } from '../../shared/runtime.ts';
import { type Api, startApi } from '../support/api.ts';
import { cards } from '../support/cards.ts';
import { clock } from '../support/clock.ts';
import { dieAt } from '../support/crash.ts';
import { type RemoteProcessor, remoteProcessor, useProcessor } from '../support/remote-processor.ts';
import { campaign, inTurn, times } from '../support/seeded.ts';
import { endPayment, endRefund } from '../support/settle.ts';
import { createProduct, createSession, fieldGuide, pay, sell } from '../support/shop.ts';

let api: Api;
let productId: string;
let restore = () => {};
beforeAll(async () => {
  api = await startApi();
  productId = await createProduct(api);
});
afterEach(() => {
  restore();
  clock.run();
});
afterAll(() => api.stop());

const stores = async () => {
  const { dueRows, events, payments, products, sessions } = await import('../../shared/runtime.ts');
  return { due: dueRows(), events: events(), payments: payments(), products: products(), sessions: sessions() };
};

const existing = async (ids: readonly string[], find: (id: string) => Promise<unknown>): Promise<number> =>
  (await Promise.all(ids.map((id) => find(id).catch(() => undefined)))).filter(Boolean).length;

/** Ids that are given out while something runs, by prefix. */
async function recordingIds(run: () => Promise<unknown>): Promise<Record<string, string[]>> {
  const { newId } = world;
  const given: Record<string, string[]> = {};
  world.newId = (prefix) => {
    const id = newId(prefix);
    (given[prefix] ??= []).push(id);
    return id;
  };
  await run().finally(() => {
    world.newId = newId;
  });
  return given;
}

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
    const [id, headers] = [await createProduct(api), newKey()];
    return {
      run: () => api.call(`PATCH /products/${id}`, { body: { name: 'Changed' }, headers }),
      effects: async () => (await (await stores()).products.get(id)).version - 1,
    };
  },
  'create session': async () => {
    const [headers, body] = [newKey(), { product_cart: [{ product_id: productId, quantity: 1 }] }];
    return {
      run: () => api.call('POST /checkouts', { body, headers }),
      effects: async ({ cks = [] }) => existing(cks, (await stores()).sessions.get),
    };
  },
  pay: async () => {
    const sessionId = await newSession();
    return {
      run: () => pay(sessionId, { expectedTotal: 1_999 }).catch(() => {}),
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
  refund: async () => refundCommand(newKey(), newKey),
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
      run: () => endPayment(id),
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
      run: () => endRefund(body.refund_id),
      effects: async (ids) => {
        const { refundable, pending, events } = await (await stores()).payments.get(id);
        return refundable === 1_999 && pending === 0 && (await hasItsEvents(id, ids, 1)) ? events - 1 : -1;
      },
    };
  },
};

async function refundCommand(
  headers: Record<string, string> | (() => Record<string, string>),
  _?: unknown,
): Promise<Command> {
  const { id } = await paid();
  const headersOf = typeof headers === 'function' ? headers : () => headers;
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

describe('A4 a process that dies at any await of a command, and is started again with the same request', () => {
  it.each(Object.entries(commands))('leaves the effect there once: %s', async (name, prepare) => {
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

/** Asks the processor for whatever is due, as the sweeper does; nothing is known of the requests that began it. */
async function sweep(): Promise<void> {
  const { due } = await stores();
  const soon = new Date(world.now().getTime() + 60_000).toISOString();
  for (const { kind, id } of await due.list(soon, 4_000)) {
    if (kind === 'payment') await endPayment(id);
    if (kind === 'refund') await endRefund(id);
  }
}

const total = (amounts: Iterable<{ amount: number; status: string }>): number =>
  [...amounts].filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0);

describe('a processor across a network', () => {
  const connect = (processor: RemoteProcessor): RemoteProcessor => {
    restore = useProcessor(processor);
    return processor;
  };

  it('A4 is asked once for a payment, wherever the process dies: it has charged what the session has paid', async () => {
    const processor = connect(remoteProcessor());
    const rounds = campaign(50, 3);
    let points = 0;
    let wrong = 0;
    for (let point = 1; point < 50 && points === point - 1; point += 1)
      for (const _ of times(rounds)) {
        const sessionId = await newSession();
        processor.charged.clear();
        const command = () => pay(sessionId, { expectedTotal: 1_999 });
        const { survived } = await dieAt(point, command, processor);
        await command().catch(() => {});
        await sweep();
        await command().catch(() => {});
        const session = await (await stores()).sessions.get(sessionId);
        if (session.status !== 'completed' || total(processor.charged.values()) !== 1_999) wrong += 1;
        if (!survived) points = point;
      }
    console.log(`A4 pay remotely: ${points} points × ${rounds}: ${wrong} lost or doubled`);
    expect(wrong).toBe(0);
    expect(points).toBeGreaterThanOrEqual(14);
  });

  it('A4 is asked once for a refund, wherever the process dies: it has paid back what we say', async () => {
    const processor = connect(remoteProcessor());
    const rounds = campaign(50, 3);
    let points = 0;
    let wrong = 0;
    for (let point = 1; point < 50 && points === point - 1; point += 1)
      for (const _ of times(rounds)) {
        const { id } = await paid();
        const headers = newKey();
        processor.refunded.clear();
        const command = () => api.call('POST /refunds', { body: { payment_id: id, amount: 500 }, headers });
        const { survived } = await dieAt(point, command, processor);
        const again = await command();
        await sweep();
        const payment = await (await stores()).payments.get(id);
        const isRight = payment.refunded === 500 && payment.pending === 0 && payment.events === 3;
        if (!isRight || total(processor.refunded.values()) !== 500 || again.body.status !== 'pending') wrong += 1;
        if (!survived) points = point;
      }
    console.log(`A4 refund remotely: ${points} points × ${rounds}: ${wrong} lost or doubled`);
    expect(wrong).toBe(0);
    expect(points).toBeGreaterThanOrEqual(14);
  });

  it('B3 killed between its answer and our second transaction: what it has paid back is what we say (own-pay/OwnPay#222)', async () => {
    const processor = connect(remoteProcessor());
    const count = campaign(200, 40);
    const ids: string[] = [];
    for (const index of times(count)) {
      const { id } = await paid();
      ids.push(id);
      const killed = { ...processor };
      restore();
      const lost = async (): Promise<never> => {
        await killed.findRefund({ refundId: '', paymentId: '', amount: 0, currency: '', card: { lastFour: '' } });
        throw new Error('The process died.');
      };
      restore = useProcessor({
        ...processor,
        findRefund: async (order) => {
          await processor.findRefund(order);
          throw new Error('The process died.');
        },
      });
      expect(lost).toBeDefined();
      const { body } = await api.call('POST /refunds', { body: { payment_id: id, amount: 100 + index } });
      expect(body.status).toBe('pending');
    }
    restore();
    restore = useProcessor(processor);
    const { payments } = await stores();
    const before = await Promise.all(ids.map((id) => payments.get(id)));
    await sweep();
    await sweep();
    const after = await Promise.all(ids.map((id) => payments.get(id)));
    const ours = after.reduce((sum, { refunded }) => sum + refunded, 0);
    const theirs = total(processor.refunded.values());
    const pending = before.filter((payment) => payment.pending > 0).length;
    console.log(`B3: ${count} refunds killed after the answer, ${pending} pending; then ${ours} here, ${theirs} there`);
    expect({ pending, ours }).toEqual({ pending: count, ours: theirs });
    expect(after.every(({ events }) => events === 3)).toBe(true);
  });

  it('B3 does not answer for days: what is pending stays pending, and ends as it says in the end', async () => {
    const processor = connect(remoteProcessor({ refund: 'pending', ends: 'failed' }));
    const { id } = await paid();
    const { body } = await api.call('POST /refunds', { body: { payment_id: id, amount: 500 } });
    for (const _ of times(5)) {
      clock.forward({ days: 1 });
      await sweep();
      expect((await api.call(`GET /refunds/${body.refund_id}`)).body.status).toBe('pending');
    }
    processor.finish();
    await sweep();
    expect((await api.call(`GET /refunds/${body.refund_id}`)).body.status).toBe('failed');
    expect(await (await stores()).payments.get(id)).toMatchObject({ refundable: 1_999, pending: 0, refunded: 0 });
  });

  it('declines: the payment has failed, the session is open for another one', async () => {
    connect(remoteProcessor({ charge: 'failed' }));
    const sessionId = await newSession();
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ status: 'failed', events: 2 });
    restore();
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ status: 'succeeded' });
  });

  it('takes its time: the session waits for it, and nobody pays a second time meanwhile', async () => {
    const processor = connect(remoteProcessor({ charge: 'processing' }));
    const sessionId = await newSession();
    const payment = await pay(sessionId, { expectedTotal: 1_999 });
    expect(payment.status).toBe('processing');
    clock.forward({ days: 2 });
    const second = pay(sessionId, { expectedTotal: 1_999 });
    await expect(second).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
    processor.finish();
    await sweep();
    expect(await (await stores()).sessions.get(sessionId)).toMatchObject({
      status: 'completed',
      paymentId: payment.id,
    });
  });

  it('is not asked for a payment of nothing', async () => {
    const processor = connect(remoteProcessor());
    const free = await createProduct(api, { price: { ...fieldGuide.price, price: 0 } });
    const sessionId = await createSession(api, [{ product_id: free, quantity: 1 }]);
    expect(await pay(sessionId, { expectedTotal: 0 })).toMatchObject({ status: 'succeeded', events: 1 });
    expect(processor.charged.size).toBe(0);
    expect((await sell(api)).paymentId).toMatch(/^pay_/);
  });
});
