import { setTimeout as pause } from 'node:timers/promises';
import { env } from '../env.ts';
import { webhookSender } from '../outside/webhooks/send-webhook.ts';
import { loggedSend } from '../use-cases/webhooks/logged-send.ts';
import { countDisabled } from './metrics.ts';
import { reportToOperator } from './operator-report.ts';
import { deliveries, events, newId, now, targetPolicy, webhookHealth, webhooks, world } from './runtime.ts';

/**
 * The dependencies of sending webhooks. They are not in `runtime.ts`, so only functions that send webhooks bundle the
 * HTTP client.
 */
export const delivering = () => ({
  events: events(),
  webhooks: webhooks(),
  health: webhookHealth(),
  deliveries: deliveries(),
  send: loggedSend(webhookSender(targetPolicy())),
  now,
  newId,
  random: () => world.random(),
  pause: (milliseconds: number) => pause(milliseconds),
  speed: env.stage() === 'sandbox' ? env.webhookSpeed() : 1,
  report: reportToOperator,
  countDisabled,
});
