import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { parseStreamedEvent } from '../../shared/store/events/streamed-event.ts';
import { relayEvents } from '../../shared/use-cases/webhooks/relay-events.ts';
import { publishing } from '../../shared/wiring/runtime.ts';

const deps = { ...publishing(), parseEvent: parseStreamedEvent };

/** The table's stream: puts new events on the bus, and those to document in their queue, and names the records that the bus did not take. */
export async function handler({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  const failed = await relayEvents(
    deps,
    records.map(({ dynamodb }) => ({ image: dynamodb?.NewImage, sequenceNumber: dynamodb?.SequenceNumber ?? '' })),
  );
  return { batchItemFailures: failed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
}
