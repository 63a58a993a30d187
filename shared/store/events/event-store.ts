import * as z from 'zod';
import { daySeconds } from '../../domain/duration.ts';
import { notFound } from '../../domain/errors.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { type DomainEvent, eventTypes } from '../../events/catalogue.ts';
import { isDocumented } from '../../events/documents-of-events.ts';
import { noticeTypes } from '../../events/notices.ts';
import type { EventRow, RecordedEvent } from '../../events/recorded-event.ts';
import { recordWrite } from '../access/audit-store.ts';
import { duePartition, keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { findItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent } from '../table/transaction.ts';
import type { Item, RowPut, Write } from '../table/write.ts';
import { awaitMail, claimDispatch, type DispatchClaim, endDispatch, endDocument, type MailWait } from './event-duty.ts';
import { packPayload, unpackPayload } from './event-payload.ts';
import { readWithEndpoints } from './event-with-endpoints.ts';

/** How long an event may take to be dispatched before it is published again. */
export const publishWithinSeconds = 120;
const keptDays = 90;

/** When the row of an event may be removed, in seconds since the epoch. */
export const ttlOf = (occurredAt: string): number => Math.floor(Date.parse(occurredAt) / 1_000) + keptDays * daySeconds;

const StoredEvent = z.object({
  id: z.string(),
  type: z.enum([...eventTypes, ...noticeTypes]),
  occurredAt: z.string(),
  paymentId: z.string().nullable(),
  sequence: z.int(),
  payload: z.instanceof(Uint8Array),
  endpointId: z.string().optional(),
  dueSk: z.string().optional(),
  undocumented: z.boolean().optional(),
  dispatchedTo: z.array(z.string()).optional(),
  claimedUntil: z.string().optional(),
  claimedFor: z.array(z.string()).optional(),
});

/** The part that every event's body has. */
const Body = z.object({ data: z.object({}) });

/** The fields of an event in a list. */
const eventRow = StoredEvent.pick({ id: true, type: true, occurredAt: true, paymentId: true, sequence: true });

/** The row of an event in the outbox. It is due until its deliveries and its document exist. */
export function eventWrite(event: DomainEvent, payload: string): RowPut {
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
    ...(isDocumented(event) && { undocumented: true }),
    ttl: ttlOf(occurredAt),
  };
  return { put, condition: ifAbsent, refusal: () => new Error(`The event ${id} exists already.`) };
}

/**
 * Reads the row of an event. Throws if its payload has no data, because such an event would make a whole batch on the
 * bus or the queue fail.
 */
export function parseEvent(item: Item): RecordedEvent {
  const { payload, dueSk, undocumented = false, ...event } = StoredEvent.parse(item);
  const open = { deliveries: dueSk !== undefined && event.dispatchedTo === undefined, document: undocumented };
  return { ...event, open, payload: readBody(event.id, payload) };
}

/** Reads the body that endpoints get. Its errors do not quote the body, because it contains data of the buyer. */
function readBody(id: string, packed: Uint8Array): string {
  const body = unpackPayload(packed);
  if (!hasData(body)) throw new Error(`The payload of ${id} is not the body of an event.`);
  return body;
}

function hasData(body: string): boolean {
  try {
    return Body.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

/** The write of a test event for one endpoint. Lists do not show it, and it gets no document. */
function testWrite({ event, payload, endpointId }: TestEvent): Write {
  const write = eventWrite(event, payload);
  const { listPk: _, listSk: __, row: ___, undocumented: ____, ...put } = write.put;
  return { ...write, put: { ...put, endpointId } };
}

interface TestEvent {
  event: DomainEvent;
  payload: string;
  endpointId: string;
}

export interface EventListFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  matches?: (row: EventRow) => boolean;
}

export interface EventStore {
  find(id: string): Promise<RecordedEvent | undefined>;
  get(id: string): Promise<RecordedEvent>;
  list(filter: EventListFilter, page: ItemPageRequest): Promise<ItemPage<EventRow>>;
  saveTest(test: TestEvent, records: readonly CommandRecord[]): Promise<void>;
  /** Reads an event, and the endpoints for which a delivery of it exists. */
  findWithEndpoints(id: string): Promise<{ event: RecordedEvent | undefined; endpointIds: ReadonlySet<string> }>;
  /**
   * Claims an event for endpoints until an instant. Returns false if another dispatcher has claimed it, or if it was
   * already dispatched.
   */
  claim(id: string, claim: DispatchClaim): Promise<boolean>;
  /** Stores that the deliveries to these endpoints exist. Returns false if that was already stored. */
  markDispatched(event: Pick<RecordedEvent, 'id' | 'open'>, endpointIds: readonly string[]): Promise<boolean>;
  /** Stores that the document exists and its mail has ended. Returns false if that was already stored. */
  markDocumented(id: string): Promise<boolean>;
  /** Leaves the mail of an event until an instant. Returns false if the event still needs deliveries. */
  awaitMail(id: string, wait: MailWait): Promise<boolean>;
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
      if (!event) throw notFound('event', id);
      return event;
    },
    list: (filter, page) => listPage(table, { index: 'list', partition: 'EVENT', ...filter, page, row: eventRow }),
    saveTest: (test, records) => commit(table, [...records.map(recordWrite), testWrite(test)]),
    findWithEndpoints: async (id) => {
      const { item, endpointIds } = await readWithEndpoints(table, id);
      return { event: item && parseEvent(item), endpointIds };
    },
    claim: (id, claim) => claimDispatch(table, id, claim),
    markDispatched: (event, endpointIds) => endDispatch(table, event, endpointIds),
    markDocumented: (id) => endDocument(table, id),
    awaitMail: (id, wait) => awaitMail(table, id, wait),
  };
}
