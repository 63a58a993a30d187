import { setTimeout as pause } from 'node:timers/promises';
import {
  type Document,
  type DocumentKind,
  isPurchase,
  type Stamp,
  subjectOf,
} from '../../domain/documents/document.ts';
import { correctedInvoiceIdOf } from '../../domain/documents/document-id.ts';
import {
  AlreadyIssued,
  documentNumber,
  mostAtOnce,
  stampOf,
  type TakenNumber,
  takeNumbers,
} from '../../domain/documents/document-series.ts';
import { DomainError, hasCode } from '../../domain/errors.ts';
import { StaleVersion } from '../../domain/idempotency.ts';
import { hasWaiver } from '../../domain/withdrawal/opening.ts';
import { logWarn } from '../../log.ts';
import type { Filed } from '../../store/documents/document-rows.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import { localDate } from '../../tax/places/local-date.ts';
import {
  cancellationDrafts,
  correctedInvoiceDrafts,
  creditNoteDrafts,
  type DocumentedSale,
  type Draft,
  type DraftDeps,
  findSource,
  invoiceDrafts,
  loadContext,
  namedSubject,
  reinstatementDrafts,
  rescissionDrafts,
  type Subject,
  subjectIdOf,
  subjectWithId,
} from './draft-documents.ts';
import { isRateAwaited } from './load-local-rates.ts';

export interface IssueDocumentsDeps extends DraftDeps {
  documents: Pick<DocumentStore, 'find' | 'nextOfSeries' | 'issue' | 'keepNumbers' | 'restore' | 'numbers'>;
  /** Whether the documents are mailed to the buyer. */
  isMailed: boolean;
  /**
   * Runs the issuers of one process one after another. At the same time, they would only compete for the same numbers.
   */
  inTurn: <Result>(act: () => Promise<Result>) => Promise<Result>;
  now: () => Date;
  random: () => number;
}

/** A document, and the state of its mail at this call. A document that this call issued has no mail yet. */
export interface MailableDocument {
  document: Document;
  mail: Filed['mail'];
}

/** A document of an issued batch. */
export interface NumberedDocument extends MailableDocument {
  /** Whether its mail confirms a waiver of the right of withdrawal. The content of the sale waits for that mail. */
  confirmsWaiver: boolean;
}

/**
 * Issues missing documents in batches, and returns them by payment or refund. Skips payments and refunds that have not
 * succeeded. A number and its document are written in one transaction. So a crash wastes no number, and the call can be
 * repeated. It returns only documents whose number is also stored in the second place.
 * @param hasTime whether there is time to wait for another turn; all issuers need the next number of the same series
 * @throws DomainError SERVICE_UNAVAILABLE if the time ended before its turn; then nothing was issued
 */
export async function issueDocuments(
  deps: IssueDocumentsDeps,
  subjects: readonly Subject[],
  hasTime: () => boolean,
): Promise<Map<string, NumberedDocument>> {
  const distinct = [...new Map(subjects.map((subject) => [subjectIdOf(subject), subject])).values()];
  const issued = new Map<string, NumberedDocument>();
  for (let start = 0; start < distinct.length; start += mostAtOnce) {
    const batch = await issueBatch(deps, distinct.slice(start, start + mostAtOnce), hasTime);
    for (const one of batch) issued.set(subjectOf(one.document), one);
  }
  return issued;
}

/**
 * Issues the invoices first, because a credit note names its invoice, and a cancellation names its credit note. A
 * refund that follows a corrected invoice of the same batch waits for that invoice.
 */
async function issueBatch(
  deps: IssueDocumentsDeps,
  subjects: readonly Subject[],
  hasTime: () => boolean,
): Promise<NumberedDocument[]> {
  const found = await Promise.all(subjects.map((subject) => findSource(deps, subject)));
  const sources = found.filter((source) => source !== undefined);
  if (sources.length === 0) return [];
  const contextOf = await loadContext(
    deps,
    sources.map(({ payment }) => payment),
  );
  const invoices = await insist(deps, hasTime, 'INV', invoiceDrafts(sources, contextOf));
  const allInvoices = new Map([...invoices, ...(await correctedBefore(deps, sources))]);
  const first = await insist(deps, hasTime, 'CRN', creditNoteDrafts(sources, contextOf, allInvoices));
  const corrected = await insist(deps, hasTime, 'INV', correctedInvoiceDrafts(sources, contextOf, first));
  const waiting = sources.filter(({ refund }) => refund?.correctedBy && !first.has(refund.id));
  const drafts = creditNoteDrafts(waiting, contextOf, new Map([...allInvoices, ...corrected]));
  const creditNotes = new Map([...first, ...(await insist(deps, hasTime, 'CRN', drafts))]);
  const cancelled = cancellationDrafts(sources, contextOf, creditNotes, corrected);
  const cancellations = await insist(deps, hasTime, 'CAN', cancelled);
  const adjusted = sources.filter(({ adjustment }) => adjustment !== undefined);
  const adjustments = await issueAdjustments(deps, hasTime, {
    sources: adjusted,
    contextOf,
    invoices: new Map([...allInvoices, ...corrected]),
  });
  const all = [invoices, creditNotes, corrected, cancellations, ...adjustments].flatMap((issued) => [
    ...issued.values(),
  ]);
  const waived = new Set(sources.filter(({ payment }) => hasWaiver(payment)).map(({ payment }) => payment.id));
  return all.map((one) => ({
    ...one,
    confirmsWaiver: isPurchase(one.document) && waived.has(one.document.paymentId),
  }));
}

interface Adjusted {
  sources: readonly DocumentedSale[];
  contextOf: Awaited<ReturnType<typeof loadContext>>;
  invoices: Issued;
}

/**
 * Issues the credit notes of sales that disputes have undone. Then it issues their cancellations, because a
 * cancellation names its credit note.
 */
async function issueAdjustments(
  deps: IssueDocumentsDeps,
  hasTime: () => boolean,
  { sources, contextOf, invoices }: Adjusted,
): Promise<Issued[]> {
  if (sources.length === 0) return [];
  const rescissions = await insist(deps, hasTime, 'RSC', rescissionDrafts(sources, contextOf, invoices));
  const drafts = reinstatementDrafts(sources, contextOf, rescissions);
  return [rescissions, await insist(deps, hasTime, 'CAN', drafts)];
}

/**
 * The corrected invoices to which the refunds and adjustments belong. A missing one is issued together with the refund
 * that books it.
 */
async function correctedBefore(deps: IssueDocumentsDeps, sources: readonly DocumentedSale[]): Promise<Issued> {
  const correctedBy = sources.flatMap(({ refund, adjustment }) => (refund ?? adjustment)?.correctedBy ?? []);
  const ids = [...new Set(correctedBy)].map(correctedInvoiceIdOf);
  const filed = await Promise.all(ids.map((id) => deps.documents.find(id)));
  return new Map(bySubject(filed.flatMap(({ document, mail }) => (document ? [{ document, mail }] : []))));
}

type Issued = Map<string, MailableDocument>;

/** The longest pause of an issuer. With it, even fifty issuers in different processes all get a turn. */
const longestPauseMs = 1_000;

/**
 * Issues a document for each draft. Starts again if another issuer was faster, until it succeeds or the time is over.
 */
async function insist(
  deps: IssueDocumentsDeps,
  hasTime: () => boolean,
  kind: DocumentKind,
  drafts: readonly Draft[],
): Promise<Issued> {
  let found: Issued | undefined;
  for (let tries = 1; ; tries += 1) {
    try {
      const before = found ?? (await findOrRestore(deps, kind, drafts));
      found = before;
      const issued = await deps.inTurn(() => numberRest(deps, kind, drafts, before));
      const all = [...issued.values()].map(({ document }) => document);
      await deps.documents.keepNumbers(all.filter((one) => !before.has(subjectOf(one))));
      return issued;
    } catch (error) {
      assertMayPass(error, hasTime);
      if (!isOnlyOvertaken(error)) found = undefined;
      await pause(deps.random() * Math.min(longestPauseMs, 25 * 2 ** tries));
    }
  }
}

/** Whether the write failed only because another issuer took the numbers for other documents. */
const isOnlyOvertaken = (error: unknown): boolean => error instanceof StaleVersion && !(error instanceof AlreadyIssued);

function assertMayPass(error: unknown, hasTime: () => boolean): void {
  const mayPass = error instanceof StaleVersion || (hasCode(error, 'SERVICE_UNAVAILABLE') && !isRateAwaited(error));
  if (!mayPass) throw error;
  if (hasTime()) return;
  const message = 'Too many documents are being issued at once. This one is not issued yet. Try again.';
  throw new DomainError('SERVICE_UNAVAILABLE', message, { cause: error });
}

/** Gives each draft without a document the next number of its series, in one transaction. */
async function numberRest(
  deps: IssueDocumentsDeps,
  kind: DocumentKind,
  drafts: readonly Draft[],
  before: Issued,
): Promise<Issued> {
  const missing = drafts.filter(({ subjectId }) => !before.has(subjectId));
  if (missing.length === 0) return before;
  const now = deps.now().toISOString();
  const dateOf = dateIn(deps);
  const series = await deps.documents.nextOfSeries(kind, dateOf(now).slice(0, 4));
  const { after, stamps } = takeNumbers(series, missing.length, { now, dateOf });
  const documents = missing.map(({ under }, index) => under(stamps[index] as Stamp));
  await deps.documents.issue(after, documents, { isMailed: deps.isMailed });
  const mail = { isDone: false, isExpected: deps.isMailed, notes: [] };
  return new Map([...before, ...bySubject(documents.map((document) => ({ document, mail })))]);
}

const dateIn =
  ({ merchant }: IssueDocumentsDeps) =>
  (instant: string): string =>
    localDate(merchant, instant);

const bySubject = (issued: readonly MailableDocument[]) => issued.map((one) => [subjectOf(one.document), one] as const);

/**
 * Finds the documents that are already issued. If one is lost, it is restored with its number, because a payment or
 * refund never gets a second number. If an issuer crashed before it stored the second copy of a number, the copy is
 * stored now.
 */
async function findOrRestore(deps: IssueDocumentsDeps, _kind: DocumentKind, drafts: readonly Draft[]): Promise<Issued> {
  const filed = await Promise.all(drafts.map(({ subjectId }) => deps.documents.find(subjectId)));
  const there = filed.flatMap(({ document, mail }) => (document ? [{ document, mail }] : []));
  await deps.documents.keepNumbers(filed.flatMap(({ document, taken }) => (document && !taken ? [document] : [])));
  const restored = await Promise.all(
    drafts.map(async (draft, index) => {
      const { document, taken, mail } = filed[index] as Filed;
      return document || !taken ? [] : [{ document: await restore(deps, draft, taken), mail }];
    }),
  );
  return new Map(bySubject([...there, ...restored.flat()]));
}

async function restore(deps: IssueDocumentsDeps, { subjectId, under }: Draft, number: TakenNumber): Promise<Document> {
  const document = under(stampOf(number, dateIn(deps)));
  await deps.documents.restore(document);
  logWarn('A document was gone and is issued again under its number.', {
    number: documentNumber(number, number.serial),
    ...namedSubject(subjectWithId(subjectId)),
  });
  return document;
}
