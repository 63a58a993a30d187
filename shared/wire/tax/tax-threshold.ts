import type { ThresholdStatus } from '../../domain/reports/thresholds.ts';
import type { TaxThresholdAnswer } from '../webhooks/webhook-answer.ts';

/** How far a limit of registration is used up, in minor units of its currency. */
export const presentThreshold = (status: ThresholdStatus): TaxThresholdAnswer => ({
  threshold: status.id,
  // no event tells of a limit that is far away
  level: status.level as TaxThresholdAnswer['level'],
  amount: status.amount,
  limit_amount: status.limit,
  currency: status.currency,
  sales: status.count,
  sales_limit: status.countLimit,
  counted_from: status.from,
  counted_to: status.to,
});
