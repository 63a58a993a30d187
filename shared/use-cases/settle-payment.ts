import { afterPayment } from '../domain/checkout-session.ts';
import { settlePayment as settle } from '../domain/payment.ts';
import { recordPaymentEvent } from '../events/catalogue.ts';
import type { Processor } from '../processor/processor.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import type { SessionStore } from '../store/session-store.ts';
import { retryStale } from './retry.ts';

export interface SettlePaymentDeps {
  payments: Pick<PaymentStore, 'get' | 'saveCharge'>;
  sessions: Pick<SessionStore, 'get'>;
  processor: Pick<Processor, 'findCharge'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** Ends a processing payment as the processor says, with its session and its event; null when it has ended, or since when it is open. */
export function settlePayment(deps: SettlePaymentDeps, id: string): Promise<{ openSince: string } | null> {
  return retryStale(async () => {
    const before = await deps.payments.get(id);
    if (before.status !== 'processing') return null;
    const outcome = await deps.processor.findCharge(before);
    const now = deps.now().toISOString();
    const settled = settle(before, outcome, now);
    if (!settled) return { openSince: before.createdAt };
    const { payment, event } = recordPaymentEvent(settled, { id: deps.newId('evt'), now });
    const session = await deps.sessions.get(payment.sessionId);
    await deps.payments.saveCharge({ session: afterPayment(session, payment, false), payment, event });
    return null;
  });
}
