import type { AlertMoney } from '../../domain/payments/money-alert.ts';
import { type NetworkReference, revertedRefund, tracedRefund } from '../../domain/payments/refund.ts';
import { recordRefundEvent } from '../../events/catalogue.ts';
import { retryStale } from '../retry.ts';
import { readStarted, refundAttemptOf, type SettleRefundDeps, type StartedRefund } from './settle-refund.ts';

interface RevertRefundDeps extends SettleRefundDeps {
  alert: AlertMoney;
}

/**
 * Asks the processor whether the money of a successful refund has come back, and commits that only once. The amount can
 * then be refunded again, and the event `refund.failed` is sent. If it has not come back, the number by which the
 * buyer's bank finds the refund is stored, once the processor knows it. The rows are read before the processor is asked, so an
 * old answer is never committed.
 */
export async function revertRefund(deps: RevertRefundDeps, id: string): Promise<void> {
  const isReverted = await retryStale(async () => {
    const { payment, refund } = await readStarted(deps, id);
    if (refund.status !== 'succeeded') return false;
    const state = await deps.processor.findRefund(refundAttemptOf(payment, refund));
    if (state?.status === 'succeeded') await noteNetwork(deps, { payment, refund }, state.network);
    if (state?.status !== 'failed') return false;
    const { reference, failureReason } = state;
    const now = deps.now().toISOString();
    const reverted = revertedRefund(payment, refund, { reference, failureReason }, now);
    if (!reverted) return false;
    const { payment: after, event } = recordRefundEvent(reverted.after, reverted.refund, {
      id: deps.newId('evt'),
      now,
    });
    const change = { payment: after, refund: reverted.refund, events: [event], records: [] };
    await deps.payments.saveRefund({ ...change, isNew: false, from: 'succeeded' });
    return true;
  });
  if (isReverted) deps.alert('refund-came-back', { refund_id: id });
}

/** Stores the number of a refund at the buyer's bank. The payment is written too, so that no erasure is undone. */
async function noteNetwork(
  { payments, now }: RevertRefundDeps,
  { payment, refund }: StartedRefund,
  network: NetworkReference | undefined,
): Promise<void> {
  const traced = network && tracedRefund(payment, refund, network, now().toISOString());
  if (!traced) return;
  await payments.saveRefund({ payment, refund: traced, isNew: false, from: 'succeeded', events: [], records: [] });
}
