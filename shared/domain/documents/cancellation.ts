import type { DisputeAdjustment } from '../disputes/dispute-adjustment.ts';
import type { Payment } from '../payments/payment.ts';
import type { Refund } from '../payments/refund.ts';
import type { Document, DocumentLine, Stamp } from './document.ts';
import { assertBalanced, groupByRates, sumsOf } from './document-balance.ts';
import { documentFrame, type IssueContext, keptBuyer } from './document-frame.ts';
import { adjustmentNoteIdOf, cancellationIdOf } from './document-id.ts';
import { localTaxOf } from './local-tax.ts';

interface Cancelled {
  payment: Payment;
  /** The credit note to cancel. */
  creditNote: Document;
}

interface Cancellation extends Cancelled {
  refund: Refund;
  /**
   * The new invoice that was issued together with the credit note; undefined if the credit note did not correct an
   * invoice.
   */
  corrected: Document | undefined;
}

/**
 * Cancels a credit note whose refund failed after it had succeeded. The cancellation has the same figures with the
 * opposite sign.
 */
export const createCancellation = (
  { refund, corrected, ...cancelled }: Cancellation,
  context: IssueContext,
  stamp: Stamp,
): Document =>
  cancelling({ ...cancelled, corrected }, context, {
    ...stamp,
    id: cancellationIdOf(refund.id),
    refundId: refund.id,
    paidOn: context.dateOf(refund.reverted?.at ?? refund.updatedAt),
  });

interface Reinstatement extends Cancelled {
  /** The adjustment that reverses the one of the credit note. */
  adjustment: DisputeAdjustment;
}

/** Creates the cancellation of a credit note for a lost dispute, because the money came back or another ground was chosen. */
export const createReinstatement = (
  { adjustment, ...cancelled }: Reinstatement,
  context: IssueContext,
  stamp: Stamp,
): Document =>
  cancelling(cancelled, context, {
    ...stamp,
    id: adjustmentNoteIdOf(adjustment.id),
    refundId: null,
    adjustmentId: adjustment.id,
    ...(adjustment.isChoice && { isChoice: true }),
    paidOn: context.dateOf(adjustment.at),
  });

function cancelling(
  { payment, creditNote, corrected }: Cancelled & { corrected?: Document | undefined },
  context: IssueContext,
  own: Stamp & Pick<Document, 'id' | 'refundId' | 'adjustmentId' | 'isChoice' | 'paidOn'>,
): Document {
  const { seller, exemptions, relief, invoice, number, issuedOn } = creditNote;
  const lines = [...creditNote.lines, ...(corrected?.lines ?? [])].map(reversed);
  const totals = sumsOf(lines);
  return assertBalanced({
    ...documentFrame(payment, { ...context, exemptions, relief }),
    ...keptBuyer(payment, creditNote),
    seller: { ...context.seller, taxIds: seller.taxIds },
    ...own,
    lines,
    groups: groupByRates(lines),
    ...totals,
    ...localTaxOf(totals.tax, payment.currency, creditNote.localTax),
    invoice,
    cancels: { number, issuedOn },
    reason: null,
  });
}

const reversed = (line: DocumentLine): DocumentLine => ({
  ...line,
  net: minus(line.net),
  tax: minus(line.tax),
  gross: minus(line.gross),
  components: line.components.map((component) => ({ ...component, amount: minus(component.amount) })),
});

/** Changes the sign of an amount. Zero stays 0 and does not become -0. */
const minus = (amount: number): number => 0 - amount;
