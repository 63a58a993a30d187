import { chargeReferenceOf } from '../../domain/payments/charge.ts';
import type { AlertMoney } from '../../domain/payments/money-alert.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import {
  isOverdue,
  isRefundStarting,
  type Refund,
  type RefundState,
  settledRefund,
  waitingRefund,
} from '../../domain/payments/refund.ts';
import { loggedReason, ProcessorError, type ProcessorReason } from '../../domain/processor.ts';
import { recordRefundEnd, recordRefundEvent } from '../../events/catalogue.ts';
import { describeError, logWarn } from '../../log.ts';
import type { RefundAttempt, Refunds } from '../../outside/processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { continuesWithinMs, retryStaleFrom } from '../retry.ts';

export interface SettleRefundDeps {
  payments: Pick<PaymentStore, 'get' | 'getRefund' | 'saveRefund'>;
  processor: Omit<Refunds, 'available'>;
  alert: AlertMoney;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** A refund with its payment, as they were last read or written. */
export interface StartedRefund {
  payment: Payment;
  refund: Refund;
}

/**
 * Asks the processor about a pending refund. A refund never ends only because time has passed. Returns null if it has
 * ended, otherwise the time since which it is open.
 */
export async function settleRefund(deps: SettleRefundDeps, id: string): Promise<{ openSince: string } | null> {
  const refund = await continueRefund(deps, await readStarted(deps, id));
  if (refund.status !== 'pending') return null;
  await noteOverdue(deps, refund);
  return { openSince: refund.createdAt };
}

/** Alerts the merchant once about a refund that waits too long. */
async function noteOverdue({ payments, alert, now }: SettleRefundDeps, refund: Refund): Promise<void> {
  const overdueAt = now().toISOString();
  if (!isOverdue(refund, overdueAt)) return;
  const { id, paymentId, waitsFor = 'unknown', refusal } = refund;
  alert('refund-waits', {
    refund_id: id,
    payment_id: paymentId,
    waits_for: waitsFor,
    ...(refusal ? loggedReason(refusal) : {}),
  });
  await retryStaleFrom({ read: refund, readAgain: () => payments.getRefund(id) }, async (known) => {
    if (!isOverdue(known, overdueAt)) return;
    const waited = known.waitsFor ?? null;
    await payments.saveRefund({ refund: { ...known, overdueAt }, isNew: false, waited, events: [], records: [] });
  });
}

/** Reads a refund with its payment. */
export async function readStarted({ payments }: SettleRefundDeps, id: string): Promise<StartedRefund> {
  const refund = await payments.getRefund(id);
  return { refund, payment: await payments.get(refund.paymentId) };
}

/** Commits the processor's answer only once, with the payment and the event. Returns the refund's state. */
export async function continueRefund(deps: SettleRefundDeps, known: StartedRefund): Promise<Refund> {
  const row = { read: known, readAgain: () => readStarted(deps, known.refund.id), patienceMs: continuesWithinMs };
  return retryStaleFrom(row, async ({ payment, refund }) => {
    if (refund.status !== 'pending') return refund;
    const state = await askRefund(deps, payment, refund);
    if (state.status === 'pending') return keepWaiting(deps, { payment, refund }, state);
    const now = deps.now().toISOString();
    const settled = settledRefund(payment, refund, state, now);
    if (!settled) return refund;
    const { newId } = deps;
    const { payment: after, events } = recordRefundEnd(settled.after, settled.refund, { newId, now });
    await deps.payments.saveRefund({
      payment: after,
      refund: settled.refund,
      isNew: false,
      events,
      records: [],
    });
    return settled.refund;
  });
}

/**
 * Repeats the request for a refund with the same id, because it may never have reached the processor. If the processor
 * may have forgotten the id, its list of refunds is read before anything is sent again.
 */
async function askRefund({ processor, now }: SettleRefundDeps, payment: Payment, refund: Refund): Promise<RefundState> {
  const attempt = refundAttemptOf(payment, refund);
  const isRecognized = now().getTime() - Date.parse(attempt.keyedAt) < processor.repeatableMs;
  if (isRefundStarting(refund) && isRecognized) return processor.refund(attempt);
  const known = await processor.findRefund(attempt);
  if (known) return known;
  if (isRefundStarting(refund)) return processor.refund(attempt);
  throw new Error(`The processor does not know ${refund.reference}, its own refund.`);
}

export function refundAttemptOf(payment: Payment, refund: Refund): RefundAttempt {
  const { id: refundId, amount, currency, createdAt, ask } = refund;
  const reference = chargeReferenceOf(payment);
  const transaction = payment.transaction ?? reference;
  return {
    refundId,
    key: ask ? `${refundId}-${ask.number}` : refundId,
    isRenewed: ask !== undefined,
    keyedAt: ask?.since ?? createdAt,
    known: refund.reference,
    paymentId: payment.id,
    reference,
    transaction,
    amount,
    currency,
  };
}

/**
 * Stores the state of a refund that is still in progress: the processor's id, what the refund waits for, and a new key
 * if it needs one. An event informs the merchant once what the refund waits for. The row must still wait for what was
 * read, so a slower answer cannot erase the reason, and only one of two writers sends the event.
 */
async function keepWaiting(
  { payments, now, newId }: SettleRefundDeps,
  started: StartedRefund,
  state: Extract<RefundState, { status: 'pending' }>,
): Promise<Refund> {
  const learntAt = now().toISOString();
  const waiting = waitingRefund(started, state, learntAt);
  if (!waiting) return started.refund;
  const isNews = waiting.waitsFor !== undefined && waiting.waitsFor !== started.refund.waitsFor;
  const told = isNews ? recordRefundEvent(started.payment, waiting, { id: newId('evt'), now: learntAt }) : undefined;
  await payments.saveRefund({
    ...(told && { payment: told.payment }),
    refund: waiting,
    isNew: false,
    waited: started.refund.waitsFor ?? null,
    events: told ? [told.event] : [],
    records: [],
  });
  return waiting;
}

/**
 * Reports that the processor gave no answer about a refund. It raises an alarm if only the merchant can fix the cause.
 */
export function reportUnanswered({ alert }: Pick<SettleRefundDeps, 'alert'>, refund: Refund, error: unknown): void {
  const about = { refund_id: refund.id, payment_id: refund.paymentId };
  if (error instanceof ProcessorError && error.kind === 'unauthorized')
    alert('processor-refuses', { ...about, ...loggedReason(error.refusal ?? unsaid(error)) });
  else logWarn('the processor has not answered; the sweep asks again', { ...about, ...describeError(error) });
}

const unsaid = ({ message, code }: ProcessorError): ProcessorReason => ({
  message,
  code,
  param: null,
  requestId: null,
});
