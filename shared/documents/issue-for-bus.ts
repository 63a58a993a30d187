import { documentedBy } from '../events/queued-document.ts';
import type { CallTime } from '../use-cases/documents/call-time.ts';
import { type IssueQueuedDeps, issueAndMail, issueQueued } from '../use-cases/documents/issue-queued-documents.ts';

/** A batch of messages from the queue, or a single event. */
export type Arrival = object | { Records: readonly { messageId: string; body: string }[] };

interface BatchFailures {
  batchItemFailures: { itemIdentifier: string }[];
}

/** Issues the documents that events need. For a batch, returns the messages that must be delivered again. */
export async function issueForBus(
  deps: IssueQueuedDeps,
  arrival: Arrival,
  time: CallTime,
): Promise<BatchFailures | undefined> {
  if (!('Records' in arrival)) {
    await issueAndMail(deps, documentedBy(arrival), time);
    return undefined;
  }
  const messages = arrival.Records.map(({ messageId: id, body }) => ({
    id,
    dueDocuments: () => documentedBy(JSON.parse(body)),
  }));
  const failed = await issueQueued(deps, messages, time);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}
