import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { EventBridgeEvent } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type LocalBus, startEventBus } from '../../infra/local-aws/bus/event-bus.ts';
import type { Invoke } from '../../infra/local-aws/functions.ts';
import { localAws } from '../../infra/local-aws/local-aws.ts';
import { collectLog } from '../local/log.ts';

const log = collectLog();
let bus: LocalBus;
afterEach(() => bus.stop());

type Event = EventBridgeEvent<string, unknown>;

/** A bus with one rule and the real client; `events` is what the rule's function is called with. */
async function busWith(act: (call: number) => unknown = () => undefined) {
  const events: Event[] = [];
  const invoke: Invoke = async (_, event) => {
    events.push(event as Event);
    return act(events.length);
  };
  const rules = [{ function: 'dispatch', pattern: { source: ['tillstack'] } }];
  bus = await startEventBus({ busName: 'payments', rules, invoke, retryDelaysMs: [1, 2] });
  const client = new EventBridgeClient({ endpoint: bus.url, region: localAws.region, credentials: localAws });
  const put = (...entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries: entries }));
  return { put, events };
}

const entry: PutEventsRequestEntry = {
  EventBusName: 'payments',
  Source: 'tillstack',
  DetailType: 'payment.succeeded',
  Detail: '{"id":"evt_1"}',
};

describe('the local event bus', () => {
  it('calls the function of a matching rule with the event', async () => {
    const { put, events } = await busWith();
    const answer = await put({ ...entry, Time: new Date('2026-01-02T03:04:05.678Z'), Resources: ['pay_1'] });
    expect(answer).toMatchObject({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]).toEqual({
      version: '0',
      id: answer.Entries?.[0]?.EventId,
      source: 'tillstack',
      'detail-type': 'payment.succeeded',
      detail: { id: 'evt_1' },
      time: '2026-01-02T03:04:05Z',
      account: localAws.account,
      region: localAws.region,
      resources: ['pay_1'],
    });
  });

  it('accepts the name of the bus or its ARN', async () => {
    const { put } = await busWith();
    const arn = 'arn:aws:events:eu-central-1:000000000000:event-bus/payments';
    expect((await put({ ...entry, EventBusName: arn })).FailedEntryCount).toBe(0);
  });

  it.each([
    ['whose detail is not JSON', { Detail: '{' }, 'MalformedDetail'],
    ['whose detail is a list', { Detail: '[]' }, 'MalformedDetail'],
    ['without a source', { Source: undefined }, 'InvalidArgument'],
    ['without a type', { DetailType: undefined }, 'InvalidArgument'],
    ['in the name of AWS', { Source: 'aws.s3' }, 'NotAuthorizedForSource'],
    ['to a bus that does not exist', { EventBusName: 'other' }, 'ResourceNotFoundException'],
    ['to the default bus', { EventBusName: undefined }, 'ResourceNotFoundException'],
  ])('refuses an entry %s, and accepts the other entry of the request', async (_, fault, code) => {
    const { put, events } = await busWith();
    const answer = await put({ ...entry, ...fault }, entry);
    expect(answer.FailedEntryCount).toBe(1);
    expect(answer.Entries?.[0]).toMatchObject({ ErrorCode: code, ErrorMessage: expect.any(String) });
    expect(answer.Entries?.[1]?.EventId).toBeDefined();
    await vi.waitFor(() => expect(events.map(({ id }) => id)).toEqual([answer.Entries?.[1]?.EventId]));
  });

  it('refuses a request of more than ten entries as a whole', async () => {
    const { put, events } = await busWith();
    await expect(put(...Array(11).fill(entry))).rejects.toMatchObject({ name: 'ValidationException' });
    expect(events).toEqual([]);
  });

  it('calls no function for an event that matches no rule', async () => {
    const { put, events } = await busWith();
    await put({ ...entry, Source: 'somebody.else' }, entry);
    await vi.waitFor(() => expect(events).toHaveLength(1));
    expect(events[0]?.source).toBe('tillstack');
  });

  it('answers before the function has finished', async () => {
    const gate = Promise.withResolvers<void>();
    const { put } = await busWith(() => gate.promise);
    expect((await put(entry)).FailedEntryCount).toBe(0);
    gate.resolve();
  });

  it('calls a failing function twice more with the same event, then gives up and logs it', async () => {
    const { put, events } = await busWith(() => Promise.reject(new Error('no')));
    await put(entry);
    await vi.waitFor(() => expect(log.filter((line) => line.includes('last time'))).toHaveLength(1));
    expect(events).toHaveLength(3);
    expect(new Set(events.map(({ id }) => id)).size).toBe(1);
  });

  it('does not call a function again after it succeeded', async () => {
    const { put, events } = await busWith((call) => (call === 1 ? Promise.reject(new Error('no')) : undefined));
    await put(entry);
    await vi.waitFor(() => expect(events).toHaveLength(2));
    await bus.stop();
    expect(events).toHaveLength(2);
    expect(log.some((line) => line.includes('last time'))).toBe(false);
  });

  it('waits for running calls when it stops', async () => {
    const gate = Promise.withResolvers<void>();
    let done = false;
    const { put, events } = await busWith(() =>
      gate.promise.then(() => {
        done = true;
      }),
    );
    await put(entry);
    await vi.waitFor(() => expect(events).toHaveLength(1));
    const stopping = bus.stop();
    gate.resolve();
    await stopping;
    expect(done).toBe(true);
  });
});
