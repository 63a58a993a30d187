import type { Payment, PaymentLine } from '../payments/payment.ts';
import type { Document, DocumentLine, Stamp } from './document.ts';
import { assertBalanced, groupByRates } from './document-balance.ts';
import { documentFrame, type IssueContext } from './document-frame.ts';
import { invoiceIdOf } from './document-id.ts';
import { localTaxOf } from './local-tax.ts';
import { netUnitPrice } from './net-unit-price.ts';

/** Creates the invoice of a succeeded payment from the figures that the payment stores for each line. */
export function createInvoice(payment: Payment, context: IssueContext, stamp: Stamp): Document {
  const lines = payment.lines.map((line) => invoicedLine(line, payment.currency));
  const { net, tax, gross } = payment;
  return assertBalanced({
    ...documentFrame(payment, context),
    ...stamp,
    id: invoiceIdOf(payment.id),
    refundId: null,
    paidOn: context.dateOf(payment.createdAt),
    ...suppliedWith(payment, context),
    ...(isSimplified(payment, context) ? { isSimplified: true as const } : {}),
    lines,
    groups: groupByRates(lines, payment.calculation.rounding),
    net,
    tax,
    gross,
    ...localTaxOf(tax, payment.currency, context.localRates),
    invoice: null,
    reason: null,
  });
}

/**
 * The date of supply. Downloads are supplied when they are paid. For a lesson with a teacher, the date is unknown here.
 */
const suppliedWith = ({ lines, createdAt }: Payment, { dateOf }: IssueContext): Pick<Document, 'suppliedOn'> =>
  lines.every(({ taxCategory }) => taxCategory !== 'live_tutoring') ? { suppliedOn: dateOf(createdAt) } : {};

/**
 * Whether the invoice leaves out the buyer's name and address. That is allowed for a small sale to a consumer in the
 * seller's own country.
 */
function isSimplified(payment: Payment, { simplifiedUpTo: limit, seller }: IssueContext): boolean {
  const { billing, customer, businessName, taxId, calculation } = payment;
  const isNamed = [customer.name, billing.street, billing.city].every((part) => part?.trim());
  const isBusiness = Boolean(businessName) || taxId !== null;
  if (!limit || isNamed || isBusiness || calculation.country !== seller.country) return false;
  return payment.currency === limit.currency && payment.gross <= limit.amount;
}

/** A line as it was sold, without later refunds. */
function invoicedLine(line: PaymentLine, currency: string): DocumentLine {
  const { productId, name, quantity, unitAmount, taxInclusive, net, tax, gross, components } = line;
  const unit = { quantity, unitAmount, netUnitPrice: netUnitPrice(net, quantity, currency) };
  const discount = line.discount ? { discount: line.discount } : {};
  return { productId, name, ...unit, taxInclusive, ...discount, net, tax, gross, components };
}
