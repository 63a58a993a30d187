import { readFileSync, writeFileSync } from 'node:fs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { busEntrySchema } from '../../../infra/bus-reference.ts';
import { localNames, setEnvironment } from '../../../infra/local/sandbox-environment.ts';
import { type LocalBus, startEventBus } from '../../../infra/local-aws/bus/event-bus.ts';
import { type EventType, eventSource, eventTypes } from '../../../shared/events/catalogue.ts';
import { type EventStore, eventWrite } from '../../../shared/store/events/event-store.ts';
import { testWebhook } from '../../../shared/use-cases/webhooks/test-webhook.ts';
import { freezeEvent } from '../../../shared/wire/webhooks/event.ts';
import { world } from '../../../shared/wiring/runtime.ts';
import { testMerchant } from '../../support/shop/api.ts';
import { startHttpQueue } from './http-queue.ts';

const file = 'docs/bus-entry.schema.json';
const published = () => z.fromJSONSchema(JSON.parse(readFileSync(file, 'utf8')));

interface BusEntry {
  source: string;
  'detail-type': string;
  detail: { [field: string]: unknown; event_id: string; type: string; more?: { event_id: string; type: string }[] };
}

/** What the target of a rule for all events of the stack receives. */
const received: BusEntry[] = [];
let bus: LocalBus;
let queue: Awaited<ReturnType<typeof startHttpQueue>>;
let relay: (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;
beforeAll(async () => {
  const rules = [{ function: 'own/rule', pattern: { source: [eventSource] } }];
  const invoke = async (_: string, entry: unknown) => void received.push(entry as BusEntry);
  [bus, queue] = await Promise.all([startEventBus({ busName: localNames.bus, rules, invoke }), startHttpQueue()]);
  const nowhere = 'http://127.0.0.1:9';
  const endpoints = { table: nowhere, bucket: nowhere, bus: bus.url, queue: queue.url };
  setEnvironment({ publicUrl: 'http://localhost:4000', endpoints, merchant: testMerchant }, {});
  ({ handler: relay } = await import('../../../functions/events/relay-events.ts'));
});
afterAll(() => Promise.all([bus.stop(), queue.stop()]));

const freeze = freezeEvent({ businessId: 'demo', publicUrl: 'https://pay.example.com' });

/** The row of an event of a type, as a test of an endpoint writes it, or as the event itself does. */
async function rowOf(type: EventType, how: 'real' | 'test'): Promise<object> {
  const rows: object[] = [];
  const events = {
    saveTest: async ({ event, payload, endpointId }: Parameters<EventStore['saveTest']>[0]) => {
      const { put } = eventWrite(event, payload);
      rows.push(how === 'test' ? { ...put, endpointId } : put);
    },
  };
  const webhooks = { get: async () => ({ disabled: null }) as never };
  const deps = { webhooks, events, freeze, now: () => new Date('2026-03-01T12:00:00.000Z'), newId: world.newId };
  await testWebhook(deps, 'whk_1', type, () => []);
  return rows[0] ?? {};
}

/** The record of a new row, as the table's stream writes it, where bytes are base64. */
const recordOf = (row: object, index: number) => ({
  eventName: 'INSERT',
  dynamodb: {
    SequenceNumber: String(index),
    NewImage: JSON.parse(
      JSON.stringify(marshall(row, { removeUndefinedValues: true }), (_, value) =>
        value?.B ? { B: Buffer.from(Object.values<number>(value.B)).toString('base64') } : value,
      ),
    ),
  },
});

/** Lets the relay publish rows, and answers the entries that reach the rule. */
async function entriesOf(rows: readonly object[]): Promise<BusEntry[]> {
  received.length = 0;
  const answer = await relay({ Records: rows.map(recordOf) } as unknown as DynamoDBStreamEvent);
  expect(answer).toEqual({ batchItemFailures: [] });
  return [...received];
}

describe('the published schema of entries on the bus', () => {
  it('is made from the form in the code (UPDATE_DOCS=1 rewrites it)', () => {
    const text = `${JSON.stringify(busEntrySchema(), undefined, 2)}\n`;
    if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each(eventTypes)('describes the entry of %s that a rule of the merchant receives', async (type) => {
    const [entry, ...others] = await entriesOf([await rowOf(type, 'real')]);
    expect(others).toEqual([]);
    expect(published().parse(entry)).toMatchObject({ 'detail-type': type, detail: { version: 1, type } });
    expect(entry?.detail).not.toHaveProperty('test');
  });

  it('describes an entry with several events, which have one type', async () => {
    const rows = await Promise.all(Array.from({ length: 10 }, () => rowOf('refund.succeeded', 'real')));
    const [entry] = await entriesOf(rows);
    published().parse(entry);
    expect(entry?.detail.more).toHaveLength(9);
    const all = [entry?.detail, ...(entry?.detail.more ?? [])];
    expect(new Set(all.map((one) => one?.event_id)).size).toBe(10);
    expect(all.filter((one) => one?.type !== entry?.['detail-type'])).toEqual([]);
    expect(all.filter((one) => !published().safeParse({ ...entry, detail: { version: 1, ...one } }).success)).toEqual(
      [],
    );
  });

  it.each([
    { fault: 'no id', fields: {}, detail: { event_id: undefined } },
    { fault: 'another version', fields: {}, detail: { version: 2 } },
    { fault: 'a payment that is no id', fields: {}, detail: { payment_id: 7 } },
    { fault: 'an unknown type', fields: { 'detail-type': 'payment.lost' }, detail: {} },
  ])('refuses an entry with $fault', async ({ fields, detail }) => {
    const [entry] = await entriesOf([await rowOf('payment.succeeded', 'real')]);
    const changed = JSON.parse(JSON.stringify({ ...entry, ...fields, detail: { ...entry?.detail, ...detail } }));
    expect(published().safeParse(changed).success).toBe(false);
  });
});

it('a test event of an endpoint is marked, and shares no entry with real events of its type', async () => {
  const rows = [await rowOf('payment.succeeded', 'real'), await rowOf('payment.succeeded', 'test')];
  const entries = await entriesOf([...rows, await rowOf('payment.succeeded', 'real')]);
  for (const entry of entries) published().parse(entry);
  expect(entries.map(({ detail }) => [detail['test'], detail.more?.length])).toEqual([
    [undefined, 1],
    [true, undefined],
  ]);
});
