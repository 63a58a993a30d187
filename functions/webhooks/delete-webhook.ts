import { keys } from '../../shared/store/keys.ts';
import { deleteWebhook } from '../../shared/use-cases/webhooks/delete-webhook.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), now };

/** DELETE /webhooks/{id} */
export const handler = endpoint(
  {
    access: 'admin',
    idempotent: true,
    needs: ({ param }) => [keys.webhook(param('id')), keys.webhookCount()],
    present: () => ({}),
  },
  ({ param, claim }) => deleteWebhook(deps, param('id'), claim),
);
