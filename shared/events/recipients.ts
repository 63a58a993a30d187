import { type WebhookEndpoint, wantsEvent } from '../domain/webhooks/webhook.ts';
import { isNotice } from './notices.ts';

interface Sendable {
  type: string;
  /** The endpoint of a test event; undefined for other events. */
  endpointId?: string | undefined;
}

/**
 * Whether an endpoint receives an event. No endpoint receives a notice, one endpoint receives a test event, and all
 * endpoints with a matching filter receive other events.
 */
export function isFor(endpoint: WebhookEndpoint, { type, endpointId }: Sendable): boolean {
  if (isNotice(type)) return false;
  return endpointId === undefined ? wantsEvent(endpoint, type) : endpointId === endpoint.id && !endpoint.disabled;
}
