import type { DisputeAdjustment } from '../disputes/dispute-adjustment.ts';
import type { LinePart } from '../payments/counters.ts';
import type { Payment, PaymentLine } from '../payments/payment.ts';
import type { Refund, RefundLine } from '../payments/refund.ts';
import { movedParts, type ReturnedPart, returnedParts, soldLine } from '../payments/returned-parts.ts';
import type { CorrectedLine, TaxCorrection } from '../payments/tax-correction.ts';
import type { Document, DocumentLine, Stamp } from './document.ts';
import { assertBalanced, groupByRates, sumsOf } from './document-balance.ts';
import { documentFrame, type IssueContext, keptBuyer } from './document-frame.ts';
import { adjustmentNoteIdOf, creditNoteIdOf } from './document-id.ts';
import { localTaxOf } from './local-tax.ts';

/** A sale with the invoice that is credited. */
interface Credited {
  payment: Payment;
  /** The invoice that the credit note corrects. */
  invoice: Document;
  /**
   * The first invoice of the sale, if a corrected one replaced it. It contains the lines that were refunded before the
   * correction.
   */
  first?: Document | undefined;
  /** The tax correction that was made before, if there is one. */
  correction?: TaxCorrection | undefined;
}

/**
 * Creates the credit note of a succeeded refund, with each line's returned amount as a negative figure. Tax ids,
 * exemptions and exchange rates come from the invoice. Name, address and brand are those of the day of issue.
 */
export const createCreditNote = (
  { refund, ...sale }: Credited & { refund: Refund },
  context: IssueContext,
  stamp: Stamp,
): Document =>
  crediting(sale, context, {
    partsOf: returnedParts,
    returned: refund.correction?.lines.map(takenBack) ?? refund.lines,
    own: {
      ...stamp,
      id: creditNoteIdOf(refund.id),
      refundId: refund.id,
      paidOn: context.dateOf(refund.updatedAt),
      ...(refund.correction ? { isReplaced: true } : {}),
      ...(!refund.isPartial && { isFull: true as const }),
      reason: refund.publicReason,
    },
  });

/**
 * Creates the credit note for a sale that a lost dispute has undone. It contains the disputed share of each line, at
 * the rates of the sale. It returns no money, because the bank has already taken it.
 */
export const createRescission = (
  { adjustment, ...sale }: Credited & { adjustment: DisputeAdjustment },
  context: IssueContext,
  stamp: Stamp,
): Document =>
  crediting(sale, context, {
    partsOf: (line, sold, corrected) =>
      movedParts(line, sold, { corrected, freed: undefined, freedBy: adjustment.freedBy }),
    returned: adjustment.lines,
    own: {
      ...stamp,
      id: adjustmentNoteIdOf(adjustment.id),
      refundId: null,
      adjustmentId: adjustment.id,
      paidOn: context.dateOf(adjustment.at),
      reason: null,
    },
  });

interface Returned {
  returned: readonly LinePart[];
  /** Divides a returned line by how each part was taxed. */
  partsOf: (line: LinePart, sold: PaymentLine, corrected: CorrectedLine | undefined) => readonly ReturnedPart[];
  /** The fields that only this note has. */
  own: Stamp & Pick<Document, 'id' | 'refundId' | 'adjustmentId' | 'paidOn' | 'isReplaced' | 'isFull' | 'reason'>;
}

/** Credits lines of an invoice, as negative amounts at the rates of the sale. */
function crediting(
  { payment, invoice, first, correction }: Credited,
  context: IssueContext,
  { returned, partsOf, own }: Returned,
): Document {
  const lines = returned.flatMap((line) => {
    const corrected = correction?.lines.find(({ productId }) => productId === line.productId);
    const parts = partsOf(line, soldLine(payment, line.productId), corrected);
    return parts.map((part) => creditedLine(part, invoicedLine(invoice, first, line.productId)));
  });
  const { buyer, ...frame } = documentFrame(payment, asInvoiced(context, invoice));
  const totals = sumsOf(lines);
  return assertBalanced({
    ...frame,
    buyer: { ...buyer, taxId: invoice.buyer.taxId, businessName: invoice.buyer.businessName },
    ...keptBuyer(payment, invoice),
    ...own,
    lines,
    groups: groupByRates(lines, payment.calculation.rounding),
    ...totals,
    ...localTaxOf(totals.tax, payment.currency, invoice.localTax),
    invoice: { number: invoice.number, issuedOn: invoice.issuedOn },
  });
}

/**
 * Keeps the seller's tax ids, the exemptions and the words of the invoice. The merchant's settings may have changed
 * since then.
 */
const asInvoiced = (context: IssueContext, { seller, exemptions, relief }: Document): IssueContext => ({
  ...context,
  seller: { ...context.seller, taxIds: seller.taxIds },
  exemptions,
  relief,
});

function creditedLine({ amount, tax, components, treatment }: ReturnedPart, invoiced: DocumentLine): DocumentLine {
  const returned = treatment.map((component, index) => ({ ...component, amount: minus(components[index] ?? 0) }));
  const figures = { net: minus(amount - tax), tax: minus(tax), gross: minus(amount) };
  const { productId, name, taxInclusive } = invoiced;
  return { productId, name, quantity: null, unitAmount: null, taxInclusive, ...figures, components: returned };
}

/** Credits a line of an invoice that is corrected: all of the line that was not refunded, at the rates of the sale. */
const takenBack = ({ productId, taxInclusive, reversed }: CorrectedLine): RefundLine => ({
  productId,
  taxInclusive,
  amount: reversed.gross,
  tax: reversed.tax,
  components: reversed.components,
});

function invoicedLine({ number, lines }: Document, first: Document | undefined, productId: string): DocumentLine {
  const line = [...lines, ...(first?.lines ?? [])].find((candidate) => candidate.productId === productId);
  if (line) return line;
  throw new Error(`The invoice ${number} has no line ${productId} that could be credited.`);
}

/** Changes the sign of an amount. Zero stays 0 and does not become -0. */
const minus = (amount: number): number => 0 - amount;
