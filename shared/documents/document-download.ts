import { adjustedDisputeOf } from '../domain/ids.ts';
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
    const opened = await getDocument(deps, requestedSubject(request), reader);
    return request.query('confirmation') === 'true' && deps.findConfirmation
      ? confirmationAnswer(await deps.findConfirmation(opened), request, deps)
      : documentAnswer(opened, request, deps);
  },
  refuse: (status, request) =>
    documentRefusal(status, request, { merchant: deps.merchant.name, mailsLinks: deps.mailsLinks }),
});

/**
 * The document that the address names: that of a refund, the cancellation of its credit note, the new invoice of a
 * correction, that of a dispute's adjustment, or otherwise the invoice of a payment.
 */
export function requestedSubject({ param, query }: PageRequest): Subject {
  const [refundId, adjustmentId] = [param('refund_id'), query('adjustment') ?? ''];
  if (refundId === '' && adjustedDisputeOf(adjustmentId) !== undefined) return { adjustmentId };
  if (refundId === '') return { paymentId: param('payment_id') };
  if (query('corrected') === 'true') return { refundId, isCorrected: true };
  return query('cancellation') === 'true' ? { refundId, isCancelled: true } : { refundId };
}
