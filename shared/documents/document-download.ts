import type { Document } from '../domain/documents/document.ts';
import { notFound, refuseField } from '../domain/errors.ts';
import { adjustedDisputeOf } from '../domain/ids.ts';
import { correctingRefundIdOf } from '../domain/payments/tax-correction.ts';
import type { DownloadRoute } from '../http/download.ts';
import type { PageRequest } from '../http/page.ts';
import type { Subject } from '../use-cases/documents/draft-documents.ts';
import { getDocument } from '../use-cases/documents/get-document.ts';
import type { IssueDocumentsDeps } from '../use-cases/documents/issue-documents.ts';
import { confirmationAnswer, type FindConfirmation } from './confirmation-answer.ts';
import { documentAnswer, documentRefusal, presentedSecrets, type Rendering } from './document-responses.ts';

interface DocumentDownloadDeps extends IssueDocumentsDeps, Omit<Rendering, 'brands'> {
  admitKeyHolder: (headers: PageRequest['headers']) => Promise<boolean>;
  /** Whether a link to the document can be mailed to the address on it. */
  mailsLinks: boolean;
  /** Finds the confirmation of the contract. Absent if the documents are not about a sale. */
  findConfirmation?: FindConfirmation;
}

/** Returns a document or the confirmation of a sale to an API key, or to a reader with its secret. */
export const documentDownload = (deps: DocumentDownloadDeps): DownloadRoute => ({
  answer: async (request) => {
    const reader = { hasKey: await deps.admitKeyHolder(request.headers), secretsFor: presentedSecrets(request) };
    const opened = await getDocument(deps, await currentSubject(deps, request), reader);
    assertOfPayment(opened.document, request.param('payment_id'));
    return request.query('confirmation') === 'true' && deps.findConfirmation
      ? confirmationAnswer(await deps.findConfirmation(opened), request, deps)
      : documentAnswer(opened, request, deps);
  },
  refuse: (status, request) =>
    documentRefusal(status, request, { merchant: deps.merchant.name, mailsLinks: deps.mailsLinks }),
});

/** Refuses the document of another payment's adjustment, as if it did not exist. */
function assertOfPayment({ id, paymentId }: Document, addressed: string): void {
  if (addressed !== '' && addressed !== paymentId) throw notFound('document', id);
}

const wishes = ['original', 'current'];

/** The document that the address names. With `document=current`, the corrected invoice if one has replaced the first. */
async function currentSubject({ payments }: DocumentDownloadDeps, request: PageRequest): Promise<Subject> {
  const subject = requestedSubject(request);
  const wish = request.query('document') ?? 'original';
  if (!wishes.includes(wish)) throw refuseField('INVALID_QUERY_PARAMS', 'document', `must be ${wishes.join(' or ')}`);
  if (wish === 'original' || subject.paymentId === undefined) return subject;
  const payment = await payments.find(subject.paymentId);
  const refundId = payment && correctingRefundIdOf(payment);
  return refundId === undefined ? subject : { refundId, isCorrected: true };
}

/**
 * The document that the address names: that of a refund, the cancellation of its credit note, the new invoice of a
 * correction, that of a dispute's adjustment, or otherwise the invoice of a payment.
 * @throws DomainError INVALID_QUERY_PARAMS if `adjustment` is no id of an adjustment
 */
export function requestedSubject({ param, query }: PageRequest): Subject {
  const [refundId, adjustmentId] = [param('refund_id'), query('adjustment') ?? ''];
  if (refundId === '' && adjustmentId === '') return { paymentId: param('payment_id') };
  if (refundId === '') {
    if (adjustedDisputeOf(adjustmentId) !== undefined) return { adjustmentId };
    throw refuseField('INVALID_QUERY_PARAMS', 'adjustment', 'must be the id of an adjustment, such as adj_…1');
  }
  if (query('corrected') === 'true') return { refundId, isCorrected: true };
  return query('cancellation') === 'true' ? { refundId, isCancelled: true } : { refundId };
}
