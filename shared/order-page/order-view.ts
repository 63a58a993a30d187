import type { CheckoutSession } from '../domain/checkout/checkout-session.ts';
import type { DisputeAdjustment } from '../domain/disputes/dispute-adjustment.ts';
import { documentUrl, documentUrlIn } from '../domain/documents/document-address.ts';
import { isSaleCarried } from '../domain/documents/vat-breakdown.ts';
import type { GrantView } from '../domain/entitlements/grant-view.ts';
import { type AccessEnd, accessEndOf } from '../domain/orders/line-access.ts';
import { type PurchaseState, purchaseStateOf } from '../domain/orders/purchase-state.ts';
import type { Payment, RefundSummary } from '../domain/payments/payment.ts';
import { hasPaidOut, type Refund } from '../domain/payments/refund.ts';
import type { Site } from '../domain/site.ts';
import type { PageContext } from '../pages/page-context.ts';
import { deliveryOf, type GivingLine, grantedOn, type Opening, onceEach, soon } from './gives.ts';

interface OrderLine extends GivingLine {
  image: string | null;
  quantity: number;
  /** Why the line gives nothing now; absent while it does. */
  end?: AccessEnd | undefined;
  /**
   * The last day on which the buyer can withdraw, because the content opened before the contract was confirmed; absent
   * otherwise.
   */
  keptUntil?: string | undefined;
}

/** A document with its addresses: the page, the PDF, and the XML for a business. */
interface OrderDocument {
  kind: 'invoice' | 'confirmation' | 'credit_note' | 'corrected' | 'cancellation';
  page: string;
  pdf: string;
  xml: string | null;
}

/** The data of an order's page. It has no name and no address of the buyer, because a link may be forwarded. */
export interface OrderView extends PageContext {
  paymentId: string;
  paidAt: string;
  total: number;
  state: PurchaseState;
  currency: string;
  lines: readonly OrderLine[];
  documents: readonly OrderDocument[];
  refunds: readonly Pick<RefundSummary, 'status' | 'amount' | 'createdAt'>[];
  /** The address where the buyer can add a tax id to the invoice; null if that is not possible. */
  taxIdUrl: string | null;
}

/** An order as it is stored. */
export interface StoredOrder {
  payment: Payment;
  /** The session, which has the texts of its lines; undefined if it was removed. */
  session: CheckoutSession | undefined;
  /** The grants of the payment. */
  grants: readonly GrantView[];
  /** The refunds of the payment that have failed. Their summaries do not say whether they have documents. */
  failedRefunds: readonly Refund[];
  /** The adjustments of the payment's lost disputes. */
  adjustments: readonly DisputeAdjustment[];
}

/** The lines with a text that belongs to no grant. */
export const textLinesOf = ({ session }: StoredOrder): number[] =>
  (session?.lines ?? []).flatMap((sold, line) => (deliveryOf(sold).length > 0 ? [line] : []));

interface OrderSurroundings {
  site: Site;
  taxIdUrl: string | null;
  /** Whether the buyer gets a confirmation of the contract. */
  isConfirmed: boolean;
}

export function orderView(
  context: PageContext,
  { payment, session, grants, failedRefunds, adjustments }: StoredOrder,
  { site, taxIdUrl, isConfirmed, ...opening }: Opening & OrderSurroundings,
): OrderView {
  const lines = payment.lines.map((line, index): OrderLine => {
    const sold = session?.lines[index];
    const end = accessEndOf(payment, index);
    const { name, quantity } = line;
    const granted = grantedOn(index, grants, payment, opening);
    const text = end ? [] : deliveryOf(sold).map((one) => (opening.waiting.has(index) ? soon : one));
    const gives = onceEach([...text, ...granted]);
    const keptUntil = opening.kept.get(index);
    return { name, quantity, image: sold?.image ?? null, end: granted.length > 0 ? undefined : end, keptUntil, gives };
  });
  const { id: paymentId, createdAt: paidAt, gross: total, currency } = payment;
  const refunds = payment.refunds.filter(({ amount }) => amount > 0);
  const documents = documentsOf(payment, { failed: failedRefunds, adjustments, isConfirmed }, addressesOf);
  return {
    ...context,
    paymentId,
    paidAt,
    total,
    state: purchaseStateOf(payment),
    currency,
    lines,
    documents,
    refunds,
    taxIdUrl,
  };

  function addressesOf(kind: OrderDocument['kind'], { refundId, adjustmentId }: DocumentOf = {}): OrderDocument {
    const isConfirmation = kind === 'confirmation';
    const { documentSecret } = payment;
    const ofDocument = { paymentId, refundId, adjustmentId, kind: kinds[kind], isConfirmation, documentSecret };
    const inFormat = (format: string) => documentUrlIn(site, ofDocument, { format, lang: context.locale });
    const hasXml = !isConfirmation && Boolean(payment.taxId || payment.businessName) && isSaleCarried(payment);
    const xml = hasXml ? documentUrl(site, { ...ofDocument, format: 'xml' }) : null;
    return { kind, page: inFormat('html'), pdf: inFormat('pdf'), xml };
  }
}

/** The names of the kinds of documents in addresses. */
const kinds = {
  invoice: 'INV',
  confirmation: 'INV',
  credit_note: 'CRN',
  corrected: 'INV',
  cancellation: 'CAN',
} as const;

/** The refund or the dispute's adjustment that a document is about. */
interface DocumentOf {
  refundId?: string;
  adjustmentId?: string;
}

/**
 * The documents of a payment: its invoice, the confirmation of the contract, those of each refund that was paid, and
 * those of a sale that a lost dispute has undone.
 */
function documentsOf(
  { refunds, correction }: Payment,
  {
    failed,
    adjustments,
    isConfirmed,
  }: { failed: readonly Refund[]; adjustments: readonly DisputeAdjustment[]; isConfirmed: boolean },
  documentOf: (kind: OrderDocument['kind'], of?: DocumentOf) => OrderDocument,
): OrderDocument[] {
  const ofRefund = ({ id, status }: RefundSummary) => {
    const reverted = failed.find((refund) => refund.id === id && hasPaidOut(refund));
    if (status !== 'succeeded' && !reverted) return [];
    const corrects = correction?.refundId === id && status === 'succeeded';
    return [
      documentOf('credit_note', { refundId: id }),
      ...(corrects ? [documentOf('corrected', { refundId: id })] : []),
      ...(reverted ? [documentOf('cancellation', { refundId: id })] : []),
    ];
  };
  const ofSale = isConfirmed ? (['invoice', 'confirmation'] as const) : (['invoice'] as const);
  const ofDisputes = adjustments
    .filter(({ ground }) => ground === 'rescinded')
    .map(({ id, kind }) => documentOf(kind === 'lost' ? 'credit_note' : 'cancellation', { adjustmentId: id }));
  return [...ofSale.map((kind) => documentOf(kind)), ...refunds.flatMap(ofRefund), ...ofDisputes];
}
