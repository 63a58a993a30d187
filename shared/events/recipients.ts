import { type WebhookEndpoint, wantsEvent } from '../domain/webhooks/webhook.ts';
import { isNotice } from './notices.ts';

interface Sendable {
  type: string;
  /** The endpoint of a test event. */
  endpointId?: string | undefined;
}

/**
 * Whether an endpoint receives an event. A notice goes to no endpoint, a test to its own, any other event to all that
 * want it.
 */
export function isFor(endpoint: WebhookEndpoint, { type, endpointId }: Sendable): boolean {
  if (isNotice(type)) return false;
  return endpointId === undefined ? wantsEvent(endpoint, type) : endpointId === endpoint.id && !endpoint.disabled;
}
