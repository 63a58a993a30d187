import { keys } from '../../shared/store/keys.ts';
import { updateWebhook } from '../../shared/use-cases/webhooks/update-webhook.ts';
import { presentWebhook } from '../../shared/wire/webhooks/webhook.ts';
import { WebhookChangeInput } from '../../shared/wire/webhooks/webhook-change.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { leniency } from '../../shared/wiring/leniency.ts';
import { now, webhookHealth, webhooks, whyNotUrl } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), health: webhookHealth(), whyNotUrl, now };

/** PATCH /webhooks/{id}: changing the address needs an admin key. */
export const handler = endpoint(
  {
    body: WebhookChangeInput,
    leniency,
    present: presentWebhook,
    access: 'write',
    idempotent: true,
    needs: ({ param }) => [keys.webhook(param('id'))],
  },
  ({ param, body, caller, claim }) => updateWebhook(deps, { id: param('id'), change: body, by: caller }, claim),
);
