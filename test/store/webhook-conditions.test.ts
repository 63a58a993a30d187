import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDelivery, type Delivery } from '../../shared/domain/webhooks/delivery.ts';
import { createEndpoint } from '../../shared/domain/webhooks/webhook.ts';
import { admitGuardScript } from '../support/faults/guards.ts';
import { type Api, startApiThroughSdk } from '../support/shop/api.ts';

const now = '2026-03-01T12:00:00.000Z';
const stale = { name: 'StaleVersion' };

let api: Api;
let runtime: typeof import('../../shared/wiring/runtime.ts');
beforeAll(async () => {
  api = await startApiThroughSdk();
  runtime = await import('../../shared/wiring/runtime.ts');
  admitGuardScript();
});
afterAll(() => api.stop());

const newId = (prefix: 'cks' | 'pay' | 'ref' | 'evt' | 'pdt' | 'whk') => runtime.world.newId(prefix);

describe('a webhook endpoint', () => {
  const endpoint = () => {
    const fields = {
      url: 'https://shop.example/hook',
      description: '',
      filterTypes: null,
      headers: {},
      metadata: {},
      rateLimit: null,
    };
    return createEndpoint({ ...fields, isDisabled: false }, { id: newId('whk'), now, secret: 'whsec_x' });
  };

  it('is counted once, created once, and changed or removed only if it is unchanged since it was read', async () => {
    const webhooks = runtime.webhooks();
    const [one, other] = [endpoint(), endpoint()];
    const none = await webhooks.count();
    await webhooks.create(one, none, []);
    await expect(webhooks.create(other, none, []), 'the count was read').rejects.toMatchObject(stale);
    const count = await webhooks.count();
    await expect(webhooks.create(one, count, []), 'it exists').rejects.toMatchObject(stale);
    await webhooks.create(other, count, []);
    const two = await webhooks.count();
    await expect(webhooks.create(endpoint(), count, []), 'the count has moved').rejects.toMatchObject(stale);
    const read = await webhooks.get(one.id);
    await webhooks.save(read, []);
    await expect(webhooks.save(read, []), 'it has changed').rejects.toMatchObject(stale);
    await expect(webhooks.remove(read, two, []), 'it has changed').rejects.toMatchObject(stale);
    expect(two.count).toBe(2);
  });

  it('gets one notice that it is disabled, which is never replaced', async () => {
    const webhooks = runtime.webhooks();
    const created = endpoint();
    await webhooks.create(created, await webhooks.count(), []);
    const notice = { id: newId('evt'), type: 'webhook.disabled' as const, occurredAt: now, data: {} };
    await webhooks.disable(await webhooks.get(created.id), notice);
    await expect(webhooks.disable(await webhooks.get(created.id), notice)).rejects.toThrow(/exists already/);
  });
});

describe('a delivery', () => {
  const soon = '2026-03-01T12:02:00.000Z';
  const later = '2026-03-01T12:04:00.000Z';
  const delivery = (): Delivery =>
    createDelivery({ id: newId('evt'), type: 'payment.succeeded' }, newId('whk'), soon, now);

  it('is created once, and claimed by only one of two processes that find it due', async () => {
    const deliveries = runtime.deliveries();
    const created = delivery();
    expect(await deliveries.create(created)).toBe(true);
    expect(await deliveries.create(created)).toBe(false);
    expect(await deliveries.claim(created, soon, later)).toBeDefined();
    expect(await deliveries.claim(created, soon, '2026-03-01T12:05:00.000Z')).toBeUndefined();
  });

  it('is moved to an earlier time only once, and not while it is claimed', async () => {
    const deliveries = runtime.deliveries();
    const created = delivery();
    await deliveries.create(created);
    expect(await deliveries.bringForward(created, soon, now)).toEqual({ ...created, nextAttemptAt: now });
    expect(await deliveries.find(created)).toEqual({ ...created, nextAttemptAt: now });
    expect(await deliveries.bringForward(created, soon, now)).toBeUndefined();
    expect(await deliveries.claim(created, now, later)).toBeDefined();
    expect(await deliveries.bringForward(created, now, '2026-03-01T11:00:00.000Z')).toBeUndefined();
    expect((await deliveries.find(created))?.nextAttemptAt).toBe(now);
  });

  it('is written only by the process that holds its claim', async () => {
    const deliveries = runtime.deliveries();
    const created = delivery();
    await deliveries.create(created);
    const first = await deliveries.claim(created, soon, later);
    const second = await deliveries.claim(created, later, '2026-03-01T12:06:00.000Z');
    expect(await deliveries.save({ ...created, tries: 1 }, first?.claim ?? '')).toBe(false);
    expect(await deliveries.save({ ...created, tries: 2 }, second?.claim ?? '')).toBe(true);
  });

  it('cannot be claimed by a process for repeated deliveries before its first attempt', async () => {
    const deliveries = runtime.deliveries();
    const isClaimed = async (one: Delivery) => {
      await deliveries.create(one);
      return (await deliveries.claim(one, soon, later, 'attempted')) !== undefined;
    };
    const attempt = { at: now, status: 500, latencyMs: 1, error: 'status' as const, answer: '' };
    expect(await isClaimed(delivery())).toBe(false);
    expect(await isClaimed({ ...delivery(), attempts: [attempt] })).toBe(true);
  });

  it('is cancelled while it is pending, and restarted once', async () => {
    const deliveries = runtime.deliveries();
    const created = delivery();
    await deliveries.create(created);
    const claimed = await deliveries.claim(created, soon, later);
    const before: Delivery = { ...created, status: 'delivered', nextAttemptAt: null };
    await deliveries.save(before, claimed?.claim ?? '');
    await deliveries.cancel(created);
    expect((await deliveries.find(created))?.status).toBe('delivered');
    const after = { ...created, tries: 0 };
    await deliveries.reopen([{ before, after }], []);
    await expect(deliveries.reopen([{ before, after }], [])).rejects.toMatchObject(stale);
    await expect(deliveries.reopen([{ before: undefined, after }], [])).rejects.toMatchObject(stale);
  });
});
