import * as z from 'zod';
import { busy } from '../../domain/errors.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { ItemPage, ItemPageRequest } from '../../domain/list-page.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys, timeKey } from '../keys.ts';
import { listPage } from '../table/list.ts';
import { findItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

/** A customer on the guest list of a code that only some customers may use. */
const Guest = z.object({ customerId: z.string(), createdAt: z.string() });
export type Guest = z.infer<typeof Guest>;

/** Stores the customers who may use a restricted code. */
export interface GuestStore {
  has(discountId: string, customerId: string): Promise<boolean>;
  list(discountId: string, page: ItemPageRequest): Promise<ItemPage<Guest>>;
  /**
   * Adds customers in portions. The records are written with the last one. A repeated call adds the same customers
   * again.
   */
  add(discountId: string, customerIds: readonly string[], at: string, records: readonly CommandRecord[]): Promise<void>;
  remove(discountId: string, customerId: string, at: string, records: readonly CommandRecord[]): Promise<void>;
}

/** The most guests in one transaction, which takes at most 100 rows. */
const perTransaction = 90;

const refusal = (existing: unknown) => busy(existing);

const guestWrite = (discountId: string, guest: Guest): Write => ({
  put: {
    ...keys.discountGuest(discountId, guest.customerId),
    entity: 'DISCOUNT',
    listPk: `DISCOUNT#${discountId}`,
    listSk: timeKey(guest.createdAt, guest.customerId),
    row: guest,
    data: guest,
  },
  refusal,
});

/** Writes a row that is in no list and that the table removes later. With it, the customer is no longer a guest. */
const absentWrite = (discountId: string, customerId: string, at: string): Write => ({
  put: {
    ...keys.discountGuest(discountId, customerId),
    entity: 'DISCOUNT',
    ttl: Math.floor(Date.parse(at) / 1_000),
  },
  refusal,
});

export const guestStore = (table: Table): GuestStore => ({
  has: async (discountId, customerId) =>
    (await findItem(table, keys.discountGuest(discountId, customerId)))?.['data'] !== undefined,
  list: (discountId, page) => listPage(table, { index: 'list', partition: `DISCOUNT#${discountId}`, page, row: Guest }),
  add: async (discountId, customerIds, createdAt, records) => {
    const writes = customerIds.map((customerId) => guestWrite(discountId, { customerId, createdAt }));
    for (let start = 0; start + perTransaction < writes.length; start += perTransaction)
      await commit(table, writes.slice(start, start + perTransaction));
    const last = writes.slice(writes.length - 1 - ((writes.length - 1) % perTransaction));
    await commit(table, [...records.map(recordWrite), ...last]);
  },
  remove: (discountId, customerId, at, records) =>
    commit(table, [...records.map(recordWrite), absentWrite(discountId, customerId, at)]),
});
