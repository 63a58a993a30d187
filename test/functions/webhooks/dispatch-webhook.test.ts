import type { Context, EventBridgeEvent } from 'aws-lambda';
import DodoPayments from 'dodopayments';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Receiver, startReceiver } from '../../../infra/local/demo/receiver.ts';
import { invokeFunction } from '../../../infra/local/invoke.ts';
import { type Received, receiver as startMerchant, stopReceivers } from '../../outside/webhooks/receiver.ts';
import { clock } from '../../support/clock.ts';
import { type Api, startApi } from '../../support/shop/api.ts';
import { cards } from '../../support/shop/cards.ts';
import { sell } from '../../support/shop/shop.ts';

let api: Api;
let receiver: Receiver;
let webhookId: string;
beforeAll(async () => {
  api = await startApi();
  receiver = await startReceiver();
  const { body } = await api.call('POST /webhooks', { body: { url: receiver.url, filter_types: ['refund.*'] } });
  webhookId = body.id;
  receiver.setSecret((await api.call(`GET /webhooks/${webhookId}/secret`)).body.secret);
});
afterAll(async () => {
  await receiver.stop();
  await api.stop();
});
afterEach(stopReceivers);
beforeEach(() => {
  receiver.deliveries.length = 0;
  api.log.length = 0;
});

const context = { getRemainingTimeInMillis: () => 60_000 } as Context;

/** What the bus hands to the dispatcher. */
async function dispatch(detail: unknown): Promise<void> {
  const { handler } = await import('../../../functions/webhooks/dispatch-webhook.ts');
  await handler({ source: 'tillstack', detail } as EventBridgeEvent<string, unknown>, context);
}

async function sweep(): Promise<void> {
  const { handler } = await import('../../../functions/events/sweep-due.ts');
  await handler({} as never, context);
}

const eventOf = async (paymentId: string): Promise<string> =>
  (await api.call('GET /webhook-events', { query: `payment_id=${paymentId}` })).body.items[0].event_id;

const measured = (name: string): number[] =>
  api.log
    .map((line) => JSON.parse(line))
    .flatMap((line) => (line._aws && line[name] !== undefined ? [line[name]] : []));

describe('the dispatcher', () => {
  it('sends only the events that the endpoint subscribed to, signed', async () => {
    const { paymentId } = await sell(api);
    await dispatch({ event_id: await eventOf(paymentId) });
    expect(receiver.deliveries).toEqual([]);
    await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
    await dispatch({ event_id: await eventOf(paymentId) });
    expect(receiver.deliveries).toMatchObject([{ type: 'refund.succeeded', verified: true, status: 200 }]);
    const lines = api.log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'webhook');
    expect(lines).toEqual([
      expect.objectContaining({
        event_id: await eventOf(paymentId),
        endpoint_id: webhookId,
        payment_id: paymentId,
        status: 200,
      }),
    ]);
  });

  it('sends a test event to its endpoint even if the endpoint’s filter excludes the type', async () => {
    const { body } = await api.call(`POST /webhooks/${webhookId}/test`, { body: { type: 'payment.failed' } });
    await dispatch(body);
    expect(receiver.deliveries).toMatchObject([{ id: body.event_id, type: 'payment.failed', verified: true }]);
    const { items } = (await api.call(`GET /webhooks/${webhookId}/deliveries`, { query: 'page_size=1' })).body;
    expect(items).toMatchObject([
      { event_id: body.event_id, status: 'delivered', attempts: [{ http_status: 200, error: null }] },
    ]);
  });

  it('counts each payment once, successful ones when they are documented, and no test events', async () => {
    const { paymentId } = await sell(api);
    const declined = await sell(api, { card: cards.declined });
    const { body: test } = await api.call(`POST /webhooks/${webhookId}/test`, { body: {} });
    for (const id of [await eventOf(paymentId), await eventOf(declined.paymentId), test.event_id])
      for (let times = 0; times < 3; times += 1) await dispatch({ event_id: id });
    expect(measured('PaymentsSucceeded')).toEqual([]);
    const detail = { event_id: await eventOf(paymentId), payment_id: paymentId, data: {} };
    const body = JSON.stringify({ 'detail-type': 'payment.succeeded', detail });
    const Records = [1, 2].map((copy) => ({ messageId: String(copy), body }));
    for (let times = 0; times < 2; times += 1) await invokeFunction('documents/issue-documents', { Records });
    expect(measured('PaymentsSucceeded')).toEqual([1]);
    expect(measured('PaymentsFailed')).toEqual([1]);
  });

  it('sends the single event of a message of version 0.2, and all events of a message with several', async () => {
    const { paymentId } = await sell(api);
    const refund = async () => {
      await api.call('POST /refunds', { body: { payment_id: paymentId, amount: 100 } });
      return eventOf(paymentId);
    };
    const ids = [await refund(), await refund(), await refund()];
    await dispatch({ event_id: ids[0], data: {} });
    expect(receiver.deliveries).toMatchObject([{ id: ids[0], verified: true }]);
    const [first, ...more] = ids.slice(1).map((event_id) => ({ event_id, data: {} }));
    await dispatch({ ...first, more });
    expect(receiver.deliveries.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it('ignores an event that is not in the table, and refuses a message that is not an event', async () => {
    await expect(dispatch({ event_id: 'evt_unknown' })).resolves.toBeUndefined();
    await expect(dispatch({ id: 'evt_1' })).rejects.toThrow();
    const more = [{ event_id: 'evt_unknown' }];
    await expect(dispatch({ more })).rejects.toThrow();
    await expect(dispatch({ event_id: 'evt_unknown', more })).resolves.toBeUndefined();
    expect(api.log.filter((line) => line.includes('not in the table') && line.includes('evt_unknown'))).toHaveLength(3);
  });

  it('signs with both secrets for a day after a rotation, so a receiver with the old one accepts it', async () => {
    await api.call(`POST /webhooks/${webhookId}/rotate`);
    const { body } = await api.call(`POST /webhooks/${webhookId}/test`, { body: {} });
    await dispatch(body);
    expect(receiver.deliveries[0]).toMatchObject({ verified: true });
    expect(String(receiver.deliveries[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2);
  });

  it('sends the same bytes on the first attempt and a day later, and the client accepts both', async () => {
    const merchant = await startMerchant((response) =>
      response.writeHead(merchant.received.length > 1 ? 200 : 404).end(),
    );
    const { body: hook } = await api.call('POST /webhooks', { body: { url: merchant.url } });
    const { secret: key } = (await api.call(`GET /webhooks/${hook.id}/secret`)).body;
    const { body: test } = await api.call(`POST /webhooks/${hook.id}/test`, { body: { type: 'payment.succeeded' } });
    const client = new DodoPayments({ bearerToken: 'x', baseURL: 'http://localhost' });
    const unwrap = ({ headers, body }: Received) =>
      client.webhooks.unwrap(body.toString(), { headers: headers as Record<string, string>, key });
    await dispatch(test);
    const first = merchant.received[0] as Received;
    const seen = unwrap(first);
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ['Date'] });
    await sweep();
    const second = merchant.received[1] as Received;
    expect(unwrap(second)).toEqual(seen);
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers['webhook-id']).toBe(test.event_id);
    expect(second.headers['webhook-signature']).not.toBe(first.headers['webhook-signature']);
    expect(() => unwrap(first)).toThrow('Message timestamp too old');
    vi.useRealTimers();
    await api.call(`DELETE /webhooks/${hook.id}`);
  });

  it('writes no secret, no e-mail address and no body into the log', () => {
    const written = api.log.join('\n');
    expect(written).not.toMatch(/whsec_|@example\.com|v1,/);
  });
});

describe('the sweep', () => {
  it('reports the age of the oldest waiting event on each run', async () => {
    await sell(api);
    const { world } = await import('../../../shared/wiring/runtime.ts');
    world.now = () => new Date(Date.now() + 400_000);
    await sweep();
    clock.run();
    const [age] = measured('OldestDueEventAgeSeconds');
    expect(age).toBeGreaterThanOrEqual(400);
    expect(age).toBeLessThan(430);
  });
});
