import type { DomainEvent, EventType } from './catalogue.ts';

/** The types of events that may lead to a document, and the kind of that document. */
export const documentOfEvent = {
  'payment.succeeded': 'invoice',
  'refund.succeeded': 'credit_note',
  'refund.failed': 'cancellation',
} as const satisfies Partial<Record<EventType, string>>;

export const documentedTypes: readonly string[] = Object.keys(documentOfEvent);

/**
 * Whether an event leads to a document. For a failed refund, it does only if the refund had succeeded before. Otherwise
 * there is no credit note to cancel.
 */
export const isDocumented = ({ type, refund }: DomainEvent): boolean =>
  type === 'payment.succeeded' || type === 'refund.succeeded' || refund?.reverted !== undefined;
