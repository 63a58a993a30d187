import { endpoint } from '../../shared/http/endpoint.ts';
import { newId, now, targetPolicy, webhooks, world } from '../../shared/runtime.ts';
import { createWebhook } from '../../shared/use-cases/create-webhook.ts';
import { whyNotTarget } from '../../shared/webhooks/target.ts';
import { presentWebhook, WebhookInput } from '../../shared/wire/webhook.ts';

const policy = targetPolicy();
const whyNotUrl = (url: string) => whyNotTarget(url, policy);
const deps = { webhooks: webhooks(), whyNotUrl, now, newId, randomBytes: world.randomBytes };

/** POST /webhooks */
export const handler = endpoint(
  { access: 'write', body: WebhookInput, idempotent: true, present: presentWebhook },
  ({ body, claim }) => createWebhook(deps, body, claim),
);
