import * as z from 'zod';
import { documentOfEvent } from './documents-of-events.ts';

/** The parts of a payment or refund that the bus carries. The table has the rest. */
const Carried = z.object({
  'detail-type': z.string(),
  detail: z.object({
    event_id: z.string(),
    payment_id: z.string().nullable(),
    data: z.object({ refund_id: z.string().optional() }),
  }),
});

interface DocumentedEvent {
  eventId: string;
  subject: { paymentId: string } | { refundId: string; isCancelled?: boolean };
}

const kinds = new Map(Object.entries(documentOfEvent));

/**
 * The document that an event needs: for a payment or refund that succeeded, for a refund that failed after success, or
 * none.
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
  return [];
}
