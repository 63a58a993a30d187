import * as z from 'zod';

/** What the bus carries of a payment or refund; the rows in the table have the rest. */
const Carried = z.object({
  'detail-type': z.string(),
  detail: z.object({ payment_id: z.string().nullable(), data: z.object({ refund_id: z.string().optional() }) }),
});

/** What an event wants documented: a payment or a refund that has succeeded, or nothing. */
export function documentedBy(event: unknown): ({ paymentId: string } | { refundId: string })[] {
  const { 'detail-type': type, detail } = Carried.parse(event);
  const { payment_id: paymentId, data } = detail;
  if (type === 'payment.succeeded' && paymentId !== null) return [{ paymentId }];
  return type === 'refund.succeeded' && data.refund_id !== undefined ? [{ refundId: data.refund_id }] : [];
}
