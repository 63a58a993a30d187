import type { DomainEvent, EventType } from './catalogue.ts';

/** The types of events that may lead to a document, and the kind of that document. */
export const documentOfEvent = {
  'payment.succeeded': 'invoice',
  'refund.succeeded': 'credit_note',
  'refund.failed': 'cancellation',
  'dispute.adjusted': 'adjustment',
} as const satisfies Partial<Record<EventType, string>>;

export const documentedTypes: readonly string[] = Object.keys(documentOfEvent);

/**
 * Whether an event leads to a document. For a failed refund, it does only if the refund had succeeded before. Otherwise
 * there is no credit note to cancel. A lost dispute leads to one
 * only if its sale is undone.
 */
export const isDocumented = ({ type, refund, dispute }: DomainEvent): boolean => {
  if (type === 'dispute.adjusted') return dispute?.adjustments?.at(-1)?.ground === 'rescinded';
  return type === 'payment.succeeded' || type === 'refund.succeeded' || refund?.reverted !== undefined;
};
