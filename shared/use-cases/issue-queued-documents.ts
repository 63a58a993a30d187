import { describeError, logError, logInfo, logWarn } from '../log.ts';
import { type Subject, subjectIdOf } from './issue-document-drafts.ts';
import { type IssueDocumentsDeps, issueDocuments } from './issue-documents.ts';
import { type MailInvoiceDeps, mailInvoice } from './mail-invoice.ts';

export type IssueQueuedDeps = IssueDocumentsDeps & MailInvoiceDeps;

/** A message of the queue, and what it wants documented. */
export interface Message {
  id: string;
  /** Throws where the message says nothing that is understood. */
  wanted: () => readonly Subject[];
}

/** Issues what is wanted and mails it to the buyers; called again, it finds that it is done. */
export async function issueAndMail(deps: IssueQueuedDeps, subjects: readonly Subject[]): Promise<void> {
  const issued = await issueDocuments(deps, subjects);
  for (const subject of subjects) {
    const document = issued.get(subjectIdOf(subject));
    if (!document) continue;
    logInfo('document', { number: document.number, subject: subjectIdOf(subject) });
    await mailInvoice(deps, document);
  }
}

/** Issues a batch at once; where that fails, one by one, so that no message keeps the others waiting. Returns those that failed. */
export async function issueQueued(deps: IssueQueuedDeps, messages: readonly Message[]): Promise<string[]> {
  try {
    await issueAndMail(
      deps,
      messages.flatMap(({ wanted }) => wanted()),
    );
    return [];
  } catch (error) {
    logWarn('A batch of documents is issued one by one.', describeError(error));
  }
  const failed: string[] = [];
  for (const { id, wanted } of messages) {
    try {
      await issueAndMail(deps, wanted());
    } catch (error) {
      logError('A document could not be issued.', { messageId: id, ...describeError(error) });
      failed.push(id);
    }
  }
  return failed;
}
