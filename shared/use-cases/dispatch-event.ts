import { createDelivery } from '../domain/delivery.ts';
import { type WebhookEndpoint, wantsEvent } from '../domain/webhook.ts';
import type { ClaimedDelivery, DeliveryStore } from '../store/delivery-store.ts';
import type { EventStore, RecordedEvent } from '../store/event-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { claimedUntil, type DeliverWebhookDeps, deliverPromptly } from './deliver-webhook.ts';

export interface DispatchEventDeps extends DeliverWebhookDeps {
  events: Pick<EventStore, 'find' | 'markDispatched'>;
  webhooks: Pick<WebhookStore, 'all'>;
  deliveries: Pick<DeliveryStore, 'create' | 'claim' | 'save'>;
  /** Told of what went wrong with one delivery; the sweeper will see to it. */
  report: (message: string, fields: Record<string, unknown>, error: unknown) => void;
}

interface Planned {
  endpoint: WebhookEndpoint;
  claimed: ClaimedDelivery;
}

/**
 * Hands an event to its endpoints: first the delivery rows, then the outbox row's duty ends, then the attempts.
 * Called twice, it finds its rows and sends nothing again; false when there is no such event.
 */
export async function dispatchEvent(
  deps: DispatchEventDeps,
  eventId: string,
  remainingMs: () => number,
): Promise<boolean> {
  const event = await deps.events.find(eventId);
  if (!event) return false;
  const endpoints = (await deps.webhooks.all()).filter((endpoint) => wantsEvent(endpoint, event.type));
  const planned = await Promise.all(endpoints.map((endpoint) => plan(deps, event, endpoint)));
  await deps.events.markDispatched(event.id);
  await Promise.all(
    planned.flat().map(({ endpoint, claimed }) => attempt(deps, { event, endpoint }, claimed, remainingMs)),
  );
  return true;
}

/** The row that a delivery begins with, claimed; nothing when it exists. */
async function plan(deps: DispatchEventDeps, event: RecordedEvent, endpoint: WebhookEndpoint): Promise<Planned[]> {
  const now = deps.now();
  const claimed = await deps.deliveries.create(
    createDelivery(event, endpoint.id, claimedUntil(now), now.toISOString()),
  );
  return claimed ? [{ endpoint, claimed }] : [];
}

async function attempt(
  deps: DispatchEventDeps,
  { event, endpoint }: { event: RecordedEvent; endpoint: WebhookEndpoint },
  claimed: ClaimedDelivery,
  remainingMs: () => number,
): Promise<void> {
  try {
    await deliverPromptly(deps, claimed, { event, endpoint }, remainingMs);
  } catch (error) {
    deps.report('A delivery was left to the sweeper.', { eventId: event.id, endpointId: endpoint.id }, error);
  }
}
