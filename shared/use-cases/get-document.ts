import type { Document } from '../domain/document.ts';
import { DomainError } from '../domain/errors.ts';
import { type Subject, subjectIdOf } from './issue-document-drafts.ts';
import { type IssueDocumentsDeps, issueDocuments } from './issue-documents.ts';

/** For how long a request waits for its turn in the series, within the ten seconds that it has. */
const patienceMs = 7_000;

/** The document of a payment or refund; asked for before the worker came to it, it is issued now. Without a success there is none. */
export async function getDocument(deps: IssueDocumentsDeps, subject: Subject): Promise<Document> {
  const subjectId = subjectIdOf(subject);
  const { document: known } = await deps.documents.find(subjectId);
  const until = performance.now() + patienceMs;
  const document = known ?? (await issueDocuments(deps, [subject], () => performance.now() < until)).get(subjectId);
  if (document && (document.refundId ?? undefined) === subject.refundId) return document;
  throw new DomainError('NOT_FOUND', `There is no document of ${subjectId}.`);
}
