import { isLapsed } from '../../domain/discounts/use-shard.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { describeError, logWarn } from '../../log.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';
import { type ClosePaymentDeps, closePayment } from '../payments/settle-payment.ts';

export interface PassOnUseDeps extends Omit<ClosePaymentDeps, 'payments'> {
  payments: ClosePaymentDeps['payments'] &
    Pick<UseStore, 'oldestHolds'> & { find: (id: string) => Promise<Payment | undefined> };
}

/** How many payments a request looks at, how many of them at once, and how many it asks the processor to close. */
const mostLookedAt = 100;
const atOnce = 10;
const mostClosed = 3;

/**
 * Ends the oldest payment that has reserved a use of a used-up code too long without paying. Its use is then free. A
 * payment loses its use only if the processor has closed the payment. If it was paid at the same time, it keeps the
 * use. Returns false if no payment was ended.
 */
export async function passOnUse(deps: PassOnUseDeps, discountId: string): Promise<boolean> {
  const now = deps.now();
  const oldest = (await deps.payments.oldestHolds(discountId, mostLookedAt)).filter((hold) => isLapsed(hold, now));
  let closed = 0;
  for (let start = 0; start < oldest.length && closed < mostClosed; start += atOnce) {
    const some = oldest.slice(start, start + atOnce).map(({ paymentId }) => deps.payments.find(paymentId));
    const open = (await Promise.all(some)).flatMap((payment) => (payment?.payAt ? [payment] : []));
    for (const { id } of open.slice(0, mostClosed - closed)) {
      if (await isClosed(deps, id)) return true;
      closed += 1;
    }
  }
  return false;
}

async function isClosed(deps: PassOnUseDeps, paymentId: string): Promise<boolean> {
  const ended = await closePayment(deps, paymentId).catch((error: unknown) => {
    logWarn('a payment that keeps a use of a code cannot be closed', {
      payment_id: paymentId,
      ...describeError(error),
    });
    return undefined;
  });
  return ended?.status === 'cancelled' || ended?.status === 'failed';
}
