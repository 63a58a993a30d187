import { isLapsed } from '../../domain/discounts/use-shard.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { describeError, logWarn } from '../../log.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';
import { type ClosePaymentDeps, closePayment } from '../payments/settle-payment.ts';

export interface PassOnUseDeps extends Omit<ClosePaymentDeps, 'payments'> {
  payments: ClosePaymentDeps['payments'] &
    Pick<UseStore, 'oldestHolds'> & { find: (id: string) => Promise<Payment | undefined> };
}

/** How many payments a request looks at, and how many of them it asks the processor to close. */
const mostLookedAt = 100;
const mostClosed = 3;

/**
 * Ends the oldest payment that has reserved a use of a used-up code too long without paying. Its use is then free. A
 * payment loses its use only if the processor has closed the payment. If it was paid at the same time, it keeps the
 * use. Returns false if no payment was ended.
 */
export async function passOnUse(deps: PassOnUseDeps, discountId: string): Promise<boolean> {
  const now = deps.now();
  const oldest = (await deps.payments.oldestHolds(discountId, mostLookedAt)).filter((hold) => isLapsed(hold, now));
  const payments = await Promise.all(oldest.map(({ paymentId }) => deps.payments.find(paymentId)));
  const open = payments.flatMap((payment) => (payment?.payAt ? [payment] : []));
  for (const { id: paymentId } of open.slice(0, mostClosed)) {
    const ended = await closePayment(deps, paymentId).catch((error: unknown) => {
      logWarn('a payment that keeps a use of a code cannot be closed', {
        payment_id: paymentId,
        ...describeError(error),
      });
      return undefined;
    });
    if (ended?.status === 'cancelled' || ended?.status === 'failed') return true;
  }
  return false;
}
