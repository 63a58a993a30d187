import { assertPermitted, type Grantor } from '../../domain/access/access.ts';
import { fieldsOf } from '../../domain/access/audit.ts';
import { assertMayLeave } from '../../domain/access/left-behind.ts';
import type { Claim } from '../../domain/idempotency.ts';
import {
  changeEndpoint,
  isMoved,
  mergeHeaders,
  sendsMore,
  type WebhookChange,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook.ts';
import type { WebhookHealthStore } from '../../store/webhooks/webhook-health-store.ts';
import type { WebhookStore } from '../../store/webhooks/webhook-store.ts';
import { retryStale } from '../retry.ts';
import { assertUrl, type CreateWebhookDeps } from './create-webhook.ts';

export interface UpdateWebhookDeps extends Pick<CreateWebhookDeps, 'whyNotUrl' | 'now'> {
  webhooks: Pick<WebhookStore, 'get' | 'save'>;
  health: Pick<WebhookHealthStore, 'clear'>;
}

/**
 * Changes the named fields. A new address needs admin access. A key that expires cannot make an endpoint send more than
 * before. An endpoint that is enabled or gets a new address starts without earlier failures.
 */
export async function updateWebhook(
  deps: UpdateWebhookDeps,
  { id, change, by }: { id: string; change: WebhookChange; by: Grantor },
  claim: Claim<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  if (change.url !== undefined) assertUrl(deps, change.url);
  return retryStale(async () => {
    const before = await deps.webhooks.get(id);
    if (isMoved(before, change)) assertPermitted(by, 'admin');
    if (sendsMore(before, change)) assertMayLeave(by, 'webhook_endpoint', deps.now());
    const endpoint = changeEndpoint(before, change, deps.now().toISOString());
    if (change.isDisabled === false || change.url !== undefined) await deps.health.clear(id);
    const details = { changed: fieldsOf(change), moved: isMoved(before, change) };
    await deps.webhooks.save(endpoint, claim(endpoint, { command: 'webhook.update', subject: id, details }));
    return endpoint;
  });
}

interface UpdateWebhookHeadersDeps {
  webhooks: Pick<WebhookStore, 'get' | 'save'>;
  now: () => Date;
}

/** Adds, replaces or, with null, removes headers. The others stay. */
export function updateWebhookHeaders(
  deps: UpdateWebhookHeadersDeps,
  id: string,
  headers: Readonly<Record<string, string | null>>,
  claim: Claim<WebhookEndpoint>,
): Promise<WebhookEndpoint> {
  return retryStale(async () => {
    const before = await deps.webhooks.get(id);
    const change = { headers: mergeHeaders(before.headers, headers) };
    const endpoint = changeEndpoint(before, change, deps.now().toISOString());
    const details = { changed: fieldsOf(headers) };
    await deps.webhooks.save(endpoint, claim(endpoint, { command: 'webhook.update_headers', subject: id, details }));
    return endpoint;
  });
}
