import * as z from 'zod';
import { BuyerUses } from '../../domain/discounts/buyer-uses.ts';
import { CustomerUses, shardsPerCode, UseCounter } from '../../domain/discounts/use-counter.ts';
import { type CountRow, isShard, splitUses, UseShard } from '../../domain/discounts/use-shard.ts';
import { keys, type RowKey } from '../keys.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { ifAbsent, ifVersion, versionedWrite } from '../table/transaction.ts';
import type { Item, RowPut, RowUpdate, Write } from '../table/write.ts';
import { endWrites, type HoldEnd, takeWrites, type UseTake } from './hold-rows.ts';
import { counted, shardUpdate, stale } from './shard-row.ts';

const numbers = Array.from({ length: shardsPerCode }, (_, shard) => shard);

const shardKeys = (id: string): RowKey[] => numbers.map((shard) => keys.discountShard(id, shard));
const countersOf = (id: string): RowKey[] => numbers.map((shard) => keys.discountUses(id, shard));

type Rows = (key: RowKey) => Item | undefined;

const parsedAt = <T>(schema: z.ZodType<T>, item: Rows, rows: readonly RowKey[]): T[] =>
  rows.flatMap((key) => {
    const data = item(key)?.['data'];
    return data === undefined ? [] : [schema.parse(data)];
  });

/**
 * Reads the rows that count the uses of codes in one call, in the order of the codes. The rows are shards, or the older
 * plain counters.
 */
export async function findCounts(table: Table, ids: readonly string[]): Promise<Map<string, CountRow[]>> {
  const item = await findItems(
    table,
    ids.flatMap((id) => [...shardKeys(id), ...countersOf(id)]),
  );
  const rowsOf = (id: string): CountRow[] => {
    const shards = parsedAt(UseShard, item, shardKeys(id));
    return shards.length > 0 ? shards : parsedAt(UseCounter, item, countersOf(id));
  };
  return new Map(ids.map((id) => [id, rowsOf(id)]));
}

/**
 * Adds the plain counters of codes that have no shards. The shards are read first, because most payments need only
 * them.
 */
async function withCounters(table: Table, shards: Map<string, UseShard[]>): Promise<Map<string, CountRow[]>> {
  const plain = [...shards].filter(([, rows]) => rows.length === 0).map(([id]) => id);
  if (plain.length === 0) return shards;
  const item = await findItems(table, plain.flatMap(countersOf));
  const rowsOf = (id: string): CountRow[] => shards.get(id) ?? [];
  return new Map(
    [...shards.keys()].map((id) => [id, plain.includes(id) ? parsedAt(UseCounter, item, countersOf(id)) : rowsOf(id)]),
  );
}

/** The payment in which a customer first used a code for new customers; null if there is none. */
export const FirstPurchase = z.object({
  customerId: z.string(),
  paymentId: z.string().nullable(),
  /** The browser of that payment; absent in version 0.2.0. */
  browser: z.string().nullable().optional(),
  /** How often this row was written; 0 before the first write. A writer that read an older version fails. */
  version: z.int(),
});
export type FirstPurchase = z.infer<typeof FirstPurchase>;

/** The counts of some codes and of one customer, as they were read. */
export interface CountedUses {
  counts: Map<string, CountRow[]>;
  /** The counts that version 0.2.0 wrote. */
  customers: Map<string, CustomerUses>;
  buyers: Map<string, BuyerUses>;
  first: FirstPurchase;
}

/** Reads all rows that count the uses of codes. It needs only one call if all codes have shards. */
export async function findUses(table: Table, ids: readonly string[], customerId: string): Promise<CountedUses> {
  const customerKey = (id: string) => keys.discountCustomer(id, customerId);
  const buyerKey = (id: string) => keys.discountBuyer(id, customerId);
  const firstKey = keys.firstPurchase(customerId);
  const own = ids.flatMap((id) => [...shardKeys(id), customerKey(id), buyerKey(id)]);
  const item = await findItems(table, [...own, firstKey]);
  const unused = (discountId: string) => ({ discountId, customerId, version: 0 });
  const customerOf = (id: string) => parsedAt(CustomerUses, item, [customerKey(id)])[0] ?? { ...unused(id), used: 0 };
  const buyerOf = (id: string) => parsedAt(BuyerUses, item, [buyerKey(id)])[0] ?? { ...unused(id), paid: 0, begun: [] };
  return {
    counts: await withCounters(table, new Map(ids.map((id) => [id, parsedAt(UseShard, item, shardKeys(id))]))),
    customers: new Map(ids.map((id) => [id, customerOf(id)])),
    buyers: new Map(ids.map((id) => [id, buyerOf(id)])),
    first: parsedAt(FirstPurchase, item, [firstKey])[0] ?? { customerId, paymentId: null, version: 0 },
  };
}

/** A change of a shard's count by one, up or down, without a reservation. */
export interface ShardStep {
  shard: UseShard;
  by: 1 | -1;
}

/** The changes of counts that a payment writes in its own transaction. */
export interface UseChanges {
  counters?: readonly UseCounter[];
  steps?: readonly ShardStep[];
  takes?: readonly UseTake[];
  ends?: readonly HoldEnd[];
  customers?: readonly CustomerUses[];
  buyers?: readonly BuyerUses[];
  /** The first purchase; absent if it stays as it is. */
  first?: FirstPurchase | undefined;
}

const stepWrite = ({ shard, by }: ShardStep): RowUpdate =>
  shardUpdate(shard, {
    update: `SET #data.#used = #data.#used ${by > 0 ? '+' : '-'} :one, #data.#version = #data.#version + :one`,
    condition: '#data.#rules = :rules AND #data.#version = :version',
    names: counted,
    values: { ':version': shard.version },
  });

/**
 * Writes a shard with new limits and rules. The write allows that its uses have increased since it was read, if they
 * still fit into the limits.
 */
const dealWrite = (shard: UseShard): RowUpdate => {
  const { usageLimit, perCustomerLimit, eligibility, isDeleted, quota } = shard;
  const terms = Object.entries({ usageLimit, perCustomerLimit, eligibility, isDeleted, quota });
  return shardUpdate(shard, {
    update: `SET ${terms.map(([name]) => `#data.#${name} = :${name}`).join(', ')}, #data.#rules = #data.#rules + :one`,
    condition: `#data.#rules = :rules${quota === null ? '' : ' AND #data.#used <= :quota'}`,
    names: {
      ...Object.fromEntries(terms.map(([name]) => [`#${name}`, name])),
      ...(quota === null ? {} : { '#used': 'used' }),
    },
    values: Object.fromEntries(terms.map(([name, value]) => [`:${name}`, value])),
  });
};

const counterKey = ({ discountId, shard }: UseCounter): RowKey => keys.discountUses(discountId, shard);

const newShardWrite = (shard: UseShard): RowPut => ({
  put: { ...keys.discountShard(shard.discountId, shard.shard), entity: 'DISCOUNT', data: shard },
  condition: ifAbsent,
  refusal: stale,
});

/**
 * Closes a plain counter for version 0.2.0. The row's version differs from the version in its object. So 0.2.0 can read
 * the row, but each of its writes fails.
 */
const closeWrite = (counter: UseCounter): RowPut => ({
  put: { ...counterKey(counter), entity: 'DISCOUNT', version: counter.version + 1, data: counter },
  condition: counter.version === 0 ? ifAbsent : ifVersion(counter.version),
  refusal: stale,
  contention: stale,
});

/**
 * Replaces one counter by several shards. A payment that read the counter before can no longer count in it. A new code
 * has only the first counter.
 */
export const splitWrites = (counters: readonly UseCounter[]): Write[] => [
  ...counters.filter(({ shard, version }) => shard === 0 || version > 0).map(closeWrite),
  ...splitUses(counters).map(newShardWrite),
];

/** Writes the counting rows of a code with changed rules. From then on, a limit is counted in shards. */
export function useCountWrites(rows: readonly CountRow[]): Write[] {
  const shards = rows.filter(isShard);
  const counters = rows.filter((row): row is UseCounter => !isShard(row));
  if (counters[0] && counters[0].usageLimit !== null) return splitWrites(counters);
  return [...shards.map(dealWrite), ...counters.map((counter) => versioned(counter, counterKey(counter)))];
}

const versioned = <T extends { version: number }>(data: T, key: RowKey): Write =>
  versionedWrite(data, { ...key, entity: 'DISCOUNT' }, stale);

export const useWrites = (changes: UseChanges): Write[] => [
  ...(changes.counters ?? []).map((counter) => versioned(counter, counterKey(counter))),
  ...(changes.steps ?? []).map(stepWrite),
  ...(changes.takes ?? []).flatMap(takeWrites),
  ...(changes.ends ?? []).flatMap(endWrites),
  ...(changes.customers ?? []).map((uses) => versioned(uses, keys.discountCustomer(uses.discountId, uses.customerId))),
  ...(changes.buyers ?? []).map((uses) => versioned(uses, keys.discountBuyer(uses.discountId, uses.customerId))),
  ...(changes.first ? [versioned(changes.first, keys.firstPurchase(changes.first.customerId))] : []),
];
