import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBRecord } from 'aws-lambda';
import { streamConsumer } from '../../infra/endpoints.ts';
import { setEnvironment } from '../../infra/local/sandbox-environment.ts';
import { matchesPattern } from '../../infra/local-aws/bus/event-pattern.ts';
import { listenOnLoopback, readBody } from '../../infra/local-aws/loopback-server.ts';
import { StreamReader } from '../../infra/local-aws/stream/stream-reader.ts';
import { webhookSender } from '../../shared/outside/webhooks/send-webhook.ts';
import { startHttpBus } from '../functions/events/http-bus.ts';
import { startHttpQueue } from '../functions/events/http-queue.ts';
import { type Service, startService } from '../functions/webhooks/service.ts';
import { inTurn } from '../support/seeded.ts';
import { testMerchant } from '../support/shop/api.ts';
import { percentile, report } from './measure.ts';

/** A receiver on this machine; the dead one takes what it gets and says nothing. */
async function startEndpoint(isDead = false) {
  const arrivals = new Map<string, number>();
  const server = await listenOnLoopback(async (request, response) => {
    await readBody(request, 1_048_576);
    if (isDead) return;
    arrivals.set(String(request.headers['webhook-id']), performance.now());
    response.end('ok');
  });
  return { url: `http://127.0.0.1:${server.port}/`, arrivals, stop: () => server.close() };
}

async function relay(service: Service, reader: StreamReader): Promise<void> {
  const bus = await startHttpBus();
  const queue = await startHttpQueue();
  const endpoints = { table: service.endpoint, bucket: bus.url, bus: bus.url, queue: queue.url };
  setEnvironment({ publicUrl: 'http://localhost:4000', endpoints, merchant: testMerchant }, {});
  const { handler } = await import('../../functions/events/relay-events.ts');
  const records: DynamoDBRecord[] = (await reader.read()).filter((one) => matchesPattern(streamConsumer.filter, one));
  const dispatching: Promise<unknown>[] = [];
  for (let start = 0; start < records.length; start += 10) {
    await handler({ Records: records.slice(start, start + 10) });
    dispatching.push(inTurn(bus.taken.splice(0), 10, service.dispatch));
  }
  await Promise.all(dispatching);
  await bus.stop();
  await queue.stop();
}

/** How fast events go through relay and dispatcher to a receiver, and how late they are beside a dead one. */
export async function benchDeliveries(events = 500): Promise<void> {
  const service = await startService();
  service.deps.now = () => new Date();
  service.deps.send = webhookSender({ allowsLoopback: true, ownHost: 'pay.example.com' }, { deadlineMs: 2_000 });
  const receiver = await startEndpoint();
  await service.addEndpoint({ url: receiver.url });
  const reader = await StreamReader.open(service.call, service.table.name);
  await service.commitEvents(events);
  const startedAt = performance.now();
  await relay(service, reader);
  const eventsPerSecond = Math.round((receiver.arrivals.size * 1_000) / (performance.now() - startedAt));
  const lags = await lagsBesideDead(service, Math.ceil(events / 10));
  await receiver.stop();
  await service.stop();
  report('Webhooks: relay, bus, dispatcher, one receiver', [
    ['events', String(events)],
    ['events per second', String(eventsPerSecond)],
    ['lag beside a dead endpoint, 10 events/s, p50', `${Math.round(percentile(lags, 0.5))} ms`],
    ['lag beside a dead endpoint, 10 events/s, p99', `${Math.round(percentile(lags, 0.99))} ms`],
  ]);
}

async function lagsBesideDead(service: Service, events: number): Promise<number[]> {
  const healthy = await Promise.all(Array.from({ length: 8 }, () => startEndpoint()));
  const dead = await startEndpoint(true);
  for (const { url } of [...healthy, dead]) await service.addEndpoint({ url });
  const published = new Map<string, number>();
  const dispatching: Promise<unknown>[] = [];
  for (const id of await service.commitEvents(events)) {
    published.set(id, performance.now());
    dispatching.push(service.dispatch(id));
    await pause(100);
  }
  await Promise.all(dispatching);
  const lags = healthy.flatMap(({ arrivals }) => [...arrivals].map(([id, at]) => at - (published.get(id) ?? at)));
  await Promise.all([...healthy, dead].map((endpoint) => endpoint.stop()));
  return lags;
}
