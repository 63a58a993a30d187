import type { Payment } from '../payments/payment.ts';
import type { Refund } from '../payments/refund.ts';
import type { CorrectedLine, TaxCorrection } from '../payments/tax-correction.ts';
import type { Document, DocumentLine, Stamp } from './document.ts';
import { assertBalanced, groupByRates, sumsOf } from './document-balance.ts';
import { documentFrame, type IssueContext, keptBuyer } from './document-frame.ts';
import { correctedInvoiceIdOf } from './document-id.ts';
import { localTaxOf } from './local-tax.ts';
import { netUnitPrice } from './net-unit-price.ts';

interface Correcting {
  payment: Payment;
  refund: Refund;
  correction: TaxCorrection;
  /** The credit note that cancels the earlier invoice. */
  creditNote: Document;
}

/**
 * Creates the invoice that replaces an earlier one, because the buyer gave a tax id later. It contains the part of the
 * sale that was not refunded, taxed with that id.
 */
export function createCorrectedInvoice(
  { payment, refund, correction, creditNote }: Correcting,
  context: IssueContext,
  stamp: Stamp,
): Document {
  const lines = correction.lines.map((line) => replacedLine(line, payment));
  const { buyer, ...frame } = { ...documentFrame(payment, context), ...keptBuyer(payment, creditNote) };
  const { taxId } = correction;
  const businessName = correction.businessName ?? buyer.businessName;
  const totals = sumsOf(lines);
  return assertBalanced({
    ...frame,
    ...stamp,
    buyer: { ...buyer, businessName, taxId: { id: taxId.id, formatName: taxId.formatName } },
    id: correctedInvoiceIdOf(refund.id),
    refundId: refund.id,
    paidOn: context.dateOf(payment.createdAt),
    lines,
    groups: groupByRates(lines, payment.calculation.rounding),
    ...totals,
    ...localTaxOf(totals.tax, payment.currency, context.localRates),
    invoice: creditNote.invoice,
    creditNote: { number: creditNote.number, issuedOn: creditNote.issuedOn },
    reason: null,
  });
}

/**
 * A line of the new invoice. It keeps the quantity if nothing of the line was refunded. Otherwise, the rest counts as
 * one unit.
 */
function replacedLine({ productId, taxInclusive, reversed, invoiced }: CorrectedLine, payment: Payment): DocumentLine {
  const sold = payment.lines.find((line) => line.productId === productId);
  if (!sold) throw new Error(`The payment ${payment.id} has no line ${productId} to invoice.`);
  const { net, tax, gross, components } = invoiced;
  const isWhole = reversed.gross === sold.gross;
  const quantity = isWhole ? sold.quantity : 1;
  const unitAmount = isWhole ? sold.unitAmount : taxInclusive ? gross : net;
  const unit = { quantity, unitAmount, netUnitPrice: netUnitPrice(net, quantity, payment.currency) };
  const discount = isWhole && sold.discount ? { discount: sold.discount } : {};
  return { productId, name: sold.name, ...unit, taxInclusive, ...discount, net, tax, gross, components };
}
