import { chargeReferenceOf } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import {
  acceptedRefund,
  isRefundStarting,
  type Refund,
  type RefundState,
  settledRefund,
} from '../../domain/payments/refund.ts';
import { recordRefundEvent } from '../../events/catalogue.ts';
import type { RefundAttempt, Refunds } from '../../outside/processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { continuesWithinMs, retryStaleFrom } from '../retry.ts';

export interface SettleRefundDeps {
  payments: Pick<PaymentStore, 'get' | 'getRefund' | 'saveRefund'>;
  processor: Refunds;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** A refund with its payment, as they were last read or written. */
export interface StartedRefund {
  payment: Payment;
  refund: Refund;
}

/**
 * Asks the processor about a pending refund. Time alone never ends a refund. Returns null if it has ended, else since
 * when it is open.
 */
export async function settleRefund(deps: SettleRefundDeps, id: string): Promise<{ openSince: string } | null> {
  const refund = await continueRefund(deps, await readStarted(deps, id));
  return refund.status === 'pending' ? { openSince: refund.createdAt } : null;
}

/** Reads a refund with its payment. */
export async function readStarted({ payments }: SettleRefundDeps, id: string): Promise<StartedRefund> {
  const refund = await payments.getRefund(id);
  return { refund, payment: await payments.get(refund.paymentId) };
}

/** Commits the processor's answer with the payment and the event, once, and returns the refund's state. */
export async function continueRefund(deps: SettleRefundDeps, known: StartedRefund): Promise<Refund> {
  const row = { read: known, readAgain: () => readStarted(deps, known.refund.id), patienceMs: continuesWithinMs };
  return retryStaleFrom(row, async ({ payment, refund }) => {
    if (refund.status !== 'pending') return refund;
    const state = await askRefund(deps, payment, refund);
    if (state.status === 'pending') return accept(deps, refund, state.reference);
    const now = deps.now().toISOString();
    const settled = settledRefund(payment, refund, state, now);
    if (!settled) return refund;
    const { payment: after, event } = recordRefundEvent(settled.after, settled.refund, { id: deps.newId('evt'), now });
    await deps.payments.saveRefund({
      payment: after,
      refund: settled.refund,
      isNew: false,
      events: [event],
      records: [],
    });
    return settled.refund;
  });
}

/**
 * Repeats a refund that may never have reached the processor, under the same id. If the processor may have forgotten
 * the id, reads its list of refunds before sending anything again.
 */
async function askRefund({ processor, now }: SettleRefundDeps, payment: Payment, refund: Refund): Promise<RefundState> {
  const attempt = refundAttemptOf(payment, refund);
  const isRecognized = now().getTime() - Date.parse(refund.createdAt) < processor.repeatableMs;
  if (isRefundStarting(refund) && isRecognized) return processor.refund(attempt);
  const known = await processor.findRefund(attempt);
  if (known) return known;
  if (isRefundStarting(refund)) return processor.refund(attempt);
  throw new Error(`The processor does not know ${refund.reference}, its own refund.`);
}

export function refundAttemptOf(payment: Payment, refund: Refund): RefundAttempt {
  const { id: refundId, amount, currency, createdAt } = refund;
  const reference = chargeReferenceOf(payment);
  const transaction = payment.transaction ?? reference;
  return {
    refundId,
    known: refund.reference,
    paymentId: payment.id,
    reference,
    transaction,
    amount,
    currency,
    createdAt,
  };
}

/** Stores the processor's id of a refund that is still in progress. */
async function accept(deps: SettleRefundDeps, refund: Refund, reference: string | null): Promise<Refund> {
  const accepted = acceptedRefund(refund, reference, deps.now().toISOString());
  if (!accepted) return refund;
  await deps.payments.saveRefund({ refund: accepted, isNew: false, events: [], records: [] });
  return accepted;
}
