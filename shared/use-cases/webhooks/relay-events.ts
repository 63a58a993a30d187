import type { DocumentQueue, EventBus, RefusedEvent } from '../../events/event-bus.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import { describeError, logError, logWarn } from '../../log.ts';

interface RelayEventsDeps {
  bus: EventBus;
  documentQueue: DocumentQueue;
  parseEvent: (image: unknown) => RecordedEvent;
}

interface StreamRecord {
  image: unknown;
  sequenceNumber: string;
}

/**
 * Puts the events of new rows on the bus and in the document queue. Returns the records that the bus did not accept.
 * Events that only the queue refuses are left to the sweep, because repeating them would delay the webhooks of all
 * later events.
 */
export async function relayEvents(deps: RelayEventsDeps, records: readonly StreamRecord[]): Promise<StreamRecord[]> {
  const read = records.map((record) => readEvent(deps, record));
  const events = read.filter((event) => event !== undefined);
  const [refused, undocumented] = await Promise.all([
    deps.bus.publish(events, 'together'),
    deps.documentQueue.send(events),
  ]);
  warn('The bus refused an event.', refused);
  warn('The queue of documents refused an event.', undocumented);
  const failed = new Set([undefined, ...refused.map(({ event }) => event)]);
  return records.filter((_, index) => failed.has(read[index]));
}

function warn(message: string, refused: readonly RefusedEvent[]): void {
  for (const { event, reason } of refused) logWarn(message, { event_id: event.id, reason });
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
