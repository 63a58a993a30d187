import { keys } from '../../shared/store/keys.ts';
import { createWebhook } from '../../shared/use-cases/webhooks/create-webhook.ts';
import { bodyIdempotencyKey, presentWebhook, WebhookInput } from '../../shared/wire/webhooks/webhook.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { newBytes, newId, now, webhooks, whyNotUrl } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), whyNotUrl, now, newId, randomBytes: newBytes };
const needs = () => [keys.webhookCount()];

/** POST /webhooks */
export const handler = endpoint(
  {
    idempotent: true,
    keyInBody: bodyIdempotencyKey,
    access: 'admin',
    body: WebhookInput,
    leniency,
    needs,
    present: presentWebhook,
  },
  ({ body, claim }) => createWebhook(deps, body, claim),
);
