import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventIdsIn } from '../../../shared/events/bus-detail.ts';
import type { RecordedEvent } from '../../../shared/events/recorded-event.ts';
import { eventBus } from '../../../shared/outside/bus/event-bus.ts';
import { packPayload } from '../../../shared/store/events/event-payload.ts';
import { keys } from '../../../shared/store/keys.ts';
import { sweepDue } from '../../../shared/use-cases/sweep-due.ts';
import { campaign, inTurn, seeded } from '../../support/seeded.ts';
import { type Service, startService, taken } from '../webhooks/service.ts';

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.stop());

/** A bus that hands what it takes to the dispatcher, as the rule does. */
const carry = async (events: readonly RecordedEvent[]) => {
  await inTurn(events, 16, ({ id }) => service.dispatch(id));
  return [];
};

/** A minute's rhythm, as the schedule has it. */
async function sweepFor(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    service.forward(60_000);
    await service.sweep();
  }
}

const replayed = campaign(1_000, 80);

describe('an event between the table and its endpoints', () => {
  it('is delivered by the sweeper while the stream is off (connect#4545, node-dynamodb-stream#13)', async () => {
    await service.addEndpoint();
    const ids = await service.commitEvents(campaign(1_000, 100));
    service.service.publish = carry;
    await sweepFor(3);
    const arrived = new Set(service.sent.map(({ id }) => id));
    console.log(
      `C4: ${arrived.size} of ${ids.length} events delivered without a stream, ${service.sent.length} requests`,
    );
    expect(arrived).toEqual(new Set(ids));
    expect(service.sent).toHaveLength(ids.length);
  });

  it('arrives in three minutes once a bus that lost entries recovers (aws-sdk#186, aws-cli#9186, aws-sdk-java-v2#3155, #3173)', async () => {
    await service.addEndpoint();
    const ids: string[] = [];
    for (let minute = 0; minute < 10; minute += 1) {
      ids.push(await service.commitEvent());
      await sweepFor(1);
    }
    expect(service.sent).toHaveLength(0);
    const healedAt = service.clock.at.getTime();
    service.service.publish = carry;
    await sweepFor(3);
    const latest = Math.max(...service.sent.map(({ at }) => at.getTime() - healedAt)) / 1_000;
    console.log(`C3: ${service.sent.length} of ${ids.length} delivered, the last one ${latest} s after the bus healed`);
    expect(new Set(service.sent.map(({ id }) => id))).toEqual(new Set(ids));
    expect(latest).toBeLessThanOrEqual(180);
  });

  it.each([0, 2, 15, 29])(
    'is delivered by the first retry, two minutes after a dispatcher crashed %i seconds after the sale',
    async (seconds) => {
      await service.addEndpoint();
      const id = await service.commitEvent();
      service.forward(1_000 * seconds);
      service.service.receiver = () => Promise.reject(new Error('killed'));
      expect((await service.dispatch(id)).isFirst).toBe(false);
      service.service.receiver = () => taken;
      service.service.publish = carry;
      service.forward(1_000 * (120 - seconds));
      await service.sweep();
      expect((await service.deliveriesOf([id])).map(({ status }) => status)).toEqual(['delivered']);
    },
  );

  it('is delivered once even if the bus drops, duplicates and reorders entries', async () => {
    await service.addEndpoint();
    const random = seeded(7);
    const held: RecordedEvent[] = [];
    let dropped = 0;
    let duplicated = 0;
    service.service.publish = async (events) => {
      const kept = events.filter(() => random() > 0.3 || !++dropped);
      const doubled = kept.filter(() => random() < 0.3);
      duplicated += doubled.length;
      held.push(...kept, ...doubled);
      const now = held.splice(0).sort(() => random() - 0.5);
      held.push(...now.splice(Math.ceil(now.length / 2)));
      return carry(now);
    };
    const ids = await service.commitEvents(campaign(1_000, 80));
    await sweepFor(campaign(30, 14));
    console.log(
      `hostile bus: ${ids.length} events, ${dropped} dropped, ${duplicated} doubled, ${service.sent.length} requests`,
    );
    expect(service.sent.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it('gets one delivery per endpoint when every event arrives three times in random order', async () => {
    for (let endpoint = 0; endpoint < 3; endpoint += 1) await service.addEndpoint();
    const ids = await service.commitEvents(50);
    const random = seeded(11);
    const shuffled = [...ids, ...ids, ...ids].sort(() => random() - 0.5);
    await inTurn(shuffled, 16, (id) => service.dispatch(id));
    const rows = await service.deliveriesOf(ids);
    console.log(
      `C6: ${rows.length} deliveries for ${ids.length} events × 3 endpoints, ${service.sent.length} requests`,
    );
    expect(rows).toHaveLength(150);
    expect(service.sent).toHaveLength(150);
  });

  it(`gets no new delivery when ${replayed} events are replayed, not even for a newer endpoint`, async () => {
    await service.addEndpoint();
    const ids = await service.commitEvents(replayed);
    await inTurn(ids, 16, (id) => service.dispatch(id));
    await service.addEndpoint();
    await inTurn(ids, 16, (id) => service.dispatch(id));
    const rows = await service.deliveriesOf(ids);
    console.log(`C10: ${rows.length} deliveries after a replay of ${ids.length}, ${service.sent.length} requests`);
    expect(rows).toHaveLength(ids.length);
    expect(service.sent).toHaveLength(ids.length);
  });

  it('is sent a day later with exactly the bytes that were stored with it', async () => {
    await service.addEndpoint();
    const id = await service.commitEvent();
    const committed = (await service.deps.events.get(id)).payload;
    service.forward(86_400_000);
    await service.dispatch(id);
    expect(service.sent[0]?.body.equals(Buffer.from(committed))).toBe(true);
  });

  it('is noticed when late: the sweep reports the age of the oldest (GitHub report, August 2023)', async () => {
    await service.commitEvent();
    service.forward(301_000);
    const { oldestEventSeconds } = await service.sweep();
    expect(oldestEventSeconds).toBe(301);
    service.service.publish = carry;
    await sweepFor(2);
    expect((await service.sweep()).oldestEventSeconds).toBe(0);
  });

  it('is published again by the sweep while its document is missing, and both ages are reported separately', async () => {
    const id = await service.commitEvent();
    await service.dispatch(id);
    await sweepFor(16);
    expect(service.toIssue.filter((one) => one.id === id).length).toBeGreaterThanOrEqual(4);
    expect(service.published.filter((one) => one.id === id)).toEqual([]);
    service.forward(240_000);
    expect(await service.sweep()).toMatchObject({ oldestEventSeconds: 0, oldestDocumentSeconds: 1_200 });
    expect(await service.deps.events.markDocumented(id)).toBe(true);
    service.forward(240_000);
    expect(await service.sweep()).toMatchObject({ oldestEventSeconds: 0, oldestDocumentSeconds: 0 });
  });

  it('is not sent again to a long queue of documents, in which it waits, and is sent again as soon as the queue is short', async () => {
    const ids = await service.commitEvents(20);
    await inTurn(ids, 16, (id) => service.dispatch(id));
    service.service.queued = 1_001;
    await sweepFor(30);
    expect(service.toIssue).toEqual([]);
    service.service.queued = 1_000;
    await sweepFor(4);
    expect(new Set(service.toIssue.map(({ id }) => id))).toEqual(new Set(ids));
    service.service.queued = 0;
  });

  it('whose mail waits is sent again at the rate of the mail service, confirmations of waivers first, and delays no other event', async () => {
    const ids = await service.commitEvents(30);
    await inTurn(ids, 16, (id) => service.dispatch(id));
    const at = service.clock.at.toISOString();
    for (const [index, id] of ids.entries()) {
      const wait = { until: `${at.slice(0, 17)}${10 + index}.000Z`, confirmsWaiver: index >= 27 };
      expect(await service.deps.events.awaitMail(id, wait)).toBe(true);
    }
    const inOrder = [...ids.slice(27), ...ids.slice(0, 27)];
    const lost = await service.commitEvent();
    service.forward(121_000);
    const quota = { perSecond: 0.2, leftToday: 100 };
    const sweep = () => sweepDue({ ...service.deps, mailer: { quota: async () => quota } }, () => 100_000);
    await sweep();
    expect(service.toIssue.map(({ id }) => id).sort()).toEqual([...inOrder.slice(0, 12), lost].sort());
    service.toIssue.splice(0);
    quota.leftToday = 3;
    await sweep();
    expect(service.toIssue.map(({ id }) => id)).toEqual(inOrder.slice(12, 15));
    service.toIssue.splice(0);
    quota.leftToday = 0;
    await sweep();
    expect(service.toIssue.map(({ id }) => id)).toEqual(inOrder.slice(15, 16));
    service.toIssue.splice(0);
    expect(await service.deps.events.markDocumented(inOrder[20] ?? '')).toBe(true);
    await sweepDue(service.deps, () => 100_000);
    expect(service.toIssue.map(({ id }) => id).sort()).toEqual([...inOrder.slice(16, 20), ...inOrder.slice(21)].sort());
  });

  it('that still needs deliveries stays among the others when its mail has to wait', async () => {
    const id = await service.commitEvent();
    expect(await service.deps.events.awaitMail(id, { until: '2031-01-01T00:00:00.000Z', confirmsWaiver: false })).toBe(
      false,
    );
    service.forward(121_000);
    await service.sweep();
    expect(service.published.map((one) => one.id)).toEqual([id]);
  });

  it('is published once by three sweeps at once, and not again after it is dispatched and documented', async () => {
    await service.addEndpoint();
    const ids = await service.commitEvents(40);
    service.forward(121_000);
    const seen = await service.deps.due.list(service.clock.at.toISOString(), 1_000);
    await Promise.all([service.sweep(), service.sweep(), service.sweep()]);
    for (const list of [service.published, service.toIssue])
      expect(list.map(({ id }) => id).sort()).toEqual([...ids].sort());
    await inTurn(ids, 16, (id) => service.dispatch(id));
    await inTurn(ids, 16, (id) => service.deps.events.markDocumented(id));
    const postponed = await inTurn(seen, 16, (row) => service.deps.due.postpone(row, '2030-01-01T00:00:00.000Z'));
    expect(new Set(postponed)).toEqual(new Set([false]));
    expect(await service.deps.due.list('2031-01-01T00:00:00.000Z', 1_000)).toEqual([]);
  });

  it.each(['bus', 'queue of documents'])(
    'reaches its other destination when the %s refuses it, and the fault is reported and retried',
    async (place) => {
      const id = await service.commitEvent();
      const refuse = async (events: readonly RecordedEvent[]) => events.map((event) => ({ event, reason: 'down' }));
      service.service[place === 'bus' ? 'publish' : 'issue'] = refuse;
      await sweepFor(4);
      const [goes, stays] =
        place === 'bus' ? [service.toIssue, service.published] : [service.published, service.toIssue];
      expect(new Set(goes.map((one) => one.id))).toEqual(new Set([id]));
      expect(goes.length).toBeGreaterThan(1);
      expect(stays).toEqual([]);
      expect(service.reports.filter((one) => one.includes('could not be published again'))).toHaveLength(goes.length);
    },
  );

  it.each(['the bus refuses', 'the dispatcher dies on'])(
    'reaches its endpoint through the sweep even if %s one of nine other events every time',
    async (fate) => {
      await service.addEndpoint();
      const ids = await service.commitEvents(10);
      const [, , , poison = ''] = ids;
      const put = async ({ input: { Entries = [] } }: PutEventsCommand) => {
        const carried = Entries.map(({ Detail = '' }) => eventIdsIn(JSON.parse(Detail)));
        await inTurn(
          carried.filter((some) => !some.includes(poison)),
          16,
          (some) => service.dispatchTogether(some),
        );
        const isTaken = (some: readonly string[]) => fate !== 'the bus refuses' || !some.includes(poison);
        return { Entries: carried.map((some) => (isTaken(some) ? { EventId: 'taken' } : { ErrorCode: 'Refused' })) };
      };
      service.service.publish = eventBus('payments', { send: put as EventBridgeClient['send'] }).publish;
      await sweepFor(3);
      expect(service.sent.map(({ id }) => id).sort()).toEqual(ids.filter((id) => id !== poison).sort());
    },
  );

  it.each(['no JSON', 'null', '{"type":"payment.succeeded"}'])(
    'is sent and documented by the sweep even if another event has the payload %j, which is reported',
    async (payload) => {
      await service.addEndpoint();
      const [poison, good] = [await service.commitEvent(), await service.commitEvent()];
      await service.table.client.send(
        new UpdateCommand({
          TableName: service.table.name,
          Key: keys.event(poison),
          UpdateExpression: 'SET payload = :payload',
          ExpressionAttributeValues: { ':payload': packPayload(payload) },
        }),
      );
      const put = async ({ input: { Entries = [] } }: PutEventsCommand) => {
        await inTurn(Entries, 16, ({ Detail = '' }) => service.dispatchTogether(eventIdsIn(JSON.parse(Detail))));
        return { Entries: Entries.map(() => ({ EventId: 'taken' })) };
      };
      service.service.publish = eventBus('payments', { send: put as EventBridgeClient['send'] }).publish;
      await sweepFor(3);
      expect(service.sent.map(({ id }) => id)).toEqual([good]);
      expect(new Set(service.toIssue.map(({ id }) => id))).toEqual(new Set([good]));
      expect(service.reports.join()).toContain(poison);
    },
  );

  it('is still found by the sweep when another row cannot be read', async () => {
    await service.addEndpoint();
    const [poison, good] = [await service.commitEvent(), await service.commitEvent()];
    const find = service.deps.events.find;
    service.deps.events.find = (id) => (id === poison ? Promise.reject(new Error('unreadable')) : find(id));
    service.service.publish = carry;
    await sweepFor(10);
    expect(service.sent.map(({ id }) => id)).toEqual([good]);
    expect(service.reports.join()).toContain(poison);
    // Due since two minutes after it occurred, and not moved on: ten minutes later it is eight minutes late.
    expect((await service.sweep()).oldestEventSeconds).toBe(480);
  });
});
