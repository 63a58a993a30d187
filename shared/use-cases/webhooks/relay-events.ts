import type { EventBus } from '../../events/event-bus.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import { describeError, logError, logWarn } from '../../log.ts';

interface RelayEventsDeps {
  bus: EventBus;
  parseEvent: (image: unknown) => RecordedEvent;
}

interface StreamRecord {
  image: unknown;
  sequenceNumber: string;
}

/** Puts the events of new rows on the bus, and returns the records that it could not. */
export async function relayEvents(deps: RelayEventsDeps, records: readonly StreamRecord[]): Promise<StreamRecord[]> {
  const events = records.map((record) => readEvent(deps, record));
  const refused = await deps.bus.publish(events.filter((event) => event !== undefined));
  for (const { event, reason } of refused) logWarn('The bus refused an event.', { event_id: event.id, reason });
  const failed = new Set([undefined, ...refused.map(({ event }) => event)]);
  return records.filter((_, index) => failed.has(events[index]));
}

function readEvent(
  { parseEvent }: RelayEventsDeps,
  { image, sequenceNumber }: StreamRecord,
): RecordedEvent | undefined {
  try {
    return parseEvent(image);
  } catch (error) {
    logError('A stream record is no event.', { sequence_number: sequenceNumber, ...describeError(error) });
    return undefined;
  }
}
