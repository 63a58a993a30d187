import { keys } from '../../shared/store/keys.ts';
import { updateWebhookHeaders } from '../../shared/use-cases/webhooks/update-webhook.ts';
import { HeadersInput } from '../../shared/wire/webhooks/webhook-change.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), now };

/** PATCH /webhooks/{id}/headers */
export const handler = endpoint(
  {
    access: 'admin',
    body: HeadersInput,
    idempotent: true,
    needs: ({ param }) => [keys.webhook(param('id'))],
    present: () => ({}),
  },
  ({ param, body, claim }) => updateWebhookHeaders(deps, param('id'), body, claim),
);
