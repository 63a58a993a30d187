import { endpoint } from '../../shared/http/endpoint.ts';
import { webhooks } from '../../shared/runtime.ts';
import { presentSecret } from '../../shared/wire/webhook.ts';

const deps = { webhooks: webhooks() };

/** GET /webhooks/{id}/secret: a secret can sign, so that reading it takes a key that may write. */
export const handler = endpoint({ access: 'write', present: presentSecret }, ({ param }) =>
  deps.webhooks.get(param('id')),
);
