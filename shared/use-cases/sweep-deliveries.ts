import { cancelDelivery } from '../domain/delivery.ts';
import type { WebhookEndpoint } from '../domain/webhook.ts';
import type { DueRow } from '../store/due-store.ts';
import type { EventStore } from '../store/event-store.ts';
import type { WebhookStore } from '../store/webhook-store.ts';
import { claimedUntil, type DeliverWebhookDeps, deliverWebhook } from './deliver-webhook.ts';
import { takeInTurn } from './sweep-at-once.ts';

export interface SweepDeliveriesDeps extends DeliverWebhookDeps {
  webhooks: Pick<WebhookStore, 'all'>;
  events: Pick<EventStore, 'find'>;
  report: (message: string, fields: Record<string, unknown>, error: unknown) => void;
}

/** How many requests one endpoint gets at the same time. */
const atOncePerEndpoint = 2;

/** What an attempt may take; none is begun when less is left. */
const attemptMs = 17_000;

/** Attempts what is due, endpoint by endpoint side by side: a slow one delays only its own. */
export async function sweepDeliveries(
  deps: SweepDeliveriesDeps,
  rows: readonly DueRow[],
  remainingMs: () => number,
): Promise<void> {
  if (rows.length === 0) return;
  const endpoints = new Map((await deps.webhooks.all()).map((endpoint) => [endpoint.id, endpoint]));
  const hasTime = () => remainingMs() > attemptMs;
  const groups = Object.entries(Object.groupBy(rows, (row) => row.endpointId));
  await Promise.all(
    groups.map(([id, group = []]) =>
      takeInTurn(group, { atOnce: atOncePerEndpoint, hasTime }, (row) => sweepDelivery(deps, row, endpoints.get(id))),
    ),
  );
}

async function sweepDelivery(
  deps: SweepDeliveriesDeps,
  row: DueRow,
  endpoint: WebhookEndpoint | undefined,
): Promise<void> {
  const { id: eventId, endpointId } = row;
  try {
    const claimed = await deps.deliveries.claim({ eventId, endpointId }, row.at, claimedUntil(deps.now()));
    if (!claimed) return;
    const event = await deps.events.find(eventId);
    if (endpoint && !endpoint.disabled && event) await deliverWebhook(deps, claimed, { event, endpoint });
    else await deps.deliveries.save(cancelDelivery(claimed.delivery), claimed.claim);
  } catch (error) {
    deps.report('A delivery is left to the next sweep.', { eventId, endpointId }, error);
  }
}
