import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReceivedWebhook } from '../../../infra/local/demo/delivery-log.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from '../../../infra/local/demo/receiver.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
let receiver: Receiver;
afterEach(() => receiver.stop());

async function start(options?: ReceiverOptions) {
  receiver = await startReceiver(options);
  receiver.setSecret(secret);
}

/** Delivers an event as our service does, or as somebody who does not know the secret. */
async function deliver(id: string, type: string, key = secret): Promise<number> {
  const now = new Date();
  const body = JSON.stringify({ type, data: { total_amount: 1999 } });
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(key).sign(id, now, body),
  };
  return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
}

describe('the demo’s webhook receiver', () => {
  it('accepts a signed webhook, reports it, and remembers the signed text', async () => {
    const told: ReceivedWebhook[] = [];
    await start({ onDelivery: (delivery) => told.push(delivery) });
    expect(await deliver('evt_1', 'payment.succeeded')).toBe(200);
    expect(told).toEqual([expect.objectContaining({ id: 'evt_1', type: 'payment.succeeded', verified: true })]);
    expect(receiver.deliveries).toEqual(told);
    expect(JSON.parse(told[0]!.body).data).toEqual({ total_amount: 1999 });
  });

  it('refuses a webhook with another signature, and says why', async () => {
    await start();
    expect(await deliver('evt_1', 'payment.succeeded', 'whsec_AAAA')).toBe(401);
    expect(receiver.deliveries[0]).toMatchObject({
      verified: false,
      reason: 'No matching signature found',
      status: 401,
    });
  });

  it('refuses every webhook before it has the secret', async () => {
    receiver = await startReceiver();
    expect(await deliver('evt_1', 'payment.succeeded')).toBe(401);
    expect(receiver.deliveries[0]?.reason).toBe('the secret is not known yet');
  });

  it('refuses a body that is neither JSON nor signed', async () => {
    await start();
    expect((await fetch(receiver.url, { method: 'POST', body: 'hello' })).status).toBe(401);
    expect(receiver.deliveries[0]?.type).toBe('not JSON');
  });

  it('fails the configured number of times, then accepts the same event', async () => {
    await start({ failFirst: 2 });
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt += 1) statuses.push(await deliver('evt_1', 'refund.succeeded'));
    expect(statuses).toEqual([500, 500, 200]);
    expect(receiver.deliveries.map(({ status }) => status)).toEqual([500, 500, 200]);
  });
});

describe('the wait for a delivery', () => {
  it('ends at once if the delivery has already arrived', async () => {
    await start();
    await deliver('evt_1', 'payment.succeeded');
    expect((await receiver.waitFor('payment.succeeded', 1)).id).toBe('evt_1');
  });

  it('ends when the delivery arrives, even if others arrive first', async () => {
    await start();
    const waiting = receiver.waitFor('refund.succeeded', 5_000);
    await deliver('evt_1', 'payment.succeeded');
    await deliver('evt_2', 'refund.succeeded');
    expect((await waiting).id).toBe('evt_2');
  });

  it('ends with an accepted delivery, unless a predicate allows others', async () => {
    await start({ failFirst: 1 });
    await deliver('evt_1', 'payment.succeeded');
    expect((await receiver.waitFor(({ status }) => status === 500, 1)).id).toBe('evt_1');
    await expect(receiver.waitFor('payment.succeeded', 1)).rejects.toThrow(
      'No such webhook in 1 ms: payment.succeeded; arrived: payment.succeeded (500).',
    );
  });
});
