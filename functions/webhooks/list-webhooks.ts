import { endpoint } from '../../shared/http/endpoint.ts';
import { webhooks } from '../../shared/runtime.ts';
import { pageOfWebhooks, presentWebhooks, WebhookQuery } from '../../shared/wire/webhooks/webhook.ts';

const deps = { webhooks: webhooks() };

/** GET /webhooks */
export const handler = endpoint({ access: 'read', query: WebhookQuery, present: presentWebhooks }, async ({ query }) =>
  pageOfWebhooks(await deps.webhooks.all(), query),
);
