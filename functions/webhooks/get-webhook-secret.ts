import { keys } from '../../shared/store/keys.ts';
import { presentSecret } from '../../shared/wire/webhooks/webhook.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks() };

/** GET /webhooks/{id}/secret: needs an admin key, because webhooks are signed with this secret. */
export const handler = endpoint(
  { access: 'admin', needs: ({ param }) => [keys.webhook(param('id'))], present: presentSecret },
  ({ param }) => deps.webhooks.get(param('id')),
);
