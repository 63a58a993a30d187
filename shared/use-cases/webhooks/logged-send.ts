import type { SendWebhook } from '../../domain/webhooks/webhook-request.ts';
import { logInfo } from '../../log.ts';

/**
 * Logs one line for each request. It has the event, its payment and the outcome, but neither the address nor the
 * response.
 */
export const loggedSend =
  (send: SendWebhook): SendWebhook =>
  async (webhook) => {
    const outcome = await send(webhook);
    const { status, error, latencyMs } = outcome;
    const ids = { event_id: webhook.id, endpoint_id: webhook.endpointId, payment_id: webhook.paymentId ?? undefined };
    logInfo('webhook', { ...ids, status, error, latencyMs });
    return outcome;
  };
