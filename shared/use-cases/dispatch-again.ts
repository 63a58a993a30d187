import { createDelivery, type Delivery, reopenDelivery } from '../domain/delivery.ts';
import { DomainError } from '../domain/errors.ts';
import type { Claim } from '../domain/idempotency.ts';
import { type WebhookEndpoint, wantsEvent } from '../domain/webhook.ts';
import type { Reopened } from '../store/delivery-row.ts';
import type { DeliveryStore } from '../store/delivery-store.ts';
import type { EventStore, RecordedEvent } from '../store/event-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { retryStale } from './retry.ts';

export interface DispatchAgainDeps {
  events: Pick<EventStore, 'get'>;
  webhooks: Pick<WebhookStore, 'all' | 'get'>;
  deliveries: Pick<DeliveryStore, 'find' | 'claim' | 'reopen'>;
  now: () => Date;
}

export interface Resent {
  event: RecordedEvent;
  deliveries: Delivery[];
}

/** Sends an event again, under its old id, to one endpoint or to all that want it: due at once, with a schedule anew. */
export async function dispatchAgain(
  deps: DispatchAgainDeps,
  eventId: string,
  endpointId: string | null,
  claim: Claim<Resent>,
): Promise<Resent> {
  const event = await deps.events.get(eventId);
  const endpoints = endpointId === null ? await deps.webhooks.all() : [await namedEndpoint(deps, endpointId)];
  const chosen = endpoints.filter((endpoint) => endpointId !== null || wantsEvent(endpoint, event.type));
  return retryStale(async () => {
    const planned = await Promise.all(chosen.map((endpoint) => begin(deps, event, endpoint.id)));
    const resent = { event, deliveries: planned.map(({ after }) => after) };
    await deps.deliveries.reopen(planned.filter(isNew), claim(resent));
    return resent;
  });
}

/** One that is to get something now must be able to. */
export async function namedEndpoint(
  { webhooks }: { webhooks: Pick<WebhookStore, 'get'> },
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await webhooks.get(id);
  if (endpoint.disabled) throw new DomainError('CONFLICT', `The webhook endpoint ${id} is disabled; enable it first.`);
  return endpoint;
}

const isNew = ({ before, after }: Reopened): boolean => before !== after;

async function begin(deps: DispatchAgainDeps, event: RecordedEvent, endpointId: string): Promise<Reopened> {
  const before = await deps.deliveries.find({ eventId: event.id, endpointId });
  if (before) return { before, after: await beginAnew(deps, before) };
  const now = deps.now().toISOString();
  return { before, after: createDelivery(event, endpointId, now, now) };
}

/** What has ended begins anew; what waits for its next attempt waits no longer; what is being attempted is left to that. */
export async function beginAnew(
  deps: Pick<DispatchAgainDeps, 'deliveries' | 'now'>,
  delivery: Delivery,
): Promise<Delivery> {
  const now = deps.now().toISOString();
  if (delivery.status !== 'pending') return reopenDelivery(delivery, now);
  if (delivery.nextAttemptAt !== null) await deps.deliveries.claim(delivery, delivery.nextAttemptAt, now);
  return delivery;
}
