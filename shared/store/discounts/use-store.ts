import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { UseCounter } from '../../domain/discounts/use-counter.ts';
import { abandonedAfterMs, type Hold, type PlacedHold, UseShard } from '../../domain/discounts/use-shard.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { duePartition, keys, timeKey } from '../keys.ts';
import { toUnavailable } from '../table/errors.ts';
import { persist } from '../table/persist.ts';
import { findData } from '../table/read.ts';
import { plainRow } from '../table/refusal.ts';
import type { Table } from '../table/table.ts';
import { commit } from '../table/transaction.ts';
import type { Item } from '../table/write.ts';
import { type CountedUses, findUses, splitWrites } from './use-rows.ts';

/** A request to reserve a use of a code for a payment. */
interface HoldRequest {
  paymentId: string;
  network: string | null;
  now: Date;
}

export interface UseStore {
  /** Reads how often codes were used, in total and by a customer. */
  findUses(discountIds: readonly string[], customerId: string): Promise<CountedUses>;
  /** Replaces the plain counters of a code by shards, so that payments can reserve uses. */
  splitUses(counters: readonly UseCounter[]): Promise<void>;
  /**
   * Reserves a use for a payment in a shard, with one update. A payment that already has a use there does not take a
   * second. Returns the updated shard. Undefined if the shard is full, or if its rules have changed.
   */
  holdUse(shard: UseShard, request: HoldRequest): Promise<UseShard | undefined>;
  /**
   * Ends a reservation. If the payment was paid, the use counts as paid. Otherwise the use is given back, unless the
   * payment has reserved it again since it was read.
   */
  endHold(hold: PlacedHold, isPaid: boolean): Promise<void>;
  findShard(discountId: string, shard: number): Promise<UseShard | undefined>;
  /** Ends the regular check of a shard that has no reservations. */
  endWatch(discountId: string, shard: number): Promise<void>;
}

export const useStore = (table: Table): UseStore => ({
  findUses: (discountIds, customerId) => findUses(table, discountIds, customerId),
  splitUses: (counters) => commit(table, splitWrites(counters)),
  holdUse: (shard, request) => holdUse(table, shard, request),
  endHold: async (hold, isPaid) => void (await changeRow(table, hold, isPaid ? confirming(hold) : givingBack(hold))),
  findShard: (discountId, shard) => findData(table, keys.discountHolds(discountId, shard), UseShard),
  endWatch: async (discountId, shard) => void (await changeRow(table, { discountId, shard }, unwatching)),
});

const stale = () => new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION');

/** An update of a shard, and its condition. */
type Change = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

const names = (paymentId: string) => ({ '#data': 'data', '#held': 'held', '#payment': paymentId });
const turned = { '#turn': 'turn', '#at': 'at' };
const counted = { '#used': 'used', '#version': 'version' };

/** Reserves a use for a payment. A payment that already has one keeps it, and gets the same result. */
async function holdUse(table: Table, shard: UseShard, request: HoldRequest): Promise<UseShard | undefined> {
  const taken = await changeRow(table, shard, taking(shard, request));
  if (taken.isDone || taken.row?.held[request.paymentId] === undefined) return taken.isDone ? taken.row : undefined;
  const kept = await changeRow(table, shard, takingAgain(shard, request));
  return kept.isDone ? kept.row : undefined;
}

function taking({ discountId, shard, rules }: UseShard, { paymentId, network, now }: HoldRequest): Change {
  const at = now.getTime();
  const watchedAt = new Date(at + abandonedAfterMs).toISOString();
  return {
    UpdateExpression: `SET #data.#held.#payment = :hold, #data.#used = #data.#used + :one, #data.#version = #data.#version + :one,
      duePk = if_not_exists(duePk, :duePk), dueSk = if_not_exists(dueSk, :dueSk)`,
    ConditionExpression:
      '#data.#rules = :rules AND #data.#used < #data.#quota AND attribute_not_exists(#data.#held.#payment)',
    ExpressionAttributeNames: { ...names(paymentId), ...counted, '#rules': 'rules', '#quota': 'quota' },
    ExpressionAttributeValues: {
      ':hold': { at, network, turn: 0 } satisfies Hold,
      ':one': 1,
      ':rules': rules,
      ':duePk': duePartition(`${discountId}#${shard}`),
      ':dueSk': timeKey(watchedAt, `${discountId}#${shard}`),
    },
  };
}

const takingAgain = ({ rules }: UseShard, { paymentId, now }: HoldRequest): Change => ({
  UpdateExpression:
    'SET #data.#held.#payment.#at = :at, #data.#held.#payment.#turn = #data.#held.#payment.#turn + :one',
  ConditionExpression: '#data.#rules = :rules AND attribute_exists(#data.#held.#payment)',
  ExpressionAttributeNames: { ...names(paymentId), ...turned, '#rules': 'rules' },
  ExpressionAttributeValues: { ':at': now.getTime(), ':one': 1, ':rules': rules },
});

const confirming = ({ paymentId }: PlacedHold): Change => ({
  UpdateExpression: 'REMOVE #data.#held.#payment',
  ConditionExpression: 'attribute_exists(#data.#held.#payment)',
  ExpressionAttributeNames: names(paymentId),
});

/**
 * The update that gives back a reserved use. Its condition compares `turn` and `at`. A use that was given back and
 * reserved again has the same `turn`, but a later time.
 */
const givingBack = ({ paymentId, hold: { turn, at } }: PlacedHold): Change => ({
  UpdateExpression:
    'SET #data.#used = #data.#used - :one, #data.#version = #data.#version + :one REMOVE #data.#held.#payment',
  ConditionExpression: '#data.#held.#payment.#turn = :turn AND #data.#held.#payment.#at = :at',
  ExpressionAttributeNames: { ...names(paymentId), ...counted, ...turned },
  ExpressionAttributeValues: { ':one': 1, ':turn': turn, ':at': at },
});

const unwatching: Change = {
  UpdateExpression: 'REMOVE duePk, dueSk',
  ConditionExpression: 'size(#data.#held) = :none',
  ExpressionAttributeNames: { '#data': 'data', '#held': 'held' },
  ExpressionAttributeValues: { ':none': 0 },
};

/** The row after the change, or the row that refused the change. */
interface Changed {
  isDone: boolean;
  row: UseShard | undefined;
}

/** Updates a shard in place, only once. A change that has already happened is refused. */
async function changeRow(
  table: Table,
  { discountId, shard }: Pick<UseShard, 'discountId' | 'shard'>,
  change: Change,
): Promise<Changed> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: keys.discountHolds(discountId, shard),
    ...change,
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  let changed: Changed = { isDone: false, row: undefined };
  const send = async ({ abortSignal }: { abortSignal: AbortSignal }) => {
    changed = await table.client.send(update, { abortSignal }).then(
      ({ Attributes }) => ({ isDone: true, row: shardIn(Attributes) }),
      (error: unknown) => {
        if (error instanceof ConditionalCheckFailedException)
          return { isDone: false, row: shardIn(plainRow(error.Item)) };
        throw error;
      },
    );
  };
  await persist(send, { isCancelled: isConflict, isOutdated: () => false }).catch((error: unknown) => {
    throw isConflict(error) ? stale() : toUnavailable(error);
  });
  return changed;
}

const shardIn = (item: Item | undefined): UseShard | undefined => item && UseShard.parse(item['data']);

const isConflict = (error: unknown): boolean => error instanceof Error && error.name === 'TransactionConflictException';
