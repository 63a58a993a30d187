import type { RecordedEvent } from './recorded-event.ts';

/** An event that the bus did not take, and its reason. */
export interface RefusedEvent {
  event: RecordedEvent;
  reason: string;
}

export interface EventBus {
  /** Puts events on the bus and returns the refused ones. An accepted event is not yet a received one. */
  publish(events: readonly RecordedEvent[]): Promise<RefusedEvent[]>;
}
