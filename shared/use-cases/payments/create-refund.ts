import { assertPermitted } from '../../domain/access/access.ts';
import type { AuditedCommand } from '../../domain/access/audit.ts';
import type { Claim } from '../../domain/idempotency.ts';
import { decideRefund, type Refund, type RefundDecision } from '../../domain/payments/refund.ts';
import {
  allowanceDayOf,
  type RefundAllowance,
  type Refunder,
  spendAllowance,
} from '../../domain/payments/refund-allowance.ts';
import type { RefundRequest } from '../../domain/payments/refund-portions.ts';
import type { Processor } from '../../processor/processor.ts';
import type { PaymentStore } from '../../store/payments/payment-store.ts';
import type { RefundAllowanceStore } from '../../store/payments/refund-allowance-store.ts';
import { retryStale } from '../retry.ts';
import { type EndedRefund, endRefund, orderOf, settleRefund } from './settle-refund.ts';

export interface CreateRefundDeps {
  payments: Pick<PaymentStore, 'get' | 'getRefund' | 'saveRefund'>;
  allowances: RefundAllowanceStore;
  processor: Pick<Processor, 'isRemote' | 'refund' | 'findRefund'>;
  /** The number of days in which a refund is possible; undefined: no limit. */
  refundWindowDays: number | undefined;
  now: () => Date;
  newId: (prefix: 'ref' | 'evt' | 'doc') => string;
}

/** The requested refund, and the key that requests it. */
interface RefundCommand {
  request: RefundRequest;
  by: Refunder;
}

/**
 * Refunds the requested amount if it is still refundable. The decision is pure, the commit atomic. A remote
 * processor is asked after the refund is committed as pending. The response is the committed state, which a
 * repetition returns again.
 */
export async function createRefund(
  deps: CreateRefundDeps,
  { request, by }: RefundCommand,
  claim: Claim<Refund>,
): Promise<Refund> {
  const refund = await commitRefund(deps, { request, by }, claim);
  if (deps.processor.isRemote) await settleRefund(deps, refund.id).catch(leftToTheSweeper);
  return refund;
}

function commitRefund(deps: CreateRefundDeps, { request, by }: RefundCommand, claim: Claim<Refund>): Promise<Refund> {
  const [id, documentSecret] = [deps.newId('ref'), deps.newId('doc')];
  return retryStale(async () => {
    const payment = await deps.payments.get(request.paymentId);
    if (payment.refunds.some((known) => known.id === id)) return deps.payments.getRefund(id);
    const now = deps.now().toISOString();
    const { refundWindowDays } = deps;
    const decided = decideRefund(payment, request, { id, now, refundWindowDays, documentSecret });
    const allowance = await usedAllowance(deps, by, decided.refund);
    const { refund, after, events } = await endAtOnce(deps, decided, now);
    await deps.payments.saveRefund({
      payment: after,
      refund,
      isNew: true,
      events,
      records: claim(refund, refundMade(refund)),
      allowance,
    });
    return refund;
  });
}

const refundMade = ({ id, paymentId, amount, currency }: Refund): AuditedCommand => ({
  command: 'refund.create',
  subject: id,
  details: { payment_id: paymentId, amount, currency },
});

/**
 * What the key has used of its daily limit, including this refund. A key without a limit costs no read and no
 * write.
 */
async function usedAllowance(
  { allowances }: CreateRefundDeps,
  by: Refunder,
  refund: Refund,
): Promise<RefundAllowance | null | undefined> {
  assertPermitted(by, 'refunds');
  const ceiling = by.refunds?.perDay;
  return ceiling && spendAllowance(await allowances.get(by.hash, allowanceDayOf(refund.createdAt)), ceiling, refund);
}

/**
 * A processor that decides in this process ends the refund in the same transaction. A remote one is asked
 * afterwards.
 */
async function endAtOnce(deps: CreateRefundDeps, decided: RefundDecision, now: string): Promise<EndedRefund> {
  const pending = { ...decided, events: [] };
  if (deps.processor.isRemote) return pending;
  const status = await deps.processor.refund(orderOf(decided.after, decided.refund));
  if (status === 'pending') return pending;
  return endRefund(decided, status, { id: deps.newId('evt'), now }) ?? pending;
}

/** The refund is committed and due. If its end is still unknown, the sweeper asks again under the same id. */
const leftToTheSweeper = (): void => {};
