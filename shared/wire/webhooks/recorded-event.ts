import * as z from 'zod';
import { isPermitted, type Rights } from '../../domain/access/access.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { noticeTypes } from '../../events/notices.ts';
import type { EventRow, RecordedEvent } from '../../events/recorded-event.ts';
import { createdFields, type ListTerms, onePaging, pageFields } from '../page.ts';
import { maskedBody } from './masked-body.ts';
import type { WebhookAnswer } from './webhook-answer.ts';

export const EventQuery = onePaging(
  z.strictObject({
    ...pageFields,
    ...createdFields,
    type: z.enum([...eventTypes, ...noticeTypes]).optional(),
    payment_id: z.string().max(100).optional(),
  }),
);

/** Whether an event matches the filters that the index cannot apply. The index applies only the time. */
export const matchesEvent =
  (query: z.output<typeof EventQuery>) =>
  (row: EventRow): boolean =>
    (!query.type || row.type === query.type) && (!query.payment_id || row.paymentId === query.payment_id);

/** The filters that make a search for events smaller. */
export const eventTerms: ListTerms = { narrowedBy: ['created_at_gte', 'created_at_lte'] };

/** An event in a list. */
export const presentEventItem = ({
  id,
  type,
  occurredAt,
  paymentId,
  sequence,
}: EventRow): WebhookAnswer<'EventListItem'> => ({
  event_id: id,
  type,
  timestamp: occurredAt,
  payment_id: paymentId,
  sequence,
});

interface DeliveredEvent {
  event: RecordedEvent;
  deliveries: readonly Delivery[];
}

/**
 * An event with the body for endpoints, and the endpoints that got it. An API key that can only read sees only the last
 * characters of licence keys.
 */
export const presentEvent = ({ event, deliveries }: DeliveredEvent, caller: Rights): WebhookAnswer<'Event'> => ({
  ...presentEventItem(event),
  body: isPermitted(caller, 'write') ? JSON.parse(event.payload) : maskedBody(event.payload),
  deliveries: deliveries.map(({ endpointId, status, attempts, nextAttemptAt }) => ({
    webhook_id: endpointId,
    status,
    attempts: attempts.length,
    next_attempt_at: nextAttemptAt,
  })),
});

/** The filter that makes a search for deliveries smaller. Each delivery has up to twenty responses. */
export const deliveryTerms: ListTerms = { narrowedBy: ['created_at_gte'], mostItemBytes: 150_000 };

/** A delivery with all its attempts, so that its merchant can find what went wrong. */
export const presentDelivery = (delivery: Delivery): WebhookAnswer<'WebhookDelivery'> => ({
  event_id: delivery.eventId,
  webhook_id: delivery.endpointId,
  type: delivery.eventType as WebhookAnswer<'WebhookDelivery'>['type'],
  status: delivery.status,
  created_at: delivery.createdAt,
  next_attempt_at: delivery.nextAttemptAt,
  attempts: delivery.attempts.map(({ at, status, latencyMs, error, answer }) => ({
    at,
    http_status: status,
    latency_ms: latencyMs,
    error,
    response: answer,
  })),
});

export const DeliveryQuery = onePaging(
  z.strictObject({
    ...pageFields,
    created_at_gte: createdFields.created_at_gte,
    status: z.enum(['pending', 'delivered', 'exhausted', 'cancelled']).optional(),
  }),
);

/** The filter for the deliveries that a query requests. */
export const deliveryFilter = ({ status, created_at_gte: createdFrom }: z.output<typeof DeliveryQuery>) => ({
  createdFrom,
  ...(status && { matches: (row: { status: string }) => row.status === status }),
});
