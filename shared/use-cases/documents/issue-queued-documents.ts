import { subjectOf } from '../../domain/documents/document.ts';
import { correctedInvoiceIdOf } from '../../domain/documents/document-id.ts';
import { hasCode } from '../../domain/errors.ts';
import { MailServiceBusy } from '../../domain/mail.ts';
import { describeError, logError, logInfo, logWarn } from '../../log.ts';
import type { EventStore } from '../../store/events/event-store.ts';
import { takeInTurn } from '../take-in-turn.ts';
import type { CallTime } from './call-time.ts';
import { findSource, namedSubject, type Subject, subjectIdOf } from './draft-documents.ts';
import { type IssueDocumentsDeps, issueDocuments, type MailableDocument } from './issue-documents.ts';
import { claimSeconds, type MailInvoiceDeps, mailInvoice } from './mail-invoice.ts';
import { patientMailer } from './patient-mailer.ts';

export interface IssueQueuedDeps extends IssueDocumentsDeps, MailInvoiceDeps {
  brands: MailInvoiceDeps['brands'];
  events: Pick<EventStore, 'markDocumented' | 'awaitMail'>;
  /** Counts the payments of a batch whose documents are all done. */
  countDocumented: (payments: number) => void;
  /** Reads all rows that these documents need in one call, before `act` runs. */
  readAhead: <Result>(subjects: readonly Subject[], act: () => Promise<Result>) => Promise<Result>;
}

/** An event, and the payment or refund that needs a document because of it. */
export interface DueDocument {
  eventId: string;
  subject: Subject;
}

/** A message of the queue. */
interface QueueMessage {
  id: string;
  /** The events in the message. Throws if the message has a wrong form. */
  dueDocuments: () => readonly DueDocument[];
}

/** How many mails one worker sends at the same time. The mail service says if that is too fast. */
const mailsAtOnce = 8;
/** How many events are marked as documented at the same time, if no mails are sent. */
const marksAtOnce = 10;
/** After how many seconds a mail that the mail service did not accept is sent again. Until then, its claim has ended. */
const leftSeconds = claimSeconds;

/**
 * Issues the documents, mails them to the buyers, and marks the events as documented, several at the same time. Mails
 * that confirm a waiver come first, because the buyer's content waits for them, and are offered again for some seconds.
 * Other mails are left to the sweep as soon as the mail service is busy. A repeated call finds what is already done. An
 * event without a document stays due, so the sweep sends it again.
 * @throws the first failure of a mail or a mark, after all others are done
 */
export async function issueAndMail(
  stores: IssueQueuedDeps,
  due: readonly DueDocument[],
  time: CallTime,
): Promise<void> {
  const wantsConfirmations = once(stores.wantsConfirmations);
  const deps = { ...stores, brands: { ...stores.brands, get: once(stores.brands.get) }, wantsConfirmations };
  const subjects = due.map(({ subject }) => subject);
  const issued = await deps.readAhead(subjects, () => issueDocuments(deps, subjects, time.hasTime));
  const [failures, documented]: [unknown[], Subject[]] = [[], []];
  const several = { atOnce: deps.mailer ? mailsAtOnce : marksAtOnce, hasTime: () => true };
  const endAll = (some: readonly DueDocument[], end: (one: DueDocument) => Promise<boolean>) =>
    takeInTurn(some, several, (one) =>
      end(one).then(
        (isDone) => isDone && documented.push(one.subject),
        (error) => failures.push(error),
      ),
    );
  const isFirst = ({ subject }: DueDocument) => issued.get(subjectIdOf(subject))?.confirmsWaiver === true;
  const first = { ...deps, mailer: deps.mailer && patientMailer(deps.mailer, { ...deps, hasTime: time.isPatient }) };
  await endAll(
    due.filter(isFirst),
    endOrLeave(first, issued, { hasTime: time.hasTimeToConfirm, confirmsWaiver: true }),
  );
  await endAll(
    due.filter((one) => !isFirst(one)),
    endOrLeave(deps, issued, { hasTime: time.hasTime, confirmsWaiver: false }),
  );
  deps.countDocumented(documented.filter(({ paymentId }) => paymentId !== undefined).length);
  if (failures.length > 0) throw failures[0];
}

/**
 * Ends the duties of events until the mail service is busy or `hasTime` returns false. Then it leaves the other mails to
 * the sweep.
 */
function endOrLeave(
  deps: IssueQueuedDeps,
  issued: ReadonlyMap<string, MailableDocument>,
  { hasTime, confirmsWaiver }: { hasTime: () => boolean; confirmsWaiver: boolean },
): (due: DueDocument) => Promise<boolean> {
  let mustYield = false;
  const leave = async ({ eventId }: DueDocument): Promise<false> => {
    const until = new Date(deps.now().getTime() + leftSeconds * 1_000).toISOString();
    await deps.events.awaitMail(eventId, { until, confirmsWaiver });
    return false;
  };
  return async (due) => {
    const hasMail = deps.mailer && issued.get(subjectIdOf(due.subject))?.mail.isDone === false;
    if (hasMail && (mustYield || !hasTime())) return leave(due);
    return endDuty(deps, due, issued).catch((error: unknown) => {
      if (!(error instanceof MailServiceBusy)) throw error;
      mustYield = true;
      return leave(due);
    });
  };
}

/**
 * Returns a function that reads once and then repeats the result. A batch uses it for rows that every document needs,
 * such as the row of brands.
 */
function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined;
  return () => {
    result ??= read();
    return result;
  };
}

/**
 * Mails the document of an event, and marks the event as documented. Skips an event without a document. Returns
 * whether the event is documented now.
 */
async function endDuty(
  deps: IssueQueuedDeps,
  { eventId, subject }: DueDocument,
  issued: ReadonlyMap<string, MailableDocument>,
): Promise<boolean> {
  const own = issued.get(subjectIdOf(subject));
  if (!own) return false;
  logInfo('document', { number: own.document.number, event_id: eventId, ...namedSubject(subject) });
  const saleOf = async () => {
    const source = await findSource(deps, subject);
    if (!source) throw new Error(`${subjectIdOf(subject)} has a document, but is gone.`);
    const { payment, refund } = source;
    const { documentSecret } = refund ?? payment;
    return { payment, documentSecret, copyTo: refund?.origin === 'late' ? deps.merchant.supportEmail : undefined };
  };
  const isMailed = await mailInvoice(deps, await mailedOf(deps, own, issued), saleOf);
  return isMailed && deps.events.markDocumented(eventId);
}

/**
 * The document to mail. After a correction, it is the new invoice. Its page links to the credit note, so the buyer gets
 * only one mail.
 */
async function mailedOf(
  deps: IssueQueuedDeps,
  own: MailableDocument,
  issued: ReadonlyMap<string, MailableDocument>,
): Promise<MailableDocument> {
  const { document } = own;
  const corrected = document.isReplaced ? issued.get(correctedInvoiceIdOf(document.refundId ?? '')) : undefined;
  if (corrected) await deps.mails.end(subjectOf(document), { at: deps.now().toISOString(), outcome: 'none' });
  return corrected ?? own;
}

/**
 * Issues the documents of a batch together. If a message makes that fail, it issues both halves apart, and so on, so
 * that this message does not block the others. A batch that only waited too long for its turn is not split. Returns the
 * messages that failed.
 */
export async function issueQueued(
  deps: IssueQueuedDeps,
  messages: readonly QueueMessage[],
  time: CallTime,
): Promise<string[]> {
  try {
    await issueAndMail(
      deps,
      messages.flatMap(({ dueDocuments }) => dueDocuments()),
      time,
    );
    return [];
  } catch (error) {
    if (isBusy(error) && !time.hasTime()) return giveUp(messages, error);
    logWarn('A batch of documents is issued in parts.', { count: messages.length, ...describeError(error) });
  }
  const middle = Math.ceil(messages.length / 2);
  if (messages.length > 1)
    return [
      ...(await issueQueued(deps, messages.slice(0, middle), time)),
      ...(await issueQueued(deps, messages.slice(middle), time)),
    ];
  return issueAlone(deps, messages, time);
}

/** Tries once more the messages that failed alone. */
async function issueAlone(deps: IssueQueuedDeps, messages: readonly QueueMessage[], time: CallTime): Promise<string[]> {
  const failed: string[] = [];
  for (const { id, dueDocuments } of messages) {
    try {
      await issueAndMail(deps, dueDocuments(), time);
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
