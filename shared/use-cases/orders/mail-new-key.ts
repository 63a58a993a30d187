import type { Document } from '../../domain/documents/document.ts';
import type { Mail, Mailer } from '../../domain/mail.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { describeError, logError } from '../../log.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { MailStore } from '../../store/documents/mail-store.ts';
import { documentIn } from '../documents/mail-invoice.ts';
import { isTooOften } from './mail-purchase.ts';

export interface MailNewKeyDeps {
  documents: Pick<DocumentStore, 'find'>;
  mails: Pick<MailStore, 'note'>;
  throttles: Pick<ThrottleStore, 'count'>;
  /** The mailer; undefined if the stack sends no mail. */
  mailer: Mailer | undefined;
  /** Composes the mail with the link to the order page. It does not contain the key. */
  composeNewKey: (document: Document, orderUrl: string) => Mail;
  /** The link of an order page; undefined if the stack has made none yet. */
  findOrderUrl: (payment: Payment) => Promise<string | undefined>;
  /** The language of mails that the buyer has chosen in the portal; undefined if none was chosen. */
  chosenLanguage: (payment: Payment) => Promise<string | undefined>;
  hashOf: (text: string) => string;
  now: () => Date;
}

/**
 * Informs the buyer by mail that the order page has a new licence key. Returns whether the mail was sent. Without the
 * mail, the new key is valid too, and the merchant can send the mail of the purchase again.
 */
export async function mailNewKey(deps: MailNewKeyDeps, payment: Payment): Promise<boolean> {
  const { mailer, documents, composeNewKey, findOrderUrl } = deps;
  if (!mailer || payment.erasedAt !== undefined) return false;
  try {
    const [{ document }, url] = await Promise.all([documents.find(payment.id), findOrderUrl(payment)]);
    if (!document || url === undefined || (await isTooOften(deps, payment.id))) return false;
    const inLanguage = documentIn(document, await deps.chosenLanguage(payment));
    const what = await mailer.send({ ...composeNewKey(inLanguage, url), to: payment.customer.email });
    await deps.mails.note(payment.id, { at: deps.now().toISOString(), what, about: 'key' });
    return what === 'sent';
  } catch (error) {
    logError('The mail about a new licence key was not sent.', { payment_id: payment.id, ...describeError(error) });
    return false;
  }
}
