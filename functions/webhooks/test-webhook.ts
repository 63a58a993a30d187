import { keys } from '../../shared/store/keys.ts';
import { testWebhook, type WebhookTest } from '../../shared/use-cases/webhooks/test-webhook.ts';
import { WebhookTestInput } from '../../shared/wire/webhooks/webhook-command.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { events, freeze, newId, now, webhooks } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), events: events(), freeze: freeze(), now, newId };
const present = ({ eventId, type }: WebhookTest) => ({ event_id: eventId, type });

/** POST /webhooks/{id}/test */
export const handler = endpoint(
  {
    access: 'write',
    body: WebhookTestInput,
    idempotent: true,
    needs: ({ param }) => [keys.webhook(param('id'))],
    present,
  },
  ({ param, body, claim }) => testWebhook(deps, param('id'), body, claim),
);
