import { keys } from '../../shared/store/keys.ts';
import { type Recovery, recoverWebhook } from '../../shared/use-cases/webhooks/recover-webhook.ts';
import { RecoverInput } from '../../shared/wire/webhooks/webhook-command.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { deliveries, events, now, webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), events: events(), deliveries: deliveries(), now };
const present = ({ endpointId, recovered, hasMore }: Recovery) => ({
  webhook_id: endpointId,
  recovered,
  has_more: hasMore,
});

/** POST /webhooks/{id}/recover */
export const handler = endpoint(
  { access: 'write', body: RecoverInput, idempotent: true, needs: ({ param }) => [keys.webhook(param('id'))], present },
  ({ param, body, claim }) => recoverWebhook(deps, param('id'), body, claim),
);
