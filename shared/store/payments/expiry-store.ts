import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { recordWrite } from '../access/audit-store.ts';
import { eventWrite } from '../events/event-store.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import { sessionWrite } from './session-store.ts';

export interface ExpiryStore {
  /**
   * Saves that a session has expired, with the records of the command, and with its event if there is one. Fails if the
   * session changed since it was read.
   */
  saveExpired(
    session: CheckoutSession,
    event: DomainEvent | undefined,
    records?: readonly CommandRecord[],
  ): Promise<void>;
}

/**
 * The store of expired sessions.
 * @param freeze makes the bytes of an event's payload, only once, when the change is committed
 */
export const expiryStore = (table: Table, freeze: (event: DomainEvent) => string): ExpiryStore => ({
  saveExpired: (session, event, records = []) =>
    commit(table, [
      ...records.map(recordWrite),
      sessionWrite(session),
      ...(event ? [eventWrite(event, freeze(event))] : []),
    ]),
});
