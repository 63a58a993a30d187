import { afterPayment, type CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import { type Payment, settledPayment } from '../../domain/payments/payment.ts';
import { recordPaymentEvent } from '../../events/catalogue.ts';
import type { Charges } from '../../processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import { continuesWithinMs, retryStaleFrom } from '../retry.ts';
import { askProcessor } from './ask-processor.ts';

export interface SettlePaymentDeps {
  payments: Pick<PaymentStore, 'get' | 'saveCharge'>;
  sessions: Pick<SessionStore, 'get'>;
  processor: Pick<Charges, 'begin' | 'find'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** A payment with its session, as they were read or written last. */
export interface BegunPayment {
  payment: Payment;
  session: CheckoutSession | null;
}

/**
 * Asks the processor about a processing payment, never the clock. Returns null if it has ended, else since
 * when it is open.
 */
export async function settlePayment(deps: SettlePaymentDeps, id: string): Promise<{ openSince: string } | null> {
  const payment = await continuePayment(deps, { payment: await deps.payments.get(id), session: null });
  return payment.status === 'processing' ? { openSince: payment.createdAt } : null;
}

/** Commits the processor's answer with the session and the event, once, and returns the payment's state. */
export async function continuePayment(deps: SettlePaymentDeps, known: BegunPayment): Promise<Payment> {
  const readAgain = async () => ({ payment: await deps.payments.get(known.payment.id), session: null });
  return retryStaleFrom(
    { read: known, readAgain, patienceMs: continuesWithinMs },
    async ({ payment: before, session: read }) => {
      if (before.status !== 'processing') return before;
      const outcome = await askProcessor(deps.processor, before);
      const now = deps.now().toISOString();
      const settled = settledPayment(before, outcome, now);
      if (!settled) return before;
      const { payment, event } = recordPaymentEvent(settled, { id: deps.newId('evt'), now });
      const session = read ?? (await deps.sessions.get(payment.sessionId));
      await deps.payments.saveCharge({ session: afterPayment(session, payment, false), payment, event });
      return payment;
    },
  );
}
