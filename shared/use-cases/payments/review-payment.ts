import type { Payment } from '../../domain/payments/payment.ts';
import type { Charges, Disputes } from '../../processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { startedChargeOf } from './ask-processor.ts';
import { type SettleDisputeDeps, settleDispute } from './settle-dispute.ts';

export interface NoteFeeDeps {
  payments: Pick<PaymentStore, 'get' | 'save'>;
  processor: Pick<Charges, 'find'>;
}

export interface ReviewPaymentDeps extends SettleDisputeDeps {
  payments: SettleDisputeDeps['payments'] & NoteFeeDeps['payments'];
  processor: SettleDisputeDeps['processor'] & Pick<Disputes, 'disputesOf'>;
}

/**
 * Hears what the processor has more to say of a payment that succeeded: its disputes, and its fee. Returns since when it should be
 * asked again, or null.
 */
export async function reviewPayment(deps: ReviewPaymentDeps, id: string): Promise<{ openSince: string } | null> {
  const payment = await deps.payments.get(id);
  if (payment.reviewAt === undefined) return null;
  const charge = { ...startedChargeOf(payment), transaction: payment.transaction ?? '', createdAt: payment.createdAt };
  for (const { reference } of await deps.processor.disputesOf(charge)) await settleDispute(deps, reference);
  await noteFee(deps, id);
  const { reviewAt } = await endReview(deps, payment);
  return reviewAt === undefined ? null : { openSince: payment.reviewAt };
}

/** Ends a review after which nothing is left to hear: the disputes are heard, and the fee is known. */
function endReview({ payments }: ReviewPaymentDeps, begun: Payment): Promise<Payment> {
  return retryStale(async () => {
    const { reviewAt, ...payment } = await payments.get(begun.id);
    if (reviewAt !== begun.reviewAt || !payment.fee) return { ...payment, reviewAt };
    await payments.save(payment);
    return payment;
  });
}

/** Keeps the processor's fee with a payment that succeeded, once the processor says it. It is often known only later. */
export function noteFee(deps: NoteFeeDeps, id: string): Promise<void> {
  return retryStale(async () => {
    const { reviewAt, ...payment } = await deps.payments.get(id);
    if (payment.status !== 'succeeded' || payment.fee) return;
    const state = await deps.processor.find(startedChargeOf(payment));
    if (state.status !== 'succeeded' || state.fee === null) return;
    if (state.fee) await deps.payments.save({ ...payment, fee: state.fee });
    else if (reviewAt !== undefined) await deps.payments.save(payment);
  });
}
