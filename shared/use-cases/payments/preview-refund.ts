import type { Payment } from '../../domain/payments/payment.ts';
import { decideRefund, type Refund } from '../../domain/payments/refund.ts';
import type { RefundRequest } from '../../domain/payments/refund-portions.ts';

interface PreviewRefundDeps {
  /** Days in which a refund is possible; undefined: for ever. */
  refundWindowDays: number | undefined;
  now: () => Date;
}

/** What a refund would be, by the very decision that makes it; stores nothing. */
export function previewRefund(
  { refundWindowDays, now }: PreviewRefundDeps,
  payment: Payment,
  request: RefundRequest,
): { refund: Refund; payment: Payment } {
  const { refund } = decideRefund(payment, request, { id: 'preview', now: now().toISOString(), refundWindowDays });
  return { refund, payment };
}
