import type { RecordedEvent } from './recorded-event.ts';

/** An event that the bus or a queue did not take, and its reason. */
export interface RefusedEvent {
  event: RecordedEvent;
  reason: string;
}

export interface EventBus {
  /**
   * Puts events on the bus and returns the refused ones. An accepted event is not yet a received one. Together, they share entries of the bus and
   * calls of the dispatcher. Apart, each has its own.
   */
  publish(events: readonly RecordedEvent[], how: 'together' | 'apart'): Promise<RefusedEvent[]>;
}

export interface DocumentQueue {
  /** Sends the events that a document may follow to the worker that issues it, and returns the refused ones. */
  send(events: readonly RecordedEvent[]): Promise<RefusedEvent[]>;
}
