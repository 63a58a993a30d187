import type { DocumentKind } from '../../domain/documents/document.ts';
import type { AuditPlace, DocumentAudit, Missing } from '../../domain/documents/document-audit.ts';
import { cancellationIdOf } from '../../domain/documents/document-id.ts';
import { auditSeries, documentNumber } from '../../domain/documents/document-series.ts';
import { hasCode } from '../../domain/errors.ts';
import { adjustedDisputeOf } from '../../domain/ids.ts';
import type { ItemPageRequest } from '../../domain/list-page.ts';
import type { Dispute } from '../../domain/payments/dispute.ts';
import { hasPaidOut, type RefundBrief } from '../../domain/payments/refund.ts';
import type { NumberRow } from '../../store/documents/document-rows.ts';
import type { DocumentStore } from '../../store/documents/document-store.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentLists } from '../../store/payments/payment-list.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { subjectWithId } from './draft-documents.ts';

interface AuditDocumentsDeps {
  documents: Pick<DocumentStore, 'find' | 'findSeries' | 'numbers'>;
  payments: Pick<PaymentStore, 'find' | 'getRefund'> & Pick<PaymentLists, 'listBriefly' | 'listRefundsBriefly'>;
  disputes: Pick<DisputeStore, 'find' | 'listAdjustments'>;
  now: () => Date;
}

/** How many numbers one request checks, so that it ends within ten seconds. */
const mostNumbers = 500;
const mostSubjects = 500;
const atOnce = 25;

/** How many seconds a document may take to be issued. Only after that is it reported as missing. */
const graceSeconds = 300;

/**
 * Checks that a series has every number from 1 to its last, and that each number has a document, a mail and a sale.
 * Also checks that each sale of the year has a document. The counter is read first, so that a document that is being
 * issued does not count as a gap.
 */
export async function auditDocuments(
  deps: AuditDocumentsDeps,
  { kind, year }: { kind: DocumentKind; year: string },
  place: AuditPlace = { numbersAfter: 0 },
): Promise<DocumentAudit> {
  const series = await deps.documents.findSeries(kind, year);
  if ('subjectsAfter' in place) {
    const { missing, next } = await auditSubjects(deps, { kind, year }, place.subjectsAfter);
    return { ...auditSeries({ ...series, last: 0 }, []), counter: series.last, missing, next };
  }
  const { rows, hasMore } = await deps.documents.numbers(kind, year, place.numbersAfter, mostNumbers);
  const serials = rows.map(({ serial }) => serial);
  const end = serials.at(-1) ?? place.numbersAfter;
  const last = hasMore ? Math.min(end, series.last) : series.last;
  const portion = auditSeries({ ...series, last }, serials, place.numbersAfter);
  const missing = await inTurn(rows, (row) => missingOf(deps, row, documentNumber(series, row.serial)));
  const found: DocumentAudit = { ...portion, counter: series.last, missing, next: { numbersAfter: end } };
  if (hasMore) return found;
  return rows.length > mostNumbers / 2
    ? { ...found, next: { subjectsAfter: undefined } }
    : withSubjects(deps, found, { kind, year });
}

/** Also checks the sales in the same request if the series is short. */
async function withSubjects(
  deps: AuditDocumentsDeps,
  found: DocumentAudit,
  series: { kind: DocumentKind; year: string },
): Promise<DocumentAudit> {
  const { missing, next } = await auditSubjects(deps, series, undefined);
  const listed = new Set(found.missing.map(({ subjectId }) => subjectId));
  return { ...found, missing: [...found.missing, ...missing.filter(({ subjectId }) => !listed.has(subjectId))], next };
}

/** What is missing for a number: its document, the mail of the document, or its sale or refund. */
async function missingOf(deps: AuditDocumentsDeps, { subjectId }: NumberRow, number: string): Promise<Missing[]> {
  const [filed, hasSucceeded] = await Promise.all([deps.documents.find(subjectId), isSuccess(deps, subjectId)]);
  const { document, mail } = filed;
  const lacks: [boolean, Missing['what']][] = [
    [document?.number !== number, document ? 'number' : 'document'],
    [document !== undefined && mail.isExpected && !mail.isDone && isOverdue(deps, document.issuedAt), 'mail'],
    [!hasSucceeded, 'sale'],
  ];
  return lacks.filter(([isLacking]) => isLacking).map(([, what]) => ({ what, subjectId, number }));
}

async function isSuccess({ payments, disputes }: AuditDocumentsDeps, id: string): Promise<boolean> {
  const { paymentId, refundId, isCancelled, adjustmentId } = subjectWithId(id);
  if (adjustmentId !== undefined) return isRescission(await disputes.find(adjustedDisputeOf(id) ?? ''), id);
  if (refundId === undefined) return (await payments.find(paymentId))?.status === 'succeeded';
  return payments.getRefund(refundId).then(
    (refund) => (isCancelled ? refund.reverted !== undefined : hasPaidOut(refund)),
    (error) => (hasCode(error, 'NOT_FOUND') ? false : Promise.reject(error)),
  );
}

/** Whether a dispute has this adjustment, and the adjustment undoes a sale or reverses that. */
const isRescission = (dispute: Dispute | undefined, id: string): boolean =>
  (dispute?.adjustments ?? []).some((one) => one.id === id && one.ground === 'rescinded');

const isOverdue = ({ now }: AuditDocumentsDeps, since: string): boolean =>
  now().getTime() - Date.parse(since) > graceSeconds * 1_000;

/** Lists successful payments or refunds of the year that have no document. */
async function auditSubjects(
  deps: AuditDocumentsDeps,
  { kind, year }: { kind: DocumentKind; year: string },
  after: string | undefined,
): Promise<Pick<DocumentAudit, 'missing' | 'next'>> {
  const range = { createdFrom: `${year}-01-01T00:00:00.000Z`, createdTo: `${year}-12-31T23:59:59.999Z` };
  const page = { size: mostSubjects, skip: 0, after };
  if (kind === 'RSC') return auditAdjustments(deps, range, page);
  const { items, hasMore, last } =
    kind === 'INV' ? await deps.payments.listBriefly(range, page) : await deps.payments.listRefundsBriefly(range, page);
  const due = items.filter((one) => isOverdue(deps, one.createdAt) && isDocumentedBy(kind, one));
  const missing = await inTurn(due, async ({ id }) => {
    const subjectId = kind === 'CAN' ? cancellationIdOf(id) : id;
    const { document } = await deps.documents.find(subjectId);
    return document ? [] : [{ what: 'document', subjectId, number: null } as const];
  });
  return { missing, next: hasMore ? { subjectsAfter: last } : null };
}

/** Lists the sales of the year that a lost dispute has undone and that have no document for it. */
async function auditAdjustments(
  deps: AuditDocumentsDeps,
  range: { createdFrom: string; createdTo: string },
  page: ItemPageRequest,
): Promise<Pick<DocumentAudit, 'missing' | 'next'>> {
  const { disputes, documents } = deps;
  const { items, hasMore, last } = await disputes.listAdjustments(range, page);
  const missing = await inTurn(items, async ({ id, disputeId }) => {
    const [{ document }, dispute] = await Promise.all([documents.find(id), disputes.find(disputeId)]);
    const booked = dispute?.adjustments?.find((one) => one.id === id);
    const isMissing = booked?.ground === 'rescinded' && !document && isOverdue(deps, booked.bookedAt);
    return isMissing ? [{ what: 'document', subjectId: id, number: null } as const] : [];
  });
  return { missing, next: hasMore ? { subjectsAfter: last } : null };
}

/** Whether a payment or refund has a document of a kind. */
const isDocumentedBy = (kind: DocumentKind, row: Pick<RefundBrief, 'reverted'> & { status: string }): boolean => {
  if (kind === 'CAN') return row.reverted !== undefined;
  return row.status === 'succeeded' || row.reverted !== undefined;
};

async function inTurn<Item>(items: readonly Item[], look: (item: Item) => Promise<Missing[]>): Promise<Missing[]> {
  const found: Missing[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    found.push(...(await Promise.all(items.slice(start, start + atOnce).map(look))).flat());
  return found;
}
