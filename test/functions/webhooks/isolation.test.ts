import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDelivery } from '../../../shared/domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../../shared/domain/webhooks/webhook.ts';
import { deleteWebhook } from '../../../shared/use-cases/webhooks/delete-webhook.ts';
import { campaign } from '../../support/seeded.ts';
import { failed, hours, type Service, startService, taken, timedOut } from './service.ts';

let service: Service;
let dead: WebhookEndpoint;
beforeEach(async () => {
  service = await startService();
  dead = await service.addEndpoint();
  for (let index = 0; index < 9; index += 1) await service.addEndpoint();
});
afterEach(() => service.stop());

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] as number;

it('Nine endpoints get all events if a tenth hangs (keygen-api#771, owncast#1504, metagraphed#9740)', async () => {
  const released = Promise.withResolvers<void>();
  const publishedAt = new Map<string, number>();
  const lags: number[] = [];
  service.service.receiver = async ({ id, url }) => {
    if (url === dead.url) {
      await released.promise;
      return timedOut;
    }
    lags.push(performance.now() - (publishedAt.get(id) as number));
    return taken;
  };
  const ids = await service.commitEvents(campaign(1_000, 100));
  const dispatching = ids.map((id) => {
    publishedAt.set(id, performance.now());
    return service.dispatch(id);
  });
  await vi.waitFor(() => expect(lags).toHaveLength(ids.length * 9), { timeout: 60_000, interval: 20 });
  console.log(
    `D20: ${ids.length} events at once × 9 healthy endpoints beside one that hangs, lag p50 ${Math.round(percentile(lags, 0.5))} ms, p99 ${Math.round(percentile(lags, 0.99))} ms`,
  );
  released.resolve();
  await Promise.all(dispatching);
}, 90_000);

it('A long queue to one endpoint does not delay events or deliveries to other endpoints in the sweep', async () => {
  const now = service.clock.at.toISOString();
  const healthy = (await service.deps.webhooks.all()).find(({ id }) => id !== dead.id);
  const due = (endpointId: string, id: string) =>
    service.deps.deliveries.create(createDelivery({ id, type: 'payment.succeeded' }, endpointId, now, now));
  for (let nth = 0; nth < 40; nth += 1) await due(dead.id, `evt_${nth}`);
  service.forward(1_000);
  const event = await service.commitEvent();
  await due(healthy?.id ?? '', event);
  const rows = await service.deps.due.list('2026-03-02T12:00:00.000Z', 3, await service.deps.webhooks.ids());
  expect(rows.filter(({ endpointId }) => endpointId === dead.id)).toHaveLength(3);
  expect(
    rows
      .filter(({ id }) => id === event)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['delivery', 'event']);
});

it('A delivery to a removed endpoint is cancelled when it becomes due', async () => {
  service.service.receiver = () => failed(500);
  const event = await service.commitEvent();
  await service.dispatch(event);
  await deleteWebhook(service.deps, dead.id, () => []);
  service.forward(hours(1));
  await service.sweep();
  const [ended] = (await service.deliveriesOf([event])).filter(({ endpointId }) => endpointId === dead.id);
  expect(ended?.status).toBe('cancelled');
});

it('After five timeouts in a row an endpoint is skipped for a minute, and this uses up no attempts', async () => {
  const requests = { dead: 0, healthy: 0 };
  service.service.receiver = ({ url }) => {
    requests[url === dead.url ? 'dead' : 'healthy'] += 1;
    return url === dead.url ? timedOut : taken;
  };
  const ids = await service.commitEvents(12);
  for (const id of ids) await service.dispatch(id);
  console.log(`D20: ${requests.dead} of ${ids.length} requests went to an endpoint that times out`);
  expect(requests.healthy).toBe(ids.length * 9);
  expect(requests.dead).toBeLessThan(ids.length);
});
