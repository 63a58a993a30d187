import { CheckoutSession } from '../domain/checkout-session.ts';
import { DomainError } from '../domain/errors.ts';
import { type IdempotencyRecord, StaleVersion } from '../domain/idempotency.ts';
import { idempotencyWrite } from './idempotency-store.ts';
import { keys } from './keys.ts';
import { findData } from './read.ts';
import type { Table } from './table.ts';
import { commit, versionedWrite, type Write } from './transaction.ts';

export interface SessionStore {
  get(id: string): Promise<CheckoutSession>;
  save(session: CheckoutSession, records: readonly IdempotencyRecord[]): Promise<void>;
}

/** A session's row, if nobody has changed it since it was read. */
export const sessionWrite = (session: CheckoutSession): Write =>
  versionedWrite(session, { ...keys.session(session.id), entity: 'SESSION' }, () => new StaleVersion());

export function sessionStore(table: Table): SessionStore {
  return {
    get: async (id) => {
      const session = await findData(table, keys.session(id), CheckoutSession);
      if (!session) throw new DomainError('NOT_FOUND', `There is no checkout session ${id}.`);
      return session;
    },
    save: (session, records) => commit(table, [...records.map(idempotencyWrite), sessionWrite(session)]),
  };
}
