import type { EventType } from './catalogue.ts';
import type { NoticeType } from './notices.ts';

/** The open work of an event: its deliveries must be written, or its document issued and mailed. */
export type Duty = 'deliveries' | 'document';

/** A committed event; `payload` is the exact body that every endpoint receives. */
export interface RecordedEvent {
  id: string;
  type: EventType | NoticeType;
  occurredAt: string;
  /** The payment; null for a notice. */
  paymentId: string | null;
  sequence: number;
  payload: string;
  /** The one endpoint that a test event is for. */
  endpointId?: string | undefined;
  /** The work that is still open. The event stays due until everything is done. */
  open: Record<Duty, boolean>;
  /** The endpoints whose deliveries the dispatcher has written; absent before. */
  dispatchedTo?: readonly string[] | undefined;
  /** Until when a dispatcher has claimed the event. */
  claimedUntil?: string | undefined;
  /** The endpoints for which the event is claimed. The dispatcher attempts no others. */
  claimedFor?: readonly string[] | undefined;
}

/** An event in a list. */
export type EventRow = Pick<RecordedEvent, 'id' | 'type' | 'occurredAt' | 'paymentId' | 'sequence'>;
