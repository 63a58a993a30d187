import { DomainError } from '../../domain/errors.ts';
import { adoptedRefundIdOf } from '../../domain/ids.ts';
import type { AlertMoney } from '../../domain/payments/money-alert.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { decideRefund, type RefundDecision, settledRefund } from '../../domain/payments/refund.ts';
import { recordRefundEvent } from '../../events/catalogue.ts';
import type { RecordedRefund } from '../../outside/processor/payment-processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import { retryStale } from '../retry.ts';

export interface AdoptRefundDeps {
  payments: Pick<PaymentStore, 'find' | 'saveRefund'>;
  alert: AlertMoney;
  now: () => Date;
  newId: (prefix: 'evt' | 'doc') => string;
}

/**
 * Books a refund that was made in the processor's own dashboard: divides it over the lines and adds its event and
 * credit note. Its id is derived from the processor's id, so it is booked once. The processor is not asked to make
 * it.
 */
export async function adoptRefund(deps: AdoptRefundDeps, found: RecordedRefund): Promise<void> {
  if (found.refundId !== null || found.status === 'failed') return;
  const about = { payment_id: found.paymentId, reference: found.reference };
  try {
    if (await book(deps, found)) deps.alert('refund-adopted', about);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code === 'SERVICE_UNAVAILABLE') throw error;
    deps.alert('refund-not-adopted', { ...about, because: error.code });
  }
}

const book = (deps: AdoptRefundDeps, found: RecordedRefund): Promise<boolean> =>
  retryStale(async () => {
    const payment = await deps.payments.find(found.paymentId);
    if (!payment) return false;
    const id = adoptedRefundIdOf(payment.processor, found.reference);
    if (payment.refunds.some((known) => known.id === id)) return false;
    const now = deps.now().toISOString();
    const adopted = decide(payment, found, { id, now, documentSecret: deps.newId('doc') });
    if (found.status === 'pending') {
      await deps.payments.saveRefund({ payment: adopted.after, refund: adopted.refund, ...isNew, events: [] });
      return true;
    }
    const paid = settledRefund(adopted.after, adopted.refund, { status: 'succeeded', reference: found.reference }, now);
    if (!paid) return false;
    const { payment: after, event } = recordRefundEvent(paid.after, paid.refund, { id: deps.newId('evt'), now });
    await deps.payments.saveRefund({ payment: after, refund: paid.refund, ...isNew, events: [event] });
    return true;
  });

const isNew = { isNew: true, records: [] };

/**
 * Decides how to book the refund. The processor has already made it, so neither the refund window nor a dispute
 * prevents it.
 */
function decide(
  payment: Payment,
  { reference, amount, currency }: RecordedRefund,
  terms: { id: string; now: string; documentSecret: string },
): RefundDecision {
  if (currency !== payment.currency) throw new DomainError('CONFLICT', `${reference} is not in ${payment.currency}.`);
  const undisputed = { ...payment, disputes: [] };
  const decided = decideRefund(undisputed, requestOf(payment.id, amount), terms);
  return {
    refund: { ...decided.refund, reference, origin: 'processor' },
    after: { ...decided.after, disputes: payment.disputes },
  };
}

const requestOf = (paymentId: string, amount: number) => ({
  paymentId,
  type: 'money' as const,
  amount,
  items: null,
  taxInclusive: true,
  currency: null,
  expectedRefundable: null,
  reason: 'Refunded at the processor.',
  publicReason: null,
  metadata: {},
});
