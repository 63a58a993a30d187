import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { daySeconds } from '../../domain/duration.ts';
import type { Grant } from '../../domain/entitlements/grant.ts';
import { newPool, Pool, type PoolChange, queuePlaceOf, WaitingGrant } from '../../domain/entitlements/pool.ts';
import { PoolCode, poolCodeHashOf } from '../../domain/entitlements/pool-code.ts';
import { type CommandRecord, StaleVersion } from '../../domain/idempotency.ts';
import { recordWrite } from '../access/audit-store.ts';
import { keys } from '../keys.ts';
import { unavailable } from '../table/errors.ts';
import { findItem } from '../table/read.ts';
import { findItems } from '../table/read-many.ts';
import type { Table } from '../table/table.ts';
import { tableSchema } from '../table/table-schema.ts';
import { commit, ifAbsent } from '../table/transaction.ts';
import type { Item, Write } from '../table/write.ts';

export interface PoolStore {
  /** Reads the state of a pool. */
  get(entitlementId: string): Promise<Pool>;
  /** Some free codes, oldest first. Another sale may take one of them at the same time. */
  free(entitlementId: string, most: number): Promise<PoolCode[]>;
  /** The grant that has waited longest, read consistently. */
  head(pool: Pool): Promise<WaitingGrant | undefined>;
  /** The pools about which the merchant got a notice since their latest import, with their current state. */
  listTold(): Promise<Pool[]>;
  /**
   * Adds the codes that the pool never had, in portions. The records are written with the last one. Returns how many
   * codes were added.
   */
  add(codes: readonly PoolCode[], records: (added: number) => readonly CommandRecord[]): Promise<number>;
}

/**
 * The most codes in one transaction, which takes at most 100 rows. Each code has a second row, which recognizes a
 * repeated code.
 */
const perTransaction = 45;

const partitionOf = (entitlementId: string): string => keys.poolCode(entitlementId, '').pk;

const outdated = { refusal: () => new StaleVersion(), contention: () => new StaleVersion() };

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
    ...outdated,
  },
  {
    put: { ...keys.poolCodeHash(code.entitlementId, poolCodeHashOf(code.code)), entity: 'POOL' },
    condition: ifAbsent,
    ...outdated,
  },
];

/** The index of the pools about which the merchant got a notice. */
const toldPartition = 'POOL#TOLD';

/** The names of the attributes in an expression. Some of them are reserved words of DynamoDB. */
const named = (expression: string): Record<string, string> =>
  Object.fromEntries([...new Set(expression.match(/#\w+/g))].map((name) => [name, name.slice(1)]));

interface PoolUpdate {
  set: readonly string[];
  remove?: string;
  condition: string;
  values: Record<string, unknown>;
}

function poolUpdate(entitlementId: string, { set, remove, condition, values }: PoolUpdate): Write {
  const UpdateExpression = `SET ${set.join(', ')}${remove ? ` REMOVE ${remove}` : ''}`;
  return {
    update: {
      Key: keys.pool(entitlementId),
      UpdateExpression,
      ConditionExpression: condition,
      ExpressionAttributeNames: named(`${UpdateExpression} ${condition}`),
      ExpressionAttributeValues: values,
    },
    ...outdated,
  };
}

/** The attributes of a row that may not exist yet. They begin at 0. */
const begun = ['free', 'given', 'waiting', 'full', 'turn'].map((name) => `#${name} = if_not_exists(#${name}, :zero)`);
const without = (...names: string[]) => begun.filter((set) => !names.some((name) => set.startsWith(`#${name} `)));

/** The write that counts new codes. After it, the merchant can get the notices again. */
const addedWrite = (entitlementId: string, codes: number): Write =>
  poolUpdate(entitlementId, {
    set: [
      ...without('free', 'full'),
      ...['#free', '#full'].map((name) => `${name} = if_not_exists(#free, :zero) + :codes`),
      '#entity = :entity',
    ],
    remove: '#told, #listPk, #listSk',
    // An import is written in any state of the pool.
    condition: '#entity = :entity OR attribute_not_exists(#entity)',
    values: { ':zero': 0, ':codes': codes, ':entity': 'POOL' },
  });

/** Gives a free code to a grant. The code then leaves the list for ever. */
const takeCodeWrite = ({ entitlementId, position }: PoolCode, grantId: string): Write => ({
  update: {
    Key: keys.poolCode(entitlementId, position),
    UpdateExpression: 'SET #data.#grantId = :grantId REMOVE listPk, listSk, #row',
    ConditionExpression: 'attribute_exists(listPk)',
    ExpressionAttributeNames: { '#data': 'data', '#grantId': 'grantId', '#row': 'row' },
    ExpressionAttributeValues: { ':grantId': grantId },
  },
  ...outdated,
});

const joinWrite = ({ id, createdAt, entitlementId, paymentId }: Grant): Write => ({
  put: {
    ...keys.poolQueue(entitlementId, queuePlaceOf({ id, createdAt })),
    entity: 'POOL',
    data: { grantId: id, paymentId } satisfies WaitingGrant,
  },
  ...outdated,
});

/** Removes a grant from the queue. Its row is kept for a day, but later reads of the queue start after it. */
const leaveWrite = (grant: Grant): Write => ({
  update: {
    Key: keys.poolQueue(grant.entitlementId, queuePlaceOf(grant)),
    UpdateExpression: 'SET isDone = :true, #ttl = :ttl',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(isDone)',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: { ':true': true, ':ttl': Math.floor(Date.parse(grant.updatedAt) / 1_000) + daySeconds },
  },
  ...outdated,
});

/** The update that puts the pool into the list of pools about which the merchant got a notice. */
const toldUpdate = (level: Pool['told'] | undefined, { entitlementId, entitlementName, productId }: Grant) =>
  level === undefined
    ? { set: [], values: {} }
    : {
        set: ['#told = :told', '#productId = :productId', '#name = :name', '#listPk = :listPk', '#listSk = :listSk'],
        values: {
          ':told': level,
          ':productId': productId,
          ':name': entitlementName,
          ':listPk': toldPartition,
          ':listSk': entitlementId,
        },
      };

const plus = (name: string, change: 'one' | 'less') => `#${name} = #${name} + :${change}`;

/**
 * The writes that change a pool together with a grant. Their conditions keep the order of the queue. A sale that has
 * not waited takes a code only if no other sale waits. A sale that has waited takes one only if the queue has not
 * changed since it was first in it.
 */
export function poolWrites(change: PoolChange, grant: Grant): Write[] {
  const { entitlementId } = grant;
  const numbers = { ':one': 1, ':less': -1 };
  if (change.does === 'leave')
    return [
      leaveWrite(grant),
      poolUpdate(entitlementId, {
        set: [plus('waiting', 'less'), plus('turn', 'one')],
        condition: '#waiting > :zero',
        values: { ...numbers, ':zero': 0 },
      }),
    ];
  const { pool, tells } = change;
  const told = toldUpdate(tells, grant);
  if (change.does === 'join') return joinWrites(pool, grant, told);
  const took = [plus('free', 'less'), plus('given', 'one')];
  if (change.does === 'take')
    return [
      takeCodeWrite(change.code, grant.id),
      poolUpdate(entitlementId, {
        set: [...took, ...told.set],
        condition: '#free > :zero AND #waiting = :zero',
        values: { ...numbers, ':zero': 0, ...told.values },
      }),
    ];
  return [
    takeCodeWrite(change.code, grant.id),
    leaveWrite(grant),
    poolUpdate(entitlementId, {
      set: [...took, plus('waiting', 'less'), plus('turn', 'one'), '#queueFrom = :from', ...told.set],
      condition: '#free > :zero AND #turn = :turn',
      values: { ...numbers, ':zero': 0, ':turn': pool.turn, ':from': queuePlaceOf(grant), ...told.values },
    }),
  ];
}

/**
 * The writes with which a sale begins to wait. They fail if codes were added in between, unless other sales already
 * wait before it.
 */
function joinWrites({ queueFrom, turn }: Pool, grant: Grant, told: ReturnType<typeof toldUpdate>): Write[] {
  const place = queuePlaceOf(grant);
  const added = ['waiting', 'turn'].map((name) => `#${name} = if_not_exists(#${name}, :zero) + :one`);
  const numbers = { ':one': 1, ':zero': 0, ':turn': turn };
  return [
    joinWrite(grant),
    poolUpdate(grant.entitlementId, {
      set: [...without('waiting', 'turn'), ...added, '#queueFrom = :from', '#entity = :entity', ...told.set],
      condition: 'attribute_not_exists(pk) OR (#turn = :turn AND (#free = :zero OR #waiting > :zero))',
      values: { ...numbers, ':from': place < queueFrom ? place : queueFrom, ':entity': 'POOL', ...told.values },
    }),
  ];
}

const poolOf = (entitlementId: string, item: Item | undefined): Pool =>
  Pool.parse({ ...newPool(entitlementId), ...item, entitlementId });

export function poolStore(table: Table): PoolStore {
  return {
    get: async (entitlementId) => poolOf(entitlementId, await findItem(table, keys.pool(entitlementId))),
    free: async (entitlementId, most) => {
      const items = await queryList(table, partitionOf(entitlementId), most);
      return items.map((item) => PoolCode.parse(item['row']));
    },
    head: (pool) => headOf(table, pool),
    listTold: async () => {
      const ids = (await queryList(table, toldPartition, mostTold)).map((item) => String(item['listSk']));
      const item = await findItems(table, ids.map(keys.pool));
      return ids.map((id) => poolOf(id, item(keys.pool(id)))).filter(({ told }) => told !== 'enough');
    },
    add: async (codes, records) => {
      const hashes = codes.map(({ entitlementId, code }) => keys.poolCodeHash(entitlementId, poolCodeHashOf(code)));
      const known = await findItems(table, hashes);
      const fresh = codes.filter((_, index) => known(hashes[index] as (typeof hashes)[number]) === undefined);
      const last = Math.max(0, Math.ceil(fresh.length / perTransaction) - 1) * perTransaction;
      for (let start = 0; start < last; start += perTransaction)
        await commit(table, portionWrites(fresh.slice(start, start + perTransaction)));
      const writes = [...records(fresh.length).map(recordWrite), ...portionWrites(fresh.slice(last))];
      if (writes.length > 0) await commit(table, writes);
      return fresh.length;
    },
  };
}

/** The most pools that the overview reads. */
const mostTold = 50;

function portionWrites(codes: readonly PoolCode[]): Write[] {
  const [first] = codes;
  return first ? [...codes.flatMap(codeWrites), addedWrite(first.entitlementId, codes.length)] : [];
}

/** The first items of a partition of the list, oldest first. */
async function queryList(table: Table, partition: string, most: number): Promise<Item[]> {
  const query = new QueryCommand({
    TableName: table.name,
    IndexName: 'list',
    KeyConditionExpression: '#partition = :partition',
    ExpressionAttributeNames: { '#partition': tableSchema.indexes.list.partitionKey },
    ExpressionAttributeValues: { ':partition': partition },
    Limit: most,
  });
  const { Items = [] } = await table.client.send(query).catch(unavailable);
  return Items;
}

async function headOf(table: Table, { entitlementId, queueFrom }: Pool): Promise<WaitingGrant | undefined> {
  const { pk, sk } = keys.poolQueue(entitlementId, queueFrom);
  for (let after: Item | undefined; ; ) {
    const query = new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk >= :from',
      FilterExpression: 'attribute_not_exists(isDone)',
      ExpressionAttributeValues: { ':pk': pk, ':from': sk },
      ConsistentRead: true,
      ...(after && { ExclusiveStartKey: after }),
    });
    const { Items = [], LastEvaluatedKey } = await table.client.send(query).catch(unavailable);
    const [first] = Items;
    if (first) return WaitingGrant.parse(first['data']);
    after = LastEvaluatedKey;
    if (!after) return undefined;
  }
}
