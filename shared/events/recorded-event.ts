import type { EventType } from './catalogue.ts';
import type { NoticeType } from './notices.ts';

/** What has still to be done for an event: its deliveries written; its document issued and done with by mail. */
export type Duty = 'deliveries' | 'document';

/** An event as it was committed; `payload` is the exact body that every endpoint receives. */
export interface RecordedEvent {
  id: string;
  type: EventType | NoticeType;
  occurredAt: string;
  /** Null for a notice. */
  paymentId: string | null;
  sequence: number;
  payload: string;
  /** The one endpoint that a test event is for. */
  endpointId?: string | undefined;
  /** What has still to be done for it; it is due until nothing is. */
  open: Record<Duty, boolean>;
  /** The endpoints for which the dispatcher wrote deliveries; unknown of events that version 0.1 dispatched. */
  dispatchedTo?: readonly string[] | undefined;
}

/** An event in a list. */
export type EventRow = Pick<RecordedEvent, 'id' | 'type' | 'occurredAt' | 'paymentId' | 'sequence'>;
