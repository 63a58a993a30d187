import type { AuditedCommand } from '../../domain/access/audit.ts';
import type { Claim } from '../../domain/idempotency.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { decideRefund, type Refund } from '../../domain/payments/refund.ts';
import type { Refunder } from '../../domain/payments/refund-allowance.ts';
import type { RefundRequest } from '../../domain/payments/refund-portions.ts';
import type { CaseCommit } from '../../store/withdrawal/withdrawal-store.ts';
import { retryStale } from '../retry.ts';
import { written } from '../written.ts';
import {
  continueRefund,
  readStarted,
  reportUnanswered,
  type SettleRefundDeps,
  type StartedRefund,
} from './settle-refund.ts';
import { type AllowanceDeps, usedAllowance } from './use-allowance.ts';

export interface CreateRefundDeps extends Omit<SettleRefundDeps, 'newId'>, AllowanceDeps {
  /** The number of days in which a refund is possible; undefined means no limit. */
  refundWindowDays: number | undefined;
  /** The smallest step, in minor units, in which the payment's processor moves money. */
  refundStep: (payment: Payment) => number;
  newId: (prefix: 'ref' | 'evt' | 'doc') => string;
}

/** The requested refund, and the key that requested it. */
interface RefundCommand {
  request: RefundRequest;
  by: Refunder;
  /**
   * The decision that the refund carries out, such as that about a withdrawal. It is read and written together with the
   * refund. `before` is the payment as it was read.
   */
  alongside?: (refund: Refund, before: Payment) => Promise<CaseCommit>;
}

/**
 * Refunds the requested amount if it is still refundable. The refund is first committed as pending. After that, the
 * processor is asked to pay it. If the processor does not answer, the refund stays pending.
 */
export async function createRefund(
  deps: CreateRefundDeps,
  command: RefundCommand,
  claim: Claim<Refund>,
): Promise<Refund> {
  return continueNow(deps, await beginRefund(deps, command, claim));
}

/** Continues a refund about which the processor has not answered. */
export const resumeRefund = async (deps: CreateRefundDeps, id: string): Promise<Refund> =>
  continueNow(deps, await readStarted(deps, id));

/**
 * Asks the processor now. The refund is already stored and due. So if the result stays unknown, the sweep asks again
 * with the same id.
 */
const continueNow = (deps: CreateRefundDeps, started: StartedRefund): Promise<Refund> =>
  continueRefund(deps, started).catch((error: unknown) => {
    reportUnanswered(deps, started.refund, error);
    return started.refund;
  });

function beginRefund(
  deps: CreateRefundDeps,
  { request, by, alongside }: RefundCommand,
  claim: Claim<Refund>,
): Promise<StartedRefund> {
  const [id, documentSecret] = [deps.newId('ref'), deps.newId('doc')];
  const { refundWindowDays } = deps;
  return retryStale(async () => {
    const payment = await deps.payments.get(request.paymentId);
    if (payment.refunds.some((known) => known.id === id)) return readStarted(deps, id);
    const now = deps.now().toISOString();
    const terms = { id, now, refundWindowDays, documentSecret, step: deps.refundStep(payment) };
    const { refund, after } = decideRefund(payment, request, terms);
    const withdrawal = await alongside?.(refund, payment);
    await deps.payments.saveRefund({
      payment: after,
      refund,
      isNew: true,
      events: [],
      records: claim(refund, refundMade(refund)),
      allowance: await usedAllowance(deps, by, refund),
      withdrawal,
    });
    return { refund, payment: written(after) };
  });
}

const refundMade = ({ id, paymentId, amount, currency }: Refund): AuditedCommand => ({
  command: 'refund.create',
  subject: id,
  details: { payment_id: paymentId, amount, currency },
});
