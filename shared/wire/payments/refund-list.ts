import * as z from 'zod';
import { createdFields, type ListTerms, onePaging, pageFields } from '../page.ts';
import { idOf } from '../values.ts';

export const RefundQuery = onePaging(
  z.strictObject({
    ...pageFields,
    ...createdFields,
    status: z.enum(['pending', 'succeeded', 'failed', 'review']).optional(),
    customer_id: idOf('cus').optional(),
    payment_id: idOf('pay').optional(),
    subscription_id: z.string().max(100).optional(),
  }),
);

/** The filters that make a search for refunds smaller. */
export const refundTerms: ListTerms = { narrowedBy: ['created_at_gte', 'created_at_lte', 'customer_id', 'payment_id'] };
