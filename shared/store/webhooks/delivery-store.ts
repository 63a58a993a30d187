import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, type PutCommandInput, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { Delivery, DeliveryRow } from '../../domain/webhooks/delivery.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys } from '../keys.ts';
import { toUnavailable } from '../table/errors.ts';
import { completePage, listPage } from '../table/list.ts';
import { queryPrefix } from '../table/query.ts';
import { findData } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent } from '../table/transaction.ts';
import {
  cancellation,
  claiming,
  type DeliveryId,
  deliveryItem,
  dueKeyAt,
  earlier,
  ifDueAgainAsSeen,
  ifDueAsSeen,
  type Reopened,
  reopening,
} from './delivery-row.ts';

/** A delivery that this worker may attempt until its claim ends. */
export interface ClaimedDelivery {
  delivery: Delivery;
  /** The claim. It ends when its worker writes the result. It also ends when another worker claims the delivery. */
  claim: string;
}

interface DeliveryFilter {
  endpointId: string;
  createdFrom?: string | undefined;
  matches?: (row: DeliveryRow) => boolean;
}

export interface DeliveryStore {
  find(id: DeliveryId): Promise<Delivery | undefined>;
  /** All deliveries of an event. */
  ofEvent(eventId: string): Promise<Delivery[]>;
  list(filter: DeliveryFilter, page: ItemPageRequest): Promise<ItemPage<DeliveryRow>>;
  /** Lists deliveries with all their attempts. */
  listWhole(filter: DeliveryFilter, page: ItemPageRequest): Promise<ItemPage<Delivery>>;
  /**
   * Creates a delivery that was attempted, or one that waits for the end of its endpoint's pause. Returns false if it
   * already exists.
   */
  create(delivery: Delivery): Promise<boolean>;
  /**
   * Claims a due delivery until an instant. Undefined if another worker has claimed it. With `attempted`, it claims
   * only a delivery that was attempted before.
   */
  claim(id: DeliveryId, dueAt: string, until: string, of?: 'any' | 'attempted'): Promise<ClaimedDelivery | undefined>;
  /** Makes a waiting delivery due earlier, and shows the new time. Undefined if it is claimed or has changed. */
  bringForward(id: DeliveryId, dueAt: string, at: string): Promise<Delivery | undefined>;
  /** Writes the result of a claimed delivery; false if the claim was lost. */
  save(delivery: Delivery, claim: string): Promise<boolean>;
  /** Ends a pending delivery, even if it is claimed. */
  cancel(id: DeliveryId): Promise<void>;
  /** Restarts several deliveries together. Fails if one of them has changed. Each must be absent or ended. */
  reopen(deliveries: readonly Reopened[], records: readonly CommandRecord[]): Promise<void>;
}

export function deliveryStore(table: Table): DeliveryStore {
  const put = (delivery: Delivery, condition: Partial<PutCommandInput>) =>
    wasDone(table.client.send(new PutCommand({ TableName: table.name, Item: deliveryItem(delivery), ...condition })));
  return {
    find: ({ eventId, endpointId }) => findData(table, keys.delivery(eventId, endpointId), Delivery),
    ofEvent: (eventId) => readOfEvent(table, eventId),
    list: (filter, page) => listRows(table, filter, page),
    listWhole: async (filter, page) =>
      completePage(await listRows(table, filter, page), (rows) => findWhole(table, rows)),
    create: async (delivery) => (await put(delivery, ifAbsent)) !== undefined,
    claim: async (id, dueAt, until, of = 'any') => {
      const claim = dueKeyAt(until, id);
      const ifDue = of === 'any' ? ifDueAsSeen : ifDueAgainAsSeen;
      const delivery = await reschedule(table, id, claiming(ifDue(dueKeyAt(dueAt, id)), claim));
      return delivery && { delivery, claim };
    },
    bringForward: (id, dueAt, at) => reschedule(table, id, earlier(dueKeyAt(dueAt, id), dueKeyAt(at, id), at)),
    save: async (delivery, claim) => (await put(delivery, ifDueAsSeen(claim))) !== undefined,
    cancel: async ({ eventId, endpointId }) => {
      const update = { TableName: table.name, Key: keys.delivery(eventId, endpointId), ...cancellation };
      await wasDone(table.client.send(new UpdateCommand(update)));
    },
    reopen: async (changes, records) => {
      const writes = [...records.map(recordWrite), ...changes.map(reopening)];
      if (writes.length > 0) await commit(table, writes);
    },
  };
}

const listRows = (table: Table, { endpointId, ...filter }: DeliveryFilter, page: ItemPageRequest) =>
  listPage(table, { index: 'list', partition: `DELIVERY#${endpointId}`, ...filter, page, row: DeliveryRow });

async function findWhole(table: Table, rows: readonly DeliveryRow[]): Promise<(Delivery | undefined)[]> {
  const keyOf = ({ eventId, endpointId }: DeliveryRow) => keys.delivery(eventId, endpointId);
  const item = await findItems(table, rows.map(keyOf));
  return rows.map((row) => {
    const found = item(keyOf(row));
    return found && Delivery.parse(found['data']);
  });
}

async function readOfEvent(table: Table, eventId: string): Promise<Delivery[]> {
  const rows = await queryPrefix(table, keys.delivery(eventId, ''));
  return rows.map((item) => Delivery.parse(item.data));
}

/** The delivery with its new due time; undefined if the condition failed. */
async function reschedule(
  table: Table,
  { eventId, endpointId }: DeliveryId,
  change: ReturnType<typeof claiming>,
): Promise<Delivery | undefined> {
  const Key = keys.delivery(eventId, endpointId);
  const update = new UpdateCommand({ TableName: table.name, Key, ...change, ReturnValues: 'ALL_NEW' });
  const item = (await wasDone(table.client.send(update)))?.Attributes;
  return item && Delivery.parse(item['data']);
}

/** Returns the response of the table; undefined if the condition failed. */
async function wasDone<Answer>(sending: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw toUnavailable(error);
  }
}
