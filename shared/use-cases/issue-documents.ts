import { setTimeout as pause } from 'node:timers/promises';
import { type Document, type DocumentKind, type Stamp, subjectOf } from '../domain/document.ts';
import { AlreadyIssued, mostAtOnce, takeNumbers } from '../domain/document-series.ts';
import { DomainError } from '../domain/errors.ts';
import type { DocumentStore } from '../store/document-store.ts';
import { localDate } from '../tax/local-date.ts';
import {
  creditNoteDrafts,
  type Draft,
  type DraftDeps,
  findSource,
  invoiceDrafts,
  loadContext,
  type Subject,
  subjectIdOf,
} from './issue-document-drafts.ts';
import { realPace, retryStale } from './retry.ts';

export interface IssueDocumentsDeps extends DraftDeps {
  documents: Pick<DocumentStore, 'find' | 'findSeries' | 'issue'>;
  now: () => Date;
  random: () => number;
}

/**
 * Issues what has none yet, in batches, and returns the documents by their payment or refund; what has not succeeded is left out.
 * A number exists from the same transaction as its document: whoever dies on the way has taken none, and may begin again.
 */
export async function issueDocuments(
  deps: IssueDocumentsDeps,
  subjects: readonly Subject[],
): Promise<Map<string, Document>> {
  const wanted = [...new Map(subjects.map((subject) => [subjectIdOf(subject), subject])).values()];
  const issued = new Map<string, Document>();
  for (let start = 0; start < wanted.length; start += mostAtOnce) {
    const batch = await issueBatch(deps, wanted.slice(start, start + mostAtOnce));
    for (const document of batch) issued.set(subjectOf(document), document);
  }
  return issued;
}

/** First the invoices, as a credit note names the invoice that it corrects. */
async function issueBatch(deps: IssueDocumentsDeps, subjects: readonly Subject[]): Promise<Document[]> {
  const found = await Promise.all(subjects.map((subject) => findSource(deps, subject)));
  const sources = found.filter((source) => source !== undefined);
  if (sources.length === 0) return [];
  const contextOf = await loadContext(deps);
  const invoices = await number(deps, 'INV', invoiceDrafts(sources, contextOf));
  const creditNotes = await number(deps, 'CRN', creditNoteDrafts(sources, contextOf, invoices));
  return [...invoices.values(), ...creditNotes.values()];
}

type Issued = Map<string, Document>;

/** Gives each draft that is not issued yet the next number of its series, in one transaction; decides anew when somebody was faster. */
function number(deps: IssueDocumentsDeps, kind: DocumentKind, drafts: readonly Draft[]): Promise<Issued> {
  let known: Issued | undefined;
  return insist(deps, async () => {
    known ??= await findAll(deps, drafts);
    try {
      return await numberRest(deps, kind, drafts, known);
    } catch (error) {
      if (error instanceof AlreadyIssued || isPassing(error)) known = undefined;
      throw error;
    }
  });
}

async function numberRest(
  deps: IssueDocumentsDeps,
  kind: DocumentKind,
  drafts: readonly Draft[],
  known: Issued,
): Promise<Issued> {
  const missing = drafts.filter(({ subjectId }) => !known.has(subjectId));
  if (missing.length === 0) return known;
  const now = deps.now().toISOString();
  const dateOf = (instant: string) => localDate(deps.merchant, instant);
  const series = await deps.documents.findSeries(kind, dateOf(now).slice(0, 4));
  const { after, stamps } = takeNumbers(series, missing.length, { now, dateOf });
  const documents = missing.map(({ under }, index) => under(stamps[index] as Stamp));
  await deps.documents.issue(after, documents);
  return new Map([...known, ...documents.map((document) => [subjectOf(document), document] as const)]);
}

async function findAll({ documents }: IssueDocumentsDeps, drafts: readonly Draft[]): Promise<Issued> {
  const found = await Promise.all(drafts.map(({ subjectId }) => documents.find(subjectId)));
  return new Map(found.filter((document) => document !== undefined).map((document) => [subjectOf(document), document]));
}

const rounds = 4;
const longestPauseMs = 400;

/** All issuers want the next number of one series: whoever was too late too often waits a little and comes back. */
async function insist<T>({ random }: IssueDocumentsDeps, attempt: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await retryStale(attempt, { ...realPace, random });
    } catch (error) {
      if (!isPassing(error) || round === rounds) throw error;
      await pause(random() * longestPauseMs);
    }
  }
}

const isPassing = (error: unknown): boolean => error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE';
