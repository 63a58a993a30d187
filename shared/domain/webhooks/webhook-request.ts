import type { AttemptOutcome } from './delivery.ts';

/** One webhook request. The sent bytes are exactly the signed bytes. */
export interface WebhookRequest {
  url: string;
  /** The event's id: the same on every attempt. */
  id: string;
  endpointId: string;
  /** The payment that the event is about; null if there is none. Only the log uses it. */
  paymentId: string | null;
  at: Date;
  body: Buffer;
  secrets: readonly string[];
  /** The merchant's own headers. */
  headers: Readonly<Record<string, string>>;
}

export type SendWebhook = (webhook: WebhookRequest) => Promise<AttemptOutcome>;
