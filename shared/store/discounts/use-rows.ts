import * as z from 'zod';
import { CustomerUses, shardsPerCode, UseCounter } from '../../domain/discounts/use-counter.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { keys, type RowKey } from '../keys.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { versionedWrite } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

const counterKeys = (id: string): RowKey[] =>
  Array.from({ length: shardsPerCode }, (_, shard) => keys.discountUses(id, shard));

/** The counters of codes, each code's in their order. */
export async function findCounters(table: Table, ids: readonly string[]): Promise<Map<string, UseCounter[]>> {
  const item = await findItems(table, ids.flatMap(counterKeys));
  const counters = (id: string) => counterKeys(id).flatMap((key) => parsed(UseCounter, item(key)?.['data']));
  return new Map(ids.map((id) => [id, counters(id)]));
}

const parsed = <T>(schema: z.ZodType<T>, data: unknown): T[] => (data === undefined ? [] : [schema.parse(data)]);

/** A customer's payment that has used a code for new customers; null: none has. */
export const FirstPurchase = z.object({
  customerId: z.string(),
  paymentId: z.string().nullable(),
  /** Counts the writes; 0 before the first one. */
  version: z.int(),
});
export type FirstPurchase = z.infer<typeof FirstPurchase>;

/** What was counted of some codes, and of a customer. */
export interface CountedUses {
  counters: Map<string, UseCounter[]>;
  customers: Map<string, CustomerUses>;
  first: FirstPurchase;
}

/** Reads all counts in one call. */
export async function findUses(table: Table, ids: readonly string[], customerId: string): Promise<CountedUses> {
  const customerKeys = ids.map((id) => keys.discountCustomer(id, customerId));
  const firstKey = keys.firstPurchase(customerId);
  const item = await findItems(table, [...ids.flatMap(counterKeys), ...customerKeys, firstKey]);
  const [first] = parsed(FirstPurchase, item(firstKey)?.['data']);
  const customerOf = (id: string): CustomerUses =>
    parsed(CustomerUses, item(keys.discountCustomer(id, customerId))?.['data'])[0] ?? {
      ...{ discountId: id, customerId, used: 0, version: 0 },
    };
  return {
    counters: new Map(ids.map((id) => [id, counterKeys(id).flatMap((key) => parsed(UseCounter, item(key)?.['data']))])),
    customers: new Map(ids.map((id) => [id, customerOf(id)])),
    first: first ?? { customerId, paymentId: null, version: 0 },
  };
}

/** What a payment changes of the counts, in its own transaction. */
export interface UseChanges {
  counters: readonly UseCounter[];
  customers: readonly CustomerUses[];
  /** Absent: it stays as it is. */
  first?: FirstPurchase | undefined;
}

const stale = () => new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION');

export const counterWrite = (counter: UseCounter): Write =>
  versionedWrite(counter, { ...keys.discountUses(counter.discountId, counter.shard), entity: 'DISCOUNT' }, stale);

export const useWrites = ({ counters, customers, first }: UseChanges): Write[] => [
  ...counters.map(counterWrite),
  ...customers.map((uses) =>
    versionedWrite(uses, { ...keys.discountCustomer(uses.discountId, uses.customerId), entity: 'DISCOUNT' }, stale),
  ),
  ...(first ? [versionedWrite(first, { ...keys.firstPurchase(first.customerId), entity: 'DISCOUNT' }, stale)] : []),
];
