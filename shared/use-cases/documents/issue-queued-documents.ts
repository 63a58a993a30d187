import { subjectOf } from '../../domain/documents/document.ts';
import { correctedInvoiceIdOf } from '../../domain/documents/document-id.ts';
import { hasCode } from '../../domain/errors.ts';
import { describeError, logError, logInfo, logWarn } from '../../log.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import { takeInTurn } from '../take-in-turn.ts';
import { findSource, namedSubject, type Subject, subjectIdOf } from './draft-documents.ts';
import { type IssueDocumentsDeps, issueDocuments, type MailableDocument } from './issue-documents.ts';
import { type MailInvoiceDeps, mailInvoice } from './mail-invoice.ts';

export interface IssueQueuedDeps extends IssueDocumentsDeps, MailInvoiceDeps {
  documents: IssueDocumentsDeps['documents'] & MailInvoiceDeps['documents'];
  events: Pick<EventStore, 'markDocumented'>;
  /** Counts the payments of a batch whose events have ended now. */
  countDocumented: (payments: number) => void;
  /** Reads in one call the rows that issuing the documents of these subjects needs. */
  readAhead: <Result>(subjects: readonly Subject[], act: () => Promise<Result>) => Promise<Result>;
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

/** How many mails one worker sends at the same time: mail servers take only so many a second. */
const mailsAtOnce = 3;
/** How many duties it ends at the same time where it sends no mail. */
const marksAtOnce = 10;

/**
 * Issues the documents, mails them to the buyers, and ends the events' duty, several at once. A repetition finds the work
 * done. An event without its document stays due, so the sweep brings it back.
 * @throws the first failure of a mail or a mark, when all others are done
 */
export async function issueAndMail(
  deps: IssueQueuedDeps,
  wanted: readonly Wanted[],
  hasTime: () => boolean,
): Promise<void> {
  const subjects = wanted.map(({ subject }) => subject);
  const issued = await deps.readAhead(subjects, () => issueDocuments(deps, subjects, hasTime));
  const [failures, documented]: [unknown[], Subject[]] = [[], []];
  const several = { atOnce: deps.mailer ? mailsAtOnce : marksAtOnce, hasTime: () => true };
  const end = async (one: Wanted) => {
    if (await endDuty(deps, one, issued)) documented.push(one.subject);
  };
  await takeInTurn(wanted, several, (one) => end(one).catch((error) => failures.push(error)));
  deps.countDocumented(documented.filter(({ paymentId }) => paymentId !== undefined).length);
  if (failures.length > 0) throw failures[0];
}

/** Mails the document of an event, and ends its duty. Leaves an event without a document as it is. Returns whether the duty has ended now. */
async function endDuty(
  deps: IssueQueuedDeps,
  { eventId, subject }: Wanted,
  issued: ReadonlyMap<string, MailableDocument>,
): Promise<boolean> {
  const own = issued.get(subjectIdOf(subject));
  if (!own) return false;
  logInfo('document', { number: own.document.number, event_id: eventId, ...namedSubject(subject) });
  const saleOf = async () => {
    const source = await findSource(deps, subject);
    const { documentSecret } = source?.refund ?? source?.payment ?? {};
    return { documentSecret, copyTo: source?.refund?.origin === 'late' ? deps.merchant.supportEmail : undefined };
  };
  const isMailed = await mailInvoice(deps, await mailedOf(deps, own, issued), saleOf);
  return isMailed && deps.events.markDocumented(eventId);
}

/** The document to mail: of a correction the new invoice, whose page leads to the credit note, so that the buyer gets one mail. */
async function mailedOf(
  deps: IssueQueuedDeps,
  own: MailableDocument,
  issued: ReadonlyMap<string, MailableDocument>,
): Promise<MailableDocument> {
  const { document } = own;
  const corrected = document.isReplaced ? issued.get(correctedInvoiceIdOf(document.refundId ?? '')) : undefined;
  if (corrected) await deps.documents.endMail(subjectOf(document), deps.now().toISOString(), 'none');
  return corrected ?? own;
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
    logWarn('A batch of documents is issued one by one.', { count: messages.length, ...describeError(error) });
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
