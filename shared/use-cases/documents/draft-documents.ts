import type { DisputeAdjustment } from '../../domain/disputes/dispute-adjustment.ts';
import { createCancellation, createReinstatement } from '../../domain/documents/cancellation.ts';
import { createCorrectedInvoice } from '../../domain/documents/corrected-invoice.ts';
import { createCreditNote, createRescission } from '../../domain/documents/credit-note.ts';
import type { Document, Stamp } from '../../domain/documents/document.ts';
import { brandOf, type IssueContext, sellerOf } from '../../domain/documents/document-frame.ts';
import {
  cancellationIdOf,
  cancelledRefundOf,
  correctedInvoiceIdOf,
  correctingRefundOf,
} from '../../domain/documents/document-id.ts';
import { createInvoice } from '../../domain/documents/invoice.ts';
import { hasCode } from '../../domain/errors.ts';
import { adjustedDisputeOf } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { hasPaidOut, type Refund } from '../../domain/payments/refund.ts';
import type { TaxCorrection } from '../../domain/payments/tax-correction.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import type { ExchangeRateStore } from '../../store/exchange-rate-store.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { TaxRulesStore } from '../../store/tax-rules-store.ts';
import { reliefWordingOf } from '../../tax/business-buyers.ts';
import { localDate } from '../../tax/places/local-date.ts';
import { exemptionText } from '../../tax/rules/exemption-text.ts';
import { simplifiedLimitOf } from '../../tax/simplified-invoices.ts';
import { findCorrecting, findFreeing } from './find-correcting.ts';
import { loadLocalRates } from './load-local-rates.ts';

export interface DraftDeps {
  payments: Pick<PaymentStore, 'find' | 'getRefund'>;
  /** The store of disputes. Absent if the caller issues no documents of disputes. */
  disputes?: Pick<DisputeStore, 'find'> | undefined;
  taxRules: Pick<TaxRulesStore, 'get'>;
  brands: Pick<BrandStore, 'get'>;
  merchant: Merchant;
  rates: Pick<ExchangeRateStore, 'newestBefore'>;
  /** Whether to wait until the exchange rates of the day are known. Real documents wait. */
  awaitsRates: boolean;
}

/** The payment, refund or adjustment of a dispute that needs a document. */
export type Subject =
  | {
      paymentId: string;
      refundId?: undefined;
      isCancelled?: undefined;
      isCorrected?: undefined;
      adjustmentId?: undefined;
    }
  | {
      adjustmentId: string;
      paymentId?: undefined;
      refundId?: undefined;
      isCancelled?: undefined;
      isCorrected?: undefined;
    }
  /**
   * The kind of the refund's document. `isCancelled`: the cancellation of its credit note. `isCorrected`: the new
   * invoice after a correction.
   */
  | {
      refundId: string;
      paymentId?: undefined;
      isCancelled?: boolean;
      isCorrected?: boolean;
      adjustmentId?: undefined;
    };

export function subjectIdOf(subject: Subject): string {
  const { paymentId, refundId, adjustmentId, isCancelled = false, isCorrected = false } = subject;
  if (adjustmentId !== undefined) return adjustmentId;
  if (refundId === undefined) return paymentId;
  if (isCorrected) return correctedInvoiceIdOf(refundId);
  return isCancelled ? cancellationIdOf(refundId) : refundId;
}

/** The payment, refund or adjustment, for log lines. */
export function namedSubject({ paymentId, refundId, adjustmentId }: Subject): Record<string, string> {
  if (adjustmentId !== undefined) return { adjustment_id: adjustmentId };
  return refundId === undefined ? { payment_id: paymentId } : { refund_id: refundId };
}

/** The payment or refund that has an id. */
export function subjectWithId(id: string): Subject {
  const cancelled = cancelledRefundOf(id);
  if (cancelled !== undefined) return { refundId: cancelled, isCancelled: true };
  const correcting = correctingRefundOf(id);
  if (correcting !== undefined) return { refundId: correcting, isCorrected: true };
  if (adjustedDisputeOf(id) !== undefined) return { adjustmentId: id };
  return id.startsWith('ref_') ? { refundId: id } : { paymentId: id };
}

/** The source of a document: a succeeded payment, or a refund that has succeeded, with its payment. */
export interface DocumentedSale {
  payment: Payment;
  refund: Refund | undefined;
  /** Whether the credit note of the refund must be cancelled. */
  isCancelled: boolean;
  /** The tax correction that came before the refund or the adjustment. */
  correction?: TaxCorrection | undefined;
  /** The adjustment of a dispute that the document is about. The next field is the adjustment that it reverses. */
  adjustment?: DisputeAdjustment | undefined;
  takesBack?: DisputeAdjustment | undefined;
}

/** A document that still needs a number. */
export interface Draft {
  subjectId: string;
  under: (stamp: Stamp) => Document;
}

/** The source of a subject's document; undefined if the subject has not succeeded. */
export async function findSource(deps: DraftDeps, subject: Subject): Promise<DocumentedSale | undefined> {
  const { payments } = deps;
  if (subject.adjustmentId !== undefined) return findAdjusted(deps, subject.adjustmentId);
  if (subject.refundId === undefined)
    return succeeded(await payments.find(subject.paymentId), { refund: undefined, isCancelled: false });
  const { refundId, isCancelled = false, isCorrected = false } = subject;
  const refund = await findRefund(payments, refundId);
  if (isCorrected && !refund?.correction) return undefined;
  if (!refund || !(isCancelled ? refund.reverted : hasPaidOut(refund))) return undefined;
  const [payment, invoiced] = await Promise.all([payments.find(refund.paymentId), asInvoiced(payments, refund)]);
  return succeeded(payment, { ...invoiced, isCancelled });
}

/** Finds an adjustment that undid a sale or reversed that, with its payment; undefined if it has no document. */
async function findAdjusted({ payments, disputes }: DraftDeps, id: string): Promise<DocumentedSale | undefined> {
  const dispute = await disputes?.find(adjustedDisputeOf(id) ?? '');
  const all = dispute?.adjustments ?? [];
  const index = all.findIndex((one) => one.id === id);
  const found = all[index];
  if (!dispute || found?.ground !== 'rescinded') return undefined;
  const [payment, correcting, freedBy] = await Promise.all([
    payments.find(dispute.paymentId),
    findCorrecting(payments, found),
    findFreeing(payments, found),
  ]);
  const adjustment = { ...found, correctedBy: correcting?.id, freedBy };
  const takesBack = found.kind === 'won' ? all[index - 1] : undefined;
  return succeeded(payment, {
    refund: undefined,
    isCancelled: false,
    correction: correcting?.correction,
    adjustment,
    takesBack,
  });
}

/** If the correction before the refund never took effect, treats the refund as one of the first invoice. */
async function asInvoiced(payments: DraftDeps['payments'], { correctedBy, ...refund }: Refund) {
  const correcting = await findCorrecting(payments, { correctedBy });
  if (!correcting) return { refund };
  return { refund: { ...refund, correctedBy: correcting.id }, correction: correcting.correction };
}

const succeeded = (payment: Payment | undefined, sale: Omit<DocumentedSale, 'payment'>): DocumentedSale | undefined =>
  payment?.status === 'succeeded' ? { payment, ...sale } : undefined;

const findRefund = (payments: DraftDeps['payments'], id: string): Promise<Refund | undefined> =>
  payments.getRefund(id).catch((error: unknown) => {
    if (hasCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  });

/** Returns the data of the seller for a sale, as of today. Throws if a needed exchange rate is not known yet. */
type ContextOf = (payment: Payment) => IssueContext;

/** Loads the brand, the registrations and the exemptions of a sale, according to the merchant's current rules. */
export async function loadContext(deps: DraftDeps, payments: readonly Payment[]): Promise<ContextOf> {
  const { taxRules, brands, merchant } = deps;
  const [rules, { brands: stored }, ratesFor] = await Promise.all([
    taxRules.get(),
    brands.get(),
    loadLocalRates(deps, payments),
  ]);
  const dateOf = (instant: string) => localDate(merchant, instant);
  return (payment) => {
    const { brandId, calculation } = payment;
    const brand = stored.find(({ id }) => id === brandId);
    const registrations = rules.registrations.filter(({ id }) => calculation.registrations.includes(id));
    const applied = rules.overrides.filter(({ id }) => calculation.rows.includes(id));
    const exempting = applied.filter(({ taxability }) => taxability === 'exempt').map(exemptionText);
    const exemptions = calculation.exemptions ?? exempting;
    const relief = reliefWordingOf({ country: calculation.country });
    const seller = sellerOf(merchant, registrations, calculation.country);
    const localRates = ratesFor(payment);
    const name = { brandName: brand?.name ?? merchant.name, brand: brandOf(brand, merchant) };
    const simplifiedUpTo = simplifiedLimitOf(merchant.country);
    return { ...name, simplifiedUpTo, seller, dateOf, exemptions, relief, localRates };
  };
}

/** Drafts one invoice for each payment, even if several of its refunds need documents too. */
export function invoiceDrafts(sources: readonly DocumentedSale[], contextOf: ContextOf): Draft[] {
  const payments = new Map(sources.map(({ payment }) => [payment.id, payment]));
  return [...payments.values()].map((payment) => ({
    subjectId: payment.id,
    under: (stamp) => createInvoice(payment, contextOf(payment), stamp),
  }));
}

type DocumentsBySubject = ReadonlyMap<string, { document: Document }>;

/** The sources, with only one for each refund. */
const byRefund = (sources: readonly DocumentedSale[]) => [
  ...new Map(sources.map((source) => [source.refund?.id, source])).values(),
];

/** Drafts a credit note for each refund. It names the invoice that it corrects. */
export const creditNoteDrafts = (
  sources: readonly DocumentedSale[],
  contextOf: ContextOf,
  invoices: DocumentsBySubject,
): Draft[] =>
  byRefund(sources).flatMap(({ payment, refund, correction }) => {
    const first = invoices.get(payment.id)?.document;
    const invoice = refund && invoiceOf(refund, first, invoices);
    if (!refund || !invoice) return [];
    const credited = { payment, refund, invoice, first, correction };
    return [
      {
        subjectId: refund.id,
        under: (stamp: Stamp) => createCreditNote(credited, contextOf(payment), stamp),
      },
    ];
  });

/** The part of a refund or adjustment that shows to which invoice it belongs. */
interface Invoiced {
  correctedBy?: string | undefined;
  lines: readonly { productId: string }[];
}

/**
 * The invoice to which a refund belongs. A corrected invoice contains only lines that were not fully refunded before.
 * The other lines belong to the first invoice.
 */
function invoiceOf({ correctedBy, lines }: Invoiced, first: Document | undefined, invoices: DocumentsBySubject) {
  if (!correctedBy) return first;
  const corrected = invoices.get(correctedInvoiceIdOf(correctedBy))?.document;
  const names = new Set(corrected?.lines.map(({ productId }) => productId));
  return !corrected || lines.some(({ productId }) => names.has(productId)) ? corrected : first;
}

/** Drafts a new invoice for each refund that books a correction. */
export const correctedInvoiceDrafts = (
  sources: readonly DocumentedSale[],
  contextOf: ContextOf,
  creditNotes: DocumentsBySubject,
): Draft[] =>
  byRefund(sources).flatMap(({ payment, refund }) => {
    const creditNote = refund && creditNotes.get(refund.id)?.document;
    const { correction } = refund ?? {};
    if (!creditNote || !correction) return [];
    const calculation = { ...payment.calculation, registrations: correction.registrations };
    const context = () => contextOf({ ...payment, calculation });
    return [
      {
        subjectId: correctedInvoiceIdOf(refund.id),
        under: (stamp: Stamp) => createCorrectedInvoice({ payment, refund, correction, creditNote }, context(), stamp),
      },
    ];
  });

/** Drafts a cancellation for each refund whose money came back. It names the credit note that it cancels. */
export const cancellationDrafts = (
  sources: readonly DocumentedSale[],
  contextOf: ContextOf,
  creditNotes: DocumentsBySubject,
  corrected: DocumentsBySubject,
): Draft[] =>
  sources.flatMap(({ payment, refund, isCancelled }) => {
    const creditNote = refund && creditNotes.get(refund.id)?.document;
    if (!creditNote || !isCancelled) return [];
    const replacement = corrected.get(correctedInvoiceIdOf(refund.id))?.document;
    const taken = { payment, refund, creditNote, corrected: replacement };
    return [
      {
        subjectId: cancellationIdOf(refund.id),
        under: (stamp: Stamp) => createCancellation(taken, contextOf(payment), stamp),
      },
    ];
  });

/** One draft for each subject: a loss and its reversal can be issued together, and both need the credit note. */
const onceEach = (drafts: readonly Draft[]): Draft[] => [
  ...new Map(drafts.map((draft) => [draft.subjectId, draft])).values(),
];

/** Drafts a credit note, which returns no money, for each sale that a lost dispute has undone. */
export const rescissionDrafts = (
  sources: readonly DocumentedSale[],
  contextOf: ContextOf,
  invoices: DocumentsBySubject,
): Draft[] =>
  onceEach(
    sources.flatMap(({ payment, adjustment, takesBack, correction }) => {
      const undone =
        takesBack && adjustment ? { ...adjustment, ...takesBack, freedBy: adjustment.freedBy } : adjustment;
      const first = invoices.get(payment.id)?.document;
      const invoice = adjustment && invoiceOf(adjustment, first, invoices);
      if (!undone || !invoice) return [];
      const credited = { payment, adjustment: undone, invoice, first, correction };
      return [{ subjectId: undone.id, under: (stamp: Stamp) => createRescission(credited, contextOf(payment), stamp) }];
    }),
  );

/** Drafts the cancellation of a lost dispute's credit note, when the dispute is won after all. */
export const reinstatementDrafts = (
  sources: readonly DocumentedSale[],
  contextOf: ContextOf,
  rescissions: DocumentsBySubject,
): Draft[] =>
  sources.flatMap(({ payment, adjustment, takesBack }) => {
    const creditNote = takesBack && rescissions.get(takesBack.id)?.document;
    if (!adjustment || !creditNote) return [];
    const cancelled = { payment, adjustment, creditNote };
    return [
      { subjectId: adjustment.id, under: (stamp: Stamp) => createReinstatement(cancelled, contextOf(payment), stamp) },
    ];
  });
