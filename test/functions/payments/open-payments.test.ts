import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { maxAttempts, maxStarted } from '../../../shared/domain/checkout/checkout-session.ts';
import { closePayment } from '../../../shared/use-cases/payments/settle-payment.ts';
import { countedPayments, dueRows, newId, now, payments, sessions, table } from '../../../shared/wiring/runtime.ts';
import { processor } from '../../../shared/wiring/selling.ts';
import { clock } from '../../support/clock.ts';
import {
  processorPage,
  type RemoteProcessor,
  remoteProcessor,
  useProcessor,
} from '../../support/faults/remote-processor.ts';
import { times } from '../../support/seeded.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { finishPayment } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay } from '../../support/shop/shop.ts';
import { readable } from '../../support/table/change-data.ts';

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
const connect = (connected: RemoteProcessor) => {
  restore = useProcessor(connected);
  return connected;
};
const close = (id: string) =>
  closePayment({ payments: countedPayments(), sessions: sessions(), processor: processor(), now, newId }, id);
const eventsOf = async (id: string): Promise<string[]> =>
  (await api.call('GET /webhook-events', { query: `payment_id=${id}` })).body.items.map(
    ({ type }: { type: string }) => type,
  );
const isDue = async (id: string, at: string): Promise<boolean> =>
  (await dueRows().list(at, 1_000)).some((row) => row.id === id);
const input = {
  customer: { email: 'buyer@example.com', name: 'A Buyer' },
  billing_address: { country: 'DE' },
  expected_total: 1_999,
};
const payByJson = (sessionId: string, fields: object = {}) =>
  api.call(`POST /checkout/${sessionId}/pay`, { key: null, body: { ...input, ...fields } });

/** A payment whose buyer is on the processor's page. */
async function opened() {
  const connected = connect(remoteProcessor({ charge: 'open' }));
  const sessionId = await newSession();
  const { id } = await pay(sessionId, { expectedTotal: 1_999 });
  return { id, sessionId, connected };
}

describe('a payment that the buyer must confirm at the processor', () => {
  it('has its own status for the buyer, in the session and in lists, and has sent no event', async () => {
    const { id, sessionId } = await opened();
    expect((await api.call(`GET /payments/${id}`)).body.status).toBe('requires_customer_action');
    expect((await api.call(`GET /checkouts/${sessionId}`)).body.payment_status).toBe('requires_customer_action');
    const { items } = (await api.call('GET /payments', { query: 'status=requires_customer_action' })).body;
    expect(items.map((item: { payment_id: string }) => item.payment_id)).toContain(id);
    expect(await eventsOf(id)).toEqual([]);
    await expect(pay(sessionId, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
  });

  it('shows its confirmation link only to its buyer and to keys that may write', async () => {
    connect(remoteProcessor({ charge: 'open' }));
    const sessionId = await newSession();
    const { body: refusal } = await payByJson(sessionId, { test_card: '4242' });
    expect(refusal).toMatchObject({
      code: 'LIVE_MODE_TEST_CARD',
      message: 'test_card: Only a sandbox without a processor takes test cards. Leave it out.',
    });
    const { body: begun } = await payByJson(sessionId);
    const url = processorPage(begun.payment_id);
    const next_action = { type: 'redirect', url, expires_at: '2099-01-01T00:00:00.000Z' };
    expect(begun).toMatchObject({ status: 'requires_customer_action', next_action });
    const reader = await api.addKey({ access: 'read' });
    const read = (key: string) => api.call(`GET /payments/${begun.payment_id}`, { key });
    expect((await read(await api.addKey({ access: 'write' }))).body.next_action).toEqual(next_action);
    expect((await read(reader)).text).not.toContain(url);
  });

  it('stores its confirmation link only in its own row, not in events, lists, sessions or documents', async () => {
    const { id, sessionId, connected } = await opened();
    const url = processorPage(id);
    const { Items: rows = [] } = await table().client.send(new ScanCommand({ TableName: table().name }));
    const holders = rows.map(readable).filter((row) => JSON.stringify(row).includes(url));
    expect(holders.map(({ entity, pk }) => [entity, pk])).toEqual([['PAYMENT', `PAYMENT#${id}`]]);
    expect(JSON.stringify(holders[0]?.['row'])).not.toContain(url);
    for (const path of ['GET /payments', `GET /checkouts/${sessionId}`, 'GET /webhook-events'])
      expect((await api.call(path)).text).not.toContain(url);
    connected.finish();
    await finishPayment(id);
    expect((await api.call(`GET /payments/${id}`)).body.next_action).toBeUndefined();
    expect(await payments().get(id)).not.toHaveProperty('payAt');
  });

  it('is checked two minutes after its start, or earlier after a notification', async () => {
    clock.stopAt('2031-04-01T12:00:00.000Z');
    const { id } = await opened();
    expect(await isDue(id, '2031-04-01T12:01:59.999Z')).toBe(false);
    expect(await isDue(id, '2031-04-01T12:02:00.000Z')).toBe(true);
  });

  it.each([
    { status: 'succeeded', told: ['payment.succeeded'], session: 'completed' },
    { status: 'failed', told: ['payment.failed'], session: 'open' },
    { status: 'cancelled', told: ['payment.cancelled'], session: 'open' },
  ] as const)('ends as the processor says: $status', async ({ status, told, session }) => {
    const { id, sessionId, connected } = await opened();
    for (const charge of connected.charged.values()) charge.status = status;
    await finishPayment(id);
    await finishPayment(id);
    expect([(await payments().get(id)).status, await eventsOf(id)]).toEqual([status, told]);
    expect(await sessions().get(sessionId)).toMatchObject({ status: session, paymentStatus: status });
  });

  it('sends an event when a slow payment method is processing, and another when it ends', async () => {
    const { id, sessionId, connected } = await opened();
    for (const charge of connected.charged.values()) charge.status = 'processing';
    await finishPayment(id);
    await finishPayment(id);
    expect((await api.call(`GET /checkouts/${sessionId}`)).body.payment_status).toBe('processing');
    expect(await eventsOf(id)).toEqual(['payment.processing']);
    connected.finish();
    await finishPayment(id);
    expect((await eventsOf(id)).sort()).toEqual(['payment.processing', 'payment.succeeded']);
  });
});

describe('a payment that its buyer cancels', () => {
  it('is closed with one event, and leaves the session open for another payment', async () => {
    const { id, sessionId, connected } = await opened();
    await close(id);
    await close(id);
    expect([...connected.charged.values()]).toEqual([{ amount: 1_999, status: 'cancelled' }]);
    expect([(await payments().get(id)).status, await eventsOf(id)]).toEqual(['cancelled', ['payment.cancelled']]);
    restore();
    expect(await pay(sessionId, { expectedTotal: 1_999 })).toMatchObject({ status: 'succeeded' });
  });

  it('succeeds if it was paid in the meantime', async () => {
    const { id, sessionId, connected } = await opened();
    for (const charge of connected.charged.values()) charge.status = 'succeeded';
    await close(id);
    expect([(await payments().get(id)).status, (await sessions().get(sessionId)).status]).toEqual([
      'succeeded',
      'completed',
    ]);
  });

  it('cannot be cancelled when its slow payment method is already processing', async () => {
    const { id, connected } = await opened();
    for (const charge of connected.charged.values()) charge.status = 'processing';
    await close(id);
    expect(await payments().get(id)).toMatchObject({ status: 'processing' });
  });

  it('is first sent again with its id when it is unknown whether the processor received it', async () => {
    const connected = connect(remoteProcessor({ charge: 'open' }));
    connected.around = async (call) => {
      await call();
      throw new Error('The answer was lost.');
    };
    const { id } = await pay(await newSession(), { expectedTotal: 1_999 });
    connected.around = (call) => call();
    await close(id);
    expect([...connected.charged.values()]).toEqual([{ amount: 1_999, status: 'cancelled' }]);
    expect((await payments().get(id)).status).toBe('cancelled');
  });

  it(`does not count as a declined attempt, but ${maxStarted} of them close the session`, async () => {
    const sessionId = await newSession();
    const connected = connect(remoteProcessor({ charge: 'open' }));
    const refuse = async () =>
      ({ status: 'refused', reason: 'amount', errorCode: 'AMOUNT_TOO_SMALL', errorMessage: 'Too small.' }) as const;
    for (const round of times(maxStarted)) {
      restore();
      restore = useProcessor(round % 2 ? { ...connected, begin: refuse } : connected);
      const { id, status } = await pay(sessionId, { expectedTotal: 1_999 });
      if (round % 2) expect(status).toBe('failed');
      else await close(id);
    }
    expect(await sessions().get(sessionId)).toMatchObject({ attempts: maxStarted, spared: maxStarted });
    await expect(pay(sessionId, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
  });

  it(`leaves the buyer all ${maxAttempts} attempts for declined cards`, async () => {
    const sessionId = await newSession();
    const connected = connect(remoteProcessor({ charge: 'open' }));
    await close((await pay(sessionId, { expectedTotal: 1_999 })).id);
    restore();
    restore = useProcessor({ ...remoteProcessor({ charge: 'failed' }) });
    for (const _ of times(maxAttempts)) expect((await pay(sessionId, { expectedTotal: 1_999 })).status).toBe('failed');
    restore();
    restore = useProcessor(connected);
    await expect(pay(sessionId, { expectedTotal: 1_999 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_CONSUMED' });
  });
});
