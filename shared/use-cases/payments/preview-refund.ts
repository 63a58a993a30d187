import { setTimeout as pause } from 'node:timers/promises';
import { chargeReferenceOf } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { decideRefund, type Refund } from '../../domain/payments/refund.ts';
import type { RefundRequest } from '../../domain/payments/refund-portions.ts';
import { describeError, logInfo } from '../../log.ts';
import type { Refunds } from '../../outside/processor/payment-processor.ts';
import type { CreateRefundDeps } from './create-refund.ts';

type PreviewRefundDeps = Pick<CreateRefundDeps, 'refundWindowDays' | 'refundStep' | 'now'>;

/** Shows the result of a refund without storing anything. It uses the same code as a real refund. */
export function previewRefund(
  { refundWindowDays, refundStep, now }: PreviewRefundDeps,
  payment: Payment,
  request: RefundRequest,
): { refund: Refund; payment: Payment } {
  const terms = { id: 'preview', now: now().toISOString(), refundWindowDays, step: refundStep(payment) };
  const { refund } = decideRefund(payment, request, terms);
  return { refund, payment };
}

export interface AvailableBalanceDeps {
  processor: Pick<Refunds, 'available'>;
}

const patienceMs = 1_500;

/**
 * The money that the processor has now for a refund of a payment. Undefined if the processor does not answer in time,
 * or if the key may not read it. The page only warns with it, so it must neither fail nor wait.
 */
export async function availableBalance(
  { processor }: AvailableBalanceDeps,
  payment: Payment,
): Promise<number | undefined> {
  const charge = { reference: chargeReferenceOf(payment), currency: payment.currency };
  const asked = processor.available(charge).catch((error: unknown) => {
    logInfo('the balance at the processor is unknown', { payment_id: payment.id, ...describeError(error) });
    return undefined;
  });
  return Promise.race([asked, pause(patienceMs, undefined, { ref: false })]);
}
