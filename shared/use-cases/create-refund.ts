import type { Claim } from '../domain/idempotency.ts';
import type { Payment } from '../domain/payment.ts';
import { decideRefund, type Refund, type RefundDecision, settleRefund } from '../domain/refund.ts';
import type { RefundRequest } from '../domain/refund-portions.ts';
import { assertRefundWindow } from '../domain/refund-window.ts';
import { type DomainEvent, recordRefundEvent } from '../events/catalogue.ts';
import type { Processor } from '../processor/processor.ts';
import type { PaymentStore } from '../store/payment-store.ts';
import { retryStale } from './retry.ts';

export interface CreateRefundDeps {
  payments: Pick<PaymentStore, 'get' | 'getRefund' | 'saveRefund'>;
  processor: Pick<Processor, 'isRemote' | 'refund'>;
  /** Days in which a refund is possible; undefined: for ever. */
  refundWindowDays: number | undefined;
  now: () => Date;
  newId: (prefix: 'ref' | 'evt') => string;
}

/** Refunds what is asked, if it is still there to refund: the decision is pure, the commit atomic. */
export async function createRefund(
  deps: CreateRefundDeps,
  request: RefundRequest,
  claim: Claim<Refund>,
): Promise<Refund> {
  const id = deps.newId('ref');
  return retryStale(async () => {
    const payment = await deps.payments.get(request.paymentId);
    if (payment.refunds.some((known) => known.id === id)) return deps.payments.getRefund(id);
    const now = deps.now();
    assertRefundWindow(payment, now, deps.refundWindowDays);
    const decided = decideRefund(payment, request, { id, now: now.toISOString() });
    const { refund, after, events } = await settleAtOnce(deps, decided, now.toISOString());
    await deps.payments.saveRefund({ payment: after, refund, isNew: true, events, records: claim(refund) });
    return refund;
  });
}

type Settled = RefundDecision & { events: DomainEvent[] };

/**
 * A processor that decides in this process ends the refund in the same transaction. A remote one is never asked before the refund is
 * committed as pending: the sweeper asks it, with the refund's id as its idempotency key, until it has an answer.
 */
async function settleAtOnce(deps: CreateRefundDeps, decided: RefundDecision, now: string): Promise<Settled> {
  const pending = { ...decided, events: [] };
  if (deps.processor.isRemote) return pending;
  const status = await deps.processor.refund(orderOf(decided.after, decided.refund));
  if (status === 'pending') return pending;
  return endRefund(decided, status, { id: deps.newId('evt'), now }) ?? pending;
}

/** What the processor is told of a refund. */
export const orderOf = (payment: Payment, refund: Refund) => ({
  refundId: refund.id,
  paymentId: payment.id,
  amount: refund.amount,
  currency: refund.currency,
  card: { lastFour: payment.card?.lastFour ?? '' },
});

/** Ends a pending refund with its event; undefined when it had ended already. */
export function endRefund(
  { after: payment, refund }: RefundDecision,
  status: 'succeeded' | 'failed',
  { id, now }: { id: string; now: string },
): Settled | undefined {
  const settled = settleRefund(payment, refund, status, now);
  if (!settled) return undefined;
  const recorded = recordRefundEvent(settled.after, settled.refund, { id, now });
  return { refund: settled.refund, after: recorded.payment, events: [recorded.event] };
}
