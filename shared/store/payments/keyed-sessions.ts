import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { IdempotencyRecord } from '../../domain/idempotency.ts';
import { keyedSessionIdOf, requestMarkOf } from '../../domain/ids.ts';
import { windowsToRead, windowsToWrite } from '../../domain/key-windows.ts';
import { type IdempotencyStore, idempotencyStore } from '../idempotency-store.ts';
import { keys, type RowKey } from '../keys.ts';
import { findItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import { placedWrite, recordIn } from './session-record.ts';
import { sessionStore } from './session-store.ts';

/** A request with an idempotency key that opens a session. */
export interface KeyedRequest {
  record: Pick<IdempotencyRecord, 'id' | 'fingerprint'>;
  now: Date;
  secret: string;
}

/**
 * The idempotency records of such requests. The new session itself is the record, because its id is derived from the
 * key.
 */
export interface KeyedSessions extends IdempotencyStore {
  /** The rows that `find` reads, apart from the row of the record itself. */
  rows: readonly RowKey[];
  /**
   * The id that the new session must have; it is known after `find`. Undefined if an older session already has the key.
   * Then the new session can have any id.
   */
  ownId(): string | undefined;
  /**
   * The records to write. There is one at the place of the session in each time window that counts. The record of an
   * older session has a separate row.
   */
  placed(record: IdempotencyRecord): IdempotencyRecord[];
}

interface SessionRecordsDeps {
  now: () => Date;
  secret: (assertMayMake: () => Promise<unknown>) => Promise<string>;
}

/**
 * Uses a session as its own idempotency record. A repeated request gets the session as its answer, even if it is paid
 * or expired.
 */
export const sessionsAsRecords = (table: Table, { now, secret }: SessionRecordsDeps) => ({
  ownRecords: async (record: KeyedRequest['record'], admit: () => Promise<unknown>): Promise<KeyedSessions> =>
    keyedSessions(table, { record, now: now(), secret: await secret(admit) }),
  continuation: {
    started: ({ id }: Pick<CheckoutSession, 'id'>) => id,
    resume: (id: string) => sessionStore(table).get(id),
  },
});

export function keyedSessions(table: Table, { record: { id, fingerprint }, now, secret }: KeyedRequest): KeyedSessions {
  const mark = requestMarkOf(fingerprint, secret);
  const idIn = (window: number): string => keyedSessionIdOf(id, window, secret);
  const [toRead, toWrite] = [windowsToRead(now).map(idIn), windowsToWrite(now).map(idIn)];
  const taken = new Set<string>();
  const rowOfRecord = idempotencyStore(table);
  const free = () => toWrite.filter((sessionId) => !taken.has(sessionId));

  const placed = (record: IdempotencyRecord): IdempotencyRecord[] => [
    ...(free().length < toWrite.length ? [record] : []),
    ...free().map((sessionId) => ({ ...record, within: { sessionId, mark } })),
  ];

  async function find(_id: string, at: string): Promise<IdempotencyRecord | undefined> {
    for (const sessionId of toRead) {
      const item = await findItem(table, keys.session(sessionId));
      const kept = item && recordIn(item, { fingerprint, within: { sessionId, mark } });
      if (kept && kept.expiresAt > at) return kept;
      if (item?.['entity'] === 'SESSION') taken.add(sessionId);
    }
    return rowOfRecord.find(id, at);
  }

  return {
    rows: toRead.map(keys.session),
    find,
    ownId: () => free().find((sessionId) => sessionId === toWrite[0]),
    placed,
    save: (record) => commit(table, placed(record).map(placedWrite)),
    // There is nothing to store, because the session is the answer.
    answer: async () => {},
  };
}
