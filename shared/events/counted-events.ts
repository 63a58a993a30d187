import type { EventType } from './catalogue.ts';

const metrics: ReadonlyMap<string, string> = new Map<EventType, string>([
  ['payment.failed', 'PaymentsFailed'],
  ['dispute.opened', 'MoneyAlerts'],
]);

interface DispatchedEvent {
  event: { type: string; endpointId?: string | undefined } | undefined;
  isFirst: boolean;
}

/**
 * The metric that counts an event. A failed payment or a new dispute counts once, when its event is dispatched for the
 * first time. Test events, which have one endpoint, do not count.
 */
export const metricOfEvent = ({ event, isFirst }: DispatchedEvent): string | undefined =>
  event && isFirst && event.endpointId === undefined ? metrics.get(event.type) : undefined;
