import type { Payment } from '../../domain/payments/payment.ts';
import { decideRefund, type Refund } from '../../domain/payments/refund.ts';
import type { RefundRequest } from '../../domain/payments/refund-portions.ts';
import type { CreateRefundDeps } from './create-refund.ts';

type PreviewRefundDeps = Pick<CreateRefundDeps, 'refundWindowDays' | 'refundStep' | 'now'>;

/** Shows what a refund would be, by the same code that decides real refunds. Stores nothing. */
export function previewRefund(
  { refundWindowDays, refundStep, now }: PreviewRefundDeps,
  payment: Payment,
  request: RefundRequest,
): { refund: Refund; payment: Payment } {
  const terms = { id: 'preview', now: now().toISOString(), refundWindowDays, step: refundStep(payment) };
  const { refund } = decideRefund(payment, request, terms);
  return { refund, payment };
}
