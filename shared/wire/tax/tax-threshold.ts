import type { ThresholdStatus } from '../../domain/reports/thresholds.ts';

/** How far a limit of registration is used up, in minor units of its currency. */
export const presentThreshold = (status: ThresholdStatus) => ({
  threshold: status.id,
  level: status.level,
  amount: status.amount,
  limit_amount: status.limit,
  currency: status.currency,
  sales: status.count,
  sales_limit: status.countLimit,
  counted_from: status.from,
  counted_to: status.to,
});
