import { holdsItsCodes } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { UseStore } from '../../store/discounts/use-store.ts';

export interface CheckHoldDeps {
  payments: Pick<UseStore, 'findHolds' | 'endHold'> & { find: (id: string) => Promise<Payment | undefined> };
}

/**
 * Ends a reservation whose payment was ended by version 0.2.0, which does not know reservations. Returns whether the
 * payment is still open.
 */
export async function checkHold({ payments }: CheckHoldDeps, paymentId: string, discountId: string): Promise<boolean> {
  const payment = await payments.find(paymentId);
  if (payment?.status === 'processing') return true;
  const [hold] = await payments.findHolds(paymentId, [discountId]);
  if (hold) await payments.endHold({ hold, isPaid: payment !== undefined && holdsItsCodes(payment) });
  return false;
}
