import type { Processor } from '../processor/processor.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { endRefund, orderOf } from './create-refund.ts';
import { retryStale } from './retry.ts';

export interface SettleRefundDeps {
  payments: Pick<PaymentStore, 'get' | 'getRefund' | 'saveRefund'>;
  processor: Pick<Processor, 'findRefund'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/** Ends a pending refund as the processor says, never by the clock; null when it has ended, or since when it is open. */
export function settleRefund(deps: SettleRefundDeps, id: string): Promise<{ openSince: string } | null> {
  return retryStale(async () => {
    const refund = await deps.payments.getRefund(id);
    if (refund.status !== 'pending') return null;
    const payment = await deps.payments.get(refund.paymentId);
    const status = await deps.processor.findRefund(orderOf(payment, refund));
    if (status === 'pending') return { openSince: refund.createdAt };
    const ended = endRefund({ after: payment, refund }, status, {
      id: deps.newId('evt'),
      now: deps.now().toISOString(),
    });
    if (ended) await deps.payments.saveRefund({ ...ended, payment: ended.after, isNew: false, records: [] });
    return null;
  });
}
