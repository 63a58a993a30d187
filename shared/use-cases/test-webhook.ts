import { DomainError } from '../domain/errors.ts';
import type { Claim } from '../domain/idempotency.ts';
import { decideRefund } from '../domain/refund.ts';
import { samplePayment } from '../domain/sample-payment.ts';
import { type DomainEvent, type EventType, recordPaymentEvent, recordRefundEvent } from '../events/catalogue.ts';
import type { EventStore } from '../store/event-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { endRefund } from './create-refund.ts';

export interface TestWebhookDeps {
  webhooks: Pick<WebhookStore, 'get'>;
  events: Pick<EventStore, 'saveTest'>;
  freeze: (event: DomainEvent) => string;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** A test on its way: its deliveries show what became of it. */
export interface WebhookTest {
  eventId: string;
  type: EventType;
}

/** Sends a made-up event to one endpoint, whatever its filter, by the way that every event takes. */
export async function testWebhook(
  deps: TestWebhookDeps,
  id: string,
  type: EventType,
  claim: Claim<WebhookTest>,
): Promise<WebhookTest> {
  const endpoint = await deps.webhooks.get(id);
  if (endpoint.disabled) throw new DomainError('CONFLICT', `The webhook endpoint ${id} is disabled; enable it first.`);
  const event = sampleEvent(type, deps.newId('evt'), deps.now().toISOString());
  const test = { eventId: event.id, type };
  await deps.events.saveTest({ event, payload: deps.freeze(event), endpointId: id }, claim(test));
  return test;
}

function sampleEvent(type: EventType, id: string, now: string): DomainEvent {
  const [noun, status] = type.split('.') as ['payment' | 'refund', 'processing' | 'succeeded' | 'failed'];
  if (noun === 'payment') return recordPaymentEvent(samplePayment(status, now), { id, now }).event;
  return sampleRefund(status === 'failed' ? 'failed' : 'succeeded', id, now);
}

const everything = {
  type: 'money',
  amount: null,
  items: null,
  taxInclusive: true,
  expectedRefundable: null,
  reason: null,
  metadata: { test: true },
} as const;

function sampleRefund(status: 'succeeded' | 'failed', id: string, now: string): DomainEvent {
  const payment = samplePayment('succeeded', now);
  const decided = decideRefund(
    payment,
    { paymentId: payment.id, ...everything },
    { id: 'ref_SampleSampleSampleSam', now },
  );
  const [event] = endRefund(decided, status, { id, now })?.events ?? [];
  return event ?? recordRefundEvent(payment, decided.refund, { id, now }).event;
}
