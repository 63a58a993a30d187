import { documentUrl } from '../../domain/documents/document-address.ts';
import { creditNoteIdOf } from '../../domain/documents/document-id.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Refund, RefundRow } from '../../domain/payments/refund.ts';
import type { Site } from '../../domain/site.ts';
import { presentCustomer } from '../customer.ts';
import type { PaymentAnswer } from './payment-answer.ts';

/** What a refund would return, line by line. `refundable` is the amount before the refund. */
export const presentRefundPreview = ({
  refund,
  payment,
}: {
  refund: Refund;
  payment: Payment;
}): PaymentAnswer<'RefundPreview'> => ({
  payment_id: payment.id,
  currency: payment.currency,
  refundable: payment.refundable,
  gross: refund.amount,
  net: refund.amount - refund.tax,
  tax: refund.tax,
  is_partial: refund.isPartial,
  items: refund.lines.map(({ productId, amount, tax }) => ({
    item_id: productId,
    gross: amount,
    net: amount - tax,
    tax,
  })),
});

/** A refund, in a list or in the answer about its payment. */
export const presentRefundItem =
  (site: Site) =>
  (refund: Omit<RefundRow, 'updatedAt'>): PaymentAnswer<'RefundListItem'> => ({
    refund_id: refund.id,
    payment_id: refund.paymentId,
    business_id: site.businessId,
    status: refund.status,
    created_at: refund.createdAt,
    is_partial: refund.isPartial,
    amount: refund.amount,
    currency: refund.currency,
    reason: refund.reason,
  });

const networkFields = ({ networkReference: known }: Refund) => ({
  network_reference: known?.value ?? null,
  network_reference_type: known?.type ?? null,
  network_reference_updated_at: known?.at ?? null,
});

export const presentRefund =
  (site: Site) =>
  (refund: Refund): PaymentAnswer<'Refund'> => ({
    ...presentRefundItem(site)(refund),
    brand_id: refund.brandId,
    customer: presentCustomer(refund.customer),
    public_reason: refund.publicReason,
    metadata: refund.metadata,
    keep_access: refund.keepsAccess ?? false,
    pending_reason: refund.status === 'pending' ? (refund.waitsFor ?? null) : null,
    ...networkFields(refund),
    tax: refund.tax,
    tax_inclusive: refund.taxInclusive,
    invoice_id: refund.status === 'succeeded' ? creditNoteIdOf(refund.id) : null,
    invoice_url:
      refund.status === 'succeeded'
        ? documentUrl(site, {
            paymentId: refund.paymentId,
            refundId: refund.id,
            documentSecret: refund.documentSecret,
          })
        : null,
    items: refund.lines.map(({ productId, amount, tax, taxInclusive }) => ({
      item_id: productId,
      amount,
      tax,
      tax_inclusive: taxInclusive,
    })),
  });
