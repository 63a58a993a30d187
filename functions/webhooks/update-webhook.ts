import { endpoint } from '../../shared/http/endpoint.ts';
import { now, targetPolicy, webhookHealth, webhooks } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { updateWebhook } from '../../shared/use-cases/webhooks/update-webhook.ts';
import { whyNotTarget } from '../../shared/webhooks/target.ts';
import { presentWebhook } from '../../shared/wire/webhooks/webhook.ts';
import { WebhookChangeInput } from '../../shared/wire/webhooks/webhook-change.ts';

const policy = targetPolicy();
const whyNotUrl = (url: string) => whyNotTarget(url, policy);
const deps = { webhooks: webhooks(), health: webhookHealth(), whyNotUrl, now };

/** PATCH /webhooks/{id}: another address needs an admin key. */
export const handler = endpoint(
  {
    access: 'write',
    body: WebhookChangeInput,
    idempotent: true,
    needs: ({ param }) => [keys.webhook(param('id'))],
    present: presentWebhook,
  },
  ({ param, body, caller, claim }) => updateWebhook(deps, { id: param('id'), change: body, by: caller }, claim),
);
