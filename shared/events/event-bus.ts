import type { RecordedEvent } from './recorded-event.ts';

/** An event that the bus or a queue did not take, and its reason. */
export interface RefusedEvent {
  event: RecordedEvent;
  reason: string;
}

export interface EventBus {
  /** Puts events on the bus and returns the refused ones. An accepted event is not yet a received one. */
  publish(events: readonly RecordedEvent[]): Promise<RefusedEvent[]>;
}

export interface DocumentQueue {
  /** Sends the events that a document may follow to the worker that issues it, and returns the refused ones. */
  send(events: readonly RecordedEvent[]): Promise<RefusedEvent[]>;
}
