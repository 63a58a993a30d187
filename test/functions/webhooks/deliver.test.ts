import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryDelaysSeconds } from '../../../shared/domain/webhooks/retry-schedule.ts';
import { sweepDue } from '../../../shared/use-cases/sweep-due.ts';
import { dispatchEvents } from '../../../shared/use-cases/webhooks/dispatch-events.ts';
import { campaign, inTurn, seeded, times } from '../../support/seeded.ts';
import { failed, type Service, startService, taken, timedOut } from './service.ts';

let service: Service;

beforeEach(async () => {
  service = await startService();
});

afterEach(() => service.stop());

/** The clock goes on to the next minute after the delivery is due, then one sweep. */
async function sweepWhenDue(eventId: string, endpointId: string): Promise<void> {
  const delivery = await service.deps.deliveries.find({ eventId, endpointId });
  const due = Date.parse(delivery?.nextAttemptAt ?? service.clock.at.toISOString());
  service.clock.at = new Date(Math.max(service.clock.at.getTime(), Math.ceil(due / 60_000) * 60_000));
  await service.sweep();
}

describe('a delivery', () => {
  it('is tried exactly ten times, each after its planned delay within ±20 % plus at most a minute', async () => {
    service.service.receiver = () => failed(500);
    service.deps.random = seeded(5);
    const endpoint = await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    for (let tries = 0; tries < 12; tries += 1) await sweepWhenDue(id, endpoint.id);
    const times = service.sent.map(({ at }) => at.getTime() / 1_000);
    const delays = times.slice(1).map((time, index) => time - (times[index] as number));
    console.log(`D7: ${times.length} attempts, after ${delays.map((delay) => Math.round(delay)).join(', ')} s`);
    expect(times).toHaveLength(10);
    for (const [index, delay] of delays.entries()) {
      const planned = retryDelaysSeconds[index] as number;
      expect(delay).toBeGreaterThanOrEqual(planned * 0.8);
      expect(delay).toBeLessThanOrEqual(planned * 1.2 + 60);
    }
    expect((await service.deps.deliveries.find({ eventId: id, endpointId: endpoint.id }))?.status).toBe('exhausted');
  });

  it('is tried again five seconds after a short failure, in the same call of the dispatcher', async () => {
    service.service.receiver = (_, nth) => (nth === 1 ? failed(500) : taken);
    await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    const [first, second] = service.sent.map(({ at }) => at.getTime());
    expect((second as number) - (first as number)).toBe(5_000);
    expect((await service.deliveriesOf([id])).map(({ status }) => status)).toEqual(['delivered']);
  });

  it.each([
    { failure: 'a 429', outcome: failed(429) },
    { failure: 'a 502', outcome: failed(502) },
    { failure: 'a 504', outcome: failed(504) },
    { failure: 'a 404', outcome: failed(404) },
    { failure: 'a timeout', outcome: timedOut },
  ])('is retried later by the sweep, not at once, after $failure', async ({ outcome }) => {
    service.service.receiver = () => outcome;
    await service.addEndpoint();
    await service.dispatch(await service.commitEvent());
    expect(service.sent).toHaveLength(1);
  });

  it('stores time, status, latency, error and answer of each attempt; ten need less than 20 kB', async () => {
    service.service.receiver = () => ({ ...failed(500), answer: 'x'.repeat(1_024), latencyMs: 42 });
    const endpoint = await service.addEndpoint();
    const id = await service.commitEvent();
    await service.dispatch(id);
    for (let tries = 0; tries < 9; tries += 1) await sweepWhenDue(id, endpoint.id);
    const delivery = await service.deps.deliveries.find({ eventId: id, endpointId: endpoint.id });
    const bytes = Buffer.byteLength(JSON.stringify(delivery));
    console.log(`D21: ten attempts in ${bytes} bytes`);
    expect(delivery?.attempts).toHaveLength(10);
    expect(delivery?.attempts[0]).toMatchObject({ status: 500, latencyMs: 42, error: 'status' });
    expect(bytes).toBeLessThan(20_000);
  });

  it('is sent once or twice if the dispatcher crashes after the 200, in each of 200 cases', async () => {
    await service.addEndpoint();
    const { create } = service.deps.deliveries;
    let crashes = 0;
    service.deps.deliveries.create = (delivery) => {
      crashes += 1;
      return crashes % 2 === 0 ? Promise.reject(new Error('killed')) : create(delivery);
    };
    const ids = await service.commitEvents(200);
    await inTurn(ids, 16, (id) => service.dispatch(id));
    service.deps.deliveries.create = create;
    service.service.publish = async (events) => {
      await inTurn(events, 16, ({ id }) => service.dispatch(id));
      return [];
    };
    service.forward(121_000);
    await service.sweep();
    const times = ids.map((id) => service.sent.filter((request) => request.id === id).length);
    console.log(
      `D25: killed × ${crashes / 2}; sent once ${times.filter((n) => n === 1).length}, twice ${times.filter((n) => n === 2).length}`,
    );
    expect(Math.min(...times)).toBe(1);
    expect(Math.max(...times)).toBe(2);
    expect((await service.deliveriesOf(ids)).every(({ status }) => status === 'delivered')).toBe(true);
  });

  it('is sent once when many dispatchers get the event at the same time', async () => {
    await service.addEndpoint();
    await service.addEndpoint();
    const [id = ''] = await service.commitEvents(1);
    const dispatched = await Promise.all(times(5).map(() => service.dispatch(id)));
    expect(dispatched.filter(({ isFirst }) => isFirst)).toHaveLength(1);
    expect(service.sent.map((request) => request.id)).toEqual([id, id]);
    expect(new Set(service.sent.map(({ url }) => url)).size).toBe(2);
  });

  it('is sent together with the other events of its entry, and the endpoints are read only once', async () => {
    await service.addEndpoint();
    const ids = await service.commitEvents(10);
    const { allWithHealth } = service.deps.webhooks;
    let reads = 0;
    service.deps.webhooks.allWithHealth = () => {
      reads += 1;
      return allWithHealth();
    };
    expect(await service.dispatchTogether(ids)).toEqual({ done: expect.arrayContaining(ids), failure: undefined });
    service.deps.webhooks.allWithHealth = allWithHealth;
    expect(reads).toBe(1);
    expect(service.sent.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect((await service.deliveriesOf(ids)).map(({ status }) => status)).toEqual(ids.map(() => 'delivered'));
  });

  it('that fails does not stop the other deliveries of its call, and a retry sends only the failed one', async () => {
    await service.addEndpoint();
    const ids = await service.commitEvents(10);
    const failing = [ids[2], ids[7]];
    const { claim } = service.deps.events;
    service.deps.events.claim = async (id, ...rest) => {
      if (failing.includes(id)) throw new Error('the table does not answer');
      return claim(id, ...rest);
    };
    const others = ids.filter((id) => !failing.includes(id));
    const first = await service.dispatchTogether(ids);
    expect(first.failure).toBe('the table does not answer');
    expect([...first.done].sort()).toEqual([...others].sort());
    expect(service.sent.map(({ id }) => id).sort()).toEqual([...others].sort());
    for (const id of failing)
      expect(service.reports.filter((line) => line.includes('not be dispatched') && line.includes(`"${id}"`))).toEqual([
        expect.stringContaining('the table does not answer'),
      ]);
    expect(service.reports).toHaveLength(failing.length);
    service.deps.events.claim = claim;
    expect((await service.dispatchTogether(ids)).failure).toBeUndefined();
    expect(service.sent.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it.each(['before', 'after'])(
    'reaches its endpoint, and is counted at most once, if its call crashes %s any of its steps',
    async (moment) => {
      await service.addEndpoint();
      let steps = 0;
      let diesAt = 0;
      const mortal = <Verbs extends object>(verbs: Verbs): Verbs =>
        new Proxy(verbs, {
          get:
            (_, name) =>
            async (...asked: unknown[]) => {
              steps += 1;
              const isDead = steps >= diesAt;
              const isDone = !isDead || (steps === diesAt && moment === 'after');
              const answer = isDone && (await (verbs[name as keyof Verbs] as (...all: unknown[]) => unknown)(...asked));
              if (isDead) throw new Error('killed');
              return answer;
            },
        });
      const { events, webhooks, health, deliveries, send } = service.deps;
      const dying = {
        ...service.deps,
        events: mortal(events),
        webhooks: mortal(webhooks),
        health: mortal(health),
        deliveries: mortal(deliveries),
        send: mortal({ send }).send,
      };
      do {
        [steps, diesAt] = [0, diesAt + 1];
        const ids = await service.commitEvents(2);
        service.sent.length = 0;
        const counted: string[] = [];
        const count = ({ eventId, isFirst }: { eventId: string; isFirst: boolean }) =>
          void (isFirst && counted.push(eventId));
        const minute = () => 60_000;
        await dispatchEvents(dying, ids, minute, count).catch(() => {});
        for (const seconds of [60, 61]) {
          service.forward(seconds * 1_000);
          await Promise.all([ids, ids.toReversed()].map((some) => dispatchEvents(service.deps, some, minute, count)));
        }
        expect(new Set(service.sent.map(({ id }) => id))).toEqual(new Set(ids));
        expect(service.sent.length).toBeLessThanOrEqual(2 * ids.length);
        expect((await service.deliveriesOf(ids)).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
        expect(counted).toHaveLength(new Set(counted).size);
      } while (steps >= diesAt);
      expect(diesAt).toBe(12); // a read of the endpoints, and for each of two: read, claim, send, create, end; the last round does not die
      expect(service.sent).toHaveLength(2);
    },
  );

  it('is counted before its second attempt, so it is counted even if the call times out there', async () => {
    await service.addEndpoint();
    const ids = await service.commitEvents(2);
    service.service.receiver = () => failed(500);
    const done: string[] = [];
    const counted: number[] = [];
    const { pause } = service.deps;
    service.deps.pause = (milliseconds) => {
      counted.push(done.length);
      return pause(milliseconds);
    };
    await service.dispatchTogether(ids.slice(0, 1), done);
    await service.dispatchTogether(ids.slice(1), done);
    expect(counted).toEqual([1, 2]);
  });

  it('to an endpoint that did not answer five requests waits, and all ten of the entry are delivered later', async () => {
    const endpoint = await service.addEndpoint();
    const ids = await service.commitEvents(10);
    service.service.receiver = () => timedOut;
    await service.dispatchTogether(ids);
    expect((await service.deps.webhooks.allWithHealth()).health.get(endpoint.id)?.pausedUntil).toEqual(
      expect.any(String),
    );
    service.service.receiver = () => taken;
    service.forward(4 * 3_600_000);
    await service.sweep();
    expect((await service.deliveriesOf(ids)).map(({ status }) => status)).toEqual(ids.map(() => 'delivered'));
  });

  it('that one endpoint got before a crash is sent only to the other endpoints afterwards', async () => {
    const [told, untold] = [await service.addEndpoint(), await service.addEndpoint()];
    const [id = ''] = await service.commitEvents(1);
    const { create } = service.deps.deliveries;
    service.deps.deliveries.create = (delivery) =>
      delivery.endpointId === untold.id ? Promise.reject(new Error('killed')) : create(delivery);
    expect((await service.dispatch(id)).isFirst).toBe(false);
    service.deps.deliveries.create = create;
    expect((await service.dispatch(id)).isFirst, 'the first dispatcher may be alive').toBe(false);
    service.forward(121_000);
    expect((await service.dispatch(id)).isFirst).toBe(true);
    const sentTo = (url: string) => service.sent.filter((request) => request.url === url).length;
    expect([sentTo(told.url), sentTo(untold.url)]).toEqual([1, 2]);
  });

  it('is not lost when the dispatcher crashes before it writes a row, marks the event or makes the attempt', async () => {
    await service.addEndpoint();
    const { deps } = service;
    const killed = () => Promise.reject(new Error('killed'));
    const { create, find } = deps.deliveries;
    const { markDispatched } = deps.events;
    const ids = await service.commitEvents(3);
    deps.deliveries.create = killed;
    await service.dispatch(ids[0] as string);
    deps.deliveries.create = create;
    deps.events.markDispatched = killed;
    await expect(service.dispatch(ids[1] as string)).rejects.toThrow('killed');
    deps.events.markDispatched = markDispatched;
    const { send } = deps;
    deps.send = killed;
    await service.dispatch(ids[2] as string);
    deps.send = send;
    service.service.publish = async (events) => {
      await inTurn(events, 16, ({ id }) => service.dispatch(id));
      return [];
    };
    for (let minute = 0; minute < 5; minute += 1) {
      service.forward(60_000);
      await service.sweep();
    }
    // the first one was sent before its dispatcher died without a row of it: at least once, under one id
    expect(service.sent.map(({ id }) => id).sort()).toEqual([ids[0], ...ids].sort());
    expect(await find({ eventId: ids[0] as string, endpointId: 'none' })).toBeUndefined();
  });

  it('is claimed and sent once when three sweepers run at the same time', async () => {
    for (let endpoint = 0; endpoint < 10; endpoint += 1) await service.addEndpoint();
    service.service.receiver = () => failed(404);
    const ids = await service.commitEvents(campaign(200, 30));
    await inTurn(ids, 16, (id) => service.dispatch(id));
    service.sent.length = 0;
    service.service.receiver = () => taken;
    service.forward(10_000);
    await Promise.all([1, 2, 3].map(() => sweepDue(service.deps, () => 100_000)));
    const doubled = service.sent.length - new Set(service.sent.map(({ id, url }) => `${id} ${url}`)).size;
    console.log(`D26: 3 sweepers, ${ids.length * 10} due, ${service.sent.length} sent, ${doubled} doubled`);
    expect(service.sent).toHaveLength(ids.length * 10);
    expect(doubled).toBe(0);
  });
});
