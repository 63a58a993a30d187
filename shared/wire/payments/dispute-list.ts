import * as z from 'zod';
import { disputeStages, disputeStatuses } from '../../domain/payments/payment.ts';
import { createdFields, type ListTerms, onePaging, pageFields } from '../page.ts';
import { idOf } from '../values.ts';

export const DisputeQuery = onePaging(
  z.strictObject({
    ...pageFields,
    ...createdFields,
    customer_id: idOf('cus').optional(),
    payment_id: idOf('pay').optional(),
    dispute_stage: z.enum(disputeStages).optional(),
    dispute_status: z.enum(disputeStatuses.map((status) => `dispute_${status}` as const)).optional(),
  }),
);

/** Whether a dispute matches the filters that the index cannot apply. The index applies only time and customer. */
export const matchesDispute =
  ({ dispute_stage: stage, dispute_status: status }: z.output<typeof DisputeQuery>) =>
  (row: { status: string; stage: string }): boolean =>
    (!stage || row.stage === stage) && (!status || `dispute_${row.status}` === status);

/** The filters that make a search for disputes smaller. */
export const disputeTerms: ListTerms = {
  narrowedBy: ['created_at_gte', 'created_at_lte', 'customer_id', 'payment_id'],
};
