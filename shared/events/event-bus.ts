import type { RecordedEvent } from './recorded-event.ts';

/** An event that the bus or a queue did not accept, with the reason. */
export interface RefusedEvent {
  event: RecordedEvent;
  reason: string;
}

export interface EventBus {
  /**
   * Puts events on the bus and returns the refused ones. An accepted event may still not reach a worker. With
   * `together`, events share entries of the bus and calls of the dispatcher; with `apart`, each event has its own.
   */
  publish(events: readonly RecordedEvent[], how: 'together' | 'apart'): Promise<RefusedEvent[]>;
}

export interface DocumentQueue {
  /**
   * Sends events that may lead to a document to the worker that issues it, and returns the refused ones. With
   * `perSecond`, the worker gets only so many of them in a second.
   */
  send(events: readonly RecordedEvent[], perSecond?: number): Promise<RefusedEvent[]>;
  /** Counts about how many messages no worker has taken yet. */
  waiting(): Promise<number>;
}
