import * as z from 'zod';
import type { WebhookChange, WebhookEndpoint } from '../domain/webhook.ts';
import { defined } from './values.ts';
import { headerName, headerValue, webhookFields } from './webhook.ts';

const { url, description, disabled, filter_types, metadata, rate_limit } = webhookFields;

/** What `PATCH /webhooks/{id}` takes; null empties what can be empty, and changes nothing else. */
export const WebhookChangeInput = z
  .strictObject({ url: url.nullish(), description, disabled, filter_types, metadata, rate_limit })
  .transform(
    (input): WebhookChange =>
      defined({
        url: input.url ?? undefined,
        isDisabled: input.disabled ?? undefined,
        description: input.description === null ? '' : input.description,
        filterTypes: input.filter_types,
        metadata: input.metadata === null ? {} : input.metadata,
        rateLimit: input.rate_limit,
      }),
  );

/** What `PATCH /webhooks/{id}/headers` takes; null (own) takes a header away. */
export const HeadersInput = z
  .strictObject({ headers: z.record(headerName, headerValue.nullable()) })
  .transform(({ headers }) => headers);

/** Names behind which secrets are usually kept. */
const sensitive = /auth|cookie|key|password|secret|signature|token/i;

/** Headers whose values may be read, and the names of the others. */
export function presentHeaders({ headers }: WebhookEndpoint) {
  const [hidden, shown] = [true, false].map((isHidden) =>
    Object.entries(headers).filter(([name]) => sensitive.test(name) === isHidden),
  );
  return { headers: Object.fromEntries(shown ?? []), sensitive: (hidden ?? []).map(([name]) => name).sort() };
}
