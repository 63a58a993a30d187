import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { webhookAnswers } from './webhook-answer.ts';

const webhook = wordsIn(webhookAnswers.Webhook);

/**
 * The descriptions of the input fields of webhooks and their events. A field that an answer also has gets the same
 * description.
 */
export const webhookInputWords: Readonly<Record<string, WordsByField>> = {
  WebhookInput: {
    ...webhook,
    ...wordsIn(webhookAnswers.WebhookHeaders),
    url: 'Where events are sent: a public https address. The sandbox of `npm start` also takes `http://localhost`.',
    idempotency_key: 'Used where the `Idempotency-Key` header is absent.',
  },
  WebhookChangeInput: {
    ...webhook,
    url: 'Where events are sent: a public https address.',
    metadata: 'Your own data: at most 50 keys with strings. Null empties it.',
  },
  HeadersInput: { headers: 'Headers to add or replace, by name. Null removes one.' },
  WebhookTestInput: wordsIn(webhookAnswers.WebhookTest),
  RecoverInput: { since: 'From which time on to send events again.' },
  ResendInput: { webhook_id: 'The one endpoint to send to. Null or absent: all that want the event.' },
};
