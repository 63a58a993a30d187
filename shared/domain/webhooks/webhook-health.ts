import * as z from 'zod';
import { dayMs } from '../duration.ts';

const failingDays = 5;
const leastExhausted = 10;
const timeoutsBeforePause = 5;
const pauseSeconds = 60;

/** The failures of an endpoint since its last success. A success resets everything to zero. */
export const WebhookHealth = z.object({
  failingSince: z.string().nullable().default(null),
  /** The number of deliveries whose ten attempts all failed. */
  exhausted: z.int().default(0),
  /** The number of consecutive attempts without a response in time. */
  timeouts: z.int().default(0),
  /**
   * The end of the endpoint's pause; nothing is sent before. After five timeouts in a row, an endpoint is paused for
   * one minute.
   */
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

/** Whether an endpoint has failed for five days without a success, and for more than a few deliveries. */
export const hasFailedForDays = ({ failingSince, exhausted }: WebhookHealth, now: Date): boolean =>
  failingSince !== null &&
  exhausted >= leastExhausted &&
  now.getTime() - Date.parse(failingSince) >= failingDays * dayMs;
