import type { ThresholdStatus } from '../../domain/reports/thresholds.ts';
import type { TaxThresholdAnswer } from '../webhooks/webhook-answer.ts';

/** How much of a registration limit is used, in minor units of its currency. */
export const presentThreshold = (status: ThresholdStatus): TaxThresholdAnswer => ({
  threshold: status.id,
  // An event is only sent for a limit that is near or passed.
  level: status.level as TaxThresholdAnswer['level'],
  amount: status.amount,
  limit_amount: status.limit,
  currency: status.currency,
  sales: status.count,
  sales_limit: status.countLimit,
  counted_from: status.from,
  counted_to: status.to,
});
