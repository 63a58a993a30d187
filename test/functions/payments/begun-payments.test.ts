import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../../shared/store/keys.ts';
import { dueRows, now, payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { remoteProcessor, useProcessor } from '../../support/faults/remote-processor.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';

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

const newSession = () => createSession(api, [{ product_id: productId, quantity: 1 }]);

/** A payment that is committed, and whose processor cannot be asked. */
async function begun() {
  const processor = remoteProcessor();
  restore = useProcessor({ ...processor, begin: () => Promise.reject(new Error('The network is down.')) });
  clock.stopAt('2026-03-01T12:00:00.000Z');
  const sessionId = await newSession();
  const { id, status } = await pay(sessionId, { expectedTotal: 1_999 });
  expect(status).toBe('processing');
  const answers = () => {
    restore();
    restore = useProcessor(processor);
    return processor;
  };
  return { id, sessionId, answers };
}

// biome-ignore lint/suspicious/noExplicitAny: the row as it is
async function sessionRow(id: string): Promise<any> {
  const { client, name } = table();
  const { Item } = await client.send(new GetCommand({ TableName: name, Key: keys.session(id), ConsistentRead: true }));
  return Item;
}

const listed = async (id: string): Promise<boolean> =>
  (await api.call('GET /payments')).body.items.some((item: { payment_id: string }) => item.payment_id === id);
const eventsOf = async (id: string): Promise<string[]> =>
  (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body.items.map(
    ({ type }: { type: string }) => type,
  );
const isDue = async (id: string): Promise<boolean> =>
  (await dueRows().list(now().toISOString(), 1_000)).some((row) => row.id === id);

describe('a payment whose processor has not answered', () => {
  it('exists and reserves its session, but appears in no list and sends no event', async () => {
    const { id, sessionId } = await begun();
    expect((await api.call(`GET /payments/${id}`)).body).toMatchObject({ status: 'processing' });
    expect([await listed(id), await eventsOf(id)]).toEqual([false, []]);
    await expect(pay(sessionId, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
  });

  it('is requested again after 30 seconds, when the first function has ended for certain', async () => {
    const { id } = await begun();
    clock.forward({ milliseconds: 29_999 });
    expect(await isDue(id)).toBe(false);
    clock.forward({ milliseconds: 1 });
    expect(await isDue(id)).toBe(true);
  });

  it('is charged once when it is requested again, is listed, and sends one event', async () => {
    const { id, sessionId, answers } = await begun();
    const processor = answers();
    clock.forward({ minutes: 1 });
    await finishPayment(id);
    await finishPayment(id);
    expect([...processor.charged.values()]).toEqual([{ amount: 1_999, status: 'succeeded' }]);
    expect([await listed(id), await eventsOf(id)]).toEqual([true, ['payment.succeeded']]);
    expect(await sessions().get(sessionId)).toMatchObject({ status: 'completed', paymentId: id });
  });

  it('succeeds without a write to its session, which stays closed to other payments', async () => {
    const { id, sessionId, answers } = await begun();
    const before = await sessionRow(sessionId);
    expect(before).not.toHaveProperty('ttl');
    answers();
    await finishPayment(id);
    expect(await sessionRow(sessionId)).toEqual(before);
    expect((await api.call(`GET /checkouts/${sessionId}`)).body).toMatchObject({
      ...{ status: 'completed', payment_id: id, payment_status: 'succeeded' },
    });
    expect((await api.call(`GET /checkout/${sessionId}`, { key: null })).text).toContain('Thank you');
    await expect(pay(sessionId, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
  });

  it('releases its session in the same write that marks it as failed, and the session can expire again', async () => {
    const { id, sessionId } = await begun();
    restore();
    clock.forward({ hours: 2 });
    await finishPayment(id);
    const { version, data, ttl } = await sessionRow(sessionId);
    expect([version, data.status, data.paymentStatus, ttl > 0]).toEqual([3, 'open', 'failed', true]);
  });

  it('fails when it has not reached the processor in two hours, and the session accepts a new payment', async () => {
    const { id, sessionId } = await begun();
    restore();
    clock.forward({ hours: 2 });
    await finishPayment(id);
    expect(await payments().get(id)).toMatchObject({ status: 'failed', errorCode: 'ORDER_CREATION_FAILED' });
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ status: 'succeeded' });
  });

  it('repeats exactly the same request, even if prices or settings have changed', async () => {
    const attempts: unknown[] = [];
    const { id } = await begun();
    restore();
    restore = useProcessor({
      ...remoteProcessor(),
      begin: async (attempt) => {
        attempts.push(attempt);
        throw new Error('The network is down.');
      },
    });
    await finishPayment(id).catch(() => {});
    clock.forward({ minutes: 40 });
    await api.call(`PATCH /products/${productId}`, { body: { name: 'Another name' } });
    await finishPayment(id).catch(() => {});
    await api.call(`PATCH /products/${productId}`, { body: { name: 'Field Guide (e-book)' } });
    expect(attempts).toHaveLength(2);
    expect(attempts[1]).toEqual(attempts[0]);
    expect(attempts[0]).toMatchObject({
      paymentId: id,
      amount: 1_999,
      currency: 'EUR',
      description: 'Field Guide (e-book)',
      expiresAt: '2026-03-01T14:00:00.000Z',
    });
  });
});
