import { crowded, type Hold, lapsesAfterMs, networkBound, type UseShard } from '../../domain/discounts/use-shard.ts';
import { dayMs } from '../../domain/duration.ts';
import { holdsDuePartition, keys, openHolds, timeKey } from '../keys.ts';
import { tableSchema } from '../table/table-schema.ts';
import type { RowPut, RowUpdate, Write } from '../table/write.ts';
import { counted, shardUpdate, stale } from './shard-row.ts';

/** A use of a code with a limit that a payment takes. It is reserved if the payment is open. */
export interface UseTake {
  shard: UseShard;
  hold?: Hold | undefined;
}

/** The end of a reservation. The use is paid, or is given back. */
export interface HoldEnd {
  hold: Hold;
  isPaid: boolean;
}

/** The writes that take a use of a shard with room, and reserve it for an open payment. */
export const takeWrites = ({ shard, hold }: UseTake): Write[] => [
  shardUpdate(shard, {
    update: 'SET #data.#used = #data.#used + :one, #data.#version = #data.#version + :one',
    condition: '#data.#rules = :rules AND #data.#used < #data.#quota',
    names: { ...counted, '#quota': 'quota' },
  }),
  ...(hold ? [holdWrite(hold), ...networkWrites(hold, 1, networkBound(shard.usageLimit ?? 0).mostEach)] : []),
];

/**
 * Version 0.2.0 ends a payment without its reservation. So a reservation is checked by the sweep if it is still there
 * when other buyers may get its use.
 */
const holdWrite = (hold: Hold): RowPut => {
  const id = `${hold.paymentId}#${hold.discountId}`;
  const checkedAt = new Date(Date.parse(hold.at) + lapsesAfterMs).toISOString();
  return {
    put: {
      ...keys.discountHold(hold.discountId, hold.paymentId),
      entity: 'DISCOUNT',
      data: hold,
      listPk: openHolds(hold.discountId),
      listSk: timeKey(hold.at, id),
      duePk: holdsDuePartition,
      dueSk: timeKey(checkedAt, id),
    },
    refusal: stale,
  };
};

/**
 * How many days after its payment the row of an ended reservation is removed. It is longer than the table can be set
 * back, so that no reservation of a restored table ends twice. The count of a network goes much earlier.
 */
const keptDays = { hold: 60, network: 2 } as const;
const ttlOf = (hold: Hold, kind: keyof typeof keptDays): number =>
  Math.floor((Date.parse(hold.at) + keptDays[kind] * dayMs) / 1_000);

/** Counts an open payment of a network. Above the limit, it is refused. */
const networkWrites = (hold: Hold, by: 1 | -1, most: number): RowUpdate[] => {
  if (hold.network === null) return [];
  return [
    {
      update: {
        Key: keys.discountNetwork(hold.discountId, hold.network, hold.part),
        UpdateExpression: 'SET #open = if_not_exists(#open, :none) + :by, #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(#open) OR #open < :most',
        ExpressionAttributeNames: { '#open': 'open', '#ttl': tableSchema.timeToLive },
        ExpressionAttributeValues: { ':none': 0, ':by': by, ':most': most, ':ttl': ttlOf(hold, 'network') },
      },
      refusal: crowded,
      contention: stale,
    },
  ];
};

/** The writes that end a reservation. If it is not paid, its use is given back. */
export const endWrites = ({ hold, isPaid }: HoldEnd): Write[] => [
  {
    update: {
      Key: keys.discountHold(hold.discountId, hold.paymentId),
      UpdateExpression: 'SET #ttl = :ttl REMOVE listPk, listSk, duePk, dueSk, #data.#network',
      ConditionExpression: 'attribute_exists(listPk)',
      ExpressionAttributeNames: { '#ttl': tableSchema.timeToLive, '#data': 'data', '#network': 'network' },
      ExpressionAttributeValues: { ':ttl': ttlOf(hold, 'hold') },
    },
    refusal: stale,
    contention: stale,
  },
  ...networkWrites(hold, -1, Number.MAX_SAFE_INTEGER),
  ...(isPaid ? [] : [giveBackWrite(hold)]),
];

const giveBackWrite = ({ discountId, shard }: Hold): RowUpdate => ({
  update: {
    Key: keys.discountShard(discountId, shard),
    UpdateExpression: 'SET #data.#used = #data.#used - :one, #data.#version = #data.#version + :one',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#data': 'data', ...counted },
    ExpressionAttributeValues: { ':one': 1 },
  },
  refusal: stale,
  contention: stale,
});
