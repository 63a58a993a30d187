import * as z from 'zod';
import { dayMs } from '../duration.ts';

const failingDays = 5;
const leastExhausted = 10;
const timeoutsBeforePause = 5;
const pauseSeconds = 60;

/** How an endpoint has behaved since its last success. A success resets everything to zero. */
export const WebhookHealth = z.object({
  failingSince: z.string().nullable().default(null),
  /** How many deliveries used all ten attempts. */
  exhausted: z.int().default(0),
  /** How many consecutive attempts got no response in time. */
  timeouts: z.int().default(0),
  /** Nothing is sent before this time. After five timeouts in a row, an endpoint is paused for one minute. */
  pausedUntil: z.string().nullable().default(null),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

export const goodHealth: WebhookHealth = WebhookHealth.parse({});

export const isGood = ({ failingSince, pausedUntil }: WebhookHealth): boolean =>
  failingSince === null && pausedUntil === null;

/** When the pause of an endpoint ends; null if there is none. */
export const pauseOf = ({ pausedUntil }: WebhookHealth, now: Date): string | null =>
  pausedUntil !== null && now.toISOString() < pausedUntil ? pausedUntil : null;

/** When a new pause would end; null if no pause is due. */
export const duePause = ({ timeouts }: WebhookHealth, now: Date): string | null =>
  timeouts < timeoutsBeforePause ? null : new Date(now.getTime() + pauseSeconds * 1_000).toISOString();

/** Whether an endpoint has failed for five days without a success, and more than a few times. */
export const hasFailedForDays = ({ failingSince, exhausted }: WebhookHealth, now: Date): boolean =>
  failingSince !== null &&
  exhausted >= leastExhausted &&
  now.getTime() - Date.parse(failingSince) >= failingDays * dayMs;
