import type { Payment, PaymentLine } from '../payments/payment.ts';
import type { Refund, RefundLine } from '../payments/refund.ts';
import type { Document, DocumentLine, Stamp } from './document.ts';
import { assertBalanced, groupByRates } from './document-balance.ts';
import { documentFrame, type IssueContext } from './document-frame.ts';
import { creditNoteIdOf } from './document-id.ts';

export interface Correction {
  payment: Payment;
  refund: Refund;
  /** The invoice that is corrected. */
  invoice: Document;
}

/**
 * The credit note of a succeeded refund: what was returned of each line, at the rates of the sale, with a minus.
 * It stands under the tax ids and on the grounds of its invoice; name, address and brand are those of the day of issue.
 */
export function createCreditNote(
  { payment, refund, invoice }: Correction,
  context: IssueContext,
  stamp: Stamp,
): Document {
  const lines = refund.lines.map((line) => creditedLine(line, soldLine(payment, line.productId)));
  return assertBalanced({
    ...documentFrame(payment, asInvoiced(context, invoice)),
    ...stamp,
    id: creditNoteIdOf(refund.id),
    refundId: refund.id,
    paidOn: context.dateOf(refund.updatedAt),
    lines,
    groups: groupByRates(lines),
    net: minus(refund.amount - refund.tax),
    tax: minus(refund.tax),
    gross: minus(refund.amount),
    invoice: { number: invoice.number, issuedOn: invoice.issuedOn },
    reason: refund.reason,
  });
}

/** The merchant's rules may have changed since; the tax that is taken back has not. */
const asInvoiced = (context: IssueContext, { seller, exemptions }: Document): IssueContext => ({
  ...context,
  seller: { ...context.seller, taxIds: seller.taxIds },
  exemptions,
});

function creditedLine({ productId, amount, tax, components }: RefundLine, sold: PaymentLine): DocumentLine {
  const returned = sold.components.map((component, index) => ({ ...component, amount: minus(components[index] ?? 0) }));
  const figures = { net: minus(amount - tax), tax: minus(tax), gross: minus(amount) };
  const { name, taxInclusive } = sold;
  return { productId, name, quantity: null, unitAmount: null, taxInclusive, ...figures, components: returned };
}

function soldLine(payment: Payment, productId: string): PaymentLine {
  const line = payment.lines.find((candidate) => candidate.productId === productId);
  if (line) return line;
  throw new Error(`The payment ${payment.id} has no line ${productId} that could be credited.`);
}

/** There is no negative nothing. */
const minus = (amount: number): number => 0 - amount;
