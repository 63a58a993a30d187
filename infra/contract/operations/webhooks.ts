import { DeliveryQuery, EventQuery } from '../../../shared/wire/webhooks/recorded-event.ts';
import { WebhookInput, WebhookQuery } from '../../../shared/wire/webhooks/webhook.ts';
import { HeadersInput, WebhookChangeInput } from '../../../shared/wire/webhooks/webhook-change.ts';
import { RecoverInput, ResendInput, WebhookTestInput } from '../../../shared/wire/webhooks/webhook-command.ts';
import type { Operations } from '../operation.ts';

/** The operations on endpoints, on the events that they receive, and on deliveries. */
export const webhookOperations: Operations = {
  'webhooks/create-webhook': {
    summary: 'Create a webhook endpoint',
    description: 'Registers an address that receives signed events. There are at most 20 endpoints.',
    body: { WebhookInput },
    answer: 'Webhook',
    refuses: ['INVALID_REQUEST_PARAMETERS'],
  },
  'webhooks/list-webhooks': {
    summary: 'List webhook endpoints',
    description: 'Lists the endpoints. `iterator` continues where the last answer ended.',
    query: WebhookQuery,
    answer: 'WebhookList',
  },
  'webhooks/get-webhook': {
    summary: 'Get a webhook endpoint',
    description: 'Answers an endpoint, without its secret.',
    answer: 'Webhook',
  },
  'webhooks/update-webhook': {
    summary: 'Update a webhook endpoint',
    description: 'Changes the named fields. Another `url` needs an admin key.',
    body: { WebhookChangeInput },
    answer: 'Webhook',
  },
  'webhooks/delete-webhook': {
    summary: 'Delete a webhook endpoint',
    description: 'Deletes an endpoint. It receives nothing more.',
    answer: 'Nothing',
  },
  'webhooks/get-webhook-secret': {
    summary: 'Get the signing secret of an endpoint',
    description: 'Answers the secret that the header `webhook-signature` is verified with.',
    answer: 'WebhookSecret',
  },
  'webhooks/rotate-webhook-secret': {
    summary: 'Rotate the signing secret of an endpoint',
    description:
      'Makes a new secret. The old one also signs for 24 hours, so `webhook-signature` then has two signatures. Up to three old ones sign at once; a fourth rotation within that time is refused with 409. Read the new one from the secret’s own route.',
    answer: 'Webhook',
    refuses: ['CONFLICT'],
  },
  'webhooks/get-webhook-headers': {
    summary: 'Get the headers of an endpoint',
    description: 'Answers the headers that every delivery carries. Values that may be secrets are not shown.',
    answer: 'WebhookHeaders',
  },
  'webhooks/update-webhook-headers': {
    summary: 'Change the headers of an endpoint',
    description: 'Adds or replaces headers. `null` removes one. The others stay.',
    body: { HeadersInput },
    answer: 'Nothing',
    refuses: ['INVALID_REQUEST_PARAMETERS'],
  },
  'webhooks/test-webhook': {
    summary: 'Send a test event',
    description: 'Sends an example event to one endpoint, signed like a real one.',
    body: { WebhookTestInput },
    answer: 'WebhookTest',
    refuses: ['CONFLICT'],
  },
  'webhooks/list-deliveries': {
    summary: 'List the deliveries of an endpoint',
    description: 'Lists deliveries, newest first, each with its attempts and what the endpoint answered.',
    query: DeliveryQuery,
    answer: 'WebhookDeliveryPage',
  },
  'webhooks/recover-webhook': {
    summary: 'Send missed events again',
    description:
      'Sends all events since a time that the endpoint has not received. Repeat it while `has_more` is true.',
    body: { RecoverInput },
    answer: 'WebhookRecovery',
    refuses: ['CONFLICT'],
  },
  'events/list-events': {
    summary: 'List events',
    description:
      'Lists what happened, newest first. `webhook.disabled` is a notice to you: it is listed here and never sent to endpoints.',
    query: EventQuery,
    answer: 'EventPage',
  },
  'events/get-event': {
    summary: 'Get an event',
    description: 'Answers an event with the body that endpoints receive, and where it was sent.',
    answer: 'Event',
  },
  'events/resend-event': {
    summary: 'Send an event again',
    description: 'Sends an event again to one endpoint, or to all that want it. It keeps its `webhook-id`.',
    body: { ResendInput },
    answer: 'Event',
    refuses: ['CONFLICT'],
  },
};
