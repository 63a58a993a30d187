import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import type { DueRow, DueStore } from '../../store/events/due-store.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { ClaimedDelivery, DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { takeInTurn } from '../take-in-turn.ts';
import { type DeliverWebhookDeps, deliverWebhook } from './deliver-webhook.ts';
import { claimedUntil, isFirstAttemptClaimed } from './dispatch-claim.ts';
import { type Watch, type WatchDeps, watchEndpoint } from './watch-endpoint.ts';

export interface SweepDeliveriesDeps extends DeliverWebhookDeps, WatchDeps {
  due: Pick<DueStore, 'postpone'>;
  webhooks: WatchDeps['webhooks'] & Pick<WebhookStore, 'allWithHealth' | 'ids'>;
  deliveries: WatchDeps['deliveries'] & Pick<DeliveryStore, 'claim' | 'save'>;
  events: Pick<EventStore, 'find'>;
}

/** How many requests one endpoint gets at the same time from the sweep. */
const atOncePerEndpoint = 2;

/** The longest time of an attempt. If less time is left, no attempt begins. */
const attemptMs = 17_000;

interface Watched {
  endpoint: WebhookEndpoint;
  watch: Watch;
}

/** Attempts due deliveries, for all endpoints in parallel. A slow endpoint delays only its own deliveries. */
export async function sweepDeliveries(
  deps: SweepDeliveriesDeps,
  rows: readonly DueRow[],
  remainingMs: () => number,
): Promise<void> {
  if (rows.length === 0) return;
  const { endpoints, health } = await deps.webhooks.allWithHealth();
  const hasTime = () => remainingMs() > attemptMs;
  const groups = Map.groupBy(rows, (row) => row.endpointId);
  await Promise.all(
    [...groups].map(([id, group]) => {
      const endpoint = endpoints.find((candidate) => candidate.id === id);
      const watched = endpoint && { endpoint, watch: watchEndpoint(deps, endpoint, health.get(id)) };
      return takeInTurn(group, { atOnce: atOncePerEndpoint, hasTime }, (row) => sweepDelivery(deps, row, watched));
    }),
  );
}

async function sweepDelivery(deps: SweepDeliveriesDeps, row: DueRow, watched: Watched | undefined): Promise<void> {
  const { id: eventId, endpointId } = row;
  try {
    if (!watched || watched.watch.isStopped()) return await deps.deliveries.cancel({ eventId, endpointId });
    const pausedUntil = watched.watch.pausedUntil();
    if (pausedUntil) return void (await deps.due.postpone(row, pausedUntil));
    const event = await deps.events.find(eventId);
    if (!event) return await deps.deliveries.cancel({ eventId, endpointId });
    const claimed = await claim(deps, row, event);
    if (claimed) await deliverWebhook(deps, claimed, { event, ...watched });
  } catch (error) {
    deps.report('A delivery is left to the next sweep.', { event_id: eventId, endpoint_id: endpointId }, error);
  }
}

/** Claims a due delivery. It leaves out a delivery whose first attempt a dispatcher may be making. */
function claim(
  { deliveries, now }: SweepDeliveriesDeps,
  { id: eventId, endpointId, at }: DueRow,
  event: RecordedEvent,
): Promise<ClaimedDelivery | undefined> {
  const of = isFirstAttemptClaimed(event, endpointId, now()) ? 'attempted' : 'any';
  return deliveries.claim({ eventId, endpointId }, at, claimedUntil(now()), of);
}
