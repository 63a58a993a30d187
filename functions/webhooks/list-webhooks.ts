import { pageOfWebhooks, presentWebhooks, WebhookQuery } from '../../shared/wire/webhooks/webhook.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks() };

/** GET /webhooks */
export const handler = endpoint({ access: 'read', query: WebhookQuery, present: presentWebhooks }, async ({ query }) =>
  pageOfWebhooks(await deps.webhooks.all(), query),
);
