import { afterAttempt, createDelivery, type Delivery } from '../../domain/webhooks/delivery.ts';
import { isBriefFailure } from '../../domain/webhooks/retry-schedule.ts';
import { signingSecrets, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import type { SendWebhook } from '../../domain/webhooks/webhook-request.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import type { ClaimedDelivery, DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import { claimedUntil } from './dispatch-claim.ts';
import type { Delivered, Watch } from './watch-endpoint.ts';

/** The minimum time for a second attempt within one call, without the pause before it. */
const secondAttemptMs = 17_000;

export interface DeliverWebhookDeps {
  deliveries: Pick<DeliveryStore, 'claim' | 'save'>;
  send: SendWebhook;
  now: () => Date;
  random: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
  /** The delays of the schedule are divided by this number. */
  speed: number;
}

/** The dependencies of a first attempt. Unlike later attempts, it creates the row of its delivery. */
export interface DeliverFirstDeps extends DeliverWebhookDeps {
  deliveries: DeliverWebhookDeps['deliveries'] & Pick<DeliveryStore, 'create' | 'find'>;
}

/** An event with its body, and the endpoint to which it is sent. */
export interface OutgoingEvent {
  event: Pick<RecordedEvent, 'id' | 'type' | 'payload' | 'paymentId'>;
  endpoint: WebhookEndpoint;
  watch: Watch;
}

/** Makes one attempt, and writes nothing. */
async function attempt(
  deps: DeliverWebhookDeps,
  delivery: Delivery,
  { event, endpoint }: OutgoingEvent,
): Promise<Delivered> {
  const startedAt = deps.now();
  const { url, headers } = endpoint;
  const body = Buffer.from(event.payload);
  const outcome = await deps.send({
    url,
    headers,
    id: event.id,
    at: startedAt,
    body,
    endpointId: endpoint.id,
    paymentId: event.paymentId,
    secrets: signingSecrets(endpoint, startedAt),
  });
  const { random, speed } = deps;
  return { delivery: afterAttempt(delivery, outcome, { startedAt, now: deps.now(), random, speed }), outcome };
}

/**
 * Makes one attempt at a claimed delivery. After a crash, the claim expires, and the attempt is repeated with the same
 * id.
 */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  { delivery, claim }: ClaimedDelivery,
  outgoing: OutgoingEvent,
): Promise<Delivered> {
  const delivered = await attempt(deps, delivery, outgoing);
  await deps.deliveries.save(delivered.delivery, claim);
  await outgoing.watch.note(delivered);
  return delivered;
}

/**
 * Makes the first attempt of a delivery, then creates its row with the outcome. The caller has claimed the event, which
 * stays due until the row exists. After a crash, the attempt is repeated with the same id.
 */
export async function deliverFirst(deps: DeliverFirstDeps, outgoing: OutgoingEvent): Promise<Delivered> {
  const now = deps.now().toISOString();
  const { event, endpoint } = outgoing;
  const delivered = await attempt(deps, createDelivery(event, endpoint.id, now, now), outgoing);
  if (!(await deps.deliveries.create(delivered.delivery))) await settleCreated(deps, delivered.delivery);
  return delivered;
}

/**
 * Writes the outcome to a row that a resend or a recovery created during the attempt. While the event is claimed, the
 * sweep does not change that row.
 */
async function settleCreated(deps: DeliverFirstDeps, attempted: Delivery): Promise<void> {
  const created = await deps.deliveries.find(attempted);
  if (created?.status !== 'pending' || created.tries > 0 || created.nextAttemptAt === null) return;
  const taken = await deps.deliveries.claim(created, created.nextAttemptAt, claimedUntil(deps.now()));
  if (taken) await deps.deliveries.save({ ...attempted, createdAt: created.createdAt }, taken.claim);
}

/** Makes a second attempt five seconds after a first one, if the failure may be short and there is time. */
export async function deliverAgainSoon(
  deps: DeliverWebhookDeps,
  delivered: Delivered,
  outgoing: OutgoingEvent,
  remainingMs: () => number,
): Promise<void> {
  await outgoing.watch.note(delivered);
  const { delivery, outcome } = delivered;
  if (!isBriefFailure(delivery, outcome) || delivery.nextAttemptAt === null) return;
  const waitMs = Math.max(0, Date.parse(delivery.nextAttemptAt) - deps.now().getTime());
  if (remainingMs() < waitMs + secondAttemptMs) return;
  await deps.pause(waitMs);
  if (outgoing.watch.isStopped()) return;
  const again = await deps.deliveries.claim(delivery, delivery.nextAttemptAt, claimedUntil(deps.now()));
  if (again) await deliverWebhook(deps, again, outgoing);
}
