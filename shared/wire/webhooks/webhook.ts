import * as z from 'zod';
import { refuseField } from '../../domain/errors.ts';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import {
  currentSecret,
  maxHeaders,
  mergeHeaders,
  type NewWebhookEndpoint,
  type WebhookEndpoint,
} from '../../domain/webhooks/webhook.ts';
import { addressText } from '../addresses.ts';
import { webhookConstants } from '../constants.ts';
import { StringMetadataMap } from '../metadata.ts';
import { says } from '../says.ts';
import { prose, withoutCard } from '../text/texts.ts';
import { noLongerIgnored } from '../unsupported.ts';
import { EventFilter } from './event-filter.ts';
import type { WebhookAnswer } from './webhook-answer.ts';

/** The largest body in which an idempotency key is searched. A longer body is refused anyway. */
const maxBodyBytes = 256 * 1024;

const reserved =
  /^(webhook-|content-|host$|connection$|transfer-encoding$|keep-alive$|upgrade$|te$|trailer$|expect$|user-agent$|proxy-)/i;

export const headerName = withoutCard(
  z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, { error: 'is not a header name', abort: true }),
).refine((name) => !reserved.test(name), 'is a reserved header');

export const headerValue = withoutCard(
  z
    .string()
    .regex(/^[\x20-\x7e\t]{0,1000}$/, { error: 'must be printable ASCII, at most 1000 characters', abort: true }),
);

/** The merchant's own headers. Headers of HTTP itself and of the signature are reserved. */
const HeaderMap = z
  .record(headerName, headerValue)
  .refine((map) => Object.keys(map).length <= maxHeaders, `has more than ${maxHeaders} headers`)
  .meta({ maxProperties: maxHeaders });

export const webhookFields = {
  url: addressText,
  description: prose(0, 500).nullish(),
  disabled: z.boolean().nullish(),
  filter_types: z.array(EventFilter).min(1, says(sentences.event_types)).max(60).nullish(),
  headers: HeaderMap.nullish(),
  metadata: StringMetadataMap.nullish(),
  rate_limit: noLongerIgnored('an endpoint that answers 429 or 503 gets the event again later; leave it out'),
};

/** The body of `POST /webhooks`. */
export const WebhookInput = z
  .strictObject({ ...webhookFields, idempotency_key: z.string().max(255).nullish() })
  .transform(
    (input): NewWebhookEndpoint => ({
      url: input.url,
      description: input.description ?? '',
      isDisabled: input.disabled ?? false,
      filterTypes: input.filter_types ?? null,
      headers: mergeHeaders({}, input.headers ?? {}),
      metadata: input.metadata ?? {},
      rateLimit: null,
    }),
  );

const KeyInBody = z.object({ idempotency_key: z.string().min(1) });

/** The idempotency key in a body that is not parsed yet; undefined if there is none. */
export function bodyIdempotencyKey(body: Buffer): string | undefined {
  if (body.byteLength > maxBodyBytes) return undefined;
  try {
    return KeyInBody.parse(JSON.parse(body.toString('utf8'))).idempotency_key;
  } catch {
    return undefined;
  }
}

const maxLimit = 100;

export const WebhookQuery = z.strictObject({
  limit: z
    .string()
    .refine(
      (value) => /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= maxLimit,
      `must be between 1 and ${maxLimit}`,
    )
    .meta({ type: 'integer', minimum: 1, maximum: maxLimit })
    .transform(Number)
    .optional(),
  iterator: z.string().max(100).optional(),
});

/** An endpoint without its secrets, as its merchant sees it. */
export const presentWebhook = (endpoint: WebhookEndpoint): WebhookAnswer<'Webhook'> => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  metadata: endpoint.metadata,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
  disabled: endpoint.disabled !== null,
  disabled_reason: endpoint.disabled?.reason ?? null,
  disabled_at: endpoint.disabled?.at ?? null,
  filter_types: endpoint.filterTypes,
  ...webhookConstants,
});

export const presentSecret = (endpoint: WebhookEndpoint): WebhookAnswer<'WebhookSecret'> => ({
  secret: currentSecret(endpoint),
});

interface IteratorPage {
  shown: WebhookEndpoint[];
  next: string | null;
  previous: string | null;
}

/** One page of the endpoints. An iterator is the id of the endpoint with which a page begins. */
export function pageOfWebhooks(
  all: readonly WebhookEndpoint[],
  { limit = 20, iterator }: z.output<typeof WebhookQuery>,
): IteratorPage {
  const start = iterator === undefined ? 0 : all.findIndex(({ id }) => id === iterator);
  const unknown = 'is not an iterator of this list; send the iterator of a response';
  if (start < 0) throw refuseField('INVALID_QUERY_PARAMS', 'iterator', unknown);
  const before = Math.max(0, start - limit);
  const previous = start > 0 ? (all[before]?.id ?? null) : null;
  return { shown: all.slice(start, start + limit), next: all[start + limit]?.id ?? null, previous };
}

/** A page of endpoints. Clients read on while `iterator` is set. They ignore `done`. */
export const presentWebhooks = ({ shown, next, previous }: IteratorPage): WebhookAnswer<'WebhookList'> => ({
  data: shown.map(presentWebhook),
  iterator: next,
  prev_iterator: previous,
  done: next === null,
});
