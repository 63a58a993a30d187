import type { UseCounter } from '../../domain/discounts/use-counter.ts';
import { Hold } from '../../domain/discounts/use-shard.ts';
import { keys, openHolds } from '../keys.ts';
import { queryRows } from '../table/query.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { tableSchema } from '../table/table-schema.ts';
import { commit } from '../table/transaction.ts';
import { endWrites, type HoldEnd } from './hold-rows.ts';
import { type CountedUses, findUses, splitWrites } from './use-rows.ts';

/** A reserved use, as the list of a code names it. */
export type ListedHold = Pick<Hold, 'paymentId' | 'at'>;

export interface UseStore {
  /** Reads how often codes were used, in total and by a customer. */
  findUses(discountIds: readonly string[], customerId: string): Promise<CountedUses>;
  /** Replaces the plain counters of a code by shards, so that payments can reserve uses. */
  splitUses(counters: readonly UseCounter[]): Promise<void>;
  /** The reserved uses of an open payment. */
  findHolds(paymentId: string, discountIds: readonly string[]): Promise<Hold[]>;
  /** The oldest reserved uses of a code. The list can be a moment behind. */
  oldestHolds(discountId: string, most: number): Promise<ListedHold[]>;
  /** Ends a reservation whose payment was ended without it. */
  endHold(end: HoldEnd): Promise<void>;
}

export const useStore = (table: Table): UseStore => ({
  findUses: (discountIds, customerId) => findUses(table, discountIds, customerId),
  splitUses: (counters) => commit(table, splitWrites(counters)),
  findHolds: async (paymentId, discountIds) => {
    const rows = discountIds.map((id) => keys.discountHold(id, paymentId));
    const item = await findItems(table, rows);
    return rows.flatMap((key) => {
      const found = item(key);
      return found?.['listPk'] === undefined ? [] : Hold.parse(found['data']);
    });
  },
  oldestHolds: (discountId, most) => oldestHolds(table, discountId, most),
  endHold: (end) => commit(table, endWrites(end)),
});

export async function oldestHolds(table: Table, discountId: string, most: number): Promise<ListedHold[]> {
  const { partitionKey, sortKey } = tableSchema.indexes.list;
  const rows = await queryRows(table, {
    IndexName: 'list',
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': partitionKey },
    ExpressionAttributeValues: { ':partition': openHolds(discountId) },
    Limit: most,
  });
  return rows.map((row) => {
    const [at = '', paymentId = ''] = String(row[sortKey]).split('#');
    return { at, paymentId };
  });
}
