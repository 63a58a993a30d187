import type { Payment } from '../../domain/payments/payment.ts';
import { NotificationRefused, ProcessorError } from '../../domain/processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { type AlertHourlyDeps, alertHourly } from './alert-hourly.ts';

interface ReportRefusedDeps extends AlertHourlyDeps {
  payments: Pick<PaymentStore, 'find'>;
  merchantId: string;
}

/**
 * Raises an alarm if the processor's notifications cannot be verified: no secret is stored, or a refused one names a
 * charge of ours by the processor's own id, which strangers do not know. Anybody can send a notification with a wrong
 * signature, so any other one raises no alarm.
 */
export async function reportRefused(deps: ReportRefusedDeps, error: unknown): Promise<void> {
  if (error instanceof ProcessorError && error.kind === 'unauthorized')
    return alertHourly(deps, 'notifications-refused', { reason: error.message });
  if (!(error instanceof NotificationRefused) || error.reason !== 'signature' || !error.claim) return;
  const { paymentId, merchantId, reference } = error.claim;
  if (merchantId !== deps.merchantId) return;
  const payment = await deps.payments.find(paymentId);
  if (payment?.reference !== reference) return;
  await alertHourly(deps, 'notifications-refused', { reason: error.message, payment_id: paymentId });
}

/** Raises an alarm about a paid payment that the sweep has found, because no notification about it has come. */
export const reportUnnotified = (deps: AlertHourlyDeps, { id }: Payment): Promise<void> =>
  alertHourly(deps, 'notification-missing', { payment_id: id });
