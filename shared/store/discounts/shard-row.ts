import type { UseShard } from '../../domain/discounts/use-shard.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { keys } from '../keys.ts';
import type { RowUpdate } from '../table/write.ts';

export const stale = () => new StaleVersion('DISCOUNT_CONCURRENT_REDEMPTION');

/** The names of what changes with each use. */
export const counted = { '#used': 'used', '#version': 'version' };

/** Updates a shard in place. Fails if its limits changed since it was read. */
export const shardUpdate = (shard: UseShard, change: ShardChange): RowUpdate => ({
  update: {
    Key: keys.discountShard(shard.discountId, shard.shard),
    UpdateExpression: change.update,
    ConditionExpression: change.condition,
    ExpressionAttributeNames: { '#data': 'data', '#rules': 'rules', ...change.names },
    ExpressionAttributeValues: { ':rules': shard.rules, ':one': 1, ...change.values },
  },
  refusal: stale,
  contention: stale,
});

interface ShardChange {
  update: string;
  condition: string;
  names: Record<string, string>;
  values?: Record<string, unknown>;
}
