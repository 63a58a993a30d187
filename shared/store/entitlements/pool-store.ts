import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { PoolCode, poolCodeHashOf } from '../../domain/entitlements/pool-code.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { tableSchema } from '../table/table-schema.ts';
import { commit, ifAbsent } from '../table/transaction.ts';
import type { Write } from '../table/write.ts';

export interface PoolStore {
  /** Some codes that nobody has, the oldest first. One of them may be taken at the same time. */
  free(entitlementId: string, most: number): Promise<PoolCode[]>;
  /** How many codes nobody has. */
  count(entitlementId: string): Promise<number>;
  /** Adds the codes that the pool never had, in portions; the records go with the last one. Returns how many. */
  add(codes: readonly PoolCode[], records: (added: number) => readonly CommandRecord[]): Promise<number>;
}

/** How many codes fit into one transaction, which takes at most 100 rows: each has a second row against repetition. */
const perTransaction = 45;

const partitionOf = (entitlementId: string): string => keys.poolCode(entitlementId, '').pk;

const codeWrites = (code: PoolCode): Write[] => [
  {
    put: {
      ...keys.poolCode(code.entitlementId, code.position),
      entity: 'POOL',
      row: code,
      data: code,
      listPk: partitionOf(code.entitlementId),
      listSk: code.position,
    },
    condition: ifAbsent,
    refusal: () => new StaleVersion(),
  },
  {
    put: { ...keys.poolCodeHash(code.entitlementId, poolCodeHashOf(code.code)), entity: 'POOL' },
    condition: ifAbsent,
    refusal: () => new StaleVersion(),
  },
];

/** Gives a code to a grant, if nobody has it. A code that is given leaves the list and never returns. */
export const takeCodeWrite = ({ entitlementId, position }: PoolCode, grantId: string): Write => ({
  update: {
    Key: keys.poolCode(entitlementId, position),
    UpdateExpression: 'SET #data.#grantId = :grantId REMOVE listPk, listSk, #row',
    ConditionExpression: 'attribute_exists(listPk)',
    ExpressionAttributeNames: { '#data': 'data', '#grantId': 'grantId', '#row': 'row' },
    ExpressionAttributeValues: { ':grantId': grantId },
  },
  refusal: () => new StaleVersion(),
  contention: () => new StaleVersion(),
});

export function poolStore(table: Table): PoolStore {
  const query = (entitlementId: string, options: object) => {
    const { partitionKey } = tableSchema.indexes.list;
    const command = new QueryCommand({
      TableName: table.name,
      IndexName: 'list',
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { '#partition': partitionKey },
      ExpressionAttributeValues: { ':partition': partitionOf(entitlementId) },
      ...options,
    });
    return table.client.send(command).catch(unavailable);
  };
  return {
    free: async (entitlementId, most) => {
      const { Items = [] } = await query(entitlementId, { Limit: most });
      return Items.map((item) => PoolCode.parse(item['row']));
    },
    count: async (entitlementId) => {
      let count = 0;
      for (let from: Record<string, unknown> | undefined; ; ) {
        const answer = await query(entitlementId, { Select: 'COUNT', ...(from && { ExclusiveStartKey: from }) });
        count += answer.Count ?? 0;
        from = answer.LastEvaluatedKey;
        if (!from) return count;
      }
    },
    add: async (codes, records) => {
      const hashes = codes.map(({ entitlementId, code }) => keys.poolCodeHash(entitlementId, poolCodeHashOf(code)));
      const known = await findItems(table, hashes);
      const fresh = codes.filter((_, index) => known(hashes[index] as (typeof hashes)[number]) === undefined);
      const last = Math.max(0, Math.ceil(fresh.length / perTransaction) - 1) * perTransaction;
      for (let start = 0; start < last; start += perTransaction)
        await commit(table, fresh.slice(start, start + perTransaction).flatMap(codeWrites));
      const writes = [...records(fresh.length).map(recordWrite), ...fresh.slice(last).flatMap(codeWrites)];
      if (writes.length > 0) await commit(table, writes);
      return fresh.length;
    },
  };
}
