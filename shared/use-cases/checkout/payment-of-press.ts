import type { CheckoutSession } from '../../domain/checkout/checkout-session.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';

/** The session's payment, if an earlier request of the same press on Pay has started it. */
export async function paymentOfPress(
  { payments }: { payments: Pick<PaymentStore, 'get'> },
  { paymentId }: CheckoutSession,
  press: string | undefined,
): Promise<Payment | undefined> {
  if (press === undefined || paymentId === null) return undefined;
  const payment = await payments.get(paymentId);
  return payment.press === press ? payment : undefined;
}
