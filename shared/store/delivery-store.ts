import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand, type PutCommandInput, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Delivery, DeliveryRow } from '../domain/delivery.ts';
import { type IdempotencyRecord, StaleVersion } from '../domain/idempotency.ts';
import type { Page, PageRequest } from '../wire/page.ts';
import { toUnavailable } from './errors.ts';
import { idempotencyWrite } from './idempotency-store.ts';
import { duePartition, keys, timeKey } from './keys.ts';
import { listPage } from './list.ts';
import { findData } from './read.ts';
import type { Table } from './table.ts';
import { type Item, ifAbsent } from './transaction.ts';

const keptDays = 90;

interface DeliveryId {
  eventId: string;
  endpointId: string;
}

/** A delivery that is ours to attempt until its claim runs out. */
export interface ClaimedDelivery {
  delivery: Delivery;
  /** Ends with whoever holds it, or when somebody else claims the delivery. */
  claim: string;
}

export interface Reopened {
  before: Delivery | undefined;
  after: Delivery;
}

export interface DeliveryFilter {
  endpointId: string;
  createdFrom?: string | undefined;
  matches?: (row: DeliveryRow) => boolean;
}

export interface DeliveryStore {
  find(id: DeliveryId): Promise<Delivery | undefined>;
  list(filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRow>>;
  /** Writes a delivery that is claimed until it is due; undefined when there is one already. */
  create(delivery: Delivery): Promise<ClaimedDelivery | undefined>;
  /** Takes a delivery that is due at an instant until another one; undefined when somebody else has. */
  claim(id: DeliveryId, dueAt: string, until: string): Promise<ClaimedDelivery | undefined>;
  /** Writes what became of a claimed delivery; false when the claim was lost. */
  save(delivery: Delivery, claim: string): Promise<boolean>;
  /** Ends a delivery that is pending, whoever holds it. */
  cancel(id: DeliveryId): Promise<void>;
  /** All deliveries of an event. */
  ofEvent(eventId: string): Promise<Delivery[]>;
  /** Writes deliveries that begin anew, together; each must be as it was: absent, or ended. */
  reopen(deliveries: readonly Reopened[], records: readonly IdempotencyRecord[]): Promise<void>;
}

const textOf = ({ eventId, endpointId }: DeliveryId): string => `${eventId}/${endpointId}`;

const dueKeys = (delivery: Delivery) =>
  delivery.nextAttemptAt === null
    ? {}
    : { duePk: duePartition(textOf(delivery)), dueSk: timeKey(delivery.nextAttemptAt, textOf(delivery)) };

const toItem = (delivery: Delivery): Item => ({
  ...keys.delivery(delivery.eventId, delivery.endpointId),
  entity: 'DELIVERY',
  data: delivery,
  row: DeliveryRow.parse(delivery),
  listPk: `DELIVERY#${delivery.endpointId}`,
  listSk: timeKey(delivery.createdAt, delivery.eventId),
  ...dueKeys(delivery),
  ttl: Math.floor(Date.parse(delivery.createdAt) / 1_000) + keptDays * 86_400,
});

/** Still due when it was seen to be, and so still pending: nobody else has taken it. */
const ifDueAsSeen = (seen: string) => ({
  ConditionExpression: 'dueSk = :seen AND #data.#status = :pending',
  ExpressionAttributeNames: { '#data': 'data', '#status': 'status' },
  ExpressionAttributeValues: { ':seen': seen, ':pending': 'pending' },
});

export function deliveryStore(table: Table): DeliveryStore {
  const put = (delivery: Delivery, condition: Partial<PutCommandInput>) =>
    wasDone(table.client.send(new PutCommand({ TableName: table.name, Item: toItem(delivery), ...condition })));
  return {
    find: ({ eventId, endpointId }) => findData(table, keys.delivery(eventId, endpointId), Delivery),
    list: ({ endpointId, ...filter }, page) =>
      listPage(table, { index: 'list', partition: `DELIVERY#${endpointId}`, ...filter, page, row: DeliveryRow }),
    create: async (delivery) => {
      const claim = timeKey(delivery.nextAttemptAt ?? '', textOf(delivery));
      return (await put(delivery, ifAbsent)) ? { delivery, claim } : undefined;
    },
    claim: async (id, dueAt, until) => {
      const claim = timeKey(until, textOf(id));
      const item = await take(table, id, timeKey(dueAt, textOf(id)), claim);
      return item && { delivery: Delivery.parse(item['data']), claim };
    },
    save: async (delivery, claim) => (await put(delivery, ifDueAsSeen(claim))) !== undefined,
    cancel: async (id) => void (await wasDone(table.client.send(new UpdateCommand({ TableName: table.name, ...cancellation(id) })))),
    ofEvent: (eventId) => readOfEvent(table, eventId),
    reopen: (changes, records) => commit(table, [...records.map(idempotencyWrite), ...changes.map(reopening)]),
  };
}

const names = { '#data': 'data', '#row': 'row', '#status': 'status' };

const cancellation = ({ eventId, endpointId }: DeliveryId) => ({
  Key: keys.delivery(eventId, endpointId),
  UpdateExpression:
    'SET #data.#status = :cancelled, #row.#status = :cancelled, #data.nextAttemptAt = :none REMOVE duePk, dueSk',
  ConditionExpression: '#data.#status = :pending',
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: { ':cancelled': 'cancelled', ':pending': 'pending', ':none': null },
});

/** Two who resend at once begin one schedule: the second finds the delivery changed. */
const reopening = ({ before, after }: Reopened): Write => ({
  put: toItem(after),
  condition: before
    ? {
        ConditionExpression: '#data.#status = :before',
        ExpressionAttributeNames: { '#data': 'data', '#status': 'status' },
        ExpressionAttributeValues: { ':before': before.status },
      }
    : ifAbsent,
  refusal: () => new StaleVersion(),
});

async function readOfEvent(table: Table, eventId: string): Promise<Delivery[]> {
  const { pk, sk } = keys.delivery(eventId, '');
  const query = new QueryCommand({
    TableName: table.name,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :delivery)',
    ExpressionAttributeValues: { ':pk': pk, ':delivery': sk },
    ConsistentRead: true,
  });
  const { Items = [] } = await table.client.send(query).catch((error) => Promise.reject(toUnavailable(error)));
  return Items.map((item) => Delivery.parse(item['data']));
}

async function take(table: Table, id: DeliveryId, seen: string, claim: string): Promise<Item | undefined> {
  const condition = ifDueAsSeen(seen);
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keys.delivery(id.eventId, id.endpointId),
    UpdateExpression: 'SET dueSk = :claim',
    ...condition,
    ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':claim': claim },
    ReturnValues: 'ALL_NEW',
  });
  return (await wasDone(table.client.send(update)))?.Attributes;
}

/** What was answered; undefined when the condition did not hold. */
async function wasDone<Answer>(sending: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw toUnavailable(error);
  }
}
