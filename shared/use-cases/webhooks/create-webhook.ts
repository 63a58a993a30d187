import { refuseField } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { BrokenRule } from '../../domain/rules/rules.ts';
import {
  assertRoom,
  createEndpoint,
  type NewWebhookEndpoint,
  secretBytes,
  toSecret,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { retryStale } from '../retry.ts';

export interface CreateWebhookDeps {
  webhooks: Pick<WebhookStore, 'count' | 'create'>;
  /** Why webhooks may not be sent to an address; undefined if they may. */
  whyNotUrl: (url: string) => BrokenRule | undefined;
  now: () => Date;
  newId: (prefix: 'whk') => string;
  randomBytes: (length: number) => Buffer;
}

/** Registers an endpoint with a new secret, unless the limit is reached. */
export function createWebhook(
  deps: CreateWebhookDeps,
  fields: NewWebhookEndpoint,
  claim: Claim<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  assertUrl(deps, fields.url);
  const id = deps.newId('whk');
  const secret = toSecret(deps.randomBytes(secretBytes));
  return retryStale(async () => {
    const count = await deps.webhooks.count();
    assertRoom(count.count);
    const endpoint = createEndpoint(fields, { id, now: deps.now().toISOString(), secret });
    await deps.webhooks.create(
      endpoint,
      count,
      claim(endpoint, { command: 'webhook.create', subject: endpoint.id, details: {} }),
    );
    return endpoint;
  });
}

/** Refuses an address to which webhooks may not be sent. */
export function assertUrl({ whyNotUrl }: Pick<CreateWebhookDeps, 'whyNotUrl'>, url: string): void {
  const rule = whyNotUrl(url);
  if (rule) throw refuseField('INVALID_REQUEST_BODY', 'url', rule);
}
