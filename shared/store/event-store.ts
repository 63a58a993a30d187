import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw } from 'node:zlib';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type DomainEvent, type EventType, eventTypes } from '../events/catalogue.ts';
import { toUnavailable } from './errors.ts';
import { duePartition, keys, timeKey } from './keys.ts';
import { findItem } from './read.ts';
import type { Table } from './table.ts';
import { type Item, ifAbsent, type Write } from './transaction.ts';

const inflate = promisify(inflateRaw);

/** How long an event may be on its way before it is published again. */
const publishWithinSeconds = 120;
const keptDays = 90;

const StoredEvent = z.object({
  id: z.string(),
  type: z.enum(eventTypes),
  occurredAt: z.string(),
  paymentId: z.string(),
  sequence: z.int(),
  payload: z.instanceof(Uint8Array),
  dueSk: z.string().optional(),
});

/** An event as it was committed; `payload` is the exact body that every endpoint receives. */
export interface RecordedEvent {
  id: string;
  type: EventType;
  occurredAt: string;
  paymentId: string;
  sequence: number;
  payload: string;
}

/** The outbox row of an event: due until the dispatcher has taken it over. */
export function eventWrite(event: DomainEvent, payload: string): Write {
  const { id, type, occurredAt, paymentId, sequence } = event;
  const due = new Date(Date.parse(occurredAt) + publishWithinSeconds * 1_000).toISOString();
  const put: Item = {
    ...keys.event(id),
    entity: 'EVENT',
    id,
    type,
    occurredAt,
    paymentId,
    sequence,
    payload: deflateRawSync(payload),
    listPk: 'EVENT',
    listSk: timeKey(occurredAt, id),
    row: { id, type, occurredAt, paymentId, sequence },
    duePk: duePartition(id),
    dueSk: timeKey(due, id),
    ttl: Math.floor(Date.parse(occurredAt) / 1_000) + keptDays * 86_400,
  };
  return { put, condition: ifAbsent, refusal: () => new Error(`The event ${id} exists already.`) };
}

export async function parseEvent(item: Item): Promise<RecordedEvent> {
  const { payload, dueSk: _, ...event } = StoredEvent.parse(item);
  return { ...event, payload: (await inflate(payload)).toString('utf8') };
}

const Text = z.object({ S: z.string() });

/** The event row as the table's stream writes it: every value under the name of its type. */
const StreamedEvent = z.object({
  id: Text,
  type: Text,
  occurredAt: Text,
  paymentId: Text,
  sequence: z.object({ N: z.string() }),
  payload: z.object({ B: z.string() }),
});

/** The event in the new image of a stream record. */
export function parseStreamedEvent(image: unknown): Promise<RecordedEvent> {
  const { id, type, occurredAt, paymentId, sequence, payload } = StreamedEvent.parse(image);
  const names = { id: id.S, type: type.S, occurredAt: occurredAt.S, paymentId: paymentId.S };
  return parseEvent({ ...names, sequence: Number(sequence.N), payload: Buffer.from(payload.B, 'base64') });
}

export interface EventStore {
  find(id: string): Promise<RecordedEvent | undefined>;
  /** Ends the outbox row's duty: its deliveries exist. */
  markDispatched(id: string): Promise<void>;
}

export function eventStore(table: Table): EventStore {
  return {
    find: async (id) => {
      const item = await findItem(table, keys.event(id));
      return item && parseEvent(item);
    },
    markDispatched: async (id) => {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keys.event(id),
        UpdateExpression: 'REMOVE duePk, dueSk',
        ConditionExpression: 'attribute_exists(pk)',
      });
      await table.client.send(update).catch((error) => Promise.reject(toUnavailable(error)));
    },
  };
}
