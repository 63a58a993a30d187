import { setTimeout as pause } from 'node:timers/promises';
import { env } from './env.ts';
import { describeError, logError } from './log.ts';
import { deliveries, events, newId, now, targetPolicy, webhookHealth, webhooks, world } from './runtime.ts';
import { webhookSender } from './webhooks/send-webhook.ts';

/** What sending webhooks needs; apart from `runtime.ts`, so that only who sends bundles the HTTP client. */
export const delivering = () => ({
  events: events(),
  webhooks: webhooks(),
  health: webhookHealth(),
  deliveries: deliveries(),
  send: webhookSender(targetPolicy()),
  now,
  newId,
  random: () => world.random(),
  pause: (milliseconds: number) => pause(milliseconds),
  speed: env.stage() === 'sandbox' ? env.webhookSpeed() : 1,
  report: (message: string, fields: Record<string, unknown>, error: unknown) =>
    logError(message, { ...fields, ...describeError(error) }),
});
