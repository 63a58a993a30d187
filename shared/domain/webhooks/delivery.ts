import * as z from 'zod';

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
  /** The attempts since the schedule began. A resend starts at 0 again. */
  tries: z.int(),
  /** When the next attempt is; null if there is none. */
  nextAttemptAt: z.string().nullable(),
  createdAt: z.string(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A delivery in a list. */
export const DeliveryRow = Delivery.pick({ eventId: true, endpointId: true, status: true, createdAt: true });
export type DeliveryRow = z.infer<typeof DeliveryRow>;

/** The result of a request; `retryAfter` is the header as received. */
export type AttemptOutcome = Omit<Attempt, 'at'> & { retryAfter: string | null };

const minute = 60;
const hour = 60 * minute;

/** Seconds from a failed attempt to the next one: 5 s after the first, a day after the ninth, ten attempts in all. */
export const retryDelaysSeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
export const maxTries = retryDelaysSeconds.length + 1;

/** The number of attempts that a delivery remembers: two schedules, which is one resend. */
const maxRemembered = 2 * maxTries;

/** The minimum pause for a server that is overloaded. */
const busyDelaySeconds = minute;
const busyStatuses: readonly (number | null)[] = [429, 502, 504];

const isBusy = ({ status, error }: AttemptOutcome): boolean => error === 'timeout' || busyStatuses.includes(status);

interface Timing {
  startedAt: Date;
  now: Date;
  random: () => number;
  /** All delays are divided by this number; it is 1 except in tests and in the local sandbox. */
  speed: number;
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

/** The status by which an endpoint says that it no longer exists. */
export const goneStatus = 410;

/**
 * The delivery after an attempt: delivered, cancelled if the endpoint is gone, exhausted after the tenth attempt,
 * or due again.
 */
export function afterAttempt(before: Delivery, { retryAfter, ...outcome }: AttemptOutcome, timing: Timing): Delivery {
  const attempts = [...before.attempts, { at: timing.startedAt.toISOString(), ...outcome }].slice(-maxRemembered);
  const after = { ...before, attempts, tries: before.tries + 1, nextAttemptAt: null };
  if (outcome.error === null) return { ...after, status: 'delivered' };
  if (outcome.status === goneStatus) return { ...after, status: 'cancelled' };
  if (after.tries >= maxTries) return { ...after, status: 'exhausted' };
  return { ...after, nextAttemptAt: nextAttemptAt(after.tries, { ...outcome, retryAfter }, timing) };
}

/** The schedule's delay ±20 %. It is longer for a busy server, and up to twice as long if the server asks for that. */
function nextAttemptAt(tries: number, outcome: AttemptOutcome, { now, random, speed }: Timing): string {
  const jittered = (retryDelaysSeconds[tries - 1] as number) * (0.8 + 0.4 * random());
  const least = isBusy(outcome) ? Math.max(jittered, busyDelaySeconds) : jittered;
  const requested = retryAfterSeconds(outcome.retryAfter, now);
  const delay = Math.min(Math.max(least, requested), 2 * least);
  return new Date(now.getTime() + (delay * 1_000) / speed).toISOString();
}

/** Reads a Retry-After of seconds or a date; 0 if it is missing or invalid. */
export function retryAfterSeconds(header: string | null, now: Date): number {
  if (header === null) return 0;
  if (/^\d{1,12}$/.test(header.trim())) return Number(header);
  const at = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1_000);
}

/** Whether a first failure may be short, so a second attempt in the same call makes sense. */
export function isBriefFailure({ tries }: Delivery, { status, error }: AttemptOutcome): boolean {
  if (tries !== 1 || error === null) return false;
  if (error === 'status') return status !== null && status >= 500 && !busyStatuses.includes(status);
  return error === 'connection' || error === 'dns';
}

/** Starts the schedule again, in any status of the delivery. */
export const reopenDelivery = (delivery: Delivery, now: string): Delivery => ({
  ...delivery,
  status: 'pending',
  tries: 0,
  nextAttemptAt: now,
});
