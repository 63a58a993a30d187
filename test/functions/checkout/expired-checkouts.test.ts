import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dueRows, expiries, sessions, table } from '../../../shared/wiring/runtime.ts';
import { clock } from '../../support/clock.ts';
import { campaign, times } from '../../support/seeded.ts';
import { type Api, startApi, testMerchant } from '../../support/shop/api.ts';
import { moneyContradictions, scanRows } from '../../support/shop/books.ts';
import { cards } from '../../support/shop/cards.ts';
import { finishPayment, sweep } from '../../support/shop/settle.ts';
import { addProduct, createSession, pay, support } from '../../support/shop/shop.ts';

let api: Api;
let productId: string;
const noon = '2031-03-01T12:00:00.000Z';
const day = { hours: 24 };
const ada = { customer: { email: 'ada@example.com', name: 'Ada' } };

beforeAll(async () => {
  api = await startApi({ ...testMerchant, expiredCheckoutEvents: true });
  productId = await addProduct(api);
});
beforeEach(() => clock.stopAt(noon));
afterAll(async () => {
  clock.run();
  await api.stop();
});

const open = (fields: object = ada, cart: object[] = [{ product_id: productId, quantity: 2 }]) =>
  createSession(api, cart, fields);

/** The bodies of the events that tell of a session's expiry. */
async function expiryBodies(sessionId: string) {
  const { body } = await api.call('GET /webhook-events', { query: 'type=checkout_session.expired&page_size=100' });
  const found = await Promise.all(
    (body.items as { event_id: string }[]).map(
      async ({ event_id: id }) => (await api.call(`GET /webhook-events/${id}`)).body,
    ),
  );
  return found.filter(({ body: told }) => told.data.checkout_session_id === sessionId);
}

async function expire(): Promise<void> {
  clock.forward(day);
  await sweep();
}

const rowOf = async (sessionId: string) =>
  (await scanRows(table().client, table().name)).find(({ pk }) => pk === `SESSION#${sessionId}`);

describe('an unpaid session with an e-mail address', () => {
  it('sends one event with its cart when it expires', async () => {
    const id = await open({ ...ada, metadata: { order: '7' } });
    clock.forward({ hours: 23, minutes: 59 });
    await sweep();
    expect(await expiryBodies(id)).toEqual([]);
    clock.forward({ minutes: 1 });
    for (const _ of [1, 2]) await sweep();
    const [event, ...others] = await expiryBodies(id);
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: 'checkout_session.expired', payment_id: null, sequence: 0 });
    expect(event.body).toMatchObject({ type: 'checkout_session.expired', timestamp: '2031-03-02T12:00:00.000Z' });
    expect(event.body.data).toMatchObject({
      checkout_session_id: id,
      status: 'expired',
      created_at: noon,
      expired_at: '2031-03-02T12:00:00.000Z',
      customer: { customer_id: null, email: 'ada@example.com', name: 'Ada', phone_number: null },
      payment_id: null,
      payment_status: null,
      currency: 'EUR',
      total_amount: 3_998,
      product_cart: [{ product_id: productId, name: 'Field Guide (e-book)', quantity: 2, unit_amount: 1_999 }],
      discount_codes: [],
      metadata: { order: '7' },
      payload_type: 'CheckoutSession',
    });
    expect((await api.call(`GET /checkouts/${id}`)).body.status).toBe('expired');
  });

  it('has no total in its event when the buyer had not yet chosen the amount', async () => {
    const id = await open(ada, [{ product_id: await addProduct(api, support), quantity: 1 }]);
    await expire();
    const [event] = await expiryBodies(id);
    expect(event.body.data).toMatchObject({ total_amount: null, product_cart: [{ unit_amount: null }] });
  });

  it('sends an event after a failed payment, with the e-mail that the buyer typed', async () => {
    const id = await open({});
    const failed = await pay(id, { expectedTotal: 3_998, card: cards.declined, email: 'typed@example.com' });
    await expire();
    const [event] = await expiryBodies(id);
    expect(event.payment_id).toBe(failed.id);
    expect(event.body.data).toMatchObject({
      customer: { email: 'typed@example.com', name: 'A Buyer' },
      payment_id: failed.id,
      payment_status: 'failed',
    });
    expect(await moneyContradictions(await scanRows(table().client, table().name))).toEqual([]);
  });

  it('sends no event while its payment is processing, but sends one when that payment fails later', async () => {
    const id = await open();
    const { id: paymentId } = await pay(id, { expectedTotal: 3_998, card: cards.slowDecline });
    clock.forward(day);
    await sweep({ due: onlySessions() });
    expect(await expiryBodies(id)).toEqual([]);
    expect((await api.call(`GET /checkouts/${id}`)).body.status).toBe('open');
    await finishPayment(paymentId);
    await sweep();
    expect((await expiryBodies(id)).map(({ body }) => body.data.payment_status)).toEqual(['failed']);
  });

  it.each([
    { what: 'was paid', prepare: async (id: string) => void (await pay(id, { expectedTotal: 3_998 })), fields: ada },
    { what: 'has no address', prepare: async () => {}, fields: {} },
  ])('sends no event when the session $what', async ({ prepare, fields }) => {
    const id = await open(fields);
    await prepare(id);
    expect(await rowOf(id)).not.toHaveProperty('duePk');
    await expire();
    expect(await expiryBodies(id)).toEqual([]);
  });

  it('accepts no payment after its expiry event, even on a machine whose clock is slow', async () => {
    const id = await open();
    await expire();
    clock.stopAt(noon);
    await expect(pay(id, { expectedTotal: 3_998 })).rejects.toMatchObject({ code: 'CHECKOUT_SESSION_EXPIRED' });
  });

  it('sends one event when three sweeps run at the same time', async () => {
    const id = await open();
    clock.forward(day);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(await expiryBodies(id)).toHaveLength(1);
  });

  it('waits for the next sweep when the database fails, and does not block later sessions', async () => {
    const [stuck, next] = [await open(), await open()];
    clock.forward(day);
    const real = expiries();
    const failing = {
      saveExpired: (session: { id: string }, ...others: [never]) =>
        session.id === stuck ? Promise.reject(new Error('down')) : real.saveExpired(session as never, ...others),
    };
    await sweep({ expiries: failing });
    expect([await expiryBodies(stuck), (await expiryBodies(next)).length]).toEqual([[], 1]);
    expect((await onlySessions().list('2031-03-02T12:00:00.000Z', 1_000)).map(({ id }) => id)).not.toContain(stuck);
    clock.forward({ minutes: 1 });
    await sweep();
    expect(await expiryBodies(stuck)).toHaveLength(1);
  });
});

/** The due rows without payments. */
const onlySessions = () => ({
  ...dueRows(),
  list: async (now: string, most: number) => (await dueRows().list(now, most)).filter(({ kind }) => kind === 'session'),
});

describe('sessions without an expiry event', () => {
  it('are not scheduled for an event if the merchant wants none', async () => {
    const id = await open();
    const { announcesExpiry: _, ...session } = await sessions().get(id);
    await sessions().save(session);
    expect(await rowOf(id)).not.toHaveProperty('duePk');
    await expire();
    expect(await expiryBodies(id)).toEqual([]);
    expect((await api.call(`GET /checkouts/${id}`)).body.status).toBe('expired');
  });
});

it('thousands of sessions that expire together do not delay payments: a sweep handles a part of them', async () => {
  const [count, portion] = campaign([10_000, 1_000], [12, 5]);
  const list = (now: string, _: number) => dueRows().list(now, portion);
  const session = { ...(await sessions().get(await open())), version: 0 };
  await expire();
  clock.stopAt(noon);
  for (const index of times(count)) await sessions().create({ ...session, id: `cks_many${index}` }, []);
  const { id: paymentId } = await pay(await open({}), { expectedTotal: 3_998, card: cards.slowSuccess });
  const waiting = async () => (await onlySessions().list('2031-03-03T00:00:00.000Z', count)).length;
  clock.forward(day);
  await sweep({ due: { ...dueRows(), list } });
  expect((await api.call(`GET /payments/${paymentId}`)).body.status).toBe('succeeded');
  expect(await waiting()).toBe(count - portion);
  for (let left = count - portion; left > 0; left -= portion) await sweep({ due: { ...dueRows(), list } });
  expect(await waiting()).toBe(0);
});

describe('POST /checkouts/{id}/expire', () => {
  const end = (id: string, options: object = {}) => api.call(`POST /checkouts/${id}/expire`, options);
  const buyer = {
    customer: { email: 'ada@example.com', name: 'Ada' },
    billing_address: { country: 'DE' },
    test_card: '4242',
  };
  const payBy = (id: string, fields: object = {}) =>
    api.call(`POST /checkout/${id}/pay`, { key: null, body: { ...buyer, ...fields } });

  it('200: ends an open session with its event, and the session cannot be paid any more', async () => {
    const id = await open();
    const { status, body } = await end(id);
    expect([status, body.status, body.expires_at]).toEqual([200, 'expired', noon]);
    expect((await payBy(id)).status).toBe(410);
    const [event, ...others] = await expiryBodies(id);
    expect([event.body.data.expired_at, others]).toEqual([noon, []]);
    expect((await api.call(`GET /checkouts/${id}`)).body).toEqual(body);
  });

  it('200: a repetition, with or without a key, changes nothing and sends no second event', async () => {
    const id = await open();
    const headers = { 'idempotency-key': `end ${id}` };
    const first = await end(id, { headers });
    clock.forward({ hours: 1 });
    expect((await end(id, { headers })).text).toBe(first.text);
    expect((await end(id)).body).toEqual(first.body);
    clock.forward(day);
    await sweep();
    expect(await expiryBodies(id)).toHaveLength(1);
  });

  it('200: a session without an e-mail address ends without an event', async () => {
    const id = await open({});
    expect((await end(id)).body.status).toBe('expired');
    expect(await expiryBodies(id)).toEqual([]);
  });

  it('200: a session that has expired by itself keeps its time, and its event', async () => {
    const id = await open();
    clock.forward({ hours: 25 });
    expect((await end(id)).body).toMatchObject({ status: 'expired', expires_at: '2031-03-02T12:00:00.000Z' });
    await sweep();
    expect(await expiryBodies(id)).toHaveLength(1);
  });

  it('409: refuses a session that is paid, or being paid', async () => {
    const [paid, pending] = [await open(), await open()];
    await payBy(paid);
    await payBy(pending, { test_card: '3063' });
    for (const id of [paid, pending]) {
      const { status, body } = await end(id);
      expect([status, body.code]).toEqual([409, 'CHECKOUT_SESSION_CONSUMED']);
    }
    expect(await expiryBodies(pending)).toEqual([]);
  });

  it('404: an unknown session', async () => {
    const { status, body } = await end(`cks_${'0'.repeat(21)}`);
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  });
});
