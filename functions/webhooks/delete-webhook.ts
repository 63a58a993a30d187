import { endpoint } from '../../shared/http/endpoint.ts';
import { now, webhooks } from '../../shared/runtime.ts';
import { deleteWebhook } from '../../shared/use-cases/delete-webhook.ts';

const deps = { webhooks: webhooks(), now };

/** DELETE /webhooks/{id} */
export const handler = endpoint({ access: 'admin', idempotent: true, present: () => ({}) }, ({ param, claim }) =>
  deleteWebhook(deps, param('id'), claim),
);
