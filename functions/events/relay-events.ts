import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { parseStreamedEvent } from '../../shared/store/events/streamed-event.ts';
import { relayEvents } from '../../shared/use-cases/webhooks/relay-events.ts';
import { bus, documentEvents } from '../../shared/wiring/runtime.ts';
import { worker } from '../../shared/wiring/worker.ts';

const deps = { bus: bus(), documentQueue: documentEvents(), parseEvent: parseStreamedEvent };

/**
 * Called by the table's stream: puts new events on the bus, puts events of payments and refunds into the queue of
 * documents, and reports the records that failed.
 */
export const handler = worker(async ({ Records: records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
  const failed = await relayEvents(
    deps,
    records.map(({ dynamodb }) => ({ image: dynamodb?.NewImage, sequenceNumber: dynamodb?.SequenceNumber ?? '' })),
  );
  return { batchItemFailures: failed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
});
