import { type Document, subjectOf } from '../domain/document.ts';
import { logWarn } from '../log.ts';
import type { Mail, Mailer } from '../mail/mail.ts';
import type { DocumentStore } from '../store/document-store.ts';

export interface MailInvoiceDeps {
  documents: Pick<DocumentStore, 'wasMailed' | 'markMailed'>;
  /** Absent: nothing is mailed. */
  mailer: Mailer | undefined;
  compose: (document: Document) => Mail;
  now: () => Date;
}

/** Mails a document to its buyer unless that was done; whoever dies between the mail and its mark sends it once more. */
export async function mailInvoice(deps: MailInvoiceDeps, document: Document): Promise<void> {
  const subjectId = subjectOf(document);
  if (!deps.mailer || (await deps.documents.wasMailed(subjectId))) return;
  const outcome = await deps.mailer.send(deps.compose(document));
  if (outcome === 'refused') logWarn('A document cannot be mailed.', { number: document.number });
  else await deps.documents.markMailed(subjectId, deps.now().toISOString());
}
