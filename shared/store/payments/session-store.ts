import { CheckoutSession, hasItsPayment } from '../../domain/checkout/checkout-session.ts';
import { daySeconds } from '../../domain/duration.ts';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys } from '../keys.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

export interface SessionStore {
  get(id: string): Promise<CheckoutSession>;
  find(id: string): Promise<CheckoutSession | undefined>;
  /**
   * Writes the records, then a new session, each by itself for a quarter of a transaction's units. After a crash
   * between them, a repetition creates the session under its id.
   */
  create(session: CheckoutSession, records: readonly CommandRecord[]): Promise<void>;
  save(session: CheckoutSession): Promise<void>;
}

/**
 * How long an expired, unpaid session is kept: as long as events and deliveries, which can name its failed payment,
 * and longer than any stored response. Its page says that it has expired.
 */
const keptDays = 90;

/** A paid session stays, like its payment. A session that is being paid stays until the payment ends. */
const ttlOf = (session: CheckoutSession): { ttl?: number } =>
  hasItsPayment(session) ? {} : { ttl: Math.floor(Date.parse(session.expiresAt) / 1_000) + keptDays * daySeconds };

/** Writes a session if it is unchanged since it was read. The write that pays it also removes its time to live. */
export const sessionWrite = (session: CheckoutSession): Write =>
  versionedWrite(
    session,
    { ...keys.session(session.id), entity: 'SESSION', ...ttlOf(session) },
    () => new StaleVersion(),
  );

/** The first write of a session. A conflict says nothing about the row, so it is repeated; only a session that is there refuses it. */
function newSessionWrite(session: CheckoutSession): Write {
  const { put, refusal } = sessionWrite(session);
  return { put, condition: ifAbsent, refusal };
}

export function sessionStore(table: Table): SessionStore {
  const find = (id: string) => findData(table, keys.session(id), CheckoutSession);
  return {
    find,
    get: async (id) => {
      const session = await find(id);
      if (!session) throw notFound('checkout session', id);
      return session;
    },
    create: async (session, records) => {
      for (const record of records) await commit(table, [recordWrite(record)]);
      await commit(table, [newSessionWrite(session)]).catch((error: unknown) => {
        // a repetition that found the record was faster
        if (!(error instanceof StaleVersion) || records.length === 0) throw error;
      });
    },
    save: (session) => commit(table, [sessionWrite(session)]),
  };
}
