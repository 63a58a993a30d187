import { afterAttempt, isBriefFailure } from '../../domain/webhooks/delivery.ts';
import { signingSecrets, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import type { SendWebhook } from '../../domain/webhooks/webhook-request.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import type { ClaimedDelivery, DeliveryStore } from '../../store/webhooks/delivery-store.ts';
import type { Delivered, Watch } from './watch-endpoint.ts';

/** How long an attempt claims its delivery; longer than any attempt takes. */
const claimSeconds = 120;

/** The least time that a second attempt within one call needs, its pause not counted. */
const secondAttemptMs = 17_000;

export interface DeliverWebhookDeps {
  deliveries: Pick<DeliveryStore, 'claim' | 'save'>;
  send: SendWebhook;
  now: () => Date;
  random: () => number;
  pause: (milliseconds: number) => Promise<unknown>;
  /** Divides the delays of the schedule. */
  speed: number;
}

/** What is sent, and to which endpoint. */
export interface Consignment {
  event: Pick<RecordedEvent, 'id' | 'payload'>;
  endpoint: WebhookEndpoint;
  watch: Watch;
}

/** Until when an attempt that begins now claims its delivery. */
export const claimedUntil = (now: Date): string => new Date(now.getTime() + claimSeconds * 1_000).toISOString();

/** One attempt at a claimed delivery. A crash after the answer repeats it under the same id, when the claim runs out. */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  { delivery, claim }: ClaimedDelivery,
  { event, endpoint, watch }: Consignment,
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
    secrets: signingSecrets(endpoint, startedAt),
  });
  const { random, speed } = deps;
  const after = afterAttempt(delivery, outcome, { startedAt, now: deps.now(), random, speed });
  await deps.deliveries.save(after, claim);
  await watch.note({ delivery: after, outcome });
  return { delivery: after, outcome };
}

/**
 * Makes a first attempt. After a failure that may be short, makes a second one five seconds later, if there is
 * time.
 */
export async function deliverPromptly(
  deps: DeliverWebhookDeps,
  claimed: ClaimedDelivery,
  consignment: Consignment,
  remainingMs: () => number,
): Promise<void> {
  const { delivery, outcome } = await deliverWebhook(deps, claimed, consignment);
  if (!isBriefFailure(delivery, outcome) || delivery.nextAttemptAt === null) return;
  const waitMs = Math.max(0, Date.parse(delivery.nextAttemptAt) - deps.now().getTime());
  if (remainingMs() < waitMs + secondAttemptMs) return;
  await deps.pause(waitMs);
  if (consignment.watch.isStopped()) return;
  const again = await deps.deliveries.claim(delivery, delivery.nextAttemptAt, claimedUntil(deps.now()));
  if (again) await deliverWebhook(deps, again, consignment);
}
