import type { Payment, PaymentLine } from '../payments/payment.ts';
import type { Refund, RefundLine } from '../payments/refund.ts';
import type { Document, DocumentLine, Stamp } from './document.ts';
import { assertBalanced, groupByRates } from './document-balance.ts';
import { documentFrame, type IssueContext } from './document-frame.ts';
import { creditNoteIdOf } from './document-id.ts';
import { localTaxOf } from './local-tax.ts';

interface Correction {
  payment: Payment;
  refund: Refund;
  /** The invoice that the credit note corrects. */
  invoice: Document;
}

/**
 * Creates the credit note of a succeeded refund: each line's returned amount at the rates of the sale, as a
 * negative. Tax ids, exemptions and exchange rates come from the invoice. Name, address and brand are those of the day of issue.
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
    groups: groupByRates(lines, payment.calculation.rounding),
    net: minus(refund.amount - refund.tax),
    tax: minus(refund.tax),
    gross: minus(refund.amount),
    ...localTaxOf(minus(refund.tax), payment.currency, invoice.localTax),
    invoice: { number: invoice.number, issuedOn: invoice.issuedOn },
    reason: refund.publicReason,
  });
}

/** Keeps the seller, exemptions and words of the invoice, because the merchant's rules may have changed since. */
const asInvoiced = (context: IssueContext, { seller, exemptions, relief }: Document): IssueContext => ({
  ...context,
  seller: { ...context.seller, taxIds: seller.taxIds },
  exemptions,
  relief,
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

/** Avoids -0. */
const minus = (amount: number): number => 0 - amount;
