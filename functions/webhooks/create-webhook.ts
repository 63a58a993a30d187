import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { bodyBytes, endpoint } from '../../shared/http/endpoint.ts';
import { newId, now, targetPolicy, webhooks, world } from '../../shared/runtime.ts';
import { keys } from '../../shared/store/keys.ts';
import { createWebhook } from '../../shared/use-cases/webhooks/create-webhook.ts';
import { whyNotTarget } from '../../shared/webhooks/target.ts';
import { bodyIdempotencyKey, presentWebhook, WebhookInput } from '../../shared/wire/webhooks/webhook.ts';

const policy = targetPolicy();
const whyNotUrl = (url: string) => whyNotTarget(url, policy);
const randomBytes = (length: number) => world.randomBytes(length);
const deps = { webhooks: webhooks(), whyNotUrl, now, newId, randomBytes };

const create = endpoint(
  {
    access: 'admin',
    body: WebhookInput,
    idempotent: true,
    needs: () => [keys.webhookCount()],
    present: presentWebhook,
  },
  ({ body, claim }) => createWebhook(deps, body, claim),
);

/** POST /webhooks: the dialect also takes the idempotency key in the body; the header has the first word. */
export const handler = (event: APIGatewayProxyEventV2, context: Context) => {
  const key = event.headers['idempotency-key'] ?? bodyIdempotencyKey(bodyBytes(event));
  return create(
    key === undefined ? event : { ...event, headers: { ...event.headers, 'idempotency-key': key } },
    context,
  );
};
