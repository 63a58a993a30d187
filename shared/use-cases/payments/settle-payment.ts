import { afterPayment } from '../../domain/checkout/checkout-session.ts';
import { type ChargeOutcome, type Payment, settledPayment } from '../../domain/payments/payment.ts';
import { recordPaymentEvent } from '../../events/catalogue.ts';
import type { Processor } from '../../processor/processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { retryStale } from '../retry.ts';

export interface EndPaymentDeps {
  payments: Pick<PaymentStore, 'get' | 'saveCharge'>;
  sessions: Pick<SessionStore, 'get'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

export interface SettlePaymentDeps extends EndPaymentDeps {
  processor: Pick<Processor, 'findCharge'>;
}

/**
 * Ends a processing payment by the processor's answer, never by the clock. Returns null if it has ended, else since
 * when it is open.
 */
export async function settlePayment(deps: SettlePaymentDeps, id: string): Promise<{ openSince: string } | null> {
  const payment = await endPayment(deps, id, (open) => deps.processor.findCharge(open));
  return payment.status === 'processing' ? { openSince: payment.createdAt } : null;
}

/** Ends a processing payment with its session and its event, once, and returns its final state. */
export function endPayment(
  deps: EndPaymentDeps,
  id: string,
  outcomeOf: (payment: Payment) => Promise<ChargeOutcome>,
): Promise<Payment> {
  return retryStale(async () => {
    const before = await deps.payments.get(id);
    if (before.status !== 'processing') return before;
    const outcome = await outcomeOf(before);
    const now = deps.now().toISOString();
    const settled = settledPayment(before, outcome, now);
    if (!settled) return before;
    const { payment, event } = recordPaymentEvent(settled, { id: deps.newId('evt'), now });
    const session = await deps.sessions.get(payment.sessionId);
    await deps.payments.saveCharge({ session: afterPayment(session, payment, false), payment, event });
    return payment;
  });
}
