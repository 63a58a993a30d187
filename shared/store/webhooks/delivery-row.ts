import { daySeconds } from '../../domain/duration.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { type Delivery, DeliveryRow } from '../../domain/webhooks/delivery.ts';
import { deliveriesDuePartition, keys, timeKey } from '../keys.ts';
import { ifAbsent } from '../table/transaction.ts';
import type { Item, Write } from '../table/write.ts';

const keptDays = 90;

export interface DeliveryId {
  eventId: string;
  endpointId: string;
}

/** A delivery before and after it is restarted. Before, it has ended or does not exist. */
export interface Reopened {
  before: Delivery | undefined;
  after: Delivery;
}

/** The due key of a delivery for an instant. A worker that claims the delivery until then is recognized by this key. */
export const dueKeyAt = (at: string, { eventId, endpointId }: DeliveryId): string =>
  timeKey(at, `${eventId}/${endpointId}`);

const dueKeys = (delivery: Delivery) =>
  delivery.nextAttemptAt === null
    ? {}
    : {
        duePk: deliveriesDuePartition(delivery.endpointId),
        dueSk: dueKeyAt(delivery.nextAttemptAt, delivery),
      };

export const deliveryItem = (delivery: Delivery): Item => ({
  ...keys.delivery(delivery.eventId, delivery.endpointId),
  entity: 'DELIVERY',
  data: delivery,
  row: DeliveryRow.parse(delivery),
  listPk: `DELIVERY#${delivery.endpointId}`,
  listSk: timeKey(delivery.createdAt, delivery.eventId),
  ...dueKeys(delivery),
  ttl: Math.floor(Date.parse(delivery.createdAt) / 1_000) + keptDays * daySeconds,
});

const statusNames = { '#data': 'data', '#status': 'status' };

/**
 * The condition that the due time has not changed since it was read. Then the delivery is pending, and no other worker
 * has claimed it.
 */
export const ifDueAsSeen = (seen: string) => ({
  ConditionExpression: 'dueSk = :seen AND #data.#status = :pending',
  ExpressionAttributeNames: statusNames,
  ExpressionAttributeValues: { ':seen': seen, ':pending': 'pending' },
});

/** The condition that the due time has not changed since it was read, and that the delivery was attempted before. */
export function ifDueAgainAsSeen(seen: string): ReturnType<typeof ifDueAsSeen> {
  const { ConditionExpression, ...rest } = ifDueAsSeen(seen);
  return { ...rest, ConditionExpression: `${ConditionExpression} AND attribute_exists(#data.attempts[0])` };
}

/** Sets only the due key. So pages do not show the end of a claim as the next attempt. */
export const claiming = (ifDue: ReturnType<typeof ifDueAsSeen>, claim: string) => ({
  ...ifDue,
  UpdateExpression: 'SET dueSk = :due',
  ExpressionAttributeValues: { ...ifDue.ExpressionAttributeValues, ':due': claim },
});

/** Makes a delivery due earlier, and shows the new time as its next attempt. */
export function earlier(seen: string, due: string, at: string) {
  const { ExpressionAttributeValues: values, ...rest } = claiming(ifDueAsSeen(seen), due);
  const UpdateExpression = `${rest.UpdateExpression}, #data.nextAttemptAt = :at`;
  return { ...rest, UpdateExpression, ExpressionAttributeValues: { ...values, ':at': at } };
}

/** Ends a pending delivery, in its row and in its list view. */
export const cancellation = {
  UpdateExpression:
    'SET #data.#status = :cancelled, #row.#status = :cancelled, #data.nextAttemptAt = :none REMOVE duePk, dueSk',
  ConditionExpression: '#data.#status = :pending',
  ExpressionAttributeNames: { ...statusNames, '#row': 'row' },
  ExpressionAttributeValues: { ':cancelled': 'cancelled', ':pending': 'pending', ':none': null },
};

/**
 * Restarts a delivery. If two people resend it at the same time, only one schedule begins, because the second write
 * finds the delivery changed.
 */
export const reopening = ({ before, after }: Reopened): Write => ({
  put: deliveryItem(after),
  condition: before
    ? {
        ConditionExpression: '#data.#status = :before',
        ExpressionAttributeNames: statusNames,
        ExpressionAttributeValues: { ':before': before.status },
      }
    : ifAbsent,
  refusal: () => new StaleVersion(),
});
