import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import {
  confirmationsDuePartition,
  deliveriesDuePartition,
  duePartitions,
  grantsDuePartition,
  holdsDuePartition,
  keys,
  mailsDuePartition,
  sessionsDuePartition,
  timeKey,
  withdrawalsDuePartition,
} from '../keys.ts';
import { toUnavailable } from '../table/errors.ts';
import { queryRows } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { tableSchema } from '../table/table-schema.ts';

const DueKey = z.object({ pk: z.string(), sk: z.string(), dueSk: z.string() });

/** A row with unfinished work, and since when it is due. */
export interface DueRow {
  kind: 'event' | 'delivery' | 'payment' | 'refund' | 'dispute' | 'session' | 'hold' | 'grants' | 'withdrawal';
  id: string;
  /** The endpoint, if the row is a delivery. */
  endpointId: string;
  /** The discount, if the row is a payment's reserved use of a code. */
  discountId: string;
  at: string;
  /** The due time as it was read. A claim succeeds only if it has not changed. */
  seen: string;
  key: { pk: string; sk: string };
}

export interface DueStore {
  /**
   * Lists the rows that are due at an instant, oldest first. It reads the same number from each partition, and
   * deliveries only for these endpoints.
   */
  list(now: string, mostEach: number, endpointIds?: readonly string[]): Promise<DueRow[]>;
  /** Lists the events whose mail is due at an instant: first those that confirm a waiver, then the others, oldest first. */
  mails(now: string, most: number): Promise<DueRow[]>;
  /** Makes a row due later; false if it has changed since it was read. */
  postpone(row: DueRow, until: string): Promise<boolean>;
  /** Makes an unfinished payment or refund due now. Changes nothing if it has ended or is already due. */
  hasten(kind: 'payment' | 'refund', id: string, now: string): Promise<void>;
}

const kinds = {
  EVENT: 'event',
  DELIVERY: 'delivery',
  PAYMENT: 'payment',
  REFUND: 'refund',
  DISPUTE: 'dispute',
  SESSION: 'session',
  HOLD: 'hold',
  GRANTS: 'grants',
  CASE: 'withdrawal',
} as const;

const isKind = (name: string): name is keyof typeof kinds => name in kinds;

/**
 * Finds out from the keys of a row what is due. `EVENT#evt_… / DELIVERY#whk_…` is the delivery of an event to an
 * endpoint. `DISCOUNT#HOLD#pay_… / HOLD#dsc_…` is a use of a code that a payment has reserved.
 */
function toDueRow(item: unknown): DueRow | undefined {
  const { pk, sk, dueSk } = DueKey.parse(item);
  const [name = '', part = ''] = sk.split('#');
  const id = pk.split('#').at(name === 'HOLD' ? 2 : 1) ?? '';
  const at = dueSk.slice(0, dueSk.indexOf('#'));
  if (!isKind(name)) return undefined;
  const row = { kind: kinds[name], id, at, seen: dueSk, key: { pk, sk } };
  return { ...row, endpointId: part, discountId: part };
}

export function dueStore(table: Table): DueStore {
  return {
    list: async (now, mostEach, endpointIds = []) => {
      const partitions = [
        ...duePartitions,
        sessionsDuePartition,
        grantsDuePartition,
        holdsDuePartition,
        withdrawalsDuePartition,
        ...endpointIds.map(deliveriesDuePartition),
      ];
      const found = await Promise.all(partitions.map((partition) => readDue(table, partition, now, mostEach)));
      return found.flat().sort((a, b) => (a.seen < b.seen ? -1 : 1));
    },
    mails: async (now, most) => {
      const partitions = [confirmationsDuePartition, mailsDuePartition];
      const found = await Promise.all(partitions.map((partition) => readDue(table, partition, now, most)));
      return found.flat().slice(0, most);
    },
    postpone: async (row, until) => {
      const later = timeKey(until, row.seen.slice(row.seen.indexOf('#') + 1));
      const update = new UpdateCommand({
        TableName: table.name,
        Key: row.key,
        UpdateExpression: 'SET dueSk = :later',
        ConditionExpression: 'dueSk = :seen',
        ExpressionAttributeValues: { ':later': later, ':seen': row.seen },
      });
      return table.client.send(update).then(
        () => true,
        (error) => (error instanceof ConditionalCheckFailedException ? false : Promise.reject(toUnavailable(error))),
      );
    },
    hasten: async (kind, id, now) => {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keys[kind](id),
        UpdateExpression: 'SET dueSk = :now',
        ConditionExpression: 'dueSk > :now',
        ExpressionAttributeValues: { ':now': timeKey(now, id) },
      });
      await table.client.send(update).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw toUnavailable(error);
      });
    },
  };
}

async function readDue(table: Table, partition: string, now: string, most: number): Promise<DueRow[]> {
  const { partitionKey, sortKey } = tableSchema.indexes.due;
  const rows = await queryRows(table, {
    IndexName: 'due',
    KeyConditionExpression: '#partition = :partition AND #sort < :now',
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
    ExpressionAttributeValues: { ':partition': partition, ':now': `${now}~` },
    Limit: most,
  });
  return rows.flatMap((item) => toDueRow(item) ?? []);
}
