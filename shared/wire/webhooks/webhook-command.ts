import * as z from 'zod';
import * as sentences from '../../domain/rules/rule-sentences.ts';
import { eventTypes } from '../../events/catalogue.ts';
import { says } from '../says.ts';
import { idOf } from '../values.ts';

/** The body of `POST /webhooks/{id}/test`. */
export const WebhookTestInput = z
  .strictObject({ type: z.enum(eventTypes).default('payment.succeeded') })
  .transform(({ type }) => type);

/** The body of `POST /webhooks/{id}/recover`. */
export const RecoverInput = z
  .strictObject({ since: z.iso.datetime({ offset: true, ...says(sentences.date_time) }) })
  .transform(({ since }) => new Date(since).toISOString());

/**
 * The body of `POST /webhook-events/{id}/resend`. It names one endpoint. Without one, all endpoints with a matching
 * filter get the event.
 */
export const ResendInput = z
  .strictObject({ webhook_id: idOf('whk').nullish() })
  .transform(({ webhook_id }) => ({ endpointId: webhook_id ?? null }));
