import * as z from 'zod';
import { DomainError } from '../domain/errors.ts';
import { AlreadyDone, type IdempotencyRecord, StaleVersion } from '../domain/idempotency.ts';
import { keys } from './keys.ts';
import { findItem } from './table/read.ts';
import type { Table } from './table/table.ts';
import { commit } from './table/transaction.ts';
import type { Item, Write } from './table/write.ts';

/** A stored record. Its id is in the key, and the record that it replaced is gone. */
const StoredRecord = z
  .object({
    pk: z.string(),
    fingerprint: z.string(),
    status: z.int(),
    body: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
    isRetry: z.boolean(),
  })
  .transform(
    ({ pk, ...kept }): IdempotencyRecord => ({ ...kept, id: pk.slice(pk.indexOf('#') + 1), replacesBefore: null }),
  );

/** Allows a write if there is no response yet or it has expired. A keyless record also yields to a new request. */
function isFree(record: IdempotencyRecord) {
  const expired = 'attribute_not_exists(pk) OR expiresAt <= :now';
  if (record.replacesBefore === null)
    return { ConditionExpression: expired, ExpressionAttributeValues: { ':now': record.createdAt } };
  return {
    ConditionExpression: `${expired} OR createdAt < :since OR isRetry = :false`,
    ExpressionAttributeValues: { ':now': record.createdAt, ':since': record.replacesBefore, ':false': false },
  };
}

const toItem = ({ id, replacesBefore: _, ...kept }: IdempotencyRecord): Item => ({
  ...keys.idempotency(id),
  entity: 'IDEM',
  ...kept,
  ttl: Math.floor(Date.parse(kept.expiresAt) / 1_000),
});

/** Keeps an answer in the transaction of its effect. */
export const idempotencyWrite = (record: IdempotencyRecord): Write => ({
  put: toItem(record),
  condition: isFree(record),
  refusal: (existing) => new AlreadyDone(StoredRecord.parse(existing)),
  ...(isKeyless(record)
    ? { contention: () => new StaleVersion(), isOutdatedByConflict: true }
    : { contention: inProgress }),
});

/** Requests without a key that ask for the same share a record without being one request: each waits for its turn. */
const isKeyless = ({ replacesBefore, isRetry }: IdempotencyRecord): boolean => replacesBefore !== null || isRetry;

const inProgress = (): DomainError =>
  new DomainError(
    'IDEMPOTENCY_IN_PROGRESS',
    'The first of these requests is still running. Try again to get its response.',
  );

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
    save: (record) => commit(table, [idempotencyWrite(record)]),
  };
}
