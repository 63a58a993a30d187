import type { AttemptOutcome } from './delivery.ts';

/** One webhook: the bytes are sent as they are signed. */
export interface WebhookRequest {
  url: string;
  /** The event's id: the same on every attempt. */
  id: string;
  endpointId: string;
  /** The payment that it tells of; null if it tells of none. For the log only. */
  paymentId: string | null;
  at: Date;
  body: Buffer;
  secrets: readonly string[];
  /** The merchant's own. */
  headers: Readonly<Record<string, string>>;
}

export type SendWebhook = (webhook: WebhookRequest) => Promise<AttemptOutcome>;
