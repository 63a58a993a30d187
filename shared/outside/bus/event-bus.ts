import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventSource } from '../../events/catalogue.ts';
import type { EventBus } from '../../events/event-bus.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import { type RefusedEntry, sendPersistently } from './send-persistently.ts';

/** Limits of one PutEvents call. */
const maxEntries = 10;
const maxBytes = 256 * 1024;
/** The size of an entry without its detail, and of what is around the events in it. */
const entryBytes = 256;

/** An entry of up to 64 kB is paid as one event. One call of the dispatcher attempts all that it carries at the same time. */
const paidBytes = 64 * 1024;
const maxEvents = { together: 10, apart: 1 };

type Client = Pick<EventBridgeClient, 'send'>;

export function eventBus(busName: string, client: Client = new EventBridgeClient({ maxAttempts: 3 })): EventBus {
  return {
    publish: async (events, how) => {
      const groups = [...Map.groupBy(events, ({ type }) => type).values()].flatMap((some) =>
        toGroups(some, maxEvents[how]),
      );
      const batches = fill(
        groups.map((group) => toSized(busName, group)),
        maxEntries,
        maxBytes,
      );
      const refused = await Promise.all(batches.map((batch) => sendPersistently(batch, (some) => put(client, some))));
      return refused.flat().flatMap(({ entry: { group }, reason }) => group.map(({ event }) => ({ event, reason })));
    },
  };
}

interface Detailed {
  event: RecordedEvent;
  detail: string;
  bytes: number;
}

type Group = [Detailed, ...Detailed[]];

/** Events of one type that share an entry. */
function toGroups(events: readonly RecordedEvent[], most: number): Group[] {
  const detailed = events.map((event) => {
    const { id, paymentId, sequence, payload } = event;
    const detail = JSON.stringify({ event_id: id, payment_id: paymentId, sequence, ...JSON.parse(payload) });
    return { event, detail, bytes: Buffer.byteLength(detail) + 1 };
  });
  return fill(detailed, most, paidBytes - entryBytes);
}

interface Sized {
  group: Group;
  entry: PutEventsRequestEntry;
  bytes: number;
}

function toSized(busName: string, group: Group): Sized {
  const [{ event: first }] = group;
  const entry = {
    EventBusName: busName,
    Source: eventSource,
    DetailType: first.type,
    Time: new Date(first.occurredAt),
    Detail: toDetail(group),
  };
  return { group, entry, bytes: group.reduce((sum, { bytes }) => sum + bytes, entryBytes) };
}

/** One event alone is what version 0.2.0 puts on the bus. Others follow in `more`, which its functions do not read: the sweep finds these events. */
function toDetail([first, ...others]: Group): string {
  if (others.length === 0) return first.detail;
  const more = others.map(({ detail }) => detail).join(',');
  return `${first.detail.slice(0, -1)},"more":[${more}]}`;
}

/** Puts things together in their order, so many and so large at most. One that is larger is alone. */
function fill<One extends { bytes: number }>(all: readonly One[], most: number, mostBytes: number): [One, ...One[]][] {
  const filled: [One, ...One[]][] = [];
  let bytes = 0;
  for (const one of all) {
    const last = filled.at(-1);
    bytes += one.bytes;
    if (last && last.length < most && bytes <= mostBytes) last.push(one);
    else {
      filled.push([one]);
      bytes = one.bytes;
    }
  }
  return filled;
}

/** The bus answers entry by entry: a 200 may hold failures. */
async function put(client: Client, batch: readonly Sized[]): Promise<RefusedEntry<Sized>[]> {
  const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) }));
  return batch.flatMap((entry, index) => {
    const { EventId, ErrorCode } = Entries[index] ?? {};
    return EventId === undefined ? [{ entry, reason: ErrorCode ?? 'no answer' }] : [];
  });
}
