import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { documentedIds } from '../../events/documented-ids.ts';
import { documentedTypes } from '../../events/documents-of-events.ts';
import type { DocumentQueue } from '../../events/event-bus.ts';
import type { RecordedEvent } from '../../events/recorded-event.ts';
import { type RefusedEntry, sendPersistently } from './send-persistently.ts';

/** The limit of one SendMessageBatch call. Ten messages are far below its size limit. */
const maxEntries = 10;
/**
 * The timeout of a call to the queue. The relay also publishes webhook events, and these must not wait long for the
 * queue.
 */
const patienceMs = 10_000;

/** The longest delay of a message that SQS accepts. */
const mostDelaySeconds = 900;

/** SQS's name for the number of waiting messages. */
const depth = 'ApproximateNumberOfMessages';

const documented: ReadonlySet<string> = new Set(documentedTypes);

interface Message {
  event: RecordedEvent;
  body: string;
  delaySeconds: number;
}

/**
 * The queue of the worker that issues documents. A send that is not finished when `patience` ends is reported as
 * failed.
 */
export function documentQueue(queueUrl: string, patience = patienceMs): DocumentQueue {
  const client = new SQSClient({ maxAttempts: 3, endpoint: new URL(queueUrl).origin });
  return {
    send: async (events, perSecond = Number.POSITIVE_INFINITY) => {
      const abortSignal = AbortSignal.timeout(patience);
      const send = (batch: readonly Message[]) => sendBatch({ client, queueUrl, abortSignal }, batch);
      const messages = events
        .filter(({ type }) => documented.has(type))
        .map((event, index) => toMessage(event, Math.min(mostDelaySeconds, Math.floor(index / perSecond))));
      const refused = await Promise.all(toBatches(messages).map((batch) => sendPersistently(batch, send)));
      return refused.flat().map(({ entry, reason }) => ({ event: entry.event, reason }));
    },
    waiting: async () => {
      const command = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [depth] });
      const { Attributes } = await client.send(command, { abortSignal: AbortSignal.timeout(patience) });
      return Number(Attributes?.[depth] ?? 0);
    },
  };
}

/** The fields of an event that the worker needs, in the format of version 0.2. The payload stays in the table. */
function toMessage(event: RecordedEvent, delaySeconds: number): Message {
  const { id, type, paymentId, payload } = event;
  const detail = { event_id: id, payment_id: paymentId, data: documentedIds({ type, payload }) };
  const body = { 'detail-type': type, detail };
  return { event, body: JSON.stringify(body), delaySeconds };
}

const toBatches = (messages: readonly Message[]): Message[][] =>
  Array.from({ length: Math.ceil(messages.length / maxEntries) }, (_, index) =>
    messages.slice(index * maxEntries, (index + 1) * maxEntries),
  );

interface Sending {
  client: SQSClient;
  queueUrl: string;
  abortSignal: AbortSignal;
}

/** The queue reports each message separately: a response with status 200 may contain failures. */
async function sendBatch(
  { client, queueUrl: QueueUrl, abortSignal }: Sending,
  batch: readonly Message[],
): Promise<RefusedEntry<Message>[]> {
  const Entries = batch.map(({ body, delaySeconds }, index) => ({
    Id: String(index),
    MessageBody: body,
    ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
  }));
  const command = new SendMessageBatchCommand({ QueueUrl, Entries });
  const { Successful = [], Failed = [] } = await client.send(command, { abortSignal });
  const taken = new Set(Successful.map(({ Id }) => Id));
  return batch.flatMap((entry, index) => {
    const code = Failed.find(({ Id }) => Id === String(index))?.Code;
    return taken.has(String(index)) ? [] : [{ entry, reason: code ?? 'no answer' }];
  });
}
