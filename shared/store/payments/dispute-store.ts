import * as z from 'zod';
import { DisputeAdjustment } from '../../domain/disputes/dispute-adjustment.ts';
import { notFound } from '../../domain/errors.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { Dispute, DisputeRow, disputeRow } from '../../domain/payments/dispute.ts';
import { isDecided } from '../../domain/payments/dispute-standing.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { DomainEvent } from '../../events/catalogue.ts';
import { recordWrite } from '../access/audit-store.ts';
import { grantDutyWrites } from '../entitlements/grant-duty.ts';
import { eventWrite } from '../events/event-store.ts';
import { keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { findData } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { closedToEarlier, commit, ifAbsent, versionedWrite } from '../table/transaction.ts';
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
  /** The adjustments that this change adds to the dispute; absent if none. */
  adjustments?: readonly DisputeAdjustment[] | undefined;
  /** The records of the command that requested them. */
  records?: readonly CommandRecord[];
}

/** The row by which an adjustment is found by the day on which it counts. */
const AdjustmentRow = z.object({ ...DisputeAdjustment.pick({ id: true, at: true }).shape, disputeId: z.string() });
type AdjustmentRow = z.infer<typeof AdjustmentRow>;

export interface DisputeStore {
  find(id: string): Promise<Dispute | undefined>;
  get(id: string): Promise<Dispute>;
  list(filter: DisputeFilter, page: ItemPageRequest): Promise<ItemPage<DisputeRow>>;
  /** Lists adjustments of disputes by the time at which they count. */
  listAdjustments(
    filter: Pick<DisputeFilter, 'createdFrom' | 'createdTo'>,
    page: ItemPageRequest,
  ): Promise<ItemPage<AdjustmentRow>>;
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
    listAdjustments: (filter, page) =>
      listPage(table, { index: 'list', partition: 'ADJUSTMENT', ...filter, page, row: AdjustmentRow }),
    save: ({ payment, dispute, events, adjustments = [], records = [] }) =>
      commit(table, [
        ...records.map(recordWrite),
        paymentWrite(payment),
        disputeWrite(dispute),
        ...adjustments.map((adjustment) => adjustmentWrite(dispute.id, adjustment)),
        ...events.map((event) => eventWrite(event, freeze(event))),
        ...(events.some(({ type }) => type !== 'dispute.adjusted') ? grantDutyWrites(payment) : []),
      ]),
  };
}

/**
 * Writes the dispute's row, if it still has the version that was read. It is due until the bank has decided. Version
 * 0.2.0 must not write a dispute with adjustments, because it would drop them.
 */
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
  const write = versionedWrite(dispute, attributes, () => new StaleVersion());
  return closedToEarlier(write, dispute, dispute.adjustments !== undefined);
}

/**
 * Writes the row by which an adjustment is found by its day. It is written only once, because its id is derived from
 * the dispute and a number.
 */
function adjustmentWrite(disputeId: string, { id, at }: DisputeAdjustment): Write {
  const put = {
    ...keys.disputeAdjustment(disputeId, id),
    entity: 'ADJUSTMENT',
    row: { id, at, disputeId },
    listPk: 'ADJUSTMENT',
    listSk: timeKey(at, id),
  };
  return { put, condition: ifAbsent, refusal: () => new StaleVersion() };
}
