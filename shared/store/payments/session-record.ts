import { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { hourMs } from '../../domain/duration.ts';
import { AlreadyDone, type IdempotencyRecord, keyedHours } from '../../domain/idempotency.ts';
import { idempotencyWrite, keptRecord } from '../idempotency-store.ts';
import { keys } from '../keys.ts';
import { dataIn } from '../table/packed.ts';
import type { Item, Write } from '../table/write.ts';

/**
 * Reads the idempotency record of a request that creates a session. The row at the session's key is either this record,
 * or the session with the values of the record.
 */
export function recordIn(
  item: Item | undefined,
  { fingerprint, within }: Pick<IdempotencyRecord, 'fingerprint' | 'within'>,
): IdempotencyRecord {
  if (item?.['entity'] !== 'SESSION') return keptRecord(item);
  const { id, createdAt, requestMark } = CheckoutSession.parse(dataIn(item));
  return {
    ...{ id, answer: null, started: id, createdAt, replacesBefore: null, isRetry: false },
    fingerprint: requestMark === within?.mark ? fingerprint : '',
    expiresAt: new Date(Date.parse(createdAt) + keyedHours * hourMs).toISOString(),
  };
}

/** Writes a record at the place of a session, or in a separate row. */
export function placedWrite(record: IdempotencyRecord): Write {
  const { put, ...write } = idempotencyWrite(record);
  if (!record.within) return { put, ...write };
  const refusal = (existing: Item | undefined) => new AlreadyDone(recordIn(existing, record));
  return { ...write, put: { ...put, ...keys.session(record.within.sessionId) }, refusal };
}
