import type { PoolNotice } from '../../domain/entitlements/pool.ts';
import type { CodePoolAnswer } from '../webhooks/webhook-answer.ts';

/** The state of a pool of codes that is nearly empty, or in which a sale found no code. */
export const presentPoolNotice = ({ pool, level, entitlementName, productId }: PoolNotice): CodePoolAnswer => ({
  entitlement_id: pool.entitlementId,
  entitlement_name: entitlementName,
  product_id: productId,
  // An event is only sent for a pool that is low or empty.
  level: level as CodePoolAnswer['level'],
  free: pool.free,
  waiting: pool.waiting,
});
