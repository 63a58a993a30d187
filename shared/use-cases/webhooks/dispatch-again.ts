import { DomainError } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { type BrokenRule, brokenRule } from '../../domain/rules/rules.ts';
import { createDelivery, type Delivery, reopenDelivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { isNotice } from '../../events/notices.ts';
import { isFor } from '../../events/recipients.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { Reopened } from '../../store/webhooks/delivery-row.ts';
import type { DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { retryStale } from '../retry.ts';
import { firstDueAt } from './dispatch-claim.ts';

export interface DispatchAgainDeps {
  events: Pick<EventStore, 'get'>;
  webhooks: Pick<WebhookStore, 'all' | 'get'>;
  deliveries: Pick<DeliveryStore, 'find' | 'bringForward' | 'reopen'>;
  now: () => Date;
}

interface Resent {
  event: RecordedEvent;
  deliveries: Delivery[];
}

/**
 * Sends an event again with its id, to one endpoint or to all with a matching filter, with a new schedule. It is due at
 * once. If the event is not dispatched yet, it is due after a few seconds.
 */
export async function dispatchAgain(
  deps: DispatchAgainDeps,
  eventId: string,
  endpointId: string | null,
  claim: Claim<Resent>,
): Promise<Resent> {
  const event = await deps.events.get(eventId);
  const chosen = await chooseEndpoints(deps, event, endpointId);
  return retryStale(async () => {
    const planned = await Promise.all(chosen.map((endpoint) => begin(deps, event, endpoint.id)));
    const resent = { event, deliveries: planned.map(({ after }) => after) };
    await deps.deliveries.reopen(planned.filter(isNew), claim(resent, null));
    return resent;
  });
}

/**
 * The requested endpoint regardless of its filter, or all endpoints with a matching filter. A test event is sent only
 * to its own endpoint.
 */
async function chooseEndpoints(
  deps: DispatchAgainDeps,
  event: RecordedEvent,
  endpointId: string | null,
): Promise<WebhookEndpoint[]> {
  if (isNotice(event.type)) throw refused(brokenRule(sentences.event_notice, { event: event.id }));
  const named = endpointId ?? event.endpointId;
  if (named === undefined) return (await deps.webhooks.all()).filter((endpoint) => isFor(endpoint, event));
  if (event.endpointId !== undefined && event.endpointId !== named)
    throw refused(brokenRule(sentences.event_test, { event: event.id, endpoint: event.endpointId }));
  return [await namedEndpoint(deps, named)];
}

const refused = (rule: BrokenRule): DomainError => new DomainError('INVALID_REQUEST_PARAMETERS', rule);

/** The endpoint with the requested id. It must exist and be enabled. */
export async function namedEndpoint(
  { webhooks }: { webhooks: Pick<WebhookStore, 'get'> },
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await webhooks.get(id);
  if (endpoint.disabled) throw new DomainError('CONFLICT', brokenRule(sentences.endpoint_disabled, { endpoint: id }));
  return endpoint;
}

const isNew = ({ before, after }: Reopened): boolean => before !== after;

async function begin(deps: DispatchAgainDeps, event: RecordedEvent, endpointId: string): Promise<Reopened> {
  const before = await deps.deliveries.find({ eventId: event.id, endpointId });
  const now = deps.now();
  const at = now.toISOString();
  if (!before) return { before, after: createDelivery(event, endpointId, firstDueAt(event, now), at) };
  if (before.status !== 'pending') return { before, after: reopenDelivery(before, at) };
  const after = isFirst(event, before) ? before : await bringForward(deps, before, at);
  return { before: after, after };
}

/** Whether a delivery has no attempt yet and a dispatcher may be making the first one. */
const isFirst = ({ open }: RecordedEvent, { attempts }: Delivery): boolean => open.deliveries && attempts.length === 0;

/** Makes a waiting delivery due now. Does not change one that is already due or is being attempted. */
async function bringForward(
  { deliveries }: Pick<DispatchAgainDeps, 'deliveries'>,
  delivery: Delivery,
  now: string,
): Promise<Delivery> {
  const { nextAttemptAt } = delivery;
  if (nextAttemptAt === null || nextAttemptAt <= now) return delivery;
  return (await deliveries.bringForward(delivery, nextAttemptAt, now)) ?? delivery;
}
