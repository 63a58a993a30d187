import { settlePayment } from '../../../shared/use-cases/payments/settle-payment.ts';
import { settleRefund } from '../../../shared/use-cases/payments/settle-refund.ts';

/** Ends a processing payment as its test card says, as the sweeper would. */
export async function endPayment(paymentId: string): Promise<void> {
  const { newId, now, payments, processor, sessions } = await import('../../../shared/runtime.ts');
  await settlePayment({ payments: payments(), sessions: sessions(), processor: processor(), now, newId }, paymentId);
}

/** Ends a pending refund as the payment's test card says, as the sweeper would. */
export async function endRefund(refundId: string): Promise<void> {
  const { newId, now, payments, processor } = await import('../../../shared/runtime.ts');
  await settleRefund({ payments: payments(), processor: processor(), now, newId }, refundId);
}
