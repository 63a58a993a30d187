import { createDelivery } from '../../domain/webhooks/delivery.ts';
import { isFor } from '../../events/recipients.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { type DeliverFirstDeps, deliverAgainSoon, deliverFirst, type OutgoingEvent } from './deliver-webhook.ts';
import { dispatchClaimedUntil, readToClaimMs } from './dispatch-claim.ts';
import { type Delivered, type WatchDeps, watchEndpoint } from './watch-endpoint.ts';

interface DispatchEventsDeps extends DeliverFirstDeps, WatchDeps {
  deliveries: WatchDeps['deliveries'] & DeliverFirstDeps['deliveries'];
  events: Pick<EventStore, 'findWithEndpoints' | 'claim' | 'markDispatched'>;
  webhooks: WatchDeps['webhooks'] & Pick<WebhookStore, 'allWithHealth'>;
}

/** The id of an event, and whether this was its first dispatch. */
interface Dispatched {
  eventId: string;
  event: RecordedEvent | undefined;
  isFirst: boolean;
}

/** An endpoint, and the watch on its behaviour during this call. */
type Watched = Pick<OutgoingEvent, 'endpoint' | 'watch'>;

/** The outcome of a first attempt; undefined while the endpoint is paused. */
interface FirstAttempt {
  outgoing: OutgoingEvent;
  delivered: Delivered | undefined;
}

/**
 * Delivers events to their endpoints, all at the same time, and reports each one that is done. An event that fails does
 * not stop the others. Its error is reported, and thrown at the end. Then the call is repeated, and finds only that
 * event still open.
 */
export async function dispatchEvents(
  deps: DispatchEventsDeps,
  eventIds: readonly string[],
  remainingMs: () => number,
  tell: (dispatched: Dispatched) => void = () => {},
): Promise<void> {
  const readAt = deps.now();
  const read = readEndpoints(deps);
  const ended = await Promise.allSettled(
    eventIds.map((id) =>
      dispatchEvent(deps, id, { readAt, read, remainingMs, tell }).catch((error) =>
        Promise.reject(reported(deps, id, error)),
      ),
    ),
  );
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Reports an error and returns it. The call can throw only one error, so the log must name every failed event. */
function reported({ report }: DispatchEventsDeps, eventId: string, error: unknown): unknown {
  report('An event could not be dispatched.', { event_id: eventId }, error);
  return error;
}

async function readEndpoints(deps: DispatchEventsDeps): Promise<Watched[]> {
  const { endpoints, health } = await deps.webhooks.allWithHealth();
  return endpoints.map((endpoint) => ({ endpoint, watch: watchEndpoint(deps, endpoint, health.get(endpoint.id)) }));
}

interface Call {
  readAt: Date;
  read: Promise<Watched[]>;
  remainingMs: () => number;
  tell: (dispatched: Dispatched) => void;
}

/**
 * Delivers an event to its endpoints. It claims the event, attempts each delivery, creates its row, and marks the event
 * as dispatched when all rows exist. If two dispatchers come at the same time, one gets the claim. After a crash, the
 * event is still due. Deliveries with a row are not sent again. A delivery that was sent, but has no row, is sent twice
 * with the same id.
 */
async function dispatchEvent(
  deps: DispatchEventsDeps,
  eventId: string,
  { readAt, read, remainingMs, tell }: Call,
): Promise<void> {
  const [{ event, endpointIds: writtenIds }, watched] = await Promise.all([
    deps.events.findWithEndpoints(eventId),
    read,
  ]);
  const notFirst = { eventId, event, isFirst: false };
  if (!event?.open.deliveries) return tell(notFirst);
  const chosen = watched.filter(({ endpoint }) => isFor(endpoint, event));
  const outgoingEvents = chosen
    .filter(({ endpoint }) => !writtenIds.has(endpoint.id))
    .map((one) => ({ event, ...one }));
  if (outgoingEvents.length > 0 && !(await take(deps, outgoingEvents, readAt))) return tell(notFirst);
  const firstAttempts = await Promise.all(
    outgoingEvents.map((outgoing) => orReport(deps, begin(deps, outgoing), outgoing)),
  );
  if (firstAttempts.includes(undefined)) return tell(notFirst);
  const isFirst = await deps.events.markDispatched(
    event,
    chosen.map(({ endpoint }) => endpoint.id),
  );
  // The result is reported before the second attempts. If the time runs out during them, nothing more would be
  // reported.
  tell({ eventId, event, isFirst });
  await Promise.all(firstAttempts.map((one) => one && orReport(deps, goOn(deps, one, remainingMs), one.outgoing)));
}

/**
 * Claims the event for its endpoints. If too much time has passed since it was read, a resend may have created a
 * delivery that is already due. Then the event is left to the sweep, which publishes it again.
 */
async function take(
  deps: DispatchEventsDeps,
  outgoingEvents: readonly OutgoingEvent[],
  readAt: Date,
): Promise<boolean> {
  const now = deps.now();
  const endpointIds = outgoingEvents.map(({ endpoint }) => endpoint.id);
  const claim = { now: now.toISOString(), until: dispatchClaimedUntil(now), endpointIds };
  const [first] = outgoingEvents;
  if (!first || !(await deps.events.claim(first.event.id, claim))) return false;
  if (deps.now().getTime() - readAt.getTime() <= readToClaimMs) return true;
  deps.report('An event was claimed too late, and is left to the sweeper.', { event_id: first.event.id });
  return false;
}

/** Attempts a delivery and creates its row. While the endpoint is paused, creates a row that is due after the pause. */
async function begin(deps: DispatchEventsDeps, outgoing: OutgoingEvent): Promise<FirstAttempt> {
  const { event, endpoint, watch } = outgoing;
  const pausedUntil = watch.pausedUntil();
  if (!pausedUntil) return { outgoing, delivered: await deliverFirst(deps, outgoing) };
  await deps.deliveries.create(createDelivery(event, endpoint.id, pausedUntil, deps.now().toISOString()));
  return { outgoing, delivered: undefined };
}

async function goOn(
  deps: DispatchEventsDeps,
  { outgoing, delivered }: FirstAttempt,
  remainingMs: () => number,
): Promise<void> {
  if (delivered) await deliverAgainSoon(deps, delivered, outgoing, remainingMs);
}

/** Returns the result; undefined if it failed. A failure is reported, and the sweep tries again later. */
async function orReport<Result>(
  deps: DispatchEventsDeps,
  doing: Promise<Result>,
  { event, endpoint }: OutgoingEvent,
): Promise<Result | undefined> {
  return doing.catch((error) => {
    deps.report('A delivery was left to the sweeper.', { event_id: event.id, endpoint_id: endpoint.id }, error);
    return undefined;
  });
}
