import { keys } from '../../shared/store/keys.ts';
import { presentHeaders } from '../../shared/wire/webhooks/webhook-change.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks() };

/** GET /webhooks/{id}/headers */
export const handler = endpoint(
  { access: 'read', needs: ({ param }) => [keys.webhook(param('id'))], present: presentHeaders },
  ({ param }) => deps.webhooks.get(param('id')),
);
