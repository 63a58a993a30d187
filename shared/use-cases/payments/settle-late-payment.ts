import { afterPayment, type CheckoutSession, hasItsPayment } from '../../domain/checkout/checkout-session.ts';
import { hasCode } from '../../domain/errors.ts';
import { latePayment, sessionChargeOf } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { decideRefund } from '../../domain/payments/refund.ts';
import { recordPaymentEvent } from '../../events/catalogue.ts';
import { type CountUsesDeps, takeUses } from '../discounts/count-uses.ts';
import { retryStale } from '../retry.ts';
import { written } from '../written.ts';
import { askProcessor } from './ask-processor.ts';
import type { SettlePaymentDeps } from './settle-payment.ts';
import { continueRefund, reportUnanswered, type SettleRefundDeps, type StartedRefund } from './settle-refund.ts';

export interface SettleLatePaymentDeps extends Omit<SettlePaymentDeps, 'newId'>, Omit<SettleRefundDeps, 'newId'> {
  payments: SettlePaymentDeps['payments'] & SettleRefundDeps['payments'] & CountUsesDeps['payments'];
  processor: SettlePaymentDeps['processor'] & SettleRefundDeps['processor'];
  newId: (prefix: 'evt' | 'ref' | 'doc') => string;
}

/**
 * Asks the processor about a payment that was given up here, and handles money that arrived anyway. The money pays for
 * its session if that is unpaid and was not opened again by its recovery link. Otherwise it is booked and refunded in
 * full in one transaction, so it is never kept by mistake.
 * @param reference the processor's id of the charge, if the payment never got one
 */
export async function settleLatePayment(deps: SettleLatePaymentDeps, id: string, reference: string): Promise<void> {
  const started = await retryStale(async () => {
    const before = await deps.payments.get(id);
    if (before.status !== 'failed' && before.status !== 'cancelled') return undefined;
    const state = await askProcessor(deps.processor, { ...before, reference: before.reference ?? reference });
    const late = latePayment(before, state, deps.now().toISOString());
    if (!late) return undefined;
    const session = await findSession(deps, late.sessionId);
    return session && awaitsMoney(session) ? accept(deps, late, session) : giveBack(deps, late);
  });
  if (!started) return;
  deps.alert('late-payment-returned', { payment_id: id, refund_id: started.refund.id });
  await continueRefund(deps, started).catch((error: unknown) => reportUnanswered(deps, started.refund, error));
}

/**
 * Whether late money may pay for the session. If an expired session was opened again, only the new session can be paid.
 */
const awaitsMoney = (session: CheckoutSession): boolean => !hasItsPayment(session) && session.recoveredBy === undefined;

/** The session, if it still exists. An unpaid session is removed 90 days after it has expired. */
const findSession = (deps: SettleLatePaymentDeps, id: string): Promise<CheckoutSession | undefined> =>
  deps.sessions.get(id).catch((error: unknown) => {
    if (hasCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  });

/** Whether the error says that a code has no use left. An error of a busy table means something else. */
const hasNoRoom = (error: unknown): boolean =>
  hasCode(error, 'INVALID_DISCOUNT_CODE') || hasCode(error, 'DISCOUNT_CODE_USAGE_LIMIT_EXCEEDED');

/**
 * Accepts late money and takes the uses of its codes again. If a code has no use left, the money is returned instead,
 * because the limit must not be exceeded.
 */
async function accept(
  deps: SettleLatePaymentDeps,
  late: Payment,
  session: CheckoutSession,
): Promise<StartedRefund | undefined> {
  const redemption = await takeUses(deps, late).catch((error: unknown) => {
    if (hasNoRoom(error)) return undefined;
    throw error;
  });
  if (!redemption) return giveBack(deps, late);
  const { payment, event } = recordPaymentEvent(redemption.payment, { id: deps.newId('evt'), now: late.updatedAt });
  await deps.payments.saveCharge({
    session: afterPayment(session, { ...sessionChargeOf(payment), isSpared: false }, false),
    payment,
    uses: redemption.uses,
    event,
  });
  return undefined;
}

/**
 * Books the late money and a refund of it. The refund is then pending. If this process crashes, the sweep continues the
 * refund.
 */
async function giveBack(deps: SettleLatePaymentDeps, late: Payment): Promise<StartedRefund> {
  const now = late.updatedAt;
  const returned = { ...late, late: { at: now, isReturned: true } };
  const terms = { id: deps.newId('ref'), now, documentSecret: deps.newId('doc') };
  const decided = decideRefund(returned, everything(late.id), terms);
  const refund = { ...decided.refund, origin: 'late' as const };
  const { payment, event } = recordPaymentEvent(decided.after, { id: deps.newId('evt'), now });
  await deps.payments.saveRefund({ payment, refund, isNew: true, events: [event], records: [] });
  return { payment: written(payment), refund };
}

const everything = (paymentId: string) => ({
  paymentId,
  type: 'money' as const,
  amount: null,
  items: null,
  taxInclusive: true,
  currency: null,
  expectedRefundable: null,
  reason: 'Paid after the order was already paid or closed.',
  publicReason: null,
  metadata: {},
});
