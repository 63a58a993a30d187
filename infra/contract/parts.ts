const headerText = (description: string, schema: object = {}) => ({
  description,
  schema: { type: 'string', ...schema },
});

const webhookHeader = (name: string, description: string, schema: object = {}) => ({
  name,
  in: 'header',
  required: true,
  ...headerText(description, schema),
});

/** The parts that operations share: the API key, headers, and the gateway's own error response. */
export const parts = {
  securitySchemes: {
    apiKey: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'sk_test_… or sk_live_…',
      description:
        'An API key. The role in a requirement is the access that the call needs: `read`, `write` (also reads) or `admin` (also manages keys, tax rules and webhook endpoints). `refunds` is the separate right to refund, which a key can have or not have whatever its access.',
    },
  },
  parameters: {
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes a repetition safe: the same key and request answer what was stored the first time. 1 to 255 printable ASCII characters, such as a UUID. Kept for 48 hours.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
    },
    WebhookId: webhookHeader(
      'webhook-id',
      'The id of the event, `evt_…`. It is the same on every attempt: process each id once.',
      { maxLength: 100 },
    ),
    WebhookTimestamp: webhookHeader(
      'webhook-timestamp',
      'When this attempt was signed, in Unix seconds. Refuse what is more than five minutes off.',
      { pattern: '^\\d{10,11}$' },
    ),
    WebhookSignature: webhookHeader(
      'webhook-signature',
      'Signatures `v1,<base64>`, separated by spaces: two to four while a secret is rotated. Each is the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`.',
      { pattern: '^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$' },
    ),
  },
  headers: {
    IdempotentReplayed: headerText('`true` if this is the stored answer of an earlier request with the same key.', {
      enum: ['true'],
    }),
    RetryAfter: headerText('After how many seconds to try again, where the refusal passes by itself.', {
      pattern: '^\\d{1,5}$',
    }),
  },
  responses: {
    Throttled: {
      description: 'The gateway’s own refusal of too many requests. Its body is not ours. Try again later.',
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  },
} as const;
