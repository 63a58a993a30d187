import { type WebhookEndpoint, wantsEvent } from '../domain/webhooks/webhook.ts';
import { isNotice } from './notices.ts';

interface Sendable {
  type: string;
  /** Of a test event. */
  endpointId?: string | undefined;
}

/** Whether an endpoint gets an event: a notice is for none, a test for its own whatever the filter, any other for all that want it. */
export function isFor(endpoint: WebhookEndpoint, { type, endpointId }: Sendable): boolean {
  if (isNotice(type)) return false;
  return endpointId === undefined ? wantsEvent(endpoint, type) : endpointId === endpoint.id && !endpoint.disabled;
}
