import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { RecordedEvent } from '../../shared/events/recorded-event.ts';
import { describeError, logError, logWarn } from '../../shared/log.ts';
import { bus } from '../../shared/runtime.ts';
import { parseStreamedEvent } from '../../shared/store/events/streamed-event.ts';

const deps = { bus: bus() };

/** The table's stream: puts new events on the bus and names the records that it could not. */
export async function handler({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const events = await Promise.all(records.map(readEvent));
  const refused = await deps.bus.publish(events.filter((event) => event !== undefined));
  for (const { event, reason } of refused) logWarn('The bus refused an event.', { eventId: event.id, reason });
  const failed = new Set([undefined, ...refused.map(({ event }) => event)]);
  const failures = records.filter((_, index) => failed.has(events[index]));
  return { batchItemFailures: failures.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber ?? '' })) };
}

async function readEvent({ dynamodb }: DynamoDBRecord): Promise<RecordedEvent | undefined> {
  try {
    return await parseStreamedEvent(dynamodb?.NewImage);
  } catch (error) {
    logError('A stream record is no event.', { sequenceNumber: dynamodb?.SequenceNumber, ...describeError(error) });
    return undefined;
  }
}
