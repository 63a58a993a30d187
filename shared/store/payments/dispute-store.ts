import { notFound } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { Dispute, DisputeRow, disputeRow } from '../../domain/payments/dispute.ts';
import { isDecided } from '../../domain/payments/dispute-standing.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { grantDutyWrites } from '../entitlements/grant-duty.ts';
import { eventWrite } from '../events/event-store.ts';
import { keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit, versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';
import { dueKeys, paymentWrite } from './payment-store.ts';

interface DisputeFilter {
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
  customerId?: string | undefined;
  matches?: ((row: DisputeRow) => boolean) | undefined;
}

/** The next state of a dispute, and the payment whose amounts it changes. */
interface DisputeCommit {
  payment: Payment;
  dispute: Dispute;
  events: readonly DomainEvent[];
}

export interface DisputeStore {
  find(id: string): Promise<Dispute | undefined>;
  get(id: string): Promise<Dispute>;
  list(filter: DisputeFilter, page: ItemPageRequest): Promise<ItemPage<DisputeRow>>;
  save(change: DisputeCommit): Promise<void>;
}

/**
 * The store of disputes.
 * @param freeze makes the bytes of an event's payload, only once, when the change is committed
 */
export function disputeStore(table: Table, freeze: (event: DomainEvent) => string): DisputeStore {
  const find = (id: string) => findData(table, keys.dispute(id), Dispute);
  return {
    find,
    get: async (id) => {
      const dispute = await find(id);
      if (!dispute) throw notFound('dispute', id);
      return dispute;
    },
    list: ({ customerId, ...filter }, page) =>
      listPage(table, {
        ...(customerId
          ? { index: 'customer', partition: `CUSTOMER#${customerId}#DISPUTE` }
          : { index: 'list', partition: 'DISPUTE' }),
        ...filter,
        page,
        row: DisputeRow,
      }),
    save: ({ payment, dispute, events }) =>
      commit(table, [
        paymentWrite(payment),
        disputeWrite(dispute),
        ...events.map((event) => eventWrite(event, freeze(event))),
        ...(events.length > 0 ? grantDutyWrites(payment) : []),
      ]),
  };
}

/** Writes the dispute's row, if it still has the version that was read. It is due until the bank has decided. */
export function disputeWrite(dispute: Dispute): Write {
  const { id, createdAt, updatedAt, customer } = dispute;
  const attributes = {
    ...keys.dispute(id),
    entity: 'DISPUTE',
    row: disputeRow(dispute),
    listPk: 'DISPUTE',
    listSk: timeKey(createdAt, id),
    customerPk: `CUSTOMER#${customer.id}#DISPUTE`,
    customerSk: timeKey(createdAt, id),
    ...dueKeys(id, updatedAt, !isDecided(dispute)),
  };
  return versionedWrite(dispute, attributes, () => new StaleVersion());
}
