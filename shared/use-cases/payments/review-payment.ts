import type { Payment } from '../../domain/payments/payment.ts';
import type { Disputes } from '../../processor/payment-processor.ts';
import { startedChargeOf } from './ask-processor.ts';
import { type SettleDisputeDeps, settleDispute } from './settle-dispute.ts';

export interface ReviewPaymentDeps extends SettleDisputeDeps {
  processor: SettleDisputeDeps['processor'] & Pick<Disputes, 'disputesOf'>;
}

/** Hears what the processor has to say of a payment that has succeeded. Returns since when it should be asked again, or null. */
export async function reviewPayment(deps: ReviewPaymentDeps, id: string): Promise<{ openSince: string } | null> {
  const payment = await deps.payments.get(id);
  if (payment.reviewAt === undefined) return null;
  for (const { reference } of await deps.processor.disputesOf(paidChargeOf(payment)))
    await settleDispute(deps, reference);
  const { reviewAt } = await deps.payments.get(id);
  return reviewAt === undefined ? null : { openSince: payment.reviewAt };
}

const paidChargeOf = (payment: Payment) => ({
  ...startedChargeOf(payment),
  transaction: payment.transaction ?? '',
  createdAt: payment.createdAt,
});
