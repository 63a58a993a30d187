import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DeliveryRow } from '../../../shared/domain/webhooks/delivery.ts';
import type { DeliveryStore } from '../../../shared/store/webhooks/delivery-store.ts';
import { dispatchEvents } from '../../../shared/use-cases/webhooks/dispatch-events.ts';
import { inTurn } from '../../support/seeded.ts';
import { failed, hours, type Service, startService, taken, timedOut } from './service.ts';

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

const statusOf = async (id: string) => (await service.deps.webhooks.get(id)).disabled?.reason ?? 'enabled';
const notices = async () =>
  (
    await service.deps.events.list(
      { matches: ({ type }) => type === 'webhook.disabled' },
      { size: 10, skip: 0, after: undefined },
    )
  ).items;

describe('an endpoint', () => {
  it('that answers 410 is disabled after that one request, and gets none of the next 100 events', async () => {
    service.service.receiver = () => failed(410);
    const endpoint = await service.addEndpoint();
    const ids = await service.commitEvents(101);
    await service.dispatch(ids[0] as string);
    await inTurn(ids.slice(1), 16, (id) => service.dispatch(id));
    service.forward(hours(1));
    await service.sweep();
    console.log(`D9: ${service.sent.length} call, then 0 in 100 events`);
    expect(service.sent).toHaveLength(1);
    expect(await statusOf(endpoint.id)).toBe('gone');
    expect(service.reports.join()).toContain(`"reason":"gone"`);
    expect(service.reports.filter((line) => line === 'counted as disabled')).toHaveLength(1);
    expect(await notices()).toHaveLength(1);
  });

  it('that answers 410 gets its pending deliveries cancelled', async () => {
    service.service.receiver = () => failed(404);
    await service.addEndpoint();
    const ids = await service.commitEvents(20);
    await inTurn(ids, 16, (id) => service.dispatch(id));
    service.service.receiver = () => failed(410);
    const last = await service.commitEvent();
    await service.dispatch(last);
    const rows = await service.deliveriesOf([...ids, last]);
    expect(rows.map(({ status }) => status)).toEqual(Array(21).fill('cancelled'));
    service.sent.length = 0;
    service.forward(hours(1));
    await service.sweep();
    expect(service.sent).toEqual([]);
  });

  it('that answers 410 to ten events of an entry is disabled once, with one search for deliveries', async () => {
    service.service.receiver = () => failed(410);
    const { id: endpointId } = await service.addEndpoint();
    const { deliveries, webhooks } = service.deps;
    const done = { searches: 0, disablings: 0 };
    const { list } = deliveries;
    deliveries.list = (...asked) => {
      done.searches += 1;
      return list(...asked);
    };
    const { disable } = webhooks;
    webhooks.disable = (...asked) => {
      done.disablings += 1;
      return disable(...asked);
    };
    const ids = await service.commitEvents(10);
    expect((await service.dispatchTogether(ids)).failure).toBeUndefined();
    expect(await statusOf(endpointId)).toBe('gone');
    expect(done).toEqual({ searches: 1, disablings: 1 });
    expect(await notices()).toHaveLength(1);
  });

  it('that answers 410 to two events of an entry is disabled by the second if the first failed', async () => {
    const { id: endpointId } = await service.addEndpoint();
    const { webhooks } = service.deps;
    const failedOnce = Promise.withResolvers<void>();
    const { get } = webhooks;
    webhooks.get = () => {
      webhooks.get = get;
      failedOnce.resolve();
      return Promise.reject(new Error('the table does not answer'));
    };
    service.service.receiver = async (_, nth) => {
      if (nth > 1) await failedOnce.promise;
      return failed(410);
    };
    await service.dispatchTogether(await service.commitEvents(2));
    expect(await statusOf(endpointId)).toBe('gone');
  });

  it('that answers 410 causes a limited search for pending deliveries, even with a long history', async () => {
    service.service.receiver = () => failed(410);
    const { id: endpointId } = await service.addEndpoint();
    const row = { eventId: '', endpointId, status: 'delivered' as const, createdAt: service.clock.at.toISOString() };
    let read = 0;
    const list: DeliveryStore['list'] = async ({ matches = () => true }, { size }) => {
      const items: DeliveryRow[] = [];
      for (let left = 100_000; left > 0 && items.length < size; left -= 1) {
        read += 1;
        if (matches(row)) items.push(row);
      }
      return { items, hasMore: true, last: undefined };
    };
    const deps = { ...service.deps, deliveries: { ...service.deps.deliveries, list } };
    await dispatchEvents(deps, [await service.commitEvent()], () => 60_000);
    expect(await statusOf(endpointId)).toBe('gone');
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(10_000);
  });

  it.each([
    { hoursOfFailure: 119, exhausted: 12, expected: 'enabled' },
    { hoursOfFailure: 121, exhausted: 12, expected: 'failing' },
    { hoursOfFailure: 121, exhausted: 8, expected: 'enabled' },
  ])(
    'is $expected after $hoursOfFailure hours of failures with $exhausted deliveries given up',
    async ({ hoursOfFailure, exhausted, expected }) => {
      const endpoint = await service.addEndpoint();
      const since = service.clock.at.toISOString();
      for (let index = 0; index < exhausted; index += 1)
        await service.deps.health.noteFailure(endpoint.id, { at: since, isTimeout: false, isExhausted: true });
      service.service.receiver = () => failed(500);
      service.forward(hours(hoursOfFailure));
      await service.dispatch(await service.commitEvent());
      expect(await statusOf(endpoint.id)).toBe(expected);
      const told = await notices();
      expect(told).toHaveLength(expected === 'failing' ? 1 : 0);
      const [notice] = told;
      if (notice)
        expect(JSON.parse((await service.deps.events.get(notice.id)).payload).data).toMatchObject({
          webhook_id: endpoint.id,
          disabled_reason: 'failing',
        });
    },
  );

  it('that succeeds once is not disabled because of earlier failures', async () => {
    const endpoint = await service.addEndpoint();
    const failure = { at: service.clock.at.toISOString(), isTimeout: false, isExhausted: true };
    for (let index = 0; index < 12; index += 1) await service.deps.health.noteFailure(endpoint.id, failure);
    service.forward(hours(119));
    await service.dispatch(await service.commitEvent());
    service.service.receiver = () => failed(500);
    service.forward(hours(2));
    await service.dispatch(await service.commitEvent());
    expect(await statusOf(endpoint.id)).toBe('enabled');
  });

  it('that is disabled causes a notice to the merchant, which is not sent to any endpoint', async () => {
    await service.addEndpoint();
    const failing = await service.addEndpoint();
    service.service.receiver = (request) => (request.url === failing.url ? failed(410) : taken);
    await service.dispatch(await service.commitEvent());
    const [notice] = await notices();
    service.forward(hours(1));
    await service.sweep();
    expect(service.published.map(({ id }) => id)).not.toContain(notice?.id);
    await service.dispatch(notice?.id ?? '');
    expect(service.sent).toHaveLength(2);
  });

  it('that is disabled gets no event, but the event is stored', async () => {
    await service.addEndpoint({ isDisabled: true });
    const id = await service.commitEvent();
    await service.dispatch(id);
    expect(service.sent).toEqual([]);
    expect(await service.deps.events.find(id)).toMatchObject({ id, open: { deliveries: false } });
  });

  it('that is removed gets no more events, and its pending deliveries are cancelled', async () => {
    service.service.receiver = () => failed(404);
    const endpoint = await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    await service.deps.webhooks.remove(
      await service.deps.webhooks.get(endpoint.id),
      await service.deps.webhooks.count(),
      [],
    );
    service.forward(hours(1));
    await service.sweep();
    expect(service.sent).toHaveLength(1);
    expect((await service.deliveriesOf([id])).map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('that times out five times in a row is skipped for a minute, and this uses up no attempts', async () => {
    service.service.receiver = () => timedOut;
    await service.addEndpoint();
    const ids = await service.commitEvents(12);
    for (const id of ids) await service.dispatch(id);
    expect(service.sent).toHaveLength(5);
    service.service.receiver = () => taken;
    service.forward(59_000);
    await service.sweep();
    expect(service.sent).toHaveLength(5);
    service.forward(62_000);
    await service.sweep();
    const rows = await service.deliveriesOf(ids);
    expect(rows.map(({ status }) => status)).toEqual(Array(12).fill('delivered'));
    expect(rows.map(({ tries }) => tries).sort()).toEqual([...Array(7).fill(1), ...Array(5).fill(2)]);
  });

  it('gets no more than two requests at once from a sweep', async () => {
    service.service.receiver = () => failed(404);
    await service.addEndpoint();
    const ids = await service.commitEvents(20);
    await inTurn(ids, 16, (id) => service.dispatch(id));
    let open = 0;
    let most = 0;
    service.service.receiver = async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return taken;
    };
    service.forward(10_000);
    await service.sweep();
    expect(most).toBe(2);
  });
});
