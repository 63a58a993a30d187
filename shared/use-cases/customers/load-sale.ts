import type { PaidSale } from '../../domain/customers/erasure.ts';
import { hasCode } from '../../domain/errors.ts';
import type { DisputeStore } from '../../store/payments/dispute-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { SessionStore } from '../../store/payments/session-store.ts';
import type { WithdrawalStore } from '../../store/withdrawal/withdrawal-store.ts';

export interface LoadSaleDeps {
  payments: Pick<PaymentStore, 'get' | 'getRefund'>;
  disputes: Pick<DisputeStore, 'get'>;
  withdrawals: Pick<WithdrawalStore, 'ofPayment'>;
}

/** Reads a payment with its refunds, disputes and withdrawals, consistently. */
export async function loadSale(deps: LoadSaleDeps, paymentId: string): Promise<Omit<PaidSale, 'session'>> {
  const payment = await deps.payments.get(paymentId);
  const [refunds, disputes, withdrawals] = await Promise.all([
    Promise.all(payment.refunds.map(({ id }) => deps.payments.getRefund(id))),
    Promise.all(payment.disputes.map(({ id }) => deps.disputes.get(id))),
    deps.withdrawals.ofPayment(paymentId),
  ]);
  return { payment, refunds, disputes, withdrawals };
}

/** The session of a payment; undefined if it has expired and was removed. */
export const findSession = (sessions: Pick<SessionStore, 'get'>, id: string): Promise<PaidSale['session']> =>
  sessions.get(id).catch((error: unknown) => {
    if (hasCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  });
