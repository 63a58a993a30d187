import type { RecordedEvent } from './recorded-event.ts';

/** An event that the bus did not take, and its reason. */
export interface RefusedEvent {
  event: RecordedEvent;
  reason: string;
}

export interface EventBus {
  /** Puts events on the bus and returns those that it did not take. That it took one is no proof that anybody gets it. */
  publish(events: readonly RecordedEvent[]): Promise<RefusedEvent[]>;
}
