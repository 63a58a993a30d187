import * as z from 'zod';
import { documentOfEvent } from './documents-of-events.ts';

/** The fields of a payment or refund in an entry of the bus. The table has the rest. */
const Carried = z.object({
  'detail-type': z.string(),
  detail: z.object({
    event_id: z.string(),
    payment_id: z.string().nullable(),
    data: z.object({ refund_id: z.string().optional(), adjustment_id: z.string().optional() }),
  }),
});

interface DocumentedEvent {
  eventId: string;
  subject: { paymentId: string } | { refundId: string; isCancelled?: boolean } | { adjustmentId: string };
}

const kinds = new Map(Object.entries(documentOfEvent));

/**
 * The document that an event requires. These events require one: a payment or refund that succeeded, a refund that
 * failed after it had succeeded, and a dispute that undoes a sale. Other events require none.
 */
export function documentedBy(event: unknown): DocumentedEvent[] {
  const { 'detail-type': type, detail } = Carried.parse(event);
  const { event_id: eventId, payment_id: paymentId, data } = detail;
  const kind = kinds.get(type);
  if (kind === 'invoice' && paymentId !== null) return [{ eventId, subject: { paymentId } }];
  if (kind === 'credit_note' && data.refund_id !== undefined)
    return [{ eventId, subject: { refundId: data.refund_id } }];
  if (kind === 'cancellation' && data.refund_id !== undefined)
    return [{ eventId, subject: { refundId: data.refund_id, isCancelled: true } }];
  if (kind === 'adjustment' && data.adjustment_id !== undefined)
    return [{ eventId, subject: { adjustmentId: data.adjustment_id } }];
  return [];
}
