import type { Payment } from '../../domain/payments/payment.ts';
import { type Refund, type RefundDecision, settledRefund } from '../../domain/payments/refund.ts';
import { type DomainEvent, recordRefundEvent } from '../../events/catalogue.ts';
import type { Processor, RefundOrder } from '../../processor/processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';

export interface SettleRefundDeps {
  payments: Pick<PaymentStore, 'get' | 'getRefund' | 'saveRefund'>;
  processor: Pick<Processor, 'findRefund'>;
  now: () => Date;
  newId: (prefix: 'evt') => string;
}

/**
 * Ends a pending refund by the processor's answer, never by the clock. Returns null if it has ended, else since
 * when it is open.
 */
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

/** The refund as the processor receives it. */
export const orderOf = (payment: Payment, refund: Refund): RefundOrder => ({
  refundId: refund.id,
  paymentId: payment.id,
  amount: refund.amount,
  currency: refund.currency,
  card: { lastFour: payment.card?.lastFour ?? '' },
});

export type EndedRefund = RefundDecision & { events: DomainEvent[] };

/** Ends a pending refund with its event; undefined if it had already ended. */
export function endRefund(
  { after: payment, refund }: RefundDecision,
  status: 'succeeded' | 'failed',
  { id, now }: { id: string; now: string },
): EndedRefund | undefined {
  const settled = settledRefund(payment, refund, status, now);
  if (!settled) return undefined;
  const recorded = recordRefundEvent(settled.after, settled.refund, { id, now });
  return { refund: settled.refund, after: recorded.payment, events: [recorded.event] };
}
