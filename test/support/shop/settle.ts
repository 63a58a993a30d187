import { newId, now, payments, processor, sessions } from '../../../shared/runtime.ts';
import { settlePayment } from '../../../shared/use-cases/payments/settle-payment.ts';
import { settleRefund } from '../../../shared/use-cases/payments/settle-refund.ts';

/** Ends a processing payment as its test card says, as the sweeper would. */
export async function finishPayment(paymentId: string): Promise<void> {
  await settlePayment({ payments: payments(), sessions: sessions(), processor: processor(), now, newId }, paymentId);
}

/** Ends a pending refund as the payment's test card says, as the sweeper would. */
export async function finishRefund(refundId: string): Promise<void> {
  await settleRefund({ payments: payments(), processor: processor(), now, newId }, refundId);
}
