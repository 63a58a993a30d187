import type { Customer } from '../../domain/checkout/buyer.ts';
import { type Document, isPurchase, subjectOf } from '../../domain/documents/document.ts';
import type { MailedLinks } from '../../domain/mail.ts';
import type { OrderLinked } from '../../domain/orders/order-link.ts';
import { logWarn } from '../../log.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { MailableDocument } from './issue-documents.ts';
import type { MailDocumentLinkDeps } from './mail-document-link.ts';

export interface MailInvoiceDeps extends Omit<MailDocumentLinkDeps, 'documents' | 'newId'> {
  documents: Pick<DocumentStore, 'claimMail' | 'endMail'>;
  /** The address at which a buyer can add a tax id to the invoice of a payment. */
  taxIdUrl: (paymentId: string) => Promise<string>;
  /** The link of the order page of a payment. */
  orderUrl: (payment: OrderLinked) => Promise<string>;
}

interface MailedSale {
  /** The sale. Its address may have been corrected after the document was issued. */
  payment: OrderLinked & { customer: Pick<Customer, 'email'> };
  documentSecret: string;
  /** The merchant's address, if the merchant must get a copy. */
  copyTo?: string | undefined;
}

/**
 * How long a claim of a mail lasts. This is longer than a worker lives, so a worker whose claim has run out is dead.
 */
const claimSeconds = 120;

/**
 * Mails a document to its buyer, once. A process that dies between sending and marking sends it again, because a
 * mailer cannot tell what it sent. Two processes at once send it once.
 * @returns whether the work is done; false while another process is sending it
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
    if (mail.isExpected) await deps.documents.endMail(subjectId, now.toISOString(), 'none');
    return true;
  }
  const until = new Date(now.getTime() + claimSeconds * 1_000).toISOString();
  if (!(await deps.documents.claimMail(subjectId, { now: now.toISOString(), until }))) return false;
  const { payment, documentSecret, copyTo } = await saleOf();
  const composed = deps.compose(document, { documentSecret, ...(await purchaseLinks(deps, document, payment)) });
  const to = payment.customer.email || composed.to;
  const outcome = await mailer.send({ ...composed, to, ...(copyTo ? { copyTo } : {}) });
  if (outcome === 'refused') logWarn('A document cannot be mailed.', { number: document.number });
  await deps.documents.endMail(subjectId, deps.now().toISOString(), outcome);
  return true;
}

/** The links that only the mail of a purchase has: the order page, and the form for a tax id if there is none yet. */
export async function purchaseLinks(
  { orderUrl, taxIdUrl }: Pick<MailInvoiceDeps, 'orderUrl' | 'taxIdUrl'>,
  document: Document,
  payment: OrderLinked,
): Promise<Pick<MailedLinks, 'orderUrl' | 'taxIdUrl'>> {
  if (!isPurchase(document)) return {};
  return {
    orderUrl: await orderUrl(payment),
    ...(document.buyer.taxId === null ? { taxIdUrl: await taxIdUrl(payment.id) } : {}),
  };
}
