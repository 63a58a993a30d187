import * as z from 'zod';
import { maxTries, nextAttemptAt, type RetryTiming } from './retry-schedule.ts';

/** Why an attempt failed; `status` means that the response was not a 2xx. */
const attemptErrors = ['status', 'timeout', 'connection', 'dns', 'tls', 'blocked'] as const;
export type AttemptError = (typeof attemptErrors)[number];

/** One request to an endpoint. */
const Attempt = z.object({
  at: z.string(),
  /** The status of the response; null if there was none. */
  status: z.int().nullable(),
  latencyMs: z.int(),
  /** The error; null if the attempt succeeded. */
  error: z.enum(attemptErrors).nullable(),
  /** The first kilobyte of the response, as text. */
  answer: z.string(),
});
type Attempt = z.infer<typeof Attempt>;

/**
 * The delivery of one event to one endpoint: `pending → delivered | exhausted | cancelled`.
 */
export const Delivery = z.object({
  eventId: z.string(),
  endpointId: z.string(),
  eventType: z.string(),
  status: z.enum(['pending', 'delivered', 'exhausted', 'cancelled']),
  attempts: z.array(Attempt),
  /** The attempts since the schedule began. A resend sets it to 0. */
  tries: z.int(),
  /** When the next attempt is; null if there is none. */
  nextAttemptAt: z.string().nullable(),
  createdAt: z.string(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A delivery in a list. */
export const DeliveryRow = Delivery.pick({ eventId: true, endpointId: true, status: true, createdAt: true });
export type DeliveryRow = z.infer<typeof DeliveryRow>;

/** The result of an attempt. `retryAfter` is the header as received. */
export type AttemptOutcome = Omit<Attempt, 'at'> & { retryAfter: string | null };

/**
 * The number of attempts that a delivery stores. It is enough for two schedules, because a resend starts a second one.
 */
const maxRemembered = 2 * maxTries;

interface AttemptTiming extends RetryTiming {
  startedAt: Date;
}

export function createDelivery(
  event: { id: string; type: string },
  endpointId: string,
  nextAttemptAt: string,
  now: string,
): Delivery {
  const origin = { eventId: event.id, endpointId, eventType: event.type, createdAt: now };
  return { ...origin, status: 'pending', attempts: [], tries: 0, nextAttemptAt };
}

/** The status with which an endpoint says that it does not exist any more. */
export const goneStatus = 410;

/**
 * The delivery after an attempt. It is delivered, cancelled if the endpoint does not exist any more, exhausted after
 * the tenth attempt, or scheduled for another attempt.
 */
export function afterAttempt(
  before: Delivery,
  { retryAfter, ...outcome }: AttemptOutcome,
  timing: AttemptTiming,
): Delivery {
  const attempts = [...before.attempts, { at: timing.startedAt.toISOString(), ...outcome }].slice(-maxRemembered);
  const after = { ...before, attempts, tries: before.tries + 1, nextAttemptAt: null };
  if (outcome.error === null) return { ...after, status: 'delivered' };
  if (outcome.status === goneStatus) return { ...after, status: 'cancelled' };
  if (after.tries >= maxTries) return { ...after, status: 'exhausted' };
  return { ...after, nextAttemptAt: nextAttemptAt(after.tries, { ...outcome, retryAfter }, timing) };
}

/** Starts the schedule from the beginning, in any status of the delivery. */
export const reopenDelivery = (delivery: Delivery, now: string): Delivery => ({
  ...delivery,
  status: 'pending',
  tries: 0,
  nextAttemptAt: now,
});
