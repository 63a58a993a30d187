import { dayMs } from '../../domain/duration.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Charges, Disputes } from '../../outside/processor/payment-processor.ts';
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
 * Asks the processor for more data about a successful payment: its disputes and its fee. Returns the time since which
 * this is open, if it must be asked again, otherwise null.
 */
export async function reviewPayment(deps: ReviewPaymentDeps, payment: Payment): Promise<{ openSince: string } | null> {
  if (payment.reviewAt === undefined) return null;
  const charge = { ...startedChargeOf(payment), transaction: payment.transaction ?? '', createdAt: payment.createdAt };
  for (const { reference } of await deps.processor.disputesOf(charge)) await settleDispute(deps, reference);
  return retryStale(() => endReview(deps, payment));
}

/** Ends a review once nothing more is expected: the fee is known or very late, and all the processor's disputes are stored. */
async function endReview(deps: ReviewPaymentDeps, reviewed: Payment): Promise<{ openSince: string } | null> {
  const payment = await deps.payments.get(reviewed.id);
  const { reviewAt, disputes } = payment;
  if (reviewAt === undefined) return null;
  const state = await deps.processor.find(startedChargeOf(payment));
  const isHeard = state.status === 'succeeded' && (!state.isDisputed || disputes.length > 0);
  const lacksFee = state.status === 'succeeded' && state.fee === null && !isLate(reviewAt, deps.now());
  if (reviewAt !== reviewed.reviewAt || !isHeard || lacksFee) return { openSince: reviewAt };
  await deps.payments.save({ ...ended(payment), ...(state.fee ? { fee: state.fee } : {}) });
  return null;
}

/**
 * Whether a review has waited a day for the fee. After that, the sweep no longer asks for it, because some fees can
 * never be read. The daily comparison and the processor's notifications can still bring it.
 */
const isLate = (reviewAt: string, now: Date): boolean => now.getTime() - Date.parse(reviewAt) > dayMs;

/** Stores the processor's fee with a successful payment once it is known, which is often later than the payment. */
export function noteFee(deps: NoteFeeDeps, id: string): Promise<void> {
  return retryStale(async () => {
    const payment = await deps.payments.get(id);
    if (payment.status !== 'succeeded' || payment.fee) return;
    const state = await deps.processor.find(startedChargeOf(payment));
    if (state.status !== 'succeeded' || !state.fee) return;
    await deps.payments.save({ ...(state.isDisputed ? payment : ended(payment)), fee: state.fee });
  });
}

const ended = ({ reviewAt: _, ...payment }: Payment): Payment => payment;
