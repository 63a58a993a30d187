import type { Document } from '../../domain/documents/document.ts';
import { opens } from '../../domain/documents/document-access.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Filed } from '../../store/documents/document-rows.ts';
import { type DocumentedSale, findSource, type Subject, subjectIdOf } from './draft-documents.ts';
import { type IssueDocumentsDeps, issueDocuments } from './issue-documents.ts';

/** How many milliseconds a request waits for its turn to take a number. A request has ten seconds in all. */
const patienceMs = 7_000;

/** The caller that asks for a document. */
interface DocumentReader {
  /** Whether the caller has an API key that may read. */
  hasKey: boolean;
  /** The secrets that the caller presents: the one of a link, and the one of the browser that paid. */
  secretsFor: (paymentId: string) => readonly (string | undefined)[];
}

/** A document, and the secret with which others can open it. */
export interface OpenedDocument {
  document: Document;
  documentSecret: string | null;
  /** The current payment; undefined if it does not exist any more. */
  payment: Payment | undefined;
}

/**
 * The document of a payment or refund, for an API key or a caller with its secret. If the worker has not issued it
 * yet, it is issued now. All other callers get the same error as for a missing document.
 */
export async function getDocument(
  deps: IssueDocumentsDeps,
  subject: Subject,
  reader: DocumentReader,
): Promise<OpenedDocument> {
  const subjectId = subjectIdOf(subject);
  const [filed, source] = await Promise.all([deps.documents.find(subjectId), findSource(deps, subject)]);
  const secrets = [source?.refund?.documentSecret, source?.payment.documentSecret, filed.linkSecret];
  if (!reader.hasKey && !opens(reader.secretsFor(paymentIdOf(filed, source)), secrets)) throw missing(subjectId);
  const document = filed.document ?? (source && (await issueNow(deps, subject)));
  if (!document || (document.refundId ?? undefined) !== subject.refundId) throw missing(subjectId);
  return { document, documentSecret: secrets.find(Boolean) ?? null, payment: source?.payment };
}

const paymentIdOf = ({ document }: Filed, source: DocumentedSale | undefined): string =>
  source?.payment.id ?? document?.paymentId ?? '';

async function issueNow(deps: IssueDocumentsDeps, subject: Subject): Promise<Document | undefined> {
  const until = performance.now() + patienceMs;
  return (await issueDocuments(deps, [subject], () => performance.now() < until)).get(subjectIdOf(subject))?.document;
}

const missing = (subjectId: string): DomainError =>
  new DomainError('NOT_FOUND', `There is no document for ${subjectId}, or the secret is wrong.`);
