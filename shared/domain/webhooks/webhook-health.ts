import * as z from 'zod';

const failingDays = 5;
const leastExhausted = 10;
const timeoutsBeforePause = 5;
const pauseSeconds = 60;

/** How an endpoint has behaved since its last success; all at zero after one. */
export const WebhookHealth = z.object({
  failingSince: z.string().nullable().default(null),
  /** Deliveries that have had their ten attempts. */
  exhausted: z.int().default(0),
  /** Attempts in a row that got no answer in time. */
  timeouts: z.int().default(0),
  /** Nothing is sent before: whoever does not answer five times in a row is left alone for a minute. */
  pausedUntil: z.string().nullable().default(null),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

export const goodHealth: WebhookHealth = WebhookHealth.parse({});

export const isGood = ({ failingSince, pausedUntil }: WebhookHealth): boolean =>
  failingSince === null && pausedUntil === null;

/** Until when nothing is sent; null when something may be. */
export const pauseOf = ({ pausedUntil }: WebhookHealth, now: Date): string | null =>
  pausedUntil !== null && now.toISOString() < pausedUntil ? pausedUntil : null;

/** The end of a pause that is due; null when none is. */
export const duePause = ({ timeouts }: WebhookHealth, now: Date): string | null =>
  timeouts < timeoutsBeforePause ? null : new Date(now.getTime() + pauseSeconds * 1_000).toISOString();

/** Whether an endpoint has done nothing but fail for five days, and not only a few times. */
export const hasFailedForDays = ({ failingSince, exhausted }: WebhookHealth, now: Date): boolean =>
  failingSince !== null &&
  exhausted >= leastExhausted &&
  now.getTime() - Date.parse(failingSince) >= failingDays * 86_400_000;
