import { createDelivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { isFor } from '../../events/recipients.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { ClaimedDelivery, DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { WebhookHealthStore } from '../../store/webhooks/webhook-health-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { claimedUntil, type DeliverWebhookDeps, deliverPromptly } from './deliver-webhook.ts';
import { type Watch, type WatchDeps, watchEndpoint } from './watch-endpoint.ts';

export interface DispatchEventDeps extends DeliverWebhookDeps, WatchDeps {
  events: Pick<EventStore, 'find' | 'markDispatched'>;
  webhooks: WatchDeps['webhooks'] & Pick<WebhookStore, 'all'>;
  health: WatchDeps['health'] & Pick<WebhookHealthStore, 'all'>;
  deliveries: WatchDeps['deliveries'] & Pick<DeliveryStore, 'create' | 'claim' | 'save'>;
}

interface Planned {
  endpoint: WebhookEndpoint;
  watch: Watch;
  claimed: ClaimedDelivery;
}

/** The event with an id, and whether it was dispatched now for the first time. */
export interface Dispatched {
  event: RecordedEvent | undefined;
  isFirst: boolean;
}

/**
 * Hands an event to its endpoints: first the delivery rows, then the row's duty to deliver ends, then the attempts.
 * Called again, it finds its rows, or that there is nothing left to do, and sends nothing.
 */
export async function dispatchEvent(
  deps: DispatchEventDeps,
  eventId: string,
  remainingMs: () => number,
): Promise<Dispatched> {
  const [event, endpoints, health] = await Promise.all([
    deps.events.find(eventId),
    deps.webhooks.all(),
    deps.health.all(),
  ]);
  if (!event?.open.deliveries) return { event, isFirst: false };
  const chosen = endpoints.filter((endpoint) => isFor(endpoint, event));
  const planned = await Promise.all(
    chosen.map((endpoint) => plan(deps, event, endpoint, watchEndpoint(deps, endpoint, health.get(endpoint.id)))),
  );
  const isFirst = await deps.events.markDispatched(
    event,
    chosen.map(({ id }) => id),
  );
  await Promise.all(planned.flat().map((one) => attempt(deps, event, one, remainingMs)));
  return { event, isFirst };
}

/** Creates a claimed delivery; undefined if it exists already or its endpoint is paused. */
async function plan(
  deps: DispatchEventDeps,
  event: RecordedEvent,
  endpoint: WebhookEndpoint,
  watch: Watch,
): Promise<Planned[]> {
  const now = deps.now();
  const pausedUntil = watch.pausedUntil();
  const delivery = createDelivery(event, endpoint.id, pausedUntil ?? claimedUntil(now), now.toISOString());
  const claimed = await deps.deliveries.create(delivery);
  return claimed && !pausedUntil ? [{ endpoint, watch, claimed }] : [];
}

async function attempt(
  deps: DispatchEventDeps,
  event: RecordedEvent,
  { endpoint, watch, claimed }: Planned,
  remainingMs: () => number,
): Promise<void> {
  try {
    await deliverPromptly(deps, claimed, { event, endpoint, watch }, remainingMs);
  } catch (error) {
    deps.report('A delivery was left to the sweeper.', { eventId: event.id, endpointId: endpoint.id }, error);
  }
}
