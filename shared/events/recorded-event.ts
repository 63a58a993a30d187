import type { EventType } from './catalogue.ts';
import type { NoticeType } from './notices.ts';

/**
 * The work that an event still needs. `deliveries`: the deliveries must be written. `document`: the document must be
 * issued and mailed.
 */
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
  /** The endpoint that receives the event, if it is a test event. */
  endpointId?: string | undefined;
  /** The work that is not done yet. The sweep finds the event again until all work is done. */
  open: Record<Duty, boolean>;
  /** The endpoints whose deliveries the dispatcher has written; absent before. */
  dispatchedTo?: readonly string[] | undefined;
  /** The time until which a dispatcher has claimed the event. */
  claimedUntil?: string | undefined;
  /** The endpoints for which the dispatcher has claimed the event. It sends to no others. */
  claimedFor?: readonly string[] | undefined;
}

/** An event in a list. */
export type EventRow = Pick<RecordedEvent, 'id' | 'type' | 'occurredAt' | 'paymentId' | 'sequence'>;
