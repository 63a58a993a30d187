import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../events/catalogue.ts';
import type { RecordedEvent } from '../store/event-store.ts';

/** Limits of one PutEvents call; the size counts details and the little around them. */
const maxEntries = 10;
const maxBytes = 250_000;

/** How often entries that the bus refused are sent again at once. */
const maxTries = 3;

export interface EventBus {
  /** Puts events on the bus and returns those that it did not take. */
  publish(events: readonly RecordedEvent[]): Promise<RecordedEvent[]>;
}

const toEntry = (
  busName: string,
  { id, type, paymentId, sequence, occurredAt, payload }: RecordedEvent,
): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: eventSource,
  DetailType: type,
  Time: new Date(occurredAt),
  Detail: JSON.stringify({ event_id: id, payment_id: paymentId, sequence, ...JSON.parse(payload) }),
});

interface Sized {
  event: RecordedEvent;
  entry: PutEventsRequestEntry;
  bytes: number;
}

/** Groups entries as PutEvents takes them: ten at most, and no more than it can carry. */
function toBatches(entries: readonly Sized[]): Sized[][] {
  const batches: Sized[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const batch = batches.at(-1);
    bytes += entry.bytes;
    if (batch && batch.length < maxEntries && bytes <= maxBytes) batch.push(entry);
    else {
      batches.push([entry]);
      bytes = entry.bytes;
    }
  }
  return batches;
}

export function eventBus(
  busName: string,
  client: Pick<EventBridgeClient, 'send'> = new EventBridgeClient({ maxAttempts: 3 }),
): EventBus {
  /** The bus answers entry by entry: a 200 may hold failures. */
  const put = async (batch: readonly Sized[]): Promise<Sized[]> => {
    const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) }));
    return batch.filter((_, index) => Entries[index]?.EventId === undefined);
  };
  const putAgain = async (batch: readonly Sized[]): Promise<Sized[]> => {
    let left = [...batch];
    for (let tries = 0; tries < maxTries && left.length > 0; tries += 1) left = await put(left).catch(() => left);
    return left;
  };
  return {
    publish: async (events) => {
      const sized = events.map((event) => {
        const entry = toEntry(busName, event);
        return { event, entry, bytes: Buffer.byteLength(entry.Detail ?? '') + 200 };
      });
      const left = await Promise.all(toBatches(sized).map(putAgain));
      return left.flat().map(({ event }) => event);
    },
  };
}
