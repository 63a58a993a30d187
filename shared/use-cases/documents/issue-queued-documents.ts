import { type Document, subjectOf } from '../../domain/documents/document.ts';
import { correctedInvoiceIdOf } from '../../domain/documents/document-id.ts';
import { hasCode } from '../../domain/errors.ts';
import { describeError, logError, logInfo, logWarn } from '../../log.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import { findSource, namedSubject, type Subject, subjectIdOf } from './draft-documents.ts';
import { type IssueDocumentsDeps, issueDocuments } from './issue-documents.ts';
import { type MailInvoiceDeps, mailInvoice } from './mail-invoice.ts';

export interface IssueQueuedDeps extends IssueDocumentsDeps, MailInvoiceDeps {
  documents: IssueDocumentsDeps['documents'] & MailInvoiceDeps['documents'];
  events: Pick<EventStore, 'markDocumented'>;
}

/** An event, and the payment or refund that it documents. */
export interface Wanted {
  eventId: string;
  subject: Subject;
}

/** A message of the queue. */
interface QueueMessage {
  id: string;
  /** Throws where the message says nothing that is understood. */
  wanted: () => readonly Wanted[];
}

/**
 * Issues the documents, mails them to the buyers, and ends the events' duty. A repetition finds the work done. An
 * event without its document stays due, so the sweep brings it back.
 */
export async function issueAndMail(
  deps: IssueQueuedDeps,
  wanted: readonly Wanted[],
  hasTime: () => boolean,
): Promise<void> {
  const subjects = wanted.map(({ subject }) => subject);
  const issued = await issueDocuments(deps, subjects, hasTime);
  for (const { eventId, subject } of wanted) {
    const document = issued.get(subjectIdOf(subject));
    if (!document) continue;
    logInfo('document', { number: document.number, event_id: eventId, ...namedSubject(subject) });
    const saleOf = async () => {
      const source = await findSource(deps, subject);
      const { documentSecret } = source?.refund ?? source?.payment ?? {};
      return { documentSecret, copyTo: source?.refund?.origin === 'late' ? deps.merchant.supportEmail : undefined };
    };
    if (await mailInvoice(deps, await mailedOf(deps, document, issued), saleOf))
      await deps.events.markDocumented(eventId);
  }
}

/** Of a correction the new invoice is mailed, which leads to the credit note as well; that has no mail of its own. */
async function mailedOf(
  deps: IssueQueuedDeps,
  document: Document,
  issued: ReadonlyMap<string, Document>,
): Promise<Document> {
  const corrected = document.isReplaced ? issued.get(correctedInvoiceIdOf(document.refundId ?? '')) : undefined;
  if (corrected) await deps.documents.endMail(subjectOf(document), deps.now().toISOString(), 'none');
  return corrected ?? document;
}

/**
 * Issues a batch at once. If that fails for its own reason, issues one by one, so one message does not block the
 * others. A batch that only missed its turn is not split. Returns the messages that failed.
 */
export async function issueQueued(
  deps: IssueQueuedDeps,
  messages: readonly QueueMessage[],
  hasTime: () => boolean,
): Promise<string[]> {
  try {
    await issueAndMail(
      deps,
      messages.flatMap(({ wanted }) => wanted()),
      hasTime,
    );
    return [];
  } catch (error) {
    if (isBusy(error) && !hasTime()) return giveUp(messages, error);
  }
  const failed: string[] = [];
  for (const { id, wanted } of messages) {
    try {
      await issueAndMail(deps, wanted(), hasTime);
    } catch (error) {
      logError('A document could not be issued.', { message_id: id, ...describeError(error) });
      failed.push(id);
    }
  }
  return failed;
}

const isBusy = (error: unknown): boolean => hasCode(error, 'SERVICE_UNAVAILABLE');

function giveUp(messages: readonly QueueMessage[], error: unknown): string[] {
  logWarn('A batch of documents is left to a later try.', { count: messages.length, ...describeError(error) });
  return messages.map(({ id }) => id);
}
