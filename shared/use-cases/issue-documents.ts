import { setTimeout as pause } from 'node:timers/promises';
import { createCreditNote } from '../domain/credit-note.ts';
import {
  type Document,
  type DocumentKind,
  type IssueContext,
  type Stamp,
  sellerOf,
  subjectOf,
} from '../domain/document.ts';
import { mostAtOnce, takeNumbers } from '../domain/document-series.ts';
import { DomainError } from '../domain/errors.ts';
import { createInvoice } from '../domain/invoice.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import type { TaxRulesStore } from '../store/tax-rules-store.ts';
import { localDate } from '../tax/local-date.ts';
import type { TaxRules } from '../tax/tax-rules.ts';
import { retryStale } from './retry.ts';

export interface IssueDocumentsDeps {
  payments: Pick<PaymentStore, 'find' | 'getRefund'>;
  taxRules: Pick<TaxRulesStore, 'get'>;
  documents: Pick<DocumentStore, 'find' | 'findSeries' | 'issue'>;
  merchant: Merchant;
  now: () => Date;
  random: () => number;
}

/** What a document is wanted of: a payment, or a refund. */
export type Subject = { paymentId: string; refundId?: undefined } | { refundId: string; paymentId?: undefined };

/** What is documented: a succeeded payment, or a succeeded refund with its payment. */
interface Source {
  payment: Payment;
  refund: Refund | undefined;
}

/** A document that still needs a number. */
interface Draft {
  subjectId: string;
  under: (stamp: Stamp) => Document;
}

/**
 * Issues what has none yet, in batches, and returns the documents by their payment or refund; what has not succeeded is left out.
 * A number exists from the same transaction as its document: whoever dies on the way has taken none, and may begin again.
 */
export async function issueDocuments(
  deps: IssueDocumentsDeps,
  subjects: readonly Subject[],
): Promise<Map<string, Document>> {
  const issued = new Map<string, Document>();
  for (let start = 0; start < subjects.length; start += mostAtOnce) {
    const batch = await issueBatch(deps, subjects.slice(start, start + mostAtOnce));
    for (const document of batch) issued.set(subjectOf(document), document);
  }
  return issued;
}

/** First the invoices, as a credit note names the invoice that it corrects. */
async function issueBatch(deps: IssueDocumentsDeps, subjects: readonly Subject[]): Promise<Document[]> {
  const found = await Promise.all(subjects.map((subject) => findSource(deps, subject)));
  const sources = found.filter((source) => source !== undefined);
  if (sources.length === 0) return [];
  const rules = await deps.taxRules.get();
  const payments = new Map(sources.map(({ payment }) => [payment.id, payment]));
  const invoices = await number(
    deps,
    'INV',
    [...payments.values()].map((payment) => invoiceDraft(deps, rules, payment)),
  );
  const creditNotes = await number(
    deps,
    'CRN',
    sources.flatMap((source) => creditNoteDraft(deps, rules, source, invoices)),
  );
  return [...invoices.values(), ...creditNotes.values()];
}

async function findSource(deps: IssueDocumentsDeps, subject: Subject): Promise<Source | undefined> {
  const refund = subject.refundId === undefined ? undefined : await findRefund(deps, subject.refundId);
  const isWanted = subject.refundId === undefined || refund?.status === 'succeeded';
  const paymentId = refund?.paymentId ?? subject.paymentId;
  const payment = isWanted && paymentId !== undefined ? await deps.payments.find(paymentId) : undefined;
  return payment?.status === 'succeeded' ? { payment, refund } : undefined;
}

const findRefund = (deps: IssueDocumentsDeps, id: string): Promise<Refund | undefined> =>
  deps.payments.getRefund(id).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });

const invoiceDraft = (deps: IssueDocumentsDeps, rules: TaxRules, payment: Payment): Draft => ({
  subjectId: payment.id,
  under: (stamp) => createInvoice(payment, contextOf(deps, rules, payment), stamp),
});

function creditNoteDraft(
  deps: IssueDocumentsDeps,
  rules: TaxRules,
  { payment, refund }: Source,
  invoices: ReadonlyMap<string, Document>,
): Draft[] {
  const invoice = invoices.get(payment.id);
  if (!refund || !invoice) return [];
  const context = contextOf(deps, rules, payment);
  return [{ subjectId: refund.id, under: (stamp) => createCreditNote({ payment, refund, invoice }, context, stamp) }];
}

/** The seller as of today, with the registrations and the exemptions under which this sale was made. */
function contextOf({ merchant }: IssueDocumentsDeps, rules: TaxRules, { calculation }: Payment): IssueContext {
  const registrations = rules.registrations.filter(({ id }) => calculation.registrations.includes(id));
  const exempting = rules.overrides.filter(
    ({ id, taxability }) => taxability === 'exempt' && calculation.rows.includes(id),
  );
  return {
    seller: sellerOf(merchant, registrations),
    dateOf: (instant) => localDate(merchant, instant),
    exemptions: exempting.map(({ reason }) => reason),
  };
}

/** Gives each draft that is not issued yet the next number of its series, in one transaction; decides anew when somebody was faster. */
function number(
  deps: IssueDocumentsDeps,
  kind: DocumentKind,
  drafts: readonly Draft[],
): Promise<Map<string, Document>> {
  return insist(deps, async () => {
    const known = await findAll(deps, drafts);
    const missing = drafts.filter(({ subjectId }) => !known.has(subjectId));
    if (missing.length === 0) return known;
    const now = deps.now().toISOString();
    const dateOf = (instant: string) => localDate(deps.merchant, instant);
    const series = await deps.documents.findSeries(kind, dateOf(now).slice(0, 4));
    const { after, stamps } = takeNumbers(series, missing.length, { now, dateOf });
    const documents = missing.map(({ under }, index) => under(stamps[index] as Stamp));
    await deps.documents.issue(after, documents);
    return new Map([...known, ...documents.map((document) => [subjectOf(document), document] as const)]);
  });
}

async function findAll(deps: IssueDocumentsDeps, drafts: readonly Draft[]): Promise<Map<string, Document>> {
  const found = await Promise.all(drafts.map(({ subjectId }) => deps.documents.find(subjectId)));
  return new Map(found.filter((document) => document !== undefined).map((document) => [subjectOf(document), document]));
}

const rounds = 5;
const longestPauseMs = 400;

/** All issuers want the next number of the same series: whoever was too late too often waits a little and comes back. */
async function insist<T>(deps: IssueDocumentsDeps, attempt: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round += 1) {
    try {
      return await retryStale(attempt, deps.random);
    } catch (error) {
      if (!isPassing(error) || round === rounds) throw error;
      await pause(deps.random() * longestPauseMs);
    }
  }
}

const isPassing = (error: unknown): boolean => error instanceof DomainError && error.code === 'SERVICE_UNAVAILABLE';
