import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Duty } from '../../events/recorded-event.ts';
import { confirmationsDuePartition, keys, mailsDuePartition, timeKey } from '../keys.ts';
import { toUnavailable } from '../table/errors.ts';
import type { Table } from '../table/table.ts';

/** A change of an event's open duties. It fails if the duty is no longer open. */
interface Change {
  UpdateExpression: string;
  ConditionExpression: string;
  ExpressionAttributeValues?: Record<string, unknown>;
}

const isUndispatched = 'attribute_exists(dueSk) AND attribute_not_exists(dispatchedTo)';

/** The changes after a dispatch. If the event needs no document, the dispatch was its last duty. */
function dispatching(endpointIds: readonly string[]): { first: Change; last: Change } {
  const values = { ExpressionAttributeValues: { ':endpoints': endpointIds } };
  return {
    first: {
      UpdateExpression: 'SET dispatchedTo = :endpoints REMOVE claimedFor',
      ConditionExpression: `${isUndispatched} AND attribute_exists(undocumented)`,
      ...values,
    },
    last: {
      UpdateExpression: 'SET dispatchedTo = :endpoints REMOVE claimedFor, duePk, dueSk',
      ConditionExpression: `${isUndispatched} AND attribute_not_exists(undocumented)`,
      ...values,
    },
  };
}

const documenting: { first: Change; last: Change } = {
  first: {
    UpdateExpression: 'REMOVE undocumented',
    ConditionExpression: 'attribute_exists(undocumented) AND attribute_not_exists(dispatchedTo)',
  },
  last: {
    UpdateExpression: 'REMOVE undocumented, duePk, dueSk',
    ConditionExpression: 'attribute_exists(undocumented) AND attribute_exists(dispatchedTo)',
  },
};

/** The endpoints to which a dispatcher delivers an event, and the end of its claim. */
export interface DispatchClaim {
  now: string;
  until: string;
  endpointIds: readonly string[];
}

/**
 * Claims an event for the dispatcher that delivers it now. Returns false if another dispatcher has claimed it, or if it
 * was already dispatched. After a claim has expired, its dispatcher has ended without finishing, so the event can be
 * claimed again.
 */
export const claimDispatch = (table: Table, id: string, { now, until, endpointIds }: DispatchClaim): Promise<boolean> =>
  isDone(table, id, {
    UpdateExpression: 'SET claimedUntil = :until, claimedFor = :endpoints',
    ConditionExpression: `${isUndispatched} AND (attribute_not_exists(claimedUntil) OR claimedUntil < :now)`,
    ExpressionAttributeValues: { ':now': now, ':until': until, ':endpoints': endpointIds },
  });

/** Stores to which endpoints an event was dispatched. If it needs no document, it is no longer due. */
export function endDispatch(
  table: Table,
  { id, open }: { id: string; open: Record<Duty, boolean> },
  endpointIds: readonly string[],
): Promise<boolean> {
  const { first, last } = dispatching(endpointIds);
  return endBy(table, id, open.document ? [first, last] : [last]);
}

/**
 * Stores that an event's document exists. It first tries the write for an event that was already dispatched. The
 * dispatcher may write at the same moment, so that write is tried twice.
 */
export const endDocument = (table: Table, id: string): Promise<boolean> =>
  endBy(table, id, [documenting.last, documenting.first, documenting.last]);

/** Until when a mail waits for the mail service, and whether it is one of those that go first. */
export interface MailWait {
  until: string;
  confirmsWaiver: boolean;
}

/**
 * Moves an event whose document exists to the mails that wait for the mail service, until an instant. Returns false if
 * it still needs deliveries: then it stays among the other due events, and the sweep finds it there.
 */
export const awaitMail = (table: Table, id: string, { until, confirmsWaiver }: MailWait): Promise<boolean> =>
  isDone(table, id, {
    UpdateExpression: 'SET duePk = :mails, dueSk = :until',
    ConditionExpression: 'attribute_exists(undocumented) AND attribute_exists(dispatchedTo)',
    ExpressionAttributeValues: {
      ':mails': confirmsWaiver ? confirmationsDuePartition : mailsDuePartition,
      ':until': timeKey(until, id),
    },
  });

async function endBy(table: Table, id: string, endings: readonly Change[]): Promise<boolean> {
  for (const ending of endings) if (await isDone(table, id, ending)) return true;
  return false;
}

const isDone = (table: Table, id: string, ending: Change): Promise<boolean> =>
  table.client.send(new UpdateCommand({ TableName: table.name, Key: keys.event(id), ...ending })).then(
    () => true,
    (error) => (error instanceof ConditionalCheckFailedException ? false : Promise.reject(toUnavailable(error))),
  );
