import type { RefusedEvent } from '../events/event-bus.ts';
import type { RecordedEvent } from '../events/recorded-event.ts';

/** How many times an entry is sent at most, without a pause. */
const maxTries = 3;

/** Sends a batch, then sends its refused entries again. A call that fails has taken none that we know of. */
export async function sendPersistently<Entry extends { event: RecordedEvent }>(
  batch: readonly Entry[],
  send: (batch: readonly Entry[]) => Promise<RefusedEvent[]>,
): Promise<RefusedEvent[]> {
  let left = batch;
  let refused: RefusedEvent[] = [];
  for (let tries = 0; tries < maxTries && left.length > 0; tries += 1) {
    refused = await send(left).catch((error: unknown) => refuseAll(left, error));
    left = left.filter(({ event }) => refused.some((one) => one.event === event));
  }
  return refused;
}

const refuseAll = (batch: readonly { event: RecordedEvent }[], error: unknown): RefusedEvent[] =>
  batch.map(({ event }) => ({ event, reason: error instanceof Error ? error.name : String(error) }));
