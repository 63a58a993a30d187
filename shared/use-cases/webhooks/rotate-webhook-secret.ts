import type { Claim } from '../../domain/idempotency.ts';
import { rotateSecret, secretBytes, toSecret, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { retryStale } from '../retry.ts';

export interface RotateWebhookSecretDeps {
  webhooks: Pick<WebhookStore, 'get' | 'save'>;
  now: () => Date;
  randomBytes: (length: number) => Buffer;
}

/** Gives an endpoint a new secret. The old secret still signs for one more day, so receivers have time to change. */
export function rotateWebhookSecret(
  deps: RotateWebhookSecretDeps,
  id: string,
  claim: Claim<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  const secret = toSecret(deps.randomBytes(secretBytes));
  return retryStale(async () => {
    const endpoint = rotateSecret(await deps.webhooks.get(id), secret, deps.now());
    await deps.webhooks.save(endpoint, claim(endpoint, { command: 'webhook.rotate_secret', subject: id, details: {} }));
    return endpoint;
  });
}
