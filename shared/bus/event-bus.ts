import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../events/catalogue.ts';
import type { EventBus, RefusedEvent } from '../events/event-bus.ts';
import type { RecordedEvent } from '../events/recorded-event.ts';
import { sendPersistently } from './send-persistently.ts';

/** Limits of one PutEvents call. */
const maxEntries = 10;
const maxBytes = 256 * 1024;
/** The size of an entry without its detail. */
const entryBytes = 256;

type Client = Pick<EventBridgeClient, 'send'>;

export function eventBus(busName: string, client: Client = new EventBridgeClient({ maxAttempts: 3 })): EventBus {
  return {
    publish: async (events) => {
      const batches = toBatches(events.map((event) => toSized(busName, event)));
      const refused = await Promise.all(batches.map((batch) => sendPersistently(batch, (some) => put(client, some))));
      return refused.flat();
    },
  };
}

interface Sized {
  event: RecordedEvent;
  entry: PutEventsRequestEntry;
  bytes: number;
}

function toSized(busName: string, event: RecordedEvent): Sized {
  const { id, type, paymentId, sequence, occurredAt, payload } = event;
  const detail = JSON.stringify({ event_id: id, payment_id: paymentId, sequence, ...JSON.parse(payload) });
  const entry = {
    EventBusName: busName,
    Source: eventSource,
    DetailType: type,
    Time: new Date(occurredAt),
    Detail: detail,
  };
  return { event, entry, bytes: Buffer.byteLength(detail) + entryBytes };
}

/** Groups entries into batches that PutEvents accepts: at most ten entries, within its size limit. */
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

/** The bus answers entry by entry: a 200 may hold failures. */
async function put(client: Client, batch: readonly Sized[]): Promise<RefusedEvent[]> {
  const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) }));
  return batch.flatMap(({ event }, index) => {
    const { EventId, ErrorCode } = Entries[index] ?? {};
    return EventId === undefined ? [{ event, reason: ErrorCode ?? 'no answer' }] : [];
  });
}
