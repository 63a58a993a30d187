import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { AlreadyDone, type IdempotencyRecord } from '../domain/idempotency.ts';
import { toUnavailable } from './errors.ts';
import { keys } from './keys.ts';
import { findItem } from './read.ts';
import type { Table } from './table.ts';
import { type Item, unmarshalled, type Write } from './transaction.ts';

const StoredRecord = z.object({
  id: z.string(),
  fingerprint: z.string(),
  status: z.int(),
  body: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  replacesBefore: z.string().nullable(),
  isRetry: z.boolean(),
});

/** Nobody has answered yet, or so long ago that the key is new again; keyless records also yield to a new request. */
function isFree(record: IdempotencyRecord) {
  const expired = 'attribute_not_exists(pk) OR expiresAt <= :now';
  if (record.replacesBefore === null)
    return { ConditionExpression: expired, ExpressionAttributeValues: { ':now': record.createdAt } };
  return {
    ConditionExpression: `${expired} OR createdAt < :since OR isRetry = :false`,
    ExpressionAttributeValues: { ':now': record.createdAt, ':since': record.replacesBefore, ':false': false },
  };
}

const toItem = (record: IdempotencyRecord): Item => ({
  ...keys.idempotency(record.id),
  entity: 'IDEM',
  ...record,
  ttl: Math.floor(Date.parse(record.expiresAt) / 1_000),
});

/** Keeps an answer in the transaction of its effect. */
export const idempotencyWrite = (record: IdempotencyRecord): Write => ({
  put: toItem(record),
  condition: isFree(record),
  refusal: (existing) => new AlreadyDone(StoredRecord.parse(existing)),
});

export interface IdempotencyStore {
  find(id: string, now: string): Promise<IdempotencyRecord | undefined>;
  save(record: IdempotencyRecord): Promise<void>;
}

export function idempotencyStore(table: Table): IdempotencyStore {
  return {
    find: async (id, now) => {
      const item = await findItem(table, keys.idempotency(id));
      const record = item && StoredRecord.parse(item);
      return record && record.expiresAt > now ? record : undefined;
    },
    save: async (record) => {
      const { put, condition, refusal } = idempotencyWrite(record);
      const command = {
        TableName: table.name,
        Item: put,
        ...condition,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      };
      try {
        await table.client.send(new PutCommand(command));
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) throw refusal(unmarshalled(error.Item));
        throw toUnavailable(error);
      }
    },
  };
}
