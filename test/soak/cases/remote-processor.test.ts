import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { world } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { dieAt } from '../../support/faults/crash.ts';
import { type RemoteProcessor, remoteProcessor, useProcessor } from '../../support/faults/remote-processor.ts';
import { campaign, times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { finishPayment, finishRefund } from '../../support/shop/settle.ts';
import { addProduct, createSession, fieldGuide, pay } from '../../support/shop/shop.ts';

vi.setConfig({ testTimeout: campaign(7_200_000, 90_000) });

let api: Api;
let productId: string;
let restore = () => {};
beforeAll(async () => {
  api = await startApi();
  productId = await addProduct(api);
});
afterEach(() => {
  restore();
  clock.run();
});
afterAll(() => api.stop());

const stores = async () => {
  const { dueRows, payments, sessions } = await import('../../../shared/wiring/runtime.ts');
  return { due: dueRows(), payments: payments(), sessions: sessions() };
};
const newSession = () => createSession(api, [{ product_id: productId, quantity: 1 }]);
const paid = async () => pay(await newSession(), { expectedTotal: 1_999 });

/** Paid before the processor was connected. */
async function paidHere() {
  restore();
  const payment = await paid();
  restore = useProcessor(connected);
  return payment;
}

let connected: RemoteProcessor;
const connect = (processor: RemoteProcessor): RemoteProcessor => {
  connected = processor;
  restore = useProcessor(processor);
  return processor;
};

/** Asks the processor about everything that is due, as the sweeper does, without the requests that began it. */
async function sweep(): Promise<void> {
  const { due } = await stores();
  const soon = new Date(world.now().getTime() + 60_000).toISOString();
  for (const { kind, id } of await due.list(soon, 4_000)) {
    if (kind === 'payment') await finishPayment(id);
    if (kind === 'refund') await finishRefund(id);
  }
}

const total = (amounts: Iterable<{ amount: number; status: string }>): number =>
  [...amounts].filter(({ status }) => status === 'succeeded').reduce((sum, { amount }) => sum + amount, 0);

describe('a payment processor across a network', () => {
  it('charges a payment once, even if our process crashes at any point, and the session shows the same amount', async () => {
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
    // two transactions, the question between them, the rows that the buyer's request reads: each before and after
    expect(points).toBeGreaterThanOrEqual(10);
  });

  it('pays a refund once, even if our process crashes at any point, and we record the same amount', async () => {
    const processor = connect(remoteProcessor());
    const rounds = campaign(50, 3);
    let points = 0;
    let wrong = 0;
    for (let point = 1; point < 50 && points === point - 1; point += 1)
      for (const _ of times(rounds)) {
        const { id } = await paidHere();
        const headers = { 'idempotency-key': `remote-${id}` };
        processor.refunded.clear();
        const command = () => api.call('POST /refunds', { body: { payment_id: id, amount: 500 }, headers });
        const { survived } = await dieAt(point, command, processor);
        const again = await command();
        await sweep();
        const isRepeated = (await command()).text === again.text;
        const payment = await (await stores()).payments.get(id);
        const isRight = payment.refunded === 500 && payment.pending === 0 && payment.events === 2;
        if (!isRight || total(processor.refunded.values()) !== 500 || again.body.status !== 'succeeded' || !isRepeated)
          wrong += 1;
        if (!survived) points = point;
      }
    console.log(`A4 refund remotely: ${points} points × ${rounds}: ${wrong} lost or doubled`);
    expect(wrong).toBe(0);
    // the rows of the request, three writes, the question between them: each before and after
    expect(points).toBeGreaterThanOrEqual(10);
  });

  it('agrees with our records after our process crashes between its answer and our second write (own-pay/OwnPay#222)', async () => {
    const processor = connect(remoteProcessor());
    const { payments } = await stores();
    const count = campaign(200, 30);
    const ids: string[] = [];
    processor.around = async (call) => {
      await call();
      throw new Error('The process died.');
    };
    for (const index of times(count)) {
      const { id } = await paidHere();
      ids.push(id);
      const { body } = await api.call('POST /refunds', { body: { payment_id: id, amount: 100 + index } });
      expect(body.status).toBe('pending');
    }
    processor.around = (call) => call();
    const before = await Promise.all(ids.map((id) => payments.get(id)));
    await sweep();
    await sweep();
    const after = await Promise.all(ids.map((id) => payments.get(id)));
    const pending = before.filter((payment) => payment.pending > 0).length;
    const ours = after.reduce((sum, { refunded }) => sum + refunded, 0);
    const theirs = total(processor.refunded.values());
    console.log(`B3: ${count} refunds killed after the answer, ${pending} pending; then ${ours} here, ${theirs} there`);
    expect({ pending, ours }).toEqual({ pending: count, ours: theirs });
    expect(after.every(({ events }) => events === 2)).toBe(true);
  });

  it('may be silent for days, and a pending refund then ends with the processor’s final answer', async () => {
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

  it('that declines a charge makes the payment fail, and the session can be paid again', async () => {
    connect(remoteProcessor({ charge: 'failed' }));
    const sessionId = await newSession();
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ status: 'failed', events: 1 });
    restore();
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ status: 'succeeded' });
  });

  it('that is slow makes the session wait, and refuses a second payment in the meantime', async () => {
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

  it('is not called for a payment of 0', async () => {
    const processor = connect(remoteProcessor());
    const free = await addProduct(api, { price: { ...fieldGuide.price, price: 0 } });
    const sessionId = await createSession(api, [{ product_id: free, quantity: 1 }]);
    expect(await pay(sessionId, { expectedTotal: 0 })).toMatchObject({ status: 'succeeded', events: 1 });
    expect(processor.charged.size).toBe(0);
  });
});
