import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { DomainError } from '../domain/errors.ts';
import type { IdempotencyRecord } from '../domain/idempotency.ts';
import { type DomainEvent, type EventType, eventTypes } from '../events/catalogue.ts';
import { type NoticeType, noticeTypes } from '../events/notices.ts';
import type { Page, PageRequest } from '../wire/page.ts';
import { toUnavailable } from './errors.ts';
import { packPayload, unpackPayload } from './event-payload.ts';
import { idempotencyWrite } from './idempotency-store.ts';
import { duePartition, keys, timeKey } from './keys.ts';
import { listPage } from './list.ts';
import { findItem } from './read.ts';
import type { Table } from './table.ts';
import { commit, type Item, ifAbsent, type Write } from './transaction.ts';

/** How long an event may be on its way before it is published again. */
const publishWithinSeconds = 120;
const keptDays = 90;

/** When the row of an event may go, in seconds since the epoch. */
export const ttlOf = (occurredAt: string): number => Math.floor(Date.parse(occurredAt) / 1_000) + keptDays * 86_400;

const StoredEvent = z.object({
  id: z.string(),
  type: z.enum([...eventTypes, ...noticeTypes]),
  occurredAt: z.string(),
  paymentId: z.string().nullable(),
  sequence: z.int(),
  payload: z.instanceof(Uint8Array),
  endpointId: z.string().optional(),
  dueSk: z.string().optional(),
});

/** An event as it was committed; `payload` is the exact body that every endpoint receives. */
export interface RecordedEvent {
  id: string;
  type: EventType | NoticeType;
  occurredAt: string;
  /** Null for a notice. */
  paymentId: string | null;
  sequence: number;
  payload: string;
  /** The one endpoint that a test event is for. */
  endpointId?: string | undefined;
  /** Whether its deliveries have still to be written. */
  isDue: boolean;
}

/** An event in a list. */
const EventRow = StoredEvent.pick({ id: true, type: true, occurredAt: true, paymentId: true, sequence: true });
export type EventRow = z.infer<typeof EventRow>;

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
    payload: packPayload(payload),
    listPk: 'EVENT',
    listSk: timeKey(occurredAt, id),
    row: { id, type, occurredAt, paymentId, sequence },
    duePk: duePartition(id),
    dueSk: timeKey(due, id),
    ttl: ttlOf(occurredAt),
  };
  return { put, condition: ifAbsent, refusal: () => new Error(`The event ${id} exists already.`) };
}

export async function parseEvent(item: Item): Promise<RecordedEvent> {
  const { payload, dueSk, ...event } = StoredEvent.parse(item);
  return { ...event, isDue: dueSk !== undefined, payload: await unpackPayload(payload) };
}

/** An event for one endpoint, which no list shows. */
function testWrite({ event, payload, endpointId }: TestEvent): Write {
  const write = eventWrite(event, payload);
  const { listPk: _, listSk: __, row: ___, ...put } = write.put;
  return { ...write, put: { ...put, endpointId } };
}

export interface TestEvent {
  event: DomainEvent;
  payload: string;
  endpointId: string;
}

export interface EventFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  matches?: (row: EventRow) => boolean;
}

export interface EventStore {
  find(id: string): Promise<RecordedEvent | undefined>;
  get(id: string): Promise<RecordedEvent>;
  list(filter: EventFilter, page: PageRequest): Promise<Page<EventRow>>;
  saveTest(test: TestEvent, records: readonly IdempotencyRecord[]): Promise<void>;
  /** Ends the outbox row's duty: its deliveries exist. False when it had ended. */
  markDispatched(id: string): Promise<boolean>;
}

export function eventStore(table: Table): EventStore {
  const find = async (id: string) => {
    const item = await findItem(table, keys.event(id));
    return item && parseEvent(item);
  };
  return {
    find,
    get: async (id) => {
      const event = await find(id);
      if (!event) throw new DomainError('NOT_FOUND', `There is no event ${id}.`);
      return event;
    },
    list: (filter, page) => listPage(table, { index: 'list', partition: 'EVENT', ...filter, page, row: EventRow }),
    saveTest: (test, records) => commit(table, [...records.map(idempotencyWrite), testWrite(test)]),
    markDispatched: async (id) => {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keys.event(id),
        UpdateExpression: 'REMOVE duePk, dueSk',
        ConditionExpression: 'attribute_exists(dueSk)',
      });
      return table.client.send(update).then(
        () => true,
        (error) => (error instanceof ConditionalCheckFailedException ? false : Promise.reject(toUnavailable(error))),
      );
    },
  };
}
