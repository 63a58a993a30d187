import { setTimeout as pause } from 'node:timers/promises';
import type { SendWebhook } from '../domain/webhooks/webhook-request.ts';
import { env } from '../env.ts';
import { logInfo } from '../log.ts';
import { webhookSender } from '../outside/webhooks/send-webhook.ts';
import { countDisabled } from './metrics.ts';
import { reportToOperator } from './operator-report.ts';
import { deliveries, events, newId, now, targetPolicy, webhookHealth, webhooks, world } from './runtime.ts';

/**
 * What sending webhooks needs. It is separate from `runtime.ts`, so only functions that send webhooks bundle the
 * HTTP client.
 */
export const delivering = () => ({
  events: events(),
  webhooks: webhooks(),
  health: webhookHealth(),
  deliveries: deliveries(),
  send: logged(webhookSender(targetPolicy())),
  now,
  newId,
  random: () => world.random(),
  pause: (milliseconds: number) => pause(milliseconds),
  speed: env.stage() === 'sandbox' ? env.webhookSpeed() : 1,
  report: reportToOperator,
  countDisabled,
});

/** One line per request: the event, its payment and what became of it, neither address nor answer. */
const logged =
  (send: SendWebhook): SendWebhook =>
  async (webhook) => {
    const outcome = await send(webhook);
    const { status, error, latencyMs } = outcome;
    const ids = { event_id: webhook.id, endpoint_id: webhook.endpointId, payment_id: webhook.paymentId ?? undefined };
    logInfo('webhook', { ...ids, status, error, latencyMs });
    return outcome;
  };
