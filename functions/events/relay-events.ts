import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { bus } from '../../shared/runtime.ts';
import { parseStreamedEvent } from '../../shared/store/events/streamed-event.ts';
import { relayEvents } from '../../shared/use-cases/webhooks/relay-events.ts';

const deps = { bus: bus(), parseEvent: parseStreamedEvent };

/** The table's stream: puts new events on the bus and names the records that it could not. */
export async function handler({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const failed = await relayEvents(
    deps,
    records.map(({ dynamodb }) => ({ image: dynamodb?.NewImage, sequenceNumber: dynamodb?.SequenceNumber ?? '' })),
  );
  return { batchItemFailures: failed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
}
