import { keys } from '../../shared/store/keys.ts';
import { presentWebhook } from '../../shared/wire/webhooks/webhook.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks() };

/** GET /webhooks/{id} */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.webhook(param('id'))], present: presentWebhook },
  ({ param }) => deps.webhooks.get(param('id')),
);
