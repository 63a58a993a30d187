import { type Document, isPurchase, subjectOf } from '../../domain/documents/document.ts';
import type { Mail, MailedLinks } from '../../domain/mail.ts';
import { attemptAt, proofOfSending } from '../../domain/orders/mail-notes.ts';
import type { OrderLinked } from '../../domain/orders/order-link.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { offersWithdrawal } from '../../domain/withdrawal/withdrawal-settings.ts';
import { logWarn } from '../../log.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import type { MailEnd, MailStore } from '../../store/documents/mail-store.ts';
import { loadConfirmation } from '../withdrawal/load-confirmation.ts';
import { type ConfirmedEventDeps, confirmedEvent, notesForEvent } from './confirmed-event.ts';
import type { MailableDocument } from './issue-documents.ts';
import type { MailDocumentLinkDeps } from './mail-document-link.ts';

export interface MailInvoiceDeps
  extends Omit<MailDocumentLinkDeps, 'documents' | 'mails' | 'newId' | 'brands'>,
    ConfirmedEventDeps {
  brands: Pick<BrandStore, 'get' | 'policyText'>;
  mails: Pick<MailStore, 'claim' | 'end' | 'notes'>;
  /** The address at which a buyer can add a tax id to the invoice of a payment. */
  taxIdUrl: (paymentId: string) => Promise<string>;
  /** The language of mails that the buyer has chosen in the portal; undefined if none was chosen. */
  chosenLanguage: (payment: Payment) => Promise<string | undefined>;
  /** The link of the order page of a payment. */
  orderUrl: (payment: OrderLinked) => Promise<string>;
}

interface MailedSale {
  /** The sale. Its address may have been corrected after the document was issued. */
  payment: Payment;
  documentSecret: string;
  /** The merchant's address, if the merchant must get a copy. */
  copyTo?: string | undefined;
}

/**
 * How long a claim of a mail lasts. It is longer than a worker can run, so a worker whose claim has expired has
 * certainly ended.
 */
export const claimSeconds = 120;

/**
 * Mails a document to its buyer, only once. If a process crashed after sending, the mail is sent again, unless the mail
 * service has already reported about it. Two processes at the same time send it once. The language is the one
 * that the buyer chose in the portal, or else the one of the checkout.
 * @returns whether the work is done; false while another process sends it
 */
export async function mailInvoice(
  deps: MailInvoiceDeps,
  { document, mail }: MailableDocument,
  saleOf: () => Promise<MailedSale>,
): Promise<boolean> {
  const subjectId = subjectOf(document);
  if (mail.isDone) return true;
  const { mailer } = deps;
  const now = deps.now();
  if (!mailer) {
    if (mail.isExpected) await deps.mails.end(subjectId, { at: now.toISOString(), outcome: 'none' });
    return true;
  }
  const until = new Date(now.getTime() + claimSeconds * 1_000).toISOString();
  if (!(await deps.mails.claim(subjectId, { now: now.toISOString(), until }))) return false;
  const { payment, documentSecret, copyTo } = await saleOf();
  const { orderLink = 0 } = payment;
  const composed = await composedFor(deps, document, { payment, documentSecret });
  const confirming = composed.confirms === undefined ? {} : { confirms: composed.confirms };
  const notes = await notesForEvent(deps, payment, confirming);
  const endMail = (end: MailEnd) => deps.mails.end(subjectId, end, confirmedEvent(deps, payment, end, notes));
  const proof = proofOfSending(mail.notes, orderLink);
  if (proof) {
    const { at, attempt } = proof;
    await endMail({ at, outcome: 'sent', attempt, orderLink, ...confirming });
    return true;
  }
  const to = payment.customer.email || composed.to;
  const attempt = attemptAt(now.toISOString());
  const tag = { subjectId, attempt, orderLink };
  const outcome = await mailer.send({ ...composed, to, tag, ...(copyTo ? { copyTo } : {}) });
  if (outcome === 'refused') logWarn('A document cannot be mailed.', { number: document.number });
  await endMail({ at: deps.now().toISOString(), outcome, attempt, orderLink, ...confirming });
  return true;
}

async function composedFor(
  deps: MailInvoiceDeps,
  document: Document,
  { payment, documentSecret }: Pick<MailedSale, 'payment' | 'documentSecret'>,
): Promise<Mail> {
  const language = await deps.chosenLanguage(payment);
  const links = await mailedLinks(deps, document, payment);
  return deps.compose(documentIn(document, language), { documentSecret, ...links });
}

/** The document for a mail in a language that the buyer has chosen. */
export const documentIn = (document: Document, language: string | undefined): Document =>
  language === undefined ? document : { ...document, buyer: { ...document.buyer, language } };

/**
 * The content of a mail besides its document. Only the mail of a purchase has the order page, the form for a missing
 * tax id, and the confirmation of the contract.
 */
export async function mailedLinks(
  { orderUrl, taxIdUrl, brands }: Pick<MailInvoiceDeps, 'orderUrl' | 'taxIdUrl' | 'brands'>,
  document: Document,
  payment: Payment,
): Promise<Omit<MailedLinks, 'documentSecret'>> {
  const all = await brands.get();
  const offers = offersWithdrawal(all);
  const always = { offersWithdrawal: offers, wordedIn: all.wordedIn };
  if (!isPurchase(document)) return always;
  return {
    ...always,
    orderUrl: await orderUrl(payment),
    ...(document.buyer.taxId === null ? { taxIdUrl: await taxIdUrl(payment.id) } : {}),
    confirmation: offers ? await loadConfirmation({ brands }, payment) : undefined,
  };
}
