import type { Payment } from '../../domain/payments/payment.ts';
import { NotificationRefused, notifiedCounter, ProcessorError } from '../../domain/processor.ts';
import { describeError, logWarn } from '../../log.ts';
import type { ThrottleStore } from '../../store/access/throttle-store.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { type AlertHourlyDeps, alertHourly } from './alert-hourly.ts';

interface ReportRefusedDeps extends AlertHourlyDeps {
  payments: Pick<PaymentStore, 'find'>;
  merchantId: string;
}

/**
 * Raises an alarm if the processor's notifications cannot be verified: no secret is stored, or a refused one names a
 * charge of ours by the processor's own id. Anybody can send a notification with a wrong signature, so any other one
 * raises no alarm. The buyer of the payment can read that id and cause a false alarm, which moves no money.
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

interface ReportUnnotifiedDeps extends AlertHourlyDeps {
  throttles: Pick<ThrottleStore, 'count' | 'seen'>;
}

const hourMs = 3_600_000;

/**
 * Raises an alarm about a paid payment that the sweep has found, because no notification about it has come. A
 * notification that came while the processor did not answer was counted, and raises none.
 */
export async function reportUnnotified(deps: ReportUnnotifiedDeps, { id }: Payment): Promise<void> {
  const now = deps.now();
  const hours = [now, new Date(now.getTime() - hourMs)];
  const counts = Promise.all(hours.map((at) => deps.throttles.seen(notifiedCounter(id), at)));
  const seen = await counts.catch((error: unknown) => {
    logWarn('the notifications of a payment cannot be read', describeError(error));
    return [];
  });
  if (seen.every((count) => count === 0)) await alertHourly(deps, 'notification-missing', { payment_id: id });
}
