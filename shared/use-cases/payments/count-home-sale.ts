import { lagsBehindCount } from '../../domain/payments/charge.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';
import { written } from '../written.ts';

interface CountHomeSaleDeps {
  payments: Pick<PaymentStore, 'get' | 'saveCharge'>;
}

/**
 * Updates the yearly count of a small seller after a payment has ended. It subtracts a failed payment, and adds one
 * that succeeded after it had failed. Returns the payment.
 */
export async function countHomeSale({ payments }: CountHomeSaleDeps, read: Payment): Promise<Payment> {
  if (!lagsBehindCount(read)) return read;
  return retryStale(async () => {
    const payment = await payments.get(read.id);
    const { homeSale } = payment;
    if (!homeSale || !lagsBehindCount(payment)) return payment;
    const { year, amount, isCounted } = homeSale;
    const after = { ...payment, homeSale: { ...homeSale, isCounted: !isCounted } };
    await payments.saveCharge({ payment: after, homeSale: { year, by: isCounted ? 0 - amount : amount } });
    return written(after);
  });
}
