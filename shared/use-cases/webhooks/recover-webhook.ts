import type { Claim } from '../../domain/idempotency.ts';
import { createDelivery, type DeliveryRow, reopenDelivery } from '../../domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { isFor } from '../../events/recipients.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { Reopened } from '../../store/webhooks/delivery-row.ts';
import type { DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { retryStale } from '../retry.ts';
import { namedEndpoint } from './dispatch-again.ts';
import { firstDueAt } from './dispatch-claim.ts';

export interface RecoverWebhookDeps {
  webhooks: Pick<WebhookStore, 'get'>;
  events: Pick<EventStore, 'list' | 'find'>;
  deliveries: Pick<DeliveryStore, 'list' | 'find' | 'reopen'>;
  now: () => Date;
}

export interface Recovery {
  endpointId: string;
  recovered: number;
  /** Whether there may be more to recover. The caller should call again while something is recovered. */
  hasMore: boolean;
}

/**
 * The most deliveries that one call starts, and the most rows that it reads of each list, within the time of a
 * request.
 */
const mostRecovered = 500;
const mostRead = 20_000;
const perTransaction = 50;

/** An event to send again: its delivery has failed for good, or never existed. */
interface Lost {
  eventId: string;
  /** Whether the event never had a delivery. */
  isMissed?: boolean;
}

const hasFailed = ({ status }: DeliveryRow): boolean => status === 'exhausted' || status === 'cancelled';

/**
 * Restarts every delivery that has failed for good since an instant. It also creates a delivery for each event that the
 * endpoint missed: the endpoint did not exist yet, was disabled, or had another filter. The newest come first. An event
 * that was received is not sent again.
 */
export async function recoverWebhook(
  deps: RecoverWebhookDeps,
  id: string,
  since: string,
  claim: Claim<Recovery>,
): Promise<Recovery> {
  const endpoint = await namedEndpoint(deps, id);
  const { lost, isPartial } = await findLost(deps, endpoint, since);
  let recovered = 0;
  for (let start = 0; start < Math.min(lost.length, mostRecovered); start += perTransaction)
    recovered += await beginAll(deps, id, lost.slice(start, start + perTransaction));
  const recovery = { endpointId: id, recovered, hasMore: isPartial || lost.length > mostRecovered };
  await deps.deliveries.reopen([], claim(recovery, null));
  return recovery;
}

/**
 * Finds lost events. A delivery is never older than its event, so the deliveries since an instant include all
 * deliveries of the events since then.
 */
async function findLost(deps: RecoverWebhookDeps, endpoint: WebhookEndpoint, since: string) {
  const page = { size: mostRead, skip: 0, after: undefined };
  const [rows, events] = await Promise.all([
    deps.deliveries.list({ endpointId: endpoint.id, createdFrom: since }, page),
    deps.events.list({ createdFrom: since }, page),
  ]);
  const delivered = new Set(rows.items.map(({ eventId }) => eventId));
  const failed = rows.items.filter(hasFailed).map(({ eventId }): Lost => ({ eventId }));
  const missed = events.items
    .filter((event) => !delivered.has(event.id) && isFor(endpoint, event))
    .map((event): Lost => ({ eventId: event.id, isMissed: true }));
  return { lost: [...failed, ...missed], isPartial: rows.hasMore || events.hasMore };
}

/** Starts the deliveries, and returns how many were started. The lists may be behind the real state of a delivery. */
function beginAll(deps: RecoverWebhookDeps, endpointId: string, lost: readonly Lost[]): Promise<number> {
  return retryStale(async () => {
    const planned = (await Promise.all(lost.map((one) => begin(deps, endpointId, one)))).flat();
    await deps.deliveries.reopen(planned, []);
    return planned.length;
  });
}

async function begin(
  { deliveries, events, now }: RecoverWebhookDeps,
  endpointId: string,
  { eventId, isMissed }: Lost,
): Promise<Reopened[]> {
  const before = await deliveries.find({ eventId, endpointId });
  const at = now().toISOString();
  if (before) return hasFailed(before) ? [{ before, after: reopenDelivery(before, at) }] : [];
  if (!isMissed) return [];
  const event = await events.find(eventId);
  return event ? [{ before, after: createDelivery(event, endpointId, firstDueAt(event, now()), at) }] : [];
}
