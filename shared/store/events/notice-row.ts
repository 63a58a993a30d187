import type { Notice } from '../../events/notices.ts';
import { keys, timeKey } from '../keys.ts';
import { ifAbsent } from '../table/transaction.ts';
import type { Item, RowPut } from '../table/write.ts';
import { packPayload } from './event-payload.ts';
import { ttlOf } from './event-store.ts';

/** Writes a notice, which is an event that is never due. The stream's filter excludes it. */
export function noticeWrite({ id, type, occurredAt, data }: Notice): RowPut {
  const row = { id, type, occurredAt, paymentId: null, sequence: 0 };
  const put: Item = {
    ...keys.event(id),
    entity: 'NOTICE',
    ...row,
    payload: packPayload(JSON.stringify({ type, timestamp: occurredAt, data })),
    listPk: 'EVENT',
    listSk: timeKey(occurredAt, id),
    row,
    ttl: ttlOf(occurredAt),
  };
  return { put, condition: ifAbsent, refusal: () => new Error(`The event ${id} exists already.`) };
}
