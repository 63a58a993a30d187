import type { Claim } from '../../domain/idempotency.ts';
import { removeEndpoint, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { retryStale } from '../retry.ts';

export interface DeleteWebhookDeps {
  webhooks: Pick<WebhookStore, 'get' | 'count' | 'remove'>;
  now: () => Date;
}

/** Removes an endpoint and its secrets. Its open deliveries are cancelled when they are due. */
export function deleteWebhook(
  deps: DeleteWebhookDeps,
  id: string,
  claim: Claim<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  return retryStale(async () => {
    const endpoint = removeEndpoint(await deps.webhooks.get(id), deps.now().toISOString());
    await deps.webhooks.remove(
      endpoint,
      await deps.webhooks.count(),
      claim(endpoint, { command: 'webhook.delete', subject: id, details: {} }),
    );
    return endpoint;
  });
}
