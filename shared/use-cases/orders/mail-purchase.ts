import type { Document } from '../../domain/documents/document.ts';
import type { CommandRecord } from '../../domain/idempotency.ts';
import type { Mail, MailedLinks, Mailer } from '../../domain/mail.ts';
import { attemptAt } from '../../domain/orders/mail-notes.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { describeError, logError } from '../../log.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { type ConfirmedEventDeps, confirmedEvent, notesForEvent } from '../documents/confirmed-event.ts';
import { documentIn, type MailInvoiceDeps, mailedLinks } from '../documents/mail-invoice.ts';

export interface MailPurchaseDeps
  extends Pick<MailInvoiceDeps, 'orderUrl' | 'taxIdUrl' | 'brands' | 'chosenLanguage'>,
    ConfirmedEventDeps {
  payments: Pick<PaymentStore, 'get'>;
  documents: Pick<DocumentStore, 'find'>;
  mails: Pick<MailStore, 'claimAgain' | 'end' | 'notes'>;
  throttles: Pick<ThrottleStore, 'count'>;
  /** The mailer; undefined if the stack sends no mail. */
  mailer: Mailer | undefined;
  compose: (document: Document, links: MailedLinks) => Promise<Mail>;
  hashOf: (text: string) => string;
}

/** `early`: the first mail was not sent yet. */
export type MailedAgain = 'sent' | 'refused' | 'failed' | 'early';

/** How often members can send mails about one purchase in an hour. */
const hourlyMails = 5;

/** Counts a mail about a purchase that a member sends. Returns whether the limit of this hour is exceeded. */
export const isTooOften = async (
  { throttles, hashOf, now }: Pick<MailPurchaseDeps, 'throttles' | 'hashOf' | 'now'>,
  paymentId: string,
): Promise<boolean> => (await throttles.count(hashOf(`purchase ${paymentId}`), now())) > hourlyMails;

/**
 * How long a claim of a mail lasts. It is longer than a function can run, so the process of an expired claim has
 * certainly ended.
 */
const claimSeconds = 120;

/**
 * Mails the purchase again, to the order's own address unless another one is given. One transaction claims the mail and
 * writes the records of the command before the mail is sent. So a repeated request does not send another mail.
 */
export async function mailPurchase(
  deps: MailPurchaseDeps & { mailer: Mailer },
  payment: Payment,
  records: readonly CommandRecord[],
  to = payment.customer.email,
): Promise<MailedAgain> {
  const { documents, mails, mailer, now } = deps;
  const { id } = payment;
  const { document, mail } = await documents.find(id);
  if (!document || (mail.isExpected && !mail.isDone)) return 'early';
  const at = now();
  const begunAt = at.toISOString();
  const until = new Date(at.getTime() + claimSeconds * 1_000).toISOString();
  if (!(await mails.claimAgain(id, { notes: mail.notes, now: begunAt, until }, records))) return 'early';
  const links = await mailedLinks(deps, document, payment);
  const inLanguage = documentIn(document, await deps.chosenLanguage(payment));
  const composed = await deps.compose(inLanguage, { documentSecret: payment.documentSecret, ...links });
  const about = { attempt: attemptAt(begunAt), orderLink: payment.orderLink ?? 0 };
  const tag = { subjectId: id, ...about };
  const confirming = composed.confirms && { confirms: composed.confirms };
  const notes = await notesForEvent(deps, payment, composed);
  const outcome = await mailer.send({ ...composed, to, tag }).catch((error: unknown) => {
    logError('The mail of a purchase was not sent again.', { payment_id: id, ...describeError(error) });
    return 'failed' as const;
  });
  if (outcome === 'failed') return outcome;
  const end = { at: now().toISOString(), outcome, ...about, ...confirming };
  await mails.end(id, end, confirmedEvent(deps, payment, end, notes));
  return outcome;
}
