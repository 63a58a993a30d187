import * as z from 'zod';
import { AlreadyDone, type IdempotencyRecord, inProgress, StaleVersion } from '../domain/idempotency.ts';
import { keys } from './keys.ts';
import { findItem } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit } from './table/transaction.ts';
import type { Item, RowPut, Write } from './table/write.ts';

/**
 * The stored form of an idempotency record. Its id is only in the key, and the record does not contain the id of the
 * one that it replaced. `started` is stored under the name `begun`, so that every version can read the rows of the
 * others.
 */
const StoredRecord = z
  .object({
    pk: z.string(),
    fingerprint: z.string(),
    status: z.int().optional(),
    body: z.string().optional(),
    begun: z.string().optional(),
    createdAt: z.string(),
    expiresAt: z.string(),
    isRetry: z.boolean(),
  })
  .transform(
    ({ pk, status, body, begun: started = null, ...kept }): IdempotencyRecord => ({
      ...kept,
      id: pk.slice(pk.indexOf('#') + 1),
      answer: status === undefined || body === undefined ? null : { status, body },
      started,
      replacesBefore: null,
    }),
  );

/** Reads the idempotency record from a row. */
export const keptRecord = (item: Item | undefined): IdempotencyRecord => StoredRecord.parse(item);

/**
 * The condition that no response is stored, or that it has expired. A record without an idempotency key can also be
 * replaced by a new request.
 */
export function isFree(record: IdempotencyRecord) {
  const expired = 'attribute_not_exists(pk) OR expiresAt <= :now';
  if (record.replacesBefore === null)
    return { ConditionExpression: expired, ExpressionAttributeValues: { ':now': record.createdAt } };
  return {
    ConditionExpression: `${expired} OR createdAt < :since OR isRetry = :false`,
    ExpressionAttributeValues: { ':now': record.createdAt, ':since': record.replacesBefore, ':false': false },
  };
}

const toItem = ({ id, replacesBefore: _, answer, started, within: __, ...kept }: IdempotencyRecord): Item => ({
  ...keys.idempotency(id),
  entity: 'IDEM',
  ...kept,
  ...answer,
  ...(started === null ? {} : { begun: started }),
  ttl: Math.floor(Date.parse(kept.expiresAt) / 1_000),
});

/** Stores an answer in the same transaction as its effect. */
export const idempotencyWrite = (record: IdempotencyRecord): RowPut => ({
  put: toItem(record),
  condition: isFree(record),
  refusal: (existing) => new AlreadyDone(keptRecord(existing)),
  ...(isKeyless(record)
    ? { contention: () => new StaleVersion(), isOutdatedByConflict: true }
    : { contention: inProgress }),
});

/**
 * Stores the answer of a claimed record, only once. It changes nothing if the record now belongs to another command.
 */
const answerWrite = (record: IdempotencyRecord): Write => ({
  put: toItem(record),
  condition: {
    ConditionExpression: 'attribute_not_exists(#body) AND (attribute_not_exists(#begun) OR #begun = :begun)',
    ExpressionAttributeNames: { '#body': 'body', '#begun': 'begun' },
    ExpressionAttributeValues: { ':begun': record.started },
  },
  refusal: (existing) => new AlreadyDone(StoredRecord.parse(existing)),
});

/**
 * Whether a record has no idempotency key. Equal requests without a key share one record, but each of them is carried
 * out.
 */
const isKeyless = ({ replacesBefore, isRetry }: IdempotencyRecord): boolean => replacesBefore !== null || isRetry;

export interface IdempotencyStore {
  find(id: string, now: string): Promise<IdempotencyRecord | undefined>;
  save(record: IdempotencyRecord): Promise<void>;
  /**
   * Stores the answer of a claimed record. Throws AlreadyDone if it has an answer, or if another command has replaced
   * it.
   */
  answer(record: IdempotencyRecord): Promise<void>;
}

export function idempotencyStore(table: Table): IdempotencyStore {
  return {
    find: async (id, now) => {
      const item = await findItem(table, keys.idempotency(id));
      const record = item && StoredRecord.parse(item);
      return record && record.expiresAt > now ? record : undefined;
    },
    save: (record) => commit(table, [idempotencyWrite(record)]),
    answer: (record) => commit(table, [answerWrite(record)]),
  };
}
