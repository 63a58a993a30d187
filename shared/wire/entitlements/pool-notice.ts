import type { PoolNotice } from '../../domain/entitlements/pool.ts';
import type { CodePoolAnswer } from '../webhooks/webhook-answer.ts';

/** How a pool stands that is nearly empty, or that a sale has found empty. */
export const presentPoolNotice = ({ pool, level, entitlementName, productId }: PoolNotice): CodePoolAnswer => ({
  entitlement_id: pool.entitlementId,
  entitlement_name: entitlementName,
  product_id: productId,
  // an event is only sent once the pool has run down
  level: level as CodePoolAnswer['level'],
  free: pool.free,
  waiting: pool.waiting,
});
