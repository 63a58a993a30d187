import * as z from 'zod';
import { adjustedAmounts, type DisputeAdjustment, disputeGrounds } from '../../domain/disputes/dispute-adjustment.ts';
import type { PaymentAnswer } from './payment-answer.ts';

/** The body of `POST /disputes/{dispute_id}/adjustments`. */
export const AdjustmentInput = z.strictObject({
  ground: z.enum(disputeGrounds),
  replaces: z.enum(disputeGrounds).optional(),
});

/**
 * An adjustment in the form of the API. Its amounts have no sign, because its kind says whether it lowers the taxed
 * amount.
 */
export function presentAdjustment(adjustment: DisputeAdjustment): PaymentAnswer<'DisputeAdjustment'> {
  const { amount, tax } = adjustedAmounts(adjustment);
  return {
    adjustment_id: adjustment.id,
    kind: adjustment.kind,
    ground: adjustment.ground,
    counts_at: adjustment.at,
    booked_at: adjustment.bookedAt,
    net_amount: amount - tax,
    tax,
    total_amount: amount,
  };
}
