import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { BusEvent } from '../../events/bus-entry.ts';
import { entryVersion, eventSource } from '../../events/catalogue.ts';
import { documentedIds } from '../../events/documented-ids.ts';
import type { EventBus } from '../../events/event-bus.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import { type RefusedEntry, sendPersistently } from './send-persistently.ts';

/** The limit of one PutEvents call. Ten entries of ten events are far below its size limit. */
const maxEntries = 10;

/**
 * How many events one entry contains. AWS charges for each entry. One call of the dispatcher sends all events of an
 * entry at the same time.
 */
const maxEvents = { together: 10, apart: 1 };

type Client = Pick<EventBridgeClient, 'send'>;

export function eventBus(busName: string, client: Client = new EventBridgeClient({ maxAttempts: 3 })): EventBus {
  return {
    publish: async (events, how) => {
      const groups = [...Map.groupBy(events, kindOf).values()].flatMap((some) => inGroups(some, maxEvents[how]));
      const batches = inGroups(
        groups.map((group) => ({ group, entry: toEntry(busName, group) })),
        maxEntries,
      );
      const refused = await Promise.all(batches.map((batch) => sendPersistently(batch, (some) => put(client, some))));
      return refused.flat().flatMap(({ entry: { group }, reason }) => group.map((event) => ({ event, reason })));
    },
  };
}

/** Test events share no entry with others, so that a rule can leave them out. */
const kindOf = ({ type, endpointId }: RecordedEvent): string => (endpointId === undefined ? type : `test of ${type}`);

type Group<One> = [One, ...One[]];

function inGroups<One>(all: readonly One[], most: number): Group<One>[] {
  const starts = all.filter((_, index) => index % most === 0);
  return starts.map((first, nth) => [first, ...all.slice(nth * most + 1, (nth + 1) * most)]);
}

/** An entry for several events of one type. */
interface Shared {
  group: Group<RecordedEvent>;
  entry: PutEventsRequestEntry;
}

const toEntry = (busName: string, group: Group<RecordedEvent>): PutEventsRequestEntry => ({
  EventBusName: busName,
  Source: eventSource,
  DetailType: group[0].type,
  Time: new Date(group[0].occurredAt),
  Detail: toDetail(group),
});

/** Version 0.2.0 reads only the first event and ignores `more`. The sweep finds the other events. */
function toDetail([first, ...others]: Group<RecordedEvent>): string {
  const more = others.length > 0 && { more: others.map(carried) };
  return JSON.stringify({ version: entryVersion, ...carried(first), ...more });
}

/**
 * The ids of an event for an entry of the bus. The table has the rest. Version 0.2.0 issues documents by `payment_id`
 * and `data.refund_id`.
 */
function carried({ id, type, paymentId, sequence, payload, endpointId }: RecordedEvent): BusEvent {
  const test = endpointId !== undefined && { test: true as const };
  const data = documentedIds({ type, payload });
  return { event_id: id, type, payment_id: paymentId, sequence, ...test, data };
}

/** The bus reports each entry separately: a response with status 200 may contain failures. */
async function put(client: Client, batch: readonly Shared[]): Promise<RefusedEntry<Shared>[]> {
  const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: batch.map(({ entry }) => entry) }));
  return batch.flatMap((entry, index) => {
    const { EventId, ErrorCode } = Entries[index] ?? {};
    return EventId === undefined ? [{ entry, reason: ErrorCode ?? 'no answer' }] : [];
  });
}
