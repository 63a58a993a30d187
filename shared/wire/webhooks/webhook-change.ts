import * as z from 'zod';
import { type Grantor, isPermitted } from '../../domain/access/access.ts';
import { mayLeave } from '../../domain/access/left-behind.ts';
import { maxHeaders, type WebhookChange, type WebhookEndpoint } from '../../domain/webhooks/webhook.ts';
import { defined } from '../values.ts';
import { headerName, headerValue, webhookFields } from './webhook.ts';
import type { WebhookAnswer } from './webhook-answer.ts';

const { url, description, disabled, filter_types, metadata, rate_limit } = webhookFields;

/** The body of `PATCH /webhooks/{id}`. null clears optional fields, and does not change the others. */
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
      }),
  );

/** The most headers in one change. An endpoint may lose all its headers and get the same number of new ones. */
const mostChanges = 2 * maxHeaders;

/** The body of `PATCH /webhooks/{id}/headers`. null removes a header, which the original API cannot do. */
export const HeadersInput = z
  .strictObject({
    headers: z
      .record(headerName, headerValue.nullable())
      .refine((map) => Object.keys(map).length <= mostChanges, `names more than ${mostChanges} headers`)
      .meta({ maxProperties: mostChanges }),
  })
  .transform(({ headers }) => headers);

/** Headers that only describe the expected response, and never contain credentials. */
const harmless = new Set([
  'accept',
  'accept-charset',
  'accept-language',
  'cache-control',
  'pragma',
  'prefer',
  'priority',
]);

/** Header names that usually hold secrets, whose values are never shown. */
const sensitive = /auth|cookie|key|password|secret|signature|token/i;

/**
 * The headers whose values the caller may read, and the names of the others. Values that may be secret are shown only
 * to a caller with admin access whose key does not expire.
 */
export function presentHeaders({ headers }: WebhookEndpoint, caller: Grantor): WebhookAnswer<'WebhookHeaders'> {
  const isTrusted = isPermitted(caller, 'admin') && mayLeave(caller, 'webhook_headers');
  const isShown = (name: string): boolean => (isTrusted ? !sensitive.test(name) : harmless.has(name.toLowerCase()));
  const entries = Object.entries(headers);
  return {
    headers: Object.fromEntries(entries.filter(([name]) => isShown(name))),
    sensitive: entries.flatMap(([name]) => (isShown(name) ? [] : [name])).sort(),
  };
}
