import { keys } from '../../shared/store/keys.ts';
import { rotateWebhookSecret } from '../../shared/use-cases/webhooks/rotate-webhook-secret.ts';
import { presentWebhook } from '../../shared/wire/webhooks/webhook.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now, webhooks, world } from '../../shared/wiring/runtime.ts';

const deps = { webhooks: webhooks(), now, randomBytes: (length: number) => world.randomBytes(length) };

/** POST /webhooks/{id}/rotate: the answer does not contain the new secret. It is read at `/webhooks/{id}/secret`. */
export const handler = endpoint(
  { access: 'admin', idempotent: true, needs: ({ param }) => [keys.webhook(param('id'))], present: presentWebhook },
  ({ param, claim }) => rotateWebhookSecret(deps, param('id'), claim),
);
