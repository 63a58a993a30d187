import { notFound } from '../../domain/errors.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { withNewOrderLink } from '../../domain/orders/order-link.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';

export interface ReplaceOrderLinkDeps {
  payments: Pick<PaymentStore, 'get' | 'save'>;
}

/**
 * Ends the current link of an order page, and every cookie that it has set. From then on, pages and mails contain a new
 * link.
 */
export const replaceOrderLink = (
  { payments }: ReplaceOrderLinkDeps,
  paymentId: string,
  claim: Claim<string>,
): Promise<string> =>
  retryStale(async () => {
    const payment = await payments.get(paymentId);
    if (payment.status !== 'succeeded') throw notFound('order', paymentId);
    const done = { command: 'order.replace_link', subject: paymentId, details: {} } as const;
    await payments.save(withNewOrderLink(payment), claim(paymentId, done));
    return paymentId;
  });
